"""The conformance checks of what players know and may do.

Each check looks at every visited node and remembers what it needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pyspiel

from .conformance_walk import Explorer, History, Visit
from .rules import CHANCE

KEPT = 3
"""Counter-examples reported per check."""


@dataclass(frozen=True)
class Check:
    """The result of one check.

    Attributes:
        name: the check's stable name.
        claim: what was checked, in words.
        ok: False if a counter-example was found; True also for a check that did not apply.
        skipped: whether the check did not apply; then ``detail`` says why.
        detail: what was seen; for a failure, the counter-examples in words.
        histories: the counter-examples: for each, the histories that contradict the claim.
    """

    name: str
    claim: str
    ok: bool
    skipped: bool
    detail: str
    histories: tuple[tuple[History, ...], ...] = ()


class Probe:
    """One check in progress.

    Args:
        explorer: the walk that feeds it.
    """

    name: ClassVar[str]
    claim: ClassVar[str]
    needs_all: ClassVar[bool] = False
    """Whether nothing can be said before every node has been visited."""

    def __init__(self, explorer: Explorer):
        self.explorer = explorer
        self.game = explorer.game
        self.failures: list[tuple[str, tuple[History, ...]]] = []
        self.num_failures = 0

    def why_not(self) -> str:
        """Why the check does not apply to this game; empty if it does."""
        return ""

    def visit(self, node: Visit) -> None:
        """Looks at a node."""
        raise NotImplementedError

    def finish(self, exhaustive: bool) -> str:
        """Draws conclusions from the whole walk; what was seen, in words."""
        return ""

    def fail(self, text: str, *histories: History) -> None:
        """Notes a counter-example."""
        self.num_failures += 1
        if len(self.failures) < KEPT:
            self.failures.append((text, histories))

    def result(self, exhaustive: bool) -> Check:
        """The finished check."""
        reason = self.why_not()
        if self.needs_all and not exhaustive:
            reason = reason or "the tree was sampled"
        seen = "" if reason else self.finish(exhaustive)
        if reason or not self.num_failures:
            return Check(self.name, self.claim, True, bool(reason), reason or seen)
        words = self.explorer.words
        texts = [
            text + "".join(f"\n    after {words(history)}" for history in histories)
            for text, histories in self.failures
        ]
        more = self.num_failures - len(texts)
        if more:
            texts.append(f"and {more} more")
        found = tuple(histories for _, histories in self.failures if histories)
        return Check(self.name, self.claim, False, False, "\n".join(texts), found)


class KeyedProbe(Probe):
    """A check of something that an information-state string must determine."""

    def __init__(self, explorer: Explorer):
        super().__init__(explorer)
        self.first: dict[Any, tuple[Any, History]] = {}

    def why_not(self) -> str:
        """See `Probe.why_not`."""
        return "" if self.explorer.has_keys else "the game has no information-state strings"

    def same(self, key: Any, value: Any, node: Visit, text: str) -> None:
        """Fails with ``text`` unless every node of ``key`` has the same ``value``."""
        known, history = self.first.setdefault(key, (value, node.history))
        if known != value:
            self.fail(text, history, node.history)


class PerfectRecall(KeyedProbe):
    """Kuhn (1953): a player forgets neither what it knew nor what it did."""

    name = "perfect-recall"
    claim = "an information state determines the player's own past information states and actions"

    def visit(self, node: Visit) -> None:
        """See `Probe.visit`."""
        if node.mover >= 0:
            text = f"P{node.mover + 1} at {node.key!r} has two different pasts of its own"
            self.same((node.mover, node.key), node.recalled[node.mover], node, text)

    def finish(self, exhaustive: bool) -> str:
        """See `Probe.finish`."""
        return f"{len(self.first)} information sets"


class OnePlayerPerKey(KeyedProbe):
    """CFR and tabular policies keep one table for all players."""

    name = "one-player-per-key"
    claim = "no information-state string is used by two players"

    def visit(self, node: Visit) -> None:
        """See `Probe.visit`."""
        if node.mover >= 0:
            text = f"two players share {node.key!r}; start the string with the player"
            self.same(node.key, node.mover, node, text)


class EqualLegalActions(KeyedProbe):
    """A player must not learn from its choices what its key does not say."""

    name = "equal-legal-actions"
    claim = "an information state determines the legal actions"

    def visit(self, node: Visit) -> None:
        """See `Probe.visit`."""
        if node.mover >= 0:
            text = f"P{node.mover + 1} at {node.key!r} has different legal actions"
            self.same((node.mover, node.key), node.actions, node, text)


class NoLeak(KeyedProbe):
    """The key must be computable from the player's own observations and actions."""

    name = "no-leak"
    claim = "what a player observed and did determines its information state"

    def why_not(self) -> str:
        """See `Probe.why_not`."""
        return super().why_not() or self.explorer.no_observations

    def visit(self, node: Visit) -> None:
        """See `Probe.visit`."""
        if node.mover >= 0:
            text = (
                f"P{node.mover + 1} observed and did the same, yet has two information states, one "
                f"of them {node.key!r}: it holds something never observed, or the observation "
                "strings leave something out"
            )
            self.same((node.mover, node.observed[node.mover]), node.key, node, text)


