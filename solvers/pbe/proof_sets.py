"""The main part of a written proof: beliefs, expected utilities and best replies, set by set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy

from .conditions import WITHOUT_BELIEFS, Kind
from .field import Element
from .formulas import inline, inline_factor, product, relation, source, total, wrapped
from .markup import Block, Display, Heading, Item, Math, Paragraph, Text, joined, words
from .proof_account import Account
from .proof_game import MAX_SETS
from .proof_plans import plans_part
from .shares import MAX_LISTED, MAX_TERMS, Share, shares
from .verify import Check


def sets_part(account: Account) -> Iterator[Block]:
    """What each player believes, expects and does at each information set."""
    tree = account.tree
    if account.verdict.concept in WITHOUT_BELIEFS:
        yield Heading(1, ("No better plan",))
        for h in dict.fromkeys(c.condition.information_set for c in account.checks(("plan",))):
            yield Heading(2, (account.names[h],))
            yield from plans_part(account, h)
        return
    yield Heading(1, ("Beliefs and best replies",))
    for h in range(min(tree.num_infosets, MAX_SETS)):
        yield Heading(2, (account.names[h],))
        yield from _belief(account, h)
        yield from _replies(account, h)
        yield from plans_part(account, h)
    if tree.num_infosets > MAX_SETS:
        rest = [
            check
            for check in account.verdict.checks
            if check.condition.information_set >= MAX_SETS and check.proof.answer == "proved"
        ]
        yield Paragraph(
            (
                f"{tree.num_infosets - MAX_SETS} more information sets are checked alike: "
                f"{len(rest)} conditions there are proved.",
            )
        )


# ----------------------------------------------------------------------------------------- beliefs


def _belief(account: Account, h: int) -> Iterator[Block]:
    model = account.model
    if len(model.nodes[h]) == 1:
        return
    if h in model.fixed:
        yield Paragraph(("The belief is given from outside; Bayes' rule is not asked for.",))
        return
    weights, own = model.prior_weights(h)
    whole = sum(weights, model.field.zero)
    k = model.anchor(h)
    rule = "Bayes' rule" if k < 0 else f"Bayes' rule, from the belief at {account.names[k]},"
    if whole * own == model.field.zero:
        yield Paragraph(("Off the path: Bayes' rule does not bind the belief here.",))
    elif model.prover.always(whole * own, ">").answer == "proved":
        yield Paragraph((f"On the path. {rule} gives",))
        yield from _bayes(account, h, weights)
    else:
        where = Math(f"{account.full(whole * own)} > 0")
        yield Paragraph(("On the path only where ", where, f"; there {rule} gives"))
        yield from _bayes(account, h, weights)
    yield from _equations(account, h, "bayes", "Bayes' rule")
    yield from _updating(account, h)


def _bayes(account: Account, h: int, weights: Sequence[Element]) -> Iterator[Block]:
    """Numerators, denominator and quotient."""
    model, short = account.model, account.short
    brief = short.prior_weights(h)[0]
    rows = []
    for share in shares(model, h):
        members = [model.nodes[h].index(node) for node in share.nodes]
        top = sum((brief[i] for i in members), short.field.zero)
        rows.append((share.history, top, sum((weights[i] for i in members), model.field.zero)))
    if len(rows) > MAX_LISTED:
        rows = [row for row in rows if row[2] != model.field.zero]
    if len(rows) > MAX_TERMS:
        yield Paragraph((f"It is computed for {len(rows)} histories, not shown here.",))
        return
    whole = sum((full for _, _, full in rows), model.field.zero)
    bottom = account.letter(sum((top for _, top, _ in rows), short.field.zero))
    sums = total([account.brief(top) for _, top, _ in rows if top != short.field.zero])
    reached = rf"\Pr({words(account.names[h])}) &= "
    lines = [reached + _chain([sums, source(bottom), account.full(whole)])]
    for node, top, full in rows:
        ways = _factors(account, node) if node in model.nodes[h] and model.anchor(h) < 0 else ""
        quotient = rf"\frac{{{ways or inline(account.letter(top))}}}{{{inline(bottom)}}}"
        belief = rf"\mu({words(account.history(node))}) &= "
        lines.append(belief + _chain([quotient, account.full(full / whole)]))
    yield Display(tuple(part for line in lines for part in wrapped(line)))


def _factors(account: Account, node: int) -> str:
    """The probability of a history as the product of its moves."""
    short = account.short
    edges = [account.letter(short.edge[step]) for step in short.path(node)[1:]]
    edges = [edge for edge in edges if edge != 1]
    return r" \cdot ".join(map(inline_factor, edges)) or "1"


def _equations(account: Account, h: int, kind: Kind, name: str) -> Iterator[Block]:
    """Tells only the equations that fail, or are not settled: the others were just shown."""
    for check in account.checks((kind,), h):
        if check.proof.answer != "proved":
            condition = check.condition
            found = account.judge(condition.element, condition.sense, check.proof)
            yield Item((f"{name}: {condition.statement}. The difference is ", *found.text(), "."))


def _updating(account: Account, h: int) -> Iterator[Block]:
    model = account.model
    checks = account.checks(("updating",), h)
    if not checks:
        return
    k = model.previous_own_set(h)
    if all(check.proof.answer == "proved" for check in checks):
        yield Paragraph((f"The belief follows by Bayes' rule from the one at {account.names[k]}.",))
    else:
        yield from _equations(account, h, "updating", f"Bayes' rule from {account.names[k]}")


# --------------------------------------------------------------------------------------- utilities


def _utilities(account: Account, h: int) -> list[str]:
    """A line for the expected utility of each action."""
    names = account.tree.action_names(h)
    short = account.short
    told = [share for share in shares(short, h) if share.belief != short.field.zero]
    lines = []
    for a, (name, value) in enumerate(zip(names, account.model.action_values(h), strict=True)):
        parts = _written_out(account, h, told, a)
        if len(told) == 1:
            parts.append(account.brief(account.short.action_values(h)[a]))
        lines.append(rf"u({words(name)}) &= " + _chain([*parts, account.full(value)]))
    return lines


def _written_out(account: Account, h: int, told: Sequence[Share], a: int) -> list[str]:
    """The expected utility of an action as a sum of probabilities times values."""
    short = account.short
    player = int(account.tree.owner[h])
    if len(told) > MAX_TERMS:
        return []
    if len(told) == 1 and told[0].belief == short.field.one:
        return _by_payoff(account, player, told[0], a)
    terms = []
    for share in told:
        value = short.field.zero
        for node, weight in zip(share.nodes, share.weights, strict=True):
            value += weight * short.value[short.children[node][a]][player]
        terms.append(product([account.letter(share.belief), account.letter(value)]))
    return [total(terms)]


def _by_payoff(account: Account, player: int, share: Share, a: int) -> list[str]:
    """Each payoff times its probability."""
    short = account.short
    chances: dict[Element, Element] = {}
    for node, weight in zip(share.nodes, share.weights, strict=True):
        stack = [(short.children[node][a], weight)]
        while stack:
            place, p = stack.pop()
            if p == short.field.zero:
                continue
            if not short.children[place]:
                u = short.value[place][player]
                chances[u] = chances.get(u, short.field.zero) + p
            stack += [(child, p * short.edge[child]) for child in short.children[place]]
    rows = [(p, u) for u, p in chances.items() if u != short.field.zero and p != short.field.zero]
    if len(chances) < 2 or len(rows) > MAX_TERMS // 2:
        return []
    rows.sort(key=lambda row: sympy.default_sort_key(account.letter(row[1])), reverse=True)
    return [total([product([account.letter(p), account.letter(u)]) for p, u in rows])]


def _chain(parts: Sequence[str]) -> str:
    """Equal expressions, each said once."""
    return " = ".join(dict.fromkeys(parts))


# ------------------------------------------------------------------------------------ best replies


def _replies(account: Account, h: int) -> Iterator[Block]:
    """Expected utilities, and that what is played is best."""
    model = account.model
    names = account.tree.action_names(h)
    checks = account.checks(("rationality",), h)
    lines = _utilities(account, h)
    played = [a for a, s in enumerate(model.strategy[h]) if s != model.field.zero]
    inside = [c for c in checks if _instead(c) in played]
    indifferent: Text = ()
    if inside and all(_is_zero(account, check) for check in inside):
        reasons = {
            reason
            for c in inside
            for reason in account.judge(c.condition.element, ">=", c.proof).because
        }
        since: Text = (", since ", *joined(map(Math, sorted(reasons)))) if reasons else ()
        listed = joined([(names[a],) for a in played], ", ", " and ")
        who = f"P{account.tree.owner[h] + 1}"
        indifferent = (f"{who} is indifferent between ", *listed, *since, ".")
        checks = _for_one(account, [c for c in checks if c not in inside], played[0])
    lines += [_reply(account, h, check) for check in checks]
    yield Display(tuple(part for line in lines for part in wrapped(line)))
    if indifferent:
        yield Paragraph(indifferent)


def _for_one(account: Account, checks: Sequence[Check], played: int) -> list[Check]:
    """The checks for one of several equally good actions, if they say as much as all of them.

    They do if their signs hold everywhere, and not only where that action is played.
    """
    its = [check for check in checks if check.condition.played == played]
    for check in its:
        reason = account.signs.of(account.shown(check.condition.element))
        if check.proof.answer != "proved" or reason is None:
            return list(checks)
    return its


def _reply(account: Account, h: int, check: Check) -> str:
    """A line for one best-reply condition."""
    names, condition = account.tree.action_names(h), check.condition
    left = f"u({words(names[condition.played])}) - u({words(names[_instead(check)])})"
    given = _given(account, h, check)
    line = account.judge(condition.element, ">=", check.proof, given).line(left)
    line = line.replace("&&", r"\quad")  # few lines of a display have a reason
    if given:
        line += rf" \quad ({words('where ')} {relation(given[0])})"
    return line


def _instead(check: Check) -> int:
    (action,) = check.condition.deviation.values()
    return action


def _is_zero(account: Account, check: Check) -> bool:
    return account.judge(check.condition.element, ">=", check.proof).sign == "= 0"


def _given(account: Account, h: int, check: Check) -> list[Any]:
    """That the action is played, if it is so on a part of the domain only."""
    probability = account.model.strategy[h][check.condition.played]
    if account.model.field.is_constant(probability):
        return []
    return [sympy.Gt(sympy.sympify(account.model.show(probability)), 0)]
