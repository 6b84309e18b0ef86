"""Exact verification of an assessment: every condition proved, or every violated one named.

The verdict never rests on a float: numbers are compared as fractions, conditions with symbols are
proved on their whole domain by z3 (`prover`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from typing import Any, Literal

import pyspiel
import sympy

from ...games.errors import ParameterError, Undecided, UnsupportedGame
from ...games.exact import exact
from ...games.rules import Exact, Rules
from ..tree import GameTree, compile_tree
from .assessment import Assessment, Belief
from .conditions import (
    AMOUNT,
    WITHOUT_BELIEFS,
    Concept,
    Condition,
    Kind,
    bayes,
    check_concept,
    game_deviations,
    plan_deviations,
    proper,
    single_deviations,
    updating,
)
from .consistency import Trembles, patterns, tremble_orders, tremble_sizes
from .field import Element
from .markup import Block, Format, document, format_of, render, save_text
from .model import Model
from .prover import DEFAULT_TIME_LIMIT, Proof, point_words

Detail = Literal["summary", "proof"]
"""How much of a verification is told."""


@dataclass(frozen=True)
class Check:
    """A condition and what the prover said of it."""

    condition: Condition
    proof: Proof


@dataclass(frozen=True)
class Violation:
    """A condition that fails.

    Attributes:
        kind: see `Condition.kind`.
        player: whose condition (0 is P1), -1 if nobody's.
        information_set: the information-state string, empty for the whole game.
        text: what is wrong, in words.
        amount: for a deviation, what the player gains; for an equation, by how much it is off.
        deviation: for a deviation, the action played instead by information set.
        at: values of the symbols where it fails; empty without symbols.
    """

    kind: Kind
    player: int
    information_set: str
    text: str
    amount: Exact
    deviation: Mapping[str, str]
    at: Mapping[sympy.Symbol, Exact]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, repr=False, eq=False)
class Verdict:
    """Whether an assessment is an equilibrium, and why not.

    Attributes:
        game: name of the game.
        concept: the equilibrium concept that was asked.
        status: ``holds``, ``fails`` or ``undecided``.
        violations: every violated condition.
        undecided: statements that the prover could not settle in its time.
        values: expected payoff of each player under the strategies, in utilities.
        set_values: expected payoff of its owner at each information set, under its belief there
            (empty for ``nash`` and ``subgame-perfect``).
        trembles: for ``sequential``: tremble orders that explain the beliefs.
        rationalised: whether the game's numbers were floats, read as the nearest fractions.
        checks: every condition with its proof.
        model: the exact numbers behind it.
    """

    game: str
    concept: Concept
    status: Literal["holds", "fails", "undecided"]
    violations: tuple[Violation, ...]
    undecided: tuple[str, ...]
    values: tuple[Exact, ...]
    set_values: Mapping[str, Exact]
    trembles: tuple[Trembles, ...] = field(repr=False)
    rationalised: bool
    checks: tuple[Check, ...] = field(repr=False)
    model: Model = field(repr=False)

    @property
    def holds(self) -> bool:
        """Whether the assessment is an equilibrium.

        Raises:
            Undecided: the prover could not settle some condition.
        """
        if self.status == "undecided":
            raise Undecided(
                f"{self.game}: could not settle {list(self.undecided)}; pass a larger time_limit, "
                "or give some symbols numbers"
            )
        return self.status == "holds"

    def equal(self, left: Exact, right: Exact) -> bool:
        """Whether two exact expressions agree wherever the assumptions hold.

        Raises:
            Undecided: the prover could not tell.
        """
        model = self.model
        proof = model.prover.always(model.field(left) - model.field(right), "==")
        if proof.answer == "undecided":
            raise Undecided(f"{self.game}: could not settle whether {left} equals {right}")
        return proof.answer == "proved"

    def markdown(self, detail: Detail = "summary") -> str:
        """The verification, step by step, in Markdown.

        Args:
            detail: ``summary`` states the outcome of each check; ``proof`` writes everything out:
                the game, Bayes' rule, expected utilities, the reasons for all signs, trembles.
        """
        return render(self._told(detail), "markdown")

    def latex(self, detail: Detail = "summary") -> str:
        """The verification, step by step, as a LaTeX fragment.

        Args:
            detail: as for `markdown`. A ``summary`` needs no packages, a ``proof`` needs amsmath,
                booktabs and longtable.
        """
        return render(self._told(detail), "latex")

    def document(self, format: Format = "latex", title: str = "") -> str:
        """The proof as a complete document to hand out.

        Args:
            format: ``latex`` (class article; packages amsmath, amssymb, booktabs, longtable) or
                ``markdown`` (formulas between dollar signs).
            title: of the document; by default the concept and the game.

        Raises:
            ParameterError: another format.
        """
        from .proof import heading

        return document(title or heading(self), self._proof, format)

    def save_document(self, path: str | PathLike[str], title: str = "") -> None:
        """Writes the `document` to a file, completely or not at all.

        Args:
            path: ends in ``.tex`` or ``.md``, which decides the format.
            title: as for `document`.

        Raises:
            ParameterError: another ending.
            OutputError: a missing or read-only folder, or a full disk.
        """
        save_text(path, self.document(format_of(path), title))

    def _told(self, detail: Detail) -> list[Block]:
        from .explain import explain

        if detail not in ("summary", "proof"):
            raise ParameterError(f"detail={detail!r}: write 'summary' or 'proof'")
        return explain(self) if detail == "summary" else self._proof

    @cached_property
    def _proof(self) -> list[Block]:
        from .proof import proof

        blocks = proof(self)
        self.model.prover.rest()  # finding the reasons for signs has asked it
        return blocks

    def _repr_markdown_(self) -> str:
        return self.markdown()

    def __str__(self) -> str:
        return "\n".join([self._headline(), *(f"  - {v.text}" for v in self.violations)])

    def __repr__(self) -> str:
        return f"<Verdict {self._headline()}>"

    def _headline(self) -> str:
        return f"{self.game}: {self.concept} {self.status} ({len(self.checks)} conditions)"


def verify(
    game: str | pyspiel.Game | Rules[Any] | GameTree,
    assessment: Assessment,
    concept: str = "pbe",
    *,
    fixed_beliefs: Mapping[str, Belief] | None = None,
    time_limit: float = DEFAULT_TIME_LIMIT,
) -> Verdict:
    """Checks exactly whether an assessment is an equilibrium.

    With symbols, the assessment is an equilibrium if it is one for all values that the
    assumptions allow. Without symbols, cost is linear in the number of nodes for ``nash`` and grows
    with nodes times depth for the others; with symbols it is dominated by the prover.

    Args:
        game: a name, rules, a compiled tree, or an OpenSpiel game (whose floats are then read as
            the nearest fractions).
        assessment: strategies, beliefs, assumptions.
        concept: ``nash``, ``subgame-perfect``, ``weak-pbe``, ``pbe`` or ``sequential``, as defined
            in `conditions`.
        fixed_beliefs: beliefs that come from outside the game, say from a discussion that is not
            modelled, as ``{information set: belief}``; Bayes' rule and consistency are not asked
            there. At later sets of the same player Bayes' rule starts from the fixed belief.
        time_limit: seconds for each question to the prover.

    Raises:
        AssessmentError: the assessment does not fit the game, or its assumptions contradict.
        InexactError: a float in the assessment.
        UnsupportedGame: too many plans to check with symbols.
    """
    known = check_concept(concept)
    tree = compile_tree(game)
    try:
        return _verify(Model(tree, assessment, fixed_beliefs, time_limit), known)
    except RecursionError as error:
        raise UnsupportedGame(
            f"{tree.name} is too deep for exact verification: a player moves hundreds of times in "
            "a row; shorten the game"
        ) from error


def _verify(model: Model, concept: Concept) -> Verdict:
    tree = model.tree
    checks: list[Check] = []
    violations: list[Violation] = []
    undecided: list[str] = []
    trembles: list[Trembles] = []

    def examine(condition: Condition) -> None:
        proof = model.prover.always(condition.element, condition.sense, condition.given)
        checks.append(Check(condition, proof))
        if proof.answer == "refuted":
            violations.append(_violation(model, condition, proof))
        elif proof.answer == "undecided":
            undecided.append(condition.statement)

    for condition in _undefined(model, concept):
        examine(condition)
    if not violations:
        for condition in _conditions(model, concept):
            examine(condition)
        if concept == "sequential":
            for pattern in patterns(model):
                if pattern is None:
                    undecided.append("the beliefs' consistency where different probabilities are 0")
                    break
                found = tremble_orders(model, pattern)
                if isinstance(found, Trembles):
                    trembles.append(found)
                elif found is None:
                    undecided.append("whether some trembles explain the beliefs")
                else:
                    violations.append(_no_trembles(model, found.information_sets, pattern))
                for condition in tremble_sizes(model, pattern):
                    examine(condition)
    status = "fails" if violations else "undecided" if undecided else "holds"
    sets = range(tree.num_infosets) if concept not in WITHOUT_BELIEFS else ()
    verdict = Verdict(
        game=tree.name,
        concept=concept,
        status=status,
        violations=tuple(violations),
        undecided=tuple(undecided),
        values=tuple(map(model.show, model.value[0])),
        set_values={tree.keys[h]: model.show(model.set_value(h)) for h in sets},
        trembles=tuple(trembles),
        rationalised=tree.rationalised,
        checks=tuple(checks),
        model=model,
    )
    model.prover.rest()
    return verdict


def _undefined(model: Model, concept: Concept) -> Iterator[Condition]:
    """Denominators must not vanish on the domain; nothing else can be asked where they do."""
    yield from _divisions(model, "strategy", model.strategy)
    if concept not in WITHOUT_BELIEFS:
        yield from _divisions(model, "belief", model.beliefs)


def _divisions(model: Model, kind: Kind, rows: Sequence[Sequence[Element]]) -> Iterator[Condition]:
    for h, row in enumerate(rows):
        owner, key = int(model.tree.owner[h]), model.tree.keys[h]
        for element in row:
            denominator = model.field.denominator(element)
            if not model.field.is_constant(denominator):
                yield Condition(
                    kind,
                    owner,
                    h,
                    f"the {kind} at {key!r} is defined",
                    denominator,
                    "!=",
                    f"the {kind} at {key!r} divides by 0",
                )


def _conditions(model: Model, concept: Concept) -> Iterator[Condition]:
    yield from proper(model, concept)
    if concept in WITHOUT_BELIEFS:
        yield from game_deviations(model, concept)
        return
    yield from single_deviations(model)
    if concept != "sequential" or model.fixed:  # beliefs from outside need not agree
        yield from plan_deviations(model)
    yield from bayes(model)
    if concept == "pbe":
        yield from updating(model)


def _violation(model: Model, condition: Condition, proof: Proof) -> Violation:
    tree, h = model.tree, condition.information_set
    matters = _symbols(model, condition.element)
    if condition.kind == "rationality":
        matters |= _symbols(model, model.strategy[h][condition.played])
    elif condition.given:
        matters |= set(proof.point)
    at = {s: v for s, v in proof.point.items() if s in matters}
    amount = _at(model.field.to_exact(condition.element), at)
    deviation = {tree.keys[k]: tree.action_names(k)[a] for k, a in condition.deviation.items()}
    if condition.kind in ("rationality", "plan"):
        amount = -amount
    text = condition.failure.replace(AMOUNT, str(amount)) + point_words(at)
    return Violation(condition.kind, condition.player, tree.keys[h], text, amount, deviation, at)


def _symbols(model: Model, element: Element) -> set[Any]:
    return set(sympy.sympify(model.field.to_exact(element)).free_symbols)


def _no_trembles(model: Model, sets: tuple[int, ...], pattern: Any) -> Violation:
    proof = (
        model.prover.refutable(model.prover.written(pattern.relations))
        if model.field.symbols
        else Proof("refuted", {})
    )
    names = " and ".join(repr(model.tree.keys[h]) for h in sets)
    return Violation(
        "consistency",
        int(model.tree.owner[sets[0]]),
        model.tree.keys[sets[0]],
        f"no trembles make exactly the believed histories at {names} the likeliest ones"
        + point_words(proof.point),
        0,
        {},
        proof.point,
    )


def _at(value: Exact, point: Mapping[sympy.Symbol, Exact]) -> Exact:
    if not isinstance(value, sympy.Basic):
        return value
    return exact(sympy.simplify(value.subs({s: sympy.sympify(v) for s, v in point.items()})))
