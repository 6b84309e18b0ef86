"""Does a game keep the contract of an extensive-form game? What OpenSpiel's own tests miss.

``pyspiel.random_sim_test``, CFR and ``nash_conv`` silently accept games in which a player forgets,
two players share an information set, a key holds what its player never saw, or an information set
offers different actions. Results about such games are meaningless; `check_game` finds them::

    report = check_game("leduc_poker")
    print(report)
    report.raise_if_failed()
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import pyspiel

from .conformance_checks import (
    Check,
    DeclaredLimits,
    DistinctActionNames,
    EqualLegalActions,
    LegalActionsAscending,
    Lengths,
    NoLeak,
    ObservationsAreNotInts,
    OnePlayerPerKey,
    PerfectRecall,
    Probe,
    ViewsHaveWords,
)
from .conformance_values import Chance, Payoffs, ReachSumsToOne, SeatSymmetry
from .conformance_walk import Explorer, History
from .errors import NotConforming, ParameterError
from .loading import game_name, load_game
from .rules import Rules

__all__ = ["Check", "ConformanceReport", "History", "check_game"]


PROBES: tuple[type[Probe], ...] = (
    PerfectRecall,
    OnePlayerPerKey,
    EqualLegalActions,
    NoLeak,
    LegalActionsAscending,
    DistinctActionNames,
    DeclaredLimits,
    Lengths,
    Chance,
    ReachSumsToOne,
    Payoffs,
    ViewsHaveWords,
    ObservationsAreNotInts,
)
"""Every check but `SeatSymmetry`, in the order of the report."""


@dataclass(frozen=True)
class ConformanceReport:
    """What `check_game` found.

    Attributes:
        game: the game string.
        checks: the single checks.
        nodes: the number of nodes visited.
        exhaustive: whether these are all nodes of the tree. If not, a passed check means only that
            no counter-example was met.
    """

    game: str
    checks: tuple[Check, ...]
    nodes: int
    exhaustive: bool

    @property
    def ok(self) -> bool:
        """Whether no check failed."""
        return not self.failed

    @property
    def failed(self) -> tuple[str, ...]:
        """The names of the failed checks."""
        return tuple(check.name for check in self.checks if not check.ok)

    def __getitem__(self, name: str) -> Check:
        """The check called ``name``.

        Raises:
            ParameterError: there is none.
        """
        for check in self.checks:
            if check.name == name:
                return check
        known = ", ".join(check.name for check in self.checks)
        raise ParameterError(f"no check is called {name!r}; there are {known}")

    def raise_if_failed(self) -> None:
        """Raises `NotConforming`, with all counter-examples, if a check failed."""
        if not self.ok:
            raise NotConforming(str(self))

    def _headline(self) -> str:
        how = "all" if self.exhaustive else "a sample of"
        verdict = f"fails {', '.join(self.failed)}" if self.failed else "conforms"
        return f"{self.game} {verdict} ({how} {self.nodes:,} nodes)"

    def __str__(self) -> str:
        width = max(len(check.name) for check in self.checks)
        lines = [self._headline()]
        for check in self.checks:
            detail = check.detail if check.ok else f"not so: {check.claim}\n{check.detail}"
            detail = detail.replace("\n", "\n    ")
            lines.append(f"  {_mark(check):4} {check.name:{width}}  {detail}".rstrip())
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{_mark(check)}</td><td><code>{escape(check.name)}</code></td>"
            f'<td style="text-align:left">{escape(check.claim)}</td>'
            f'<td style="text-align:left"><pre>{escape(check.detail)}</pre></td></tr>'
            for check in self.checks
        )
        return (
            f"<p>{escape(self._headline())}</p><table><tr><th></th><th>check</th><th>claim</th>"
            f"<th>seen</th></tr>{rows}</table>"
        )


def check_game(
    game: str | Rules[Any] | pyspiel.Game,
    *,
    max_nodes: int = 200_000,
    seed: int = 0,
    symmetries: Sequence[Sequence[int]] = (),
) -> ConformanceReport:
    """Checks a sequential game against the contract of an extensive-form game.

    A tree of at most ``max_nodes`` nodes is visited completely. Of a larger one the first
    ``max_nodes`` nodes in depth-first order are visited (information sets are met again and again
    there), then about as many nodes of random plays; the checks then can refute but not prove.

    The checks, by name:

    - ``perfect-recall``, ``one-player-per-key``, ``equal-legal-actions``: of information-state
      strings at decisions.
    - ``no-leak``: two histories with the same own observations and actions have the same key. The
      observation string at every node is taken as seen by the player, so that a leak of time alone
      (how many moves of others went by) is not found in games that are not made from rules.
    - ``legal-actions-ascending``, ``distinct-action-names``, ``declared-limits``, ``lengths``.
    - ``chance``, ``reach-sums-to-one``: exact for games made from rules, to 1e-12 and 1e-9 else.
    - ``payoffs``: finite, within bounds, and of the declared utility type; a game declared
      general-sum must really have two different totals.
    - ``views-have-words``, ``observations-are-not-ints``: for games made from rules.
    - ``seat-symmetry``: for each permutation given, the multiset of (chance probability, payoffs)
      over the leaves and the value of uniform play do not change when the payoffs are permuted, and
      seats that take each other's place have equally many information sets with equally many
      actions. This refutes a symmetry; it does not prove one, because it compares leaves and
      information sets without comparing how play connects them.

    Args:
        game: a ``pyspiel.Game``, a name, a game string, or a rules object.
        max_nodes: how many nodes to visit.
        seed: of the random plays.
        symmetries: permutations of the seats under which the game should not change: ``s[i]`` is
            the seat that takes the place of seat ``i``.

    Returns:
        The report; ``report.ok`` tells whether no check failed.

    Raises:
        UnsupportedGame: simultaneous moves, or chance that cannot be enumerated.
        UnknownGame: see `load_game`.
        ParameterError: see `load_game`; or a symmetry is not a permutation of the seats.
    """
    explorer = Explorer(load_game(game))
    seats = list(range(explorer.game.num_players()))
    for symmetry in symmetries:
        if sorted(symmetry) != seats:
            raise ParameterError(f"symmetry {list(symmetry)} is not a permutation of {seats}")
    probes = [kind(explorer) for kind in PROBES]
    probes.append(SeatSymmetry(explorer, [tuple(s) for s in symmetries]))
    active = [probe for probe in probes if not probe.why_not()]
    # One node more than allowed tells a tree of exactly max_nodes from a larger one.
    nodes = _feed(active, explorer.exhaustively(max_nodes + 1))
    exhaustive = nodes <= max_nodes
    if not exhaustive:
        nodes += _feed(active, explorer.playouts(max_nodes, np.random.default_rng(seed)))
    checks = tuple(probe.result(exhaustive) for probe in probes)
    return ConformanceReport(game_name(explorer.game), checks, nodes, exhaustive)


def _feed(probes: Sequence[Probe], visits: Any) -> int:
    count = 0
    for node in visits:
        count += 1
        for probe in probes:
            probe.visit(node)
    return count


def _mark(check: Check) -> str:
    return "skip" if check.skipped else "ok" if check.ok else "FAIL"
