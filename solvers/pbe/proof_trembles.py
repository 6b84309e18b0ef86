"""The consistency part of a written proof: explicit trembles, and the limits of their beliefs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy

from .consistency import Pattern, sets_with_beliefs
from .field import Element
from .formulas import at, factor, source
from .markup import Block, Display, Heading, Math, Paragraph, Table, Text, joined, words
from .proof_account import Account
from .tremble_sequence import Leading, Size, TrembleSequence, tremble_sequence


def consistency_part(account: Account) -> Iterator[Block]:
    """That the beliefs are limits of Bayes' rule along completely mixed strategies."""
    model, verdict = account.model, account.verdict
    yield Heading(1, ("Consistency of the beliefs",))
    sets = sets_with_beliefs(model)
    later = [
        h for h in range(account.tree.num_infosets) if len(model.nodes[h]) > 1 and h not in sets
    ]
    if later:
        told = " is given from outside, or follows from such a belief"
        if len(later) > 1:
            told = " are given from outside, or follow from such beliefs"
        what = f"The {_plural('belief', later)} at "
        yield Paragraph((what, *_names(account, later), told, ": consistency is not asked for."))
    if not sets:
        told = "no other set" if later else "no set"
        yield Paragraph(
            (f"There is {told} with more than one history, so nothing is to be shown.",)
        )
        return
    sequences = [tremble_sequence(model, found) for found in verdict.trembles]
    sequences.sort(key=lambda sequence: not sequence.pattern.vanishing)
    complete = not verdict.undecided and all(v.kind != "consistency" for v in verdict.violations)
    if complete and not any(sequence.unreached for sequence in sequences):
        yield Paragraph(_all_reached(account, sets))
        return
    if any(sequence.unreached for sequence in sequences):
        yield Paragraph(
            (
                "Let ",
                Math(r"\varepsilon \to 0"),
                ". Actions that are not played get the probabilities shown, those not shown ",
                Math(r"\varepsilon"),
                "; the played actions at the same set give this up in proportion.",
            )
        )
    for sequence in sequences:
        yield from _case(account, sequence, len(sequences) > 1 or not complete)
    if not complete:
        yield Paragraph(
            ("Where no trembles are shown, none exist or that is not settled: see the conclusion.",)
        )


def _all_reached(account: Account, sets: list[int]) -> Text:
    verb = "is" if len(sets) == 1 else "are"
    return (
        f"The {_plural('set', sets)} with more than one history, ",
        *_names(account, sets),
        f", {verb} reached with positive probability. So along all completely mixed strategies "
        "that converge to these, what Bayes' rule gives there converges to the "
        f"{_plural('belief', sets)} computed above.",
    )


def _plural(word: str, things: list[int]) -> str:
    return word if len(things) == 1 else word + "s"


def _names(account: Account, sets: list[int]) -> Text:
    return joined([(account.names[h],) for h in sets], ", ", " and ")


def _case(account: Account, sequence: TrembleSequence, several: bool) -> Iterator[Block]:
    where = _where(account, sequence.pattern)
    if several:
        yield Heading(2, where)
    if not sequence.unreached:
        yield Paragraph(
            ("All sets with more than one history are reached here, and Bayes' rule decides.",)
        )
        return
    roots = any(size.value is None for size in sequence.sizes.values())
    answers = {
        check.proof.answer
        for check in account.checks(("consistency",))
        if check.condition.given is sequence.pattern.relations
    }
    if not roots:
        answers.add(sequence.limits)
    if answers - {"proved"}:
        told = "not true everywhere here" if "refuted" in answers else "not settled"
        yield Paragraph((f"That one sequence of trembles gives the beliefs is {told}.",))
        return
    values = _vanishing(account, sequence.pattern)
    rows = [
        (
            (account.names[h],),
            (account.tree.action_names(h)[a],),
            (Math(_tremble(account, sequence.sizes[h, a], k, values)),),
        )
        for (h, a), k in sequence.orders.items()
    ]
    yield Table((("Set",), ("Action",), ("Probability",)), tuple(rows))
    if roots:
        yield Paragraph(
            (
                "With these sizes the beliefs at ",
                *_names(account, list(sequence.unreached)),
                " are the limits, since the equations that they ask of the sizes were proved to "
                "agree.",
            )
        )
        return
    yield Paragraph(("Leading terms of the probabilities, and the limits of the beliefs:",))
    yield Display(
        tuple(line for h in sequence.unreached for line in _limits(account, h, sequence, values))
    )


def _where(account: Account, pattern: Pattern) -> Text:
    if not pattern.vanishing:
        return ("Elsewhere",)
    values = _vanishing(account, pattern)
    zeros = [sympy.sympify(account.model.show(x)) for x in pattern.vanishing]
    if all(x.subs(values) == 0 for x in zeros):
        return ("Where ", *joined(at(values)))
    return ("Where ", *joined([Math(f"{source(x)} = 0") for x in zeros]))


def _vanishing(account: Account, pattern: Pattern) -> dict[Any, Any]:
    """Values of symbols that follow at once from what is 0 on a pattern."""
    values: dict[Any, Any] = {}
    for x in pattern.vanishing:
        expression = sympy.fraction(sympy.sympify(account.model.show(x)))[0].subs(values)
        for symbol in sorted(expression.free_symbols, key=str):
            slope = sympy.diff(expression, symbol)
            if slope.is_number and slope != 0:
                value = sympy.expand(symbol - expression / slope)
                values = {s: v.subs(symbol, value) for s, v in values.items()} | {symbol: value}
                break
    return values


def _shown(account: Account, element: Element, values: dict[Any, Any]) -> Any:
    shown = account.shown(element)
    return sympy.factor(shown.subs(values)) if values else shown


def _epsilon(order: int) -> str:
    return r"\varepsilon" if order == 1 else rf"\varepsilon^{{{order}}}"


def _tremble(account: Account, size: Size, order: int, values: dict[Any, Any]) -> str:
    if size.value is not None:
        number = _shown(account, size.value, values)
        return _epsilon(order) if number == 1 else rf"{factor(number)} \, {_epsilon(order)}"
    roots = "".join(
        rf"\left({source(_shown(account, top / bottom, values))}\right)^{{{c}}}"
        for top, bottom, c in size.factors
    )
    return rf"{roots} \, {_epsilon(order)}"


def _limits(
    account: Account, h: int, sequence: TrembleSequence, values: dict[Any, Any]
) -> Iterator[str]:
    model = account.model
    beliefs = dict(zip(model.nodes[h], model.beliefs[h], strict=True))
    for leading in sequence.leading[h]:
        limit = source(_shown(account, beliefs[leading.node], values))
        history = words(account.history(leading.node))
        size = _leading(account, leading, values)
        yield rf"\Pr({history}) &\sim {size}, & \mu({history}) &\to {limit}"


def _leading(account: Account, leading: Leading, values: dict[Any, Any]) -> str:
    number = _shown(account, leading.coefficient, values)
    if leading.order == 0:
        return source(number)
    return (
        _epsilon(leading.order)
        if number == 1
        else rf"{factor(number)} \, {_epsilon(leading.order)}"
    )
