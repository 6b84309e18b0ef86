"""A lower bound of NashConv from sampled plays, for games whose tree is too large to search.

For each player, the other players' policies being fixed:

1. **Learn** a deviation. Plays are sampled in which the player explores (at each of its moves its
   own policy or, with probability 1/2, any action). Given the player's own moves, the rest of a
   play is distributed as under the policy, so averages over the plays through an action estimate
   its value without weights. Backward induction over the information sets seen picks the best
   action where it beats the policy; everywhere else the deviation is the policy itself.
2. **Value** it on fresh plays. The policy and the deviation are played with common random numbers:
   a pair of plays is the same until the deviation first plays another action, and its difference
   in payoff is an unbiased observation of the deviation's gain.

The gain of any deviation bounds the gain of a best response from below, and so does the lower end
of a confidence interval for it. The interval is the empirical Bernstein bound for the range of
payoffs that the game declares (A. Maurer and M. Pontil, "Empirical Bernstein bounds and
sample-variance penalization", COLT 2009, Theorem 4), with the error probability split evenly over
players and ends (Bonferroni): it is rigorous at every sample size, not an approximation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyspiel

from ..games.errors import ParameterError, UnsupportedGame
from .report import KEPT, InformationSetGain
from .sampled_play import PolicyTable, explore, play_pair

Progress = Callable[[int, int], None]
"""Called with the number of plays done and their total."""
PROGRESS_STEP = 256


@dataclass(frozen=True)
class LowerBound:
    """What the learned deviations gain.

    Attributes:
        values: each player's mean payoff on policy.
        gains: each player's mean gain by its learned deviation.
        intervals: a confidence interval for each gain, all holding at once.
        confidence: the probability with which they do.
        plays: the number of plays (pairs of plays in the second half).
        information_sets: where the deviations leave the policy, largest share of the gain first.
    """

    values: tuple[float, ...]
    gains: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]
    confidence: float
    plays: int
    information_sets: tuple[InformationSetGain, ...]

    @property
    def interval(self) -> tuple[float, float]:
        """Holds the sum of the gains of the deviations that gain.

        Its low end bounds NashConv from below. Its high end does not bound NashConv.
        """
        low = sum(max(0.0, low) for low, _ in self.intervals)
        return low, sum(max(0.0, high) for _, high in self.intervals)


def lower_bound(
    game: pyspiel.Game,
    policy: Any,
    *,
    samples: int,
    rng: np.random.Generator,
    confidence: float = 0.95,
    progress: Progress | None = None,
) -> LowerBound:
    """Bounds the NashConv of a policy from below.

    Args:
        game: a sequential OpenSpiel game with explicit chance and information-state strings.
        policy: an OpenSpiel policy, Python or C++. It is asked once at each information set.
        samples: plays per player; half are learned from, half are valued.
        rng: the source of all randomness: the same state gives the same bound, bit for bit.
        confidence: the probability with which the bound holds.
        progress: called now and then with the number of plays done and the total.

    Raises:
        ParameterError: fewer than 4 samples, or a confidence outside (0, 1).
        UnsupportedGame: simultaneous moves, sampled chance, no information-state strings, or
            payoffs without bounds.
        ImperfectRecall: a player was seen to forget.
        UnequalActions: an information set was seen with different legal actions.
        BadPayoff: a payoff outside the declared range.
        PolicyError: the policy fails, or gives something else than a distribution.
    """
    if samples < 4:
        raise ParameterError(f"samples={samples}: at least 4 plays per player are needed")
    if not 0 < confidence < 1:
        raise ParameterError(f"confidence={confidence}: choose a probability inside (0, 1)")
    _refuse_unsupported(game)
    table = PolicyTable(game, policy)
    n = game.num_players()
    half = samples // 2
    plays_in_all, done = 2 * half * n, 0

    def tick() -> None:
        nonlocal done
        done += 1
        if progress is not None and not done % PROGRESS_STEP:
            progress(done, plays_in_all)

    spread = game.max_utility() - game.min_utility()
    error = (1 - confidence) / (2 * n)
    on_policy, gains, intervals = [], [], []
    places: list[InformationSetGain] = []
    for player in range(n):
        plays = []
        for _ in range(half):
            plays.append(explore(table, player, rng))
            tick()
        deviation = _best_replies(table, plays)
        differences = np.zeros(half)
        sums: dict[int, float] = {}
        for k in range(half):
            payoffs, differences[k], place = play_pair(table, player, deviation, rng)
            on_policy.append(payoffs)
            if place is not None:
                sums[place] = sums.get(place, 0.0) + float(differences[k])
            tick()
        gains.append(float(differences.mean()))
        # Without a deviation both plays are the same play, and the gain is surely 0.
        bounds = empirical_bernstein(differences, -spread, spread, error)
        intervals.append(bounds if deviation else (0.0, 0.0))
        places += [table.share(h, deviation[h], total / half) for h, total in sums.items()]
    if progress is not None:
        progress(plays_in_all, plays_in_all)
    places.sort(key=lambda place: -place.gain)
    return LowerBound(
        values=tuple(np.mean(on_policy, axis=0).tolist()),
        gains=tuple(gains),
        intervals=tuple(intervals),
        confidence=confidence,
        plays=plays_in_all,
        information_sets=tuple(place for place in places[:KEPT] if place.gain > 0),
    )


def empirical_bernstein(
    observations: np.ndarray[Any, np.dtype[np.float64]], low: float, high: float, error: float
) -> tuple[float, float]:
    """A confidence interval for the mean of independent observations in ``[low, high]``.

    Each end fails with probability at most ``error``: Maurer and Pontil (2009), Theorem 4.

    Args:
        observations: at least two of them.
        low: their smallest possible value.
        high: their largest possible value.
        error: of each end.
    """
    count = len(observations)
    mean, variance = float(observations.mean()), float(observations.var(ddof=1))
    log = math.log(2 / error)
    radius = math.sqrt(2 * variance * log / count) + 7 * (high - low) * log / (3 * (count - 1))
    return max(low, mean - radius), min(high, mean + radius)


def _best_replies(
    table: PolicyTable, plays: Sequence[tuple[list[tuple[int, int]], float]]
) -> dict[int, int]:
    """Backward induction on sampled plays: where to leave the policy, and for which action.

    Args:
        table: the information sets.
        plays: the explorer's (set, rank of action) pairs of each play, and its payoff.

    Returns:
        The rank of an action for each information set where it beats the policy. Elsewhere the
        policy is the better guess.
    """
    to_come = np.array([payoff for _, payoff in plays])  # value of the rest of each play
    deviation: dict[int, int] = {}
    for depth in range(max((len(path) for path, _ in plays), default=0) - 1, -1, -1):
        through: dict[int, list[int]] = {}
        for k, (path, _) in enumerate(plays):
            if len(path) > depth:
                through.setdefault(path[depth][0], []).append(k)
        for number, members in through.items():
            place = table.sets[number]
            ranks = np.array([plays[k][0][depth][1] for k in members])
            value, best = _reply(place.probabilities, ranks, to_come[members])
            if best is not None:
                deviation[number] = best
            to_come[members] = value
    return deviation


def _reply(
    probabilities: Sequence[float],
    ranks: np.ndarray[Any, np.dtype[np.int64]],
    values: np.ndarray[Any, np.dtype[np.float64]],
) -> tuple[float, int | None]:
    """The value of an information set, and the action to leave the policy for, if any.

    Args:
        probabilities: the policy's, by rank of action.
        ranks: the action taken in each play through the set.
        values: the value of the rest of each play.
    """
    width = len(probabilities)
    count = np.bincount(ranks, minlength=width)
    seen = count > 0
    mean = np.bincount(ranks, values, width) / np.maximum(count, 1)
    weight = np.where(seen, probabilities, 0.0)
    if weight.sum() <= 0:
        return float(values.mean()), None
    follow = float(weight @ mean / weight.sum())
    best = int(np.argmax(np.where(seen, mean, -np.inf)))
    return (float(mean[best]), best) if mean[best] > follow else (follow, None)


def _refuse_unsupported(game: pyspiel.Game) -> None:
    kind = game.get_type()
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise UnsupportedGame(
            f"{game} has simultaneous moves; convert it with pyspiel.convert_to_turn_based(game)"
        )
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise UnsupportedGame(f"{game} samples its chance moves; paired plays need their outcomes")
    if not kind.provides_information_state_string:
        raise UnsupportedGame(f"{game} has no information-state strings; a deviation needs them")
    if not (math.isfinite(game.min_utility()) and math.isfinite(game.max_utility())):
        raise UnsupportedGame(
            f"{game} declares no bounds of its payoffs; a rigorous bound needs them"
        )
