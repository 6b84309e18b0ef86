"""Kinds of published claims, each with the computation that checks it exactly.

A claim is data: a game, a profile or an assessment, and what the source says of it. Checking it
computes the answer from the game's rules; nothing is compared in floating point. To see a claim
fail, replace a part of it::

    wrong = dataclasses.replace(claim, game=other_rules)
    wrong.check().violations
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, Literal

import sympy

from ..games.errors import ParameterError, Undecided
from ..games.rules import Exact, Rules
from ..solvers.exact import evaluate_exact, exact_profile
from ..solvers.pbe import Assessment, Verdict, verify
from ..solvers.pbe.assessment import Belief
from ..solvers.pbe.model import Model
from ..solvers.pbe.prover import Prover, point_words
from ..solvers.tree import GameTree, compile_tree

Status = Literal["verified", "refuted", "reported"]


@dataclass(frozen=True)
class Finding:
    """What checking a claim gave.

    Attributes:
        name: of the claim.
        source: paper and place.
        statement: the claim in words.
        status: ``verified``, ``refuted``, or ``reported`` (quoted, but not settled by computation).
        computed: what came out.
        expected: what the source says.
        exact: whether everything was exact: the comparison, and the game (not read from floats).
        violations: what does not hold, in words; empty unless refuted.
        verdicts: the equilibrium verifications behind it.
    """

    name: str
    source: str
    statement: str
    status: Status
    computed: str
    expected: str
    exact: bool
    violations: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = field(default=(), repr=False)

    def to_json(self) -> dict[str, str | bool]:
        """The finding as plain values."""
        names = ("name", "source", "statement", "status", "computed", "expected", "exact")
        return {name: getattr(self, name) for name in names}

    def markdown(self) -> str:
        """The statement, the outcome, and the verifications behind it."""
        head = [f"## {self.name}: {self.status}", "", self.statement, "", f"*{self.source}*", ""]
        head += [f"- {violation}" for violation in self.violations]
        return "\n".join([*head, *(verdict.markdown() for verdict in self.verdicts)])

    def save_proof(self, path: str | PathLike[str]) -> None:
        """Writes the proof of the strongest concept that was verified; see `save_document`.

        Raises:
            ParameterError: no equilibrium was verified, or another ending than .md and .tex.
            OutputError: a missing or read-only folder, or a full disk.
        """
        if not self.verdicts:
            raise ParameterError(
                f"{self.name!r} does not say that something is an equilibrium, so there is no "
                "proof to write; crywolf theorems lists the others"
            )
        holding = [verdict for verdict in self.verdicts if verdict.status == "holds"]
        (holding or self.verdicts)[-1].save_document(path, self.source)

    def _repr_markdown_(self) -> str:
        return self.markdown()


@dataclass(frozen=True)
class Claim(ABC):
    """A published statement that can be checked.

    Attributes:
        name: short and stable.
        source: paper and place.
        statement: the claim in words.
    """

    name: str
    source: str
    statement: str

    def check(self) -> Finding:
        """Computes whether the claim holds."""
        try:
            computed, expected, violations, verdicts = self._compute()
        except Undecided as undecided:
            return self._finding("reported", str(undecided), "", (), ())
        status: Status = "refuted" if violations else "verified"
        return self._finding(status, computed, expected, tuple(violations), tuple(verdicts))

    def _finding(
        self,
        status: Status,
        computed: str,
        expected: str,
        violations: tuple[str, ...],
        verdicts: tuple[Verdict, ...],
    ) -> Finding:
        exact = status != "reported" and not any(verdict.rationalised for verdict in verdicts)
        return Finding(
            self.name, self.source, self.statement, status, computed, expected, exact, violations,
            verdicts,
        )  # fmt: skip

    @abstractmethod
    def _compute(self) -> tuple[str, str, Sequence[str], Sequence[Verdict]]:
        """What came out, what was expected, what is violated, and the verifications behind it."""


@dataclass(frozen=True)
class EquilibriumClaim(Claim):
    """An assessment (or a family of them) is an equilibrium, with certain payoffs.

    Attributes:
        game: name or rules.
        assessment: the strategies, beliefs and assumptions.
        concepts: the equilibrium concepts it satisfies.
        fails: those that it, or some member of the family, does not satisfy.
        values: each player's expected payoff; None where the source states none.
        set_values: expected payoffs under the belief at information sets.
        fixed_beliefs: beliefs given from outside, see `verify`.
    """

    game: str | Rules[Any]
    assessment: Assessment
    concepts: tuple[str, ...] = ("pbe", "sequential")
    values: tuple[Exact | None, ...] = ()
    set_values: Mapping[str, Exact] = field(default_factory=dict)
    fixed_beliefs: Mapping[str, Belief] | None = None
    fails: tuple[str, ...] = ()

    def _compute(self) -> tuple[str, str, Sequence[str], Sequence[Verdict]]:
        tree = compile_tree(self.game)
        verdicts = [
            verify(tree, self.assessment, concept, fixed_beliefs=self.fixed_beliefs)
            for concept in (*self.concepts, *self.fails)
        ]
        others = verdicts[len(self.concepts) :]
        violations = [
            f"{verdict.concept}: {violation}"
            for verdict in verdicts[: len(self.concepts)]
            if not verdict.holds
            for violation in verdict.violations
        ]
        violations += [f"{verdict.concept} holds, too" for verdict in others if verdict.holds]
        first = verdicts[0]
        pairs = [
            (f"payoff of P{player + 1}", first.values[player], value)
            for player, value in enumerate(self.values)
            if value is not None
        ]
        pairs += [
            (f"payoff at {key}", first.set_values[key], v) for key, v in self.set_values.items()
        ]
        for name, computed, expected in pairs:
            if not first.equal(computed, expected):
                violations.append(f"{name} is {computed}, not {expected}")
        holding = ", ".join(v.concept for v in verdicts if v.holds) or "no equilibrium"
        holding += "".join(f", not {v.concept}" for v in others if not v.holds)
        told = "; ".join([holding, *(f"{name} {value}" for name, value, _ in pairs)])
        wanted = [f"{name} {value}" for name, _, value in pairs]
        concepts = ", ".join([*self.concepts, *(f"not {concept}" for concept in self.fails)])
        return told, "; ".join([concepts, *wanted]), violations, verdicts


@dataclass(frozen=True)
class RegionClaim(Claim):
    """A profile with symbols is a Nash equilibrium exactly where a condition holds.

    Attributes:
        game: name or rules.
        assessment: the strategies, and assumptions on the symbols.
        condition: the SymPy condition.
    """

    game: str | Rules[Any]
    assessment: Assessment
    condition: Any

    def _compute(self) -> tuple[str, str, Sequence[str], Sequence[Verdict]]:
        verdict = verify(self.game, self.assessment, "nash")
        senses = {">=": sympy.Ge, ">": sympy.Gt, "==": sympy.Eq, "!=": sympy.Ne}
        conditions = [c.condition for c in verdict.checks if c.proof.answer != "proved"]
        equilibrium = sympy.And(
            *(senses[c.sense](sympy.sympify(verdict.model.show(c.element)), 0) for c in conditions)
        )
        violations = differences(equilibrium, self.condition, self.assessment.assumptions)
        told = f"nash {'' if violations else 'exactly '}where {equilibrium}"
        return told, f"nash exactly where {self.condition}", violations, ()


@dataclass(frozen=True)
class NashConvClaim(Claim):
    """The NashConv of a profile, and its payoffs.

    Attributes:
        game: name or rules.
        strategies: ``{information set: {action name: probability}}``, uniform where left out.
        nash_conv: sum of the players' gains from deviating, in utilities.
        values: each player's expected payoff; may be empty.
    """

    game: str | Rules[Any]
    strategies: Mapping[str, Mapping[str, Exact]]
    nash_conv: Exact
    values: tuple[Exact, ...] = ()

    def _compute(self) -> tuple[str, str, Sequence[str], Sequence[Verdict]]:
        tree = compile_tree(self.game)
        profile = exact_profile(tree, {**uniform_strategies(tree), **self.strategies})
        found = evaluate_exact(tree, profile)
        violations = []
        if found.nash_conv != self.nash_conv:
            gains = ", ".join(f"P{p + 1} gains {g}" for p, g in enumerate(found.gains))
            violations.append(f"NashConv is {found.nash_conv}, not {self.nash_conv} ({gains})")
        if self.values and found.values != self.values:
            violations.append(f"payoffs are {_plain(found.values)}, not {_plain(self.values)}")
        told = f"NashConv {found.nash_conv}; payoffs {_plain(found.values)}"
        wanted = f"NashConv {self.nash_conv}"
        if self.values:
            wanted += f"; payoffs {_plain(self.values)}"
        return told, wanted, violations, ()


@dataclass(frozen=True)
class LargestNashConvClaim(Claim):
    """The largest NashConv of any profile.

    NashConv is convex in each player's realisation plan when the others are fixed: best-response
    values are maxima of linear functions of it, and payoffs are linear. So its maximum over all
    profiles is attained where every player plays a pure plan.

    Attributes:
        game: name or rules.
        nash_conv: the maximum, in utilities.
    """

    game: str | Rules[Any]
    nash_conv: Exact

    def _compute(self) -> tuple[str, str, Sequence[str], Sequence[Verdict]]:
        tree = compile_tree(self.game)
        largest = max(
            evaluate_exact(tree, exact_profile(tree, pure)).nash_conv
            for pure in pure_profiles(tree)
        )
        wrong = [] if largest == self.nash_conv else [f"it is {largest}, not {self.nash_conv}"]
        return f"NashConv {largest}", f"NashConv {self.nash_conv}", wrong, ()


@dataclass(frozen=True)
class EquivalenceClaim(Claim):
    """Two conditions on parameters say the same.

    Attributes:
        left: a SymPy condition.
        right: another.
        assumptions: SymPy relations under which they agree.
    """

    left: Any
    right: Any
    assumptions: tuple[Any, ...]

    def _compute(self) -> tuple[str, str, Sequence[str], Sequence[Verdict]]:
        violations = differences(self.left, self.right, self.assumptions)
        told = "equivalent" if not violations else "not equivalent"
        return told, "equivalent", violations, ()


@dataclass(frozen=True)
class IndifferenceClaim(Claim):
    """A player is indifferent between two actions exactly where a condition holds.

    Attributes:
        game: name or rules.
        assessment: strategies with symbols.
        information_set: where the player chooses.
        actions: the two action names.
        condition: the SymPy relation between the symbols.
    """

    game: str | Rules[Any]
    assessment: Assessment
    information_set: str
    actions: tuple[str, str]
    condition: Any

    def _compute(self) -> tuple[str, str, Sequence[str], Sequence[Verdict]]:
        tree = compile_tree(self.game)
        model = Model(tree, self.assessment)
        h = tree.infoset_of_key[self.information_set]
        names, values = tree.action_names(h), model.action_values(h)
        one, two = (values[names.index(action)] for action in self.actions)
        difference = sympy.sympify(model.show(one - two))
        equal = sympy.Eq(difference, 0)
        violations = differences(equal, self.condition, self.assessment.assumptions)
        return f"{difference} = 0", str(self.condition), violations, ()


def differences(left: Any, right: Any, assumptions: Sequence[Any]) -> list[str]:
    """Where two conditions disagree under the assumptions, in words; empty if they never do.

    Raises:
        Undecided: the prover could not tell.
    """
    prover = Prover.of([left, right], assumptions)
    found = []
    for one, other in ((left, right), (right, left)):
        proof = prover.refutable([prover.assumed(one), prover.assumed(sympy.Not(other))])
        if proof.answer == "undecided":
            raise Undecided(f"could not settle whether {one} implies {other}")
        if proof.answer == "refuted":
            found.append(f"{one} does not imply {other}{point_words(proof.point)}")
    return found


def uniform_strategies(tree: GameTree) -> dict[str, dict[str, Exact]]:
    """Every action of an information set equally likely."""
    return {
        key: dict.fromkeys(names, sympy.Rational(1, len(names)))
        for key, names in ((key, tree.action_names(h)) for h, key in enumerate(tree.keys))
    }


def pure_profiles(tree: GameTree) -> Sequence[dict[str, dict[str, Exact]]]:
    """One pure profile for every combination of pure plans, as strategies."""
    profiles: list[dict[str, dict[str, Exact]]] = [{}]
    for h, key in enumerate(tree.keys):
        names = tree.action_names(h)
        profiles = [{**p, key: {name: 1}} for p in profiles for name in names]
    return profiles


def _plain(values: Sequence[Exact]) -> str:
    return "(" + ", ".join(map(str, values)) + ")"
