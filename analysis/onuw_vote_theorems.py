"""ONUW that is nothing but a vote: what the village can win by agreeing on a plan beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..games.rules import Exact
from ..solvers.exact import evaluate_exact, exact_profile
from ..solvers.pbe import Verdict
from ..solvers.tree import GameTree, compile_tree
from .claims import Claim, pure_profiles, uniform_strategies

Strategies = dict[str, dict[str, Exact]]


@dataclass(frozen=True)
class VillagePlanClaim(Claim):
    """How often the village wins, without a plan and with the best one.

    The village may draw its plan by lot, but its members do not communicate in play. Its best plan
    is worth the same whatever the werewolves do if some pure plan wins as much against every plan
    of theirs as the best pure plan does against some plan of theirs: the two are checked to agree.

    Attributes:
        game: game string; everybody gets 1 or -1, and the village wins if its members get 1.
        village: how many members the village has.
        plan: what its members vote, by information set.
        uniform: its winning probability if everybody votes independently and uniformly.
        best: with its best plan, which ``plan`` is.
    """

    game: str
    village: int
    plan: Strategies
    uniform: Fraction
    best: Fraction

    def _compute(self) -> tuple[str, str, Sequence[str], Sequence[Verdict]]:
        tree = compile_tree(self.game)
        uniform = self._wins(tree, uniform_strategies(tree))
        by_plan: dict[tuple[str, ...], list[Fraction]] = {}
        by_answer: dict[tuple[str, ...], list[Fraction]] = {}
        for profile in pure_profiles(tree):
            won = self._wins(tree, profile)
            choices = {key: next(iter(choice)) for key, choice in profile.items()}
            mine = tuple(choices[key] for key in self.plan)
            theirs = tuple(choices[key] for key in choices if key not in self.plan)
            by_plan.setdefault(mine, []).append(won)
            by_answer.setdefault(theirs, []).append(won)
        worst = min(by_plan[tuple(next(iter(choice)) for choice in self.plan.values())])
        bound = min(max(values) for values in by_answer.values())
        pairs = (
            ("votes at random win", uniform, self.uniform),
            ("the plan wins at least", worst, self.best),
            ("no plan is sure of more than", bound, self.best),
        )
        violations = [f"{words} {is_}, not {said}" for words, is_, said in pairs if is_ != said]
        told = "; ".join(f"{words} {is_}" for words, is_, _ in pairs)
        wanted = "; ".join(f"{words} {said}" for words, _, said in pairs)
        return told, wanted, violations, ()

    def _wins(self, tree: GameTree, strategies: Strategies) -> Fraction:
        """How likely the village wins: the payoffs add up to ``surplus`` or to minus it."""
        total = sum(evaluate_exact(tree, exact_profile(tree, strategies)).values)
        surplus = 2 * self.village - tree.num_players
        return (1 + Fraction(total) / surplus) / 2


def _lowest(seat: int) -> Strategies:
    """A villager's vote for the lowest other seat."""
    target = 1 if seat > 1 else 2
    return {f"P{seat}: dealt Villager": {f"vote P{target}": 1}}


CLAIMS: tuple[Claim, ...] = (
    VillagePlanClaim(
        "onuw_vote_only",
        "crywolf, derived from the game",
        "Three players, one Werewolf, no talk, one vote each kills nobody: independent uniform "
        "votes win 1/4 for the village, the best plan that it can agree on 1/3, for instance that "
        "everybody votes for the lowest other seat.",
        "onuw(players=3,centre=0,roles=werewolf+2villager)",
        2,
        {**_lowest(1), **_lowest(2), **_lowest(3)},
        Fraction(1, 4),
        Fraction(1, 3),
    ),
)