class LegalActionsAscending(Probe):
    """Many OpenSpiel algorithms search the list by bisection or zip it with an array."""

    name = "legal-actions-ascending"
    claim = "a decision offers at least one action, in ascending order, none twice"

    def visit(self, node: Visit) -> None:
        """See `Probe.visit`."""
        if node.mover < 0:
            return
        if not node.actions:
            self.fail(f"P{node.mover + 1} has no legal action", node.history)
        elif any(a >= b for a, b in zip(node.actions, node.actions[1:])):
            self.fail(f"legal actions {list(node.actions)} are not ascending", node.history)


class DistinctActionNames(Probe):
    """People and language models choose by name."""

    name = "distinct-action-names"
    claim = "no two actions of a node have the same name"

    def visit(self, node: Visit) -> None:
        """See `Probe.visit`."""
        names = [node.state.action_to_string(node.mover, action) for action in node.actions]
        if len(set(names)) < len(set(node.actions)):
            self.fail(f"names {names}", node.history)


class DeclaredLimits(Probe):
    """Action numbers beyond the declared limit corrupt OpenSpiel's memory."""

    name = "declared-limits"
    claim = "players, actions and chance outcomes are within the declared numbers"

    def __init__(self, explorer: Explorer):
        super().__init__(explorer)
        self.players = self.game.num_players()
        self.actions = self.game.num_distinct_actions()
        self.outcomes = self.game.max_chance_outcomes()
        self.stochastic = (
            explorer.kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
        )
        self.chance_seen = False

    def visit(self, node: Visit) -> None:
        """See `Probe.visit`."""
        if node.mover >= self.players:
            self.fail(f"player {node.mover} of {self.players} moves", node.history)
        if node.mover == CHANCE:
            self.chance_seen = True
            if not self.stochastic:
                self.fail("chance moves in a game declared deterministic", node.history)
        limit = self.outcomes if node.mover == CHANCE else self.actions
        beyond = [action for action in node.actions if not 0 <= action < limit]
        if beyond:
            self.fail(f"actions {beyond} are not in 0..{limit - 1}", node.history)

    def finish(self, exhaustive: bool) -> str:
        """See `Probe.finish`."""
        if exhaustive and self.stochastic and not self.chance_seen:
            self.fail("the game is declared stochastic, but chance never moves")
        return f"{self.players} players, {self.actions} actions, {self.outcomes} chance outcomes"


class Lengths(Probe):
    """Algorithms and tensors are sized by these."""

    name = "lengths"
    claim = "no play is longer than declared"

    def __init__(self, explorer: Explorer):
        super().__init__(explorer)
        self.longest = self.most_chance = 0
        self.limit = self.game.max_game_length()
        try:
            self.chance_limit: int | None = self.game.max_chance_nodes_in_history()
        except pyspiel.SpielError:
            self.chance_limit = None  # some games do not say

    def visit(self, node: Visit) -> None:
        """See `Probe.visit`."""
        moves = len(node.history) - node.chance_moves
        self.longest = max(self.longest, moves)
        self.most_chance = max(self.most_chance, node.chance_moves)
        if moves > self.limit:
            self.fail(f"{moves} player moves, declared at most {self.limit}", node.history)
        if self.chance_limit is not None and node.chance_moves > self.chance_limit:
            text = f"{node.chance_moves} chance moves, declared at most {self.chance_limit}"
            self.fail(text, node.history)

    def finish(self, exhaustive: bool) -> str:
        """See `Probe.finish`."""
        declared = "undeclared" if self.chance_limit is None else f"of {self.chance_limit}"
        return (
            f"at most {self.longest} of {self.limit} player moves, "
            f"{self.most_chance} {declared} chance moves"
        )


class RulesProbe(Probe):
    """A check that needs the exact rules."""

    def why_not(self) -> str:
        """See `Probe.why_not`."""
        return "" if self.explorer.rules else "the game has no rules object"


class ViewsHaveWords(RulesProbe):
    """The words are the key: what they do not tell apart, a policy cannot."""

    name = "views-have-words"
    claim = "different views of a player at its decisions have different information-state strings"

    def __init__(self, explorer: Explorer):
        super().__init__(explorer)
        self.first: dict[tuple[int, str], tuple[Any, History]] = {}

    def visit(self, node: Visit) -> None:
        """See `Probe.visit`."""
        if node.mover < 0 or node.cursor is None:
            return
        view = node.cursor.views[node.mover]
        known, history = self.first.setdefault((node.mover, node.key), (view, node.history))
        if known != view:
            text = f"P{node.mover + 1}: {node.key!r} stands for two views"
            self.fail(text, history, node.history)


class ObservationsAreNotInts(RulesProbe):
    """In a view, an int is an own action; an observation that is one would be mistaken for it."""

    name = "observations-are-not-ints"
    claim = "no observation is an int"

    def visit(self, node: Visit) -> None:
        """See `Probe.visit`."""
        if node.cursor is None:
            return
        for player, news in enumerate(node.cursor.news):
            for entry in news[1:] if player == node.previous else news:
                if isinstance(entry, int):
                    self.fail(f"P{player + 1} observes {entry!r}", node.history)
