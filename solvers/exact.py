"""Expected values, best responses and NashConv in rational arithmetic: nothing rounds.

The exact twin of `best_response`, written for reading. It is the second method against which the
floating-point kernels are tested, and the arithmetic behind verified theorems.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Any

from ..games.errors import InexactError, PolicyError
from ..games.rules import Exact
from .profile import assigned
from .tree import GameTree, sequences_of


@dataclass(frozen=True)
class ExactEvaluation:
    """The exact counterpart of `best_response.Evaluation`, in utilities.

    Attributes:
        values: expected payoff of each player.
        best_response_values: each player's best-response value to the others.
    """

    values: tuple[Fraction, ...]
    best_response_values: tuple[Fraction, ...]

    @property
    def gains(self) -> tuple[Fraction, ...]:
        """What each player could gain by deviating alone."""
        return tuple(b - v for b, v in zip(self.best_response_values, self.values, strict=True))

    @property
    def nash_conv(self) -> Fraction:
        """The sum of the gains: 0 exactly at Nash equilibria."""
        return sum(self.gains, Fraction(0))


def exact_number(value: Exact | str) -> Fraction:
    """A rational number as a `Fraction`: an int, a Fraction, a SymPy rational or ``"1/3"``.

    Raises:
        InexactError: a float, a symbol, or an irrational number.
    """
    if isinstance(value, Rational | str) and not isinstance(value, bool):
        try:
            # numpy integers are Rational, too, but Fraction wants Python's int.
            return Fraction(value) if isinstance(value, str) else _fraction(value)
        except ValueError:
            raise InexactError(f"{value!r} is not a rational number; write it like '1/3'") from None
    import sympy  # slow to load: only where numbers are no numbers of Python's

    if isinstance(value, sympy.Expr) and value.is_Rational:
        return Fraction(int(value.p), int(value.q))  # type: ignore[attr-defined]
    raise InexactError(
        f"{value!r} is not an exact rational number; write Fraction(1, 3), '1/3' or an int"
    )


def _fraction(value: Rational) -> Fraction:
    return Fraction(int(value.numerator), int(value.denominator))


def exact_profile(
    tree: GameTree, strategies: Mapping[str, Mapping[str, Any] | Mapping[int, Any]]
) -> tuple[Fraction, ...]:
    """Exact probabilities indexed by sequences, as in `Profile`.

    Args:
        tree: the compiled game.
        strategies: ``{information-state string: {action name or number: exact number}}`` for every
            information set; actions left out have probability 0.

    Raises:
        PolicyError: an information set is missing or unknown, an action is unknown, or the
            probabilities are no distribution.
        InexactError: a probability is not an exact rational number.
    """
    probabilities = [Fraction(s < tree.num_players) for s in range(tree.num_sequences)]
    for s, value in assigned(tree, strategies):
        probabilities[s] = exact_number(value)
    _check(tree, probabilities)
    return tuple(probabilities)


def evaluate_exact(tree: GameTree, probabilities: Sequence[Exact | str]) -> ExactEvaluation:
    """Values, best-response values, gains and NashConv of a profile, exactly.

    Args:
        tree: the compiled game; its `GameTree.exact_tables` are used.
        probabilities: exact probability of each sequence's last action, indexed as in `Profile`.

    Raises:
        InexactError: a float or a symbol among the probabilities or in the game.
        PolicyError: probabilities that are no distribution at some information set.
    """
    behaviour = [exact_number(p) for p in probabilities]
    _check(tree, behaviour)
    plan = _plan(tree, behaviour)
    n = tree.num_players
    gradient = _gradient(tree, plan)
    values = tuple(
        sum((plan[s] * gradient[s] for s in sequences_of(tree, p)), Fraction(0)) for p in range(n)
    )
    for h in reversed(range(tree.num_infosets)):  # later sets of a player come later
        gradient[int(tree.parent_sequence[h])] += max(gradient[tree.slice(h)])
    return ExactEvaluation(values, tuple(gradient[:n]))


def _check(tree: GameTree, probabilities: Sequence[Fraction]) -> None:
    if len(probabilities) != tree.num_sequences:
        raise PolicyError(
            f"{tree.name} has {tree.num_sequences} sequences, not {len(probabilities)}; build the "
            "probabilities with exact_profile"
        )
    for h, key in enumerate(tree.keys):
        row = probabilities[tree.slice(h)]
        if min(row) < 0 or sum(row) != 1:
            raise PolicyError(
                f"{tree.name}: the probabilities at information set {key!r} are "
                f"({', '.join(map(str, row))}) with sum {sum(row)}; they must be nonnegative and "
                "sum to exactly 1"
            )


def _plan(tree: GameTree, behaviour: Sequence[Fraction]) -> list[Fraction]:
    """The product of the behaviour probabilities along each sequence."""
    plan = [Fraction(1)] * tree.num_sequences
    for h in range(tree.num_infosets):
        reach = plan[int(tree.parent_sequence[h])]
        for s in range(*tree.slice(h).indices(tree.num_sequences)):
            plan[s] = reach * behaviour[s]
    return plan


def _gradient(tree: GameTree, plan: Sequence[Fraction]) -> list[Fraction]:
    """For each sequence, the sum over its leaves of chance reach, the others' reach and payoff."""
    probabilities, payoffs = tree.exact_tables
    chance = [exact_number(p) for p in probabilities]
    payoff = [[exact_number(u) for u in row] for row in payoffs]
    gradient = [Fraction(0)] * tree.num_sequences
    reach = [Fraction(1)] * tree.num_nodes
    parent, edge = tree.parent.tolist(), tree.probability.tolist()
    for node in range(1, tree.num_nodes):
        reach[node] = reach[parent[node]]
        if edge[node] >= 0:
            reach[node] *= chance[edge[node]]
    for leaf in tree.leaves.tolist():
        sequences = tree.node_sequence[leaf].tolist()
        for p, s in enumerate(sequences):
            weight = reach[leaf]
            for q, other in enumerate(sequences):
                if q != p:
                    weight *= plan[other]
            gradient[s] += weight * payoff[tree.payoff[leaf]][p]
    return gradient
