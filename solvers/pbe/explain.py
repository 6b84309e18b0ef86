"""A verification told step by step, for people: Markdown and LaTeX from one computed account.

Every sentence is computed from the verdict's own checks; none is fixed prose that could be wrong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sympy

from .conditions import Kind, plan_words
from .field import Element
from .prover import declarations
from .verify import Check, Verdict

CONCEPT_NAMES = {
    "nash": "Nash equilibrium",
    "weak-pbe": "weak perfect Bayesian equilibrium",
    "pbe": "perfect Bayesian equilibrium",
    "sequential": "sequential equilibrium",
}
_BLANK = dict.fromkeys("\n\r\t\0", " ")
"""Characters of a label that would break a line or a file."""
_LATEX = str.maketrans(
    _BLANK
    | {ch: "\\" + ch for ch in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", '"': "''"}
)
"""Characters that LaTeX reads as commands."""
MAX_SETS = 40
"""Information sets told in full; the others are counted."""


@dataclass(frozen=True)
class Math:
    """A formula, as LaTeX source without delimiters."""

    source: str


@dataclass(frozen=True)
class Block:
    """A heading (level 1, 2), a paragraph (level 0) or a list item (level -1)."""

    level: int
    parts: tuple[str | Math, ...]


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
    yield Block(1, (f"{verdict.game}: is this assessment a {name}? {answer}.",))
    assumptions = [relation for s in model.field.symbols for relation in declarations(s)]
    assumptions += [*getattr(tree.rules, "assumptions", ()), *model.assessment.assumptions]
    if assumptions:
        yield Block(0, ("For all ", *_joined([_math(a) for a in assumptions]), "."))
    if verdict.rationalised:
        yield Block(
            0, ("The game's payoffs and probabilities are floats, read as the nearest fractions.",)
        )
    yield Block(0, ("Expected payoffs: ", _tuple(verdict.values), "."))
    for h in range(min(tree.num_infosets, MAX_SETS)):
        yield from _information_set(verdict, h, by_set[h])
    if tree.num_infosets > MAX_SETS:
        yield Block(0, (f"{tree.num_infosets - MAX_SETS} more information sets, checked alike.",))
    if verdict.concept == "sequential":
        yield from _trembles(verdict)
    yield Block(2, ("Conclusion",))
    if verdict.violations:
        for violation in verdict.violations:
            yield Block(-1, (violation.text + ".",))
        yield Block(0, (f"So the assessment is not a {name}.",))
    elif verdict.undecided:
        for statement in verdict.undecided:
            yield Block(-1, (f"Not settled: {statement}.",))
    else:
        yield Block(0, (f"All {len(verdict.checks)} conditions hold: a {name}.",))


def _information_set(verdict: Verdict, h: int, checks: Sequence[Check]) -> Iterator[Block]:
    model, tree = verdict.model, verdict.model.tree
    names = tree.action_names(h)
    yield Block(2, (tree.keys[h],))
    mix = [(n, s) for n, s in zip(names, model.strategy[h], strict=True) if s != model.field.zero]
    yield Block(-1, ("Plays ", *_listed([(n, _element(verdict, s)) for n, s in mix]), "."))
    if verdict.concept != "nash":
        if len(model.nodes[h]) > 1:
            yield _belief(verdict, h)
        values = [_element(verdict, u) for u in model.action_values(h)]
        yield Block(
            -1,
            ("Expected utilities: ", *_listed(list(zip(names, values, strict=True))), "."),
        )
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
        yield Block(-1, ("The belief is given from outside: Bayes' rule is not asked here.",))


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
    return Block(-1, (source, *_listed(words), "."))


def _reasons(verdict: Verdict, label: str, kind: Kind, checks: Sequence[Check]) -> Block:
    if kind not in ("rationality", "plan") and all(c.proof.answer == "proved" for c in checks):
        return Block(-1, (f"{label}: {len(checks)} equations, all satisfied.",))
    parts: list[str | Math] = []
    for check in checks:
        line = _reason(verdict, check)
        if line is not None and line not in parts:
            parts += [*line, "; "]
    return Block(-1, (f"{label}: ", *parts[:-1], "."))


def _reason(verdict: Verdict, check: Check) -> list[str | Math]:
    condition, tree = check.condition, verdict.model.tree
    value = sympy.latex(_sympy(verdict, condition.element))
    sense = {">=": r"\ge", ">": ">", "==": "=", "!=": r"\ne"}[condition.sense]
    end = {"proved": "", "refuted": " (fails)", "undecided": " (not settled)"}[check.proof.answer]
    if condition.kind == "rationality":
        names = tree.action_names(condition.information_set)
        (instead,) = condition.deviation.values()
        left = f"u({_text(names[condition.played])}) - u({_text(names[instead])})"
        return [Math(f"{left} = {value} {sense} 0"), end]
    if condition.kind == "plan":
        words = plan_words(verdict.model, condition.deviation)
        return [f"against {words} ", Math(f"{value} {sense} 0"), end]
    return [f"{condition.statement}: ", Math(f"{value} {sense} 0"), end]


def _trembles(verdict: Verdict) -> Iterator[Block]:
    tree = verdict.model.tree
    yield Block(2, ("Consistency of the beliefs",))
    for found in verdict.trembles:
        zeros = [Math(_element(verdict, x).source + " = 0") for x in found.pattern.vanishing]
        where: list[str | Math] = []
        if len(verdict.trembles) > 1:
            where = ["Where ", *_joined(zeros), ": "] if zeros else ["Elsewhere: "]
        if found.orders:
            rows = [
                (f"{tree.action_names(h)[a]!r} at {tree.keys[h]!r}", Math(rf"\varepsilon^{{{k}}}"))
                for (h, a), k in sorted(found.orders.items())
            ]
            text = "Bayes' rule gives the beliefs in the limit, when the unplayed actions get "
            yield Block(-1, (*where, text, "probabilities of order ", *_listed(rows), "."))
        else:
            yield Block(-1, (*where, "Bayes' rule gives the beliefs: all that matters is played."))


# -------------------------------------------------------------------------------------- formatting


def _sympy(verdict: Verdict, element: Element) -> sympy.Basic:
    return sympy.sympify(verdict.model.show(element))


def _element(verdict: Verdict, element: Element) -> Math:
    return _math(_sympy(verdict, element))


def _text(words: str) -> str:
    return r"\mbox{" + words.translate(_LATEX) + "}"


def _math(value: object) -> Math:
    return Math(sympy.latex(sympy.sympify(value)))


def _tuple(values: Sequence[object]) -> Math:
    return Math(r"\left(" + ",\\ ".join(_math(v).source for v in values) + r"\right)")


def _listed(rows: Sequence[tuple[str, Math]]) -> list[str | Math]:
    parts: list[str | Math] = []
    for name, value in rows:
        parts += [f"{name}: ", value, ", "]
    return parts[:-1]


def _joined(rows: Sequence[Math]) -> list[str | Math]:
    parts: list[str | Math] = []
    for value in rows:
        parts += [value, ", "]
    return parts[:-1]


def to_markdown(blocks: Sequence[Block]) -> str:
    """Markdown with formulas between dollar signs."""
    special = str.maketrans({ch: "\\" + ch for ch in "\\`*_$<>#|[]"} | _BLANK)

    def inline(part: str | Math) -> str:
        return f"${part.source}$" if isinstance(part, Math) else part.translate(special)

    lines: list[str] = []
    for i, block in enumerate(blocks):
        text = "".join(map(inline, block.parts))
        marker = {1: "## ", 2: "#### ", 0: "", -1: "- "}[block.level]
        if lines and not (block.level == -1 and blocks[i - 1].level == -1):
            lines.append("")
        lines.append(marker + text)
    return "\n".join(lines) + "\n"


def to_latex(blocks: Sequence[Block]) -> str:
    """A LaTeX fragment."""

    def inline(part: str | Math) -> str:
        return f"${part.source}$" if isinstance(part, Math) else part.translate(_LATEX)

    lines: list[str] = []
    listing = False
    for block in blocks:
        if listing != (block.level == -1):
            listing = not listing
            lines.append(r"\begin{itemize}" if listing else r"\end{itemize}")
        text = "".join(map(inline, block.parts))
        wrap = {1: r"\section*{%s}", 2: r"\subsection*{%s}", 0: "%s\n", -1: r"\item %s"}
        lines.append(wrap[block.level] % text)
    if listing:
        lines.append(r"\end{itemize}")
    return "\n".join(lines) + "\n"
