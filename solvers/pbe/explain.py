"""A verification told step by step, for people, in short; `proof` tells all of it.

Every sentence is computed from the verdict's own checks; none is fixed prose that could be wrong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from .conditions import Kind, plan_words
from .field import Element
from .formulas import formula, source
from .markup import Block, Heading, Item, Math, Paragraph, Text, joined, words
from .proof_account import CONCEPT_NAMES
from .prover import declarations
from .verify import Check, Verdict

MAX_SETS = 40
"""Information sets told in full; the others are counted."""


def explain(verdict: Verdict) -> list[Block]:
    """The account of a verification."""
    return list(_account(verdict))


def _account(verdict: Verdict) -> Iterator[Block]:
    model, tree = verdict.model, verdict.model.tree
    name = CONCEPT_NAMES[verdict.concept]
    by_set: dict[int, list[Check]] = defaultdict(list)
    for check in verdict.checks:
        by_set[check.condition.information_set].append(check)
    answer = {"holds": "Yes", "fails": "No", "undecided": "Undecided"}[verdict.status]
    yield Heading(1, (f"{verdict.game}: is this assessment a {name}? {answer}.",))
    assumptions = [relation for s in model.field.symbols for relation in declarations(s)]
    assumptions += [*getattr(tree.rules, "assumptions", ()), *model.assessment.assumptions]
    if assumptions:
        yield Paragraph(("For all ", *joined(map(formula, assumptions)), "."))
    if verdict.rationalised:
        yield Paragraph(
            ("The game's payoffs and probabilities are floats, read as the nearest fractions.",)
        )
    yield Paragraph(("Expected payoffs: ", _tuple(verdict.values), "."))
    for h in range(min(tree.num_infosets, MAX_SETS)):
        yield from _information_set(verdict, h, by_set[h])
    if tree.num_infosets > MAX_SETS:
        yield Paragraph((f"{tree.num_infosets - MAX_SETS} more information sets, checked alike.",))
    if verdict.concept == "sequential":
        yield from _trembles(verdict)
    yield Heading(3, ("Conclusion",))
    if verdict.violations:
        for violation in verdict.violations:
            yield Item((violation.text + ".",))
        yield Paragraph((f"So the assessment is not a {name}.",))
    elif verdict.undecided:
        for statement in verdict.undecided:
            yield Item((f"Not settled: {statement}.",))
    else:
        yield Paragraph((f"All {len(verdict.checks)} conditions hold: a {name}.",))


def _information_set(verdict: Verdict, h: int, checks: Sequence[Check]) -> Iterator[Block]:
    model, tree = verdict.model, verdict.model.tree
    names = tree.action_names(h)
    yield Heading(3, (tree.keys[h],))
    mix = [(n, s) for n, s in zip(names, model.strategy[h], strict=True) if s != model.field.zero]
    yield Item(("Plays ", *_listed([(n, _element(verdict, s)) for n, s in mix]), "."))
    if verdict.concept != "nash":
        if len(model.nodes[h]) > 1:
            yield _belief(verdict, h)
        values = [_element(verdict, u) for u in model.action_values(h)]
        yield Item(("Expected utilities: ", *_listed(list(zip(names, values, strict=True))), "."))
    told: dict[Kind, str] = {
        "rationality": "Best reply",
        "plan": "No better plan",
        "bayes": "Bayes' rule",
        "updating": "Updating",
        "consistency": "Consistency",
    }
    for kind, label in told.items():
        mine = [check for check in checks if check.condition.kind == kind]
        if mine:
            yield _reasons(verdict, label, kind, mine)
    if h in model.fixed:
        yield Item(("The belief is given from outside: Bayes' rule is not asked here.",))


def _belief(verdict: Verdict, h: int) -> Block:
    model = verdict.model
    if h in model.coarse:
        rows = zip(model.histories[h], model.coarse[h], strict=True)
        source = "Believes "
    else:
        rows = zip(model.nodes[h], model.beliefs[h], strict=True)
        source = "Believes, by Bayes' rule, "
    words = [
        (model.tree.history_words(n), _element(verdict, mu))
        for n, mu in rows
        if mu != model.field.zero
    ]
    return Item((source, *_listed(words), "."))


def _reasons(verdict: Verdict, label: str, kind: Kind, checks: Sequence[Check]) -> Block:
    if kind not in ("rationality", "plan") and all(c.proof.answer == "proved" for c in checks):
        return Item((f"{label}: {len(checks)} equations, all satisfied.",))
    parts: list[str | Math] = []
    for check in checks:
        line = _reason(verdict, check)
        if line is not None and line not in parts:
            parts += [*line, "; "]
    return Item((f"{label}: ", *parts[:-1], "."))


def _reason(verdict: Verdict, check: Check) -> list[str | Math]:
    condition, tree = check.condition, verdict.model.tree
    value = source(verdict.model.show(condition.element))
    sense = {">=": r"\ge", ">": ">", "==": "=", "!=": r"\ne"}[condition.sense]
    end = {"proved": "", "refuted": " (fails)", "undecided": " (not settled)"}[check.proof.answer]
    if condition.kind == "rationality":
        names = tree.action_names(condition.information_set)
        (instead,) = condition.deviation.values()
        left = f"u({_mbox(names[condition.played])}) - u({_mbox(names[instead])})"
        return [Math(f"{left} = {value} {sense} 0"), end]
    if condition.kind == "plan":
        words = plan_words(verdict.model, condition.deviation)
        return [f"against {words} ", Math(f"{value} {sense} 0"), end]
    return [f"{condition.statement}: ", Math(f"{value} {sense} 0"), end]


def _trembles(verdict: Verdict) -> Iterator[Block]:
    tree = verdict.model.tree
    yield Heading(3, ("Consistency of the beliefs",))
    for found in verdict.trembles:
        zeros = [Math(_element(verdict, x).source + " = 0") for x in found.pattern.vanishing]
        where: list[str | Math] = []
        if len(verdict.trembles) > 1:
            where = ["Where ", *joined(zeros), ": "] if zeros else ["Elsewhere: "]
        if found.orders:
            rows = [
                (f"{tree.action_names(h)[a]!r} at {tree.keys[h]!r}", Math(rf"\varepsilon^{{{k}}}"))
                for (h, a), k in sorted(found.orders.items())
            ]
            text = "Bayes' rule gives the beliefs in the limit, when the unplayed actions get "
            yield Item((*where, text, "probabilities of order ", *_listed(rows), "."))
        else:
            yield Item((*where, "Bayes' rule gives the beliefs: all that matters is played."))


# -------------------------------------------------------------------------------------- formatting


def _element(verdict: Verdict, element: Element) -> Math:
    return formula(verdict.model.show(element))


def _mbox(text: str) -> str:
    return words(text, "mbox")  # plain LaTeX knows it


def _tuple(values: Sequence[object]) -> Math:
    return Math(r"\left(" + ",\\ ".join(map(source, values)) + r"\right)")


def _listed(rows: Sequence[tuple[str, Math]]) -> Text:
    return joined([(f"{name}: ", value) for name, value in rows])
