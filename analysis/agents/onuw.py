"""How a view of ONUW is read."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...games.onuw import Claims, Onuw, claims
from ...games.onuw.truth import night_in
from ...games.rules import View
from .knowledge import Knowledge
from .reading import TOWN, WOLVES, Family, Reading, Task, family
from .worlds import Worlds, worlds_of

TEAMS = {"village": TOWN, "werewolf": WOLVES}
"""ONUW's teams in the words of all games; others keep their names."""


class OnuwReading(Reading):
    """A view of ONUW: a wolf is who holds a Werewolf at the end of the night."""

    def __init__(self, knowledge: Knowledge):
        super().__init__(knowledge)
        self.rules: Onuw = believed(knowledge.rules)  # type: ignore[arg-type]
        self.night, self.heard = _split(self.rules, knowledge.view)

    def worlds(self, *said: Claims) -> Worlds:
        """The deals and nights that the player holds possible, fit to test claims on.

        They are too large to be kept here; `worlds_of` remembers the last ones.
        """
        told = {seat for claim in said for seat, _ in (*claim.moves, *claim.seen)}
        return worlds_of(self.rules, self.knowledge.player, self.night, frozenset(told))

    # --------------------------------------------------------------------------- the decision

    @cached_property
    def task(self) -> Task:
        """See `Reading`."""
        table, action = self.rules.action_table, self.knowledge.legal[0]
        if table.is_move(action):
            looks = table.move(action).kind in ("look", "no look")
            return Task.CHECK if looks else Task.OTHER
        return Task.VOTE if self._votes(action) else Task.SPEAK

    def target(self, action: int) -> int | None:
        """See `Reading`."""
        table = self.rules.action_table
        if self._votes(action):
            return table.voted_for(action)
        places = table.move(action).places if table.is_move(action) else ()
        return places[0] if len(places) == 1 and places[0] in self.living else None

    def chance(self, statement: int) -> Fraction | None:
        """See `Reading`."""
        player = self.knowledge.player
        said = claims(self.rules.action_table.statement(statement), player)
        if not any(said):
            return None
        own = self._own_truth(said)
        return own if own is not None else self._probability(said)

    def detail(self, statement: int) -> int:
        """See `Reading`."""
        said = claims(self.rules.action_table.statement(statement), self.knowledge.player)
        return sum(map(len, said))

    def _probability(self, said: Claims) -> Fraction:
        worlds = self.worlds(said)
        return worlds.probability(self._truth(worlds, said))

    def _votes(self, action: int) -> bool:
        table = self.rules.action_table
        return 0 <= table.voted_for(action) < self.rules.num_players

    # ------------------------------------------------------------------------ what is known

    @cached_property
    def role(self) -> str:
        """See `Reading`."""
        return next(e[1] for e in self.night if isinstance(e, tuple) and e[0] == "card")

    @cached_property
    def sides_with_wolves(self) -> bool:
        """See `Reading`."""
        teams, worlds = _teams(self.rules), self.worlds()
        player = self.knowledge.player
        own = worlds.having(worlds.final, player, lambda card: teams[card] == WOLVES)
        return worlds.probability(own) > Fraction(1, 2)

    @cached_property
    def living(self) -> tuple[int, ...]:
        """See `Reading`."""
        return tuple(range(self.rules.num_players))

    @cached_property
    def suspicion(self) -> Mapping[int, Fraction]:
        """See `Reading`."""
        worlds = self.worlds()
        return {s: worlds.probability(self._is_wolf(worlds, s)) for s in self.living}

    @cached_property
    def trusting_suspicion(self) -> Mapping[int, Fraction]:
        """See `Reading`."""
        worlds, plausible = self.plausible()
        return {s: worlds.probability(self._is_wolf(worlds, s), plausible) for s in self.living}

    def plausible(self) -> tuple[Worlds, NDArray[np.bool_]]:
        """The worlds, and (W,) in which of them the most statements that were heard are true.

        They are those in which some largest consistent set of statements is true.
        """
        table = self.rules.action_table
        heard = dict.fromkeys(self.heard)  # what is said again is the same statement
        said = [claims(table.statement(action), seat) for seat, action in heard]
        worlds = self.worlds(*said)
        true = np.zeros(len(worlds), np.int64)
        for claim in said:
            true += self._truth(worlds, claim)  # silence is true everywhere
        return worlds, true == true.max()

    @cached_property
    def packmates(self) -> frozenset[int]:
        """See `Reading`."""
        told = [e[1] for e in self.night if isinstance(e, tuple) and e[0] == "werewolves"]
        return frozenset(seat for seats in told for seat in seats)

    @cached_property
    def findings(self) -> frozenset[int]:
        """See `Reading`."""
        looks = [e for e in self.night if isinstance(e, tuple) and e[0] == "saw"]
        return frozenset(
            place
            for _, place, card in looks
            if place in self.living and self.rules.roles[card].werewolf
        )

    # ------------------------------------------------------------------------------ worlds

    def _is_wolf(self, worlds: Worlds, seat: int) -> NDArray[np.bool_]:
        roles = self.rules.roles
        return worlds.having(worlds.final, seat, lambda card: roles[card].werewolf)

    def _truth(self, worlds: Worlds, said: Claims) -> NDArray[np.bool_]:
        """(W,), in which worlds all claims hold."""
        table = self.rules.action_table
        true = np.ones(len(worlds), np.bool_)
        for seat, role in said.dealt:
            true &= worlds.having(worlds.initial, seat, role.__eq__)
        for seat, move in said.moves:
            number = table.number(move)
            true &= worlds.where(seat, lambda view, a=number: night_in(view, table)[0] == a)
        for seat, seen in said.seen:
            true &= worlds.where(seat, lambda view, s=seen: night_in(view, table)[1] == s)
        for seat, role in said.holds:
            true &= worlds.having(worlds.final, seat, role.__eq__)
        for seat, wolf in said.werewolf:
            true &= self._is_wolf(worlds, seat) == wolf
        return true

    def _own_truth(self, said: Claims) -> Fraction | None:
        """Whether claims hold, where the player's own night settles it."""
        player, table = self.knowledge.player, self.rules.action_table
        move, seen = night_in(self.night, table)
        checks = [(seat, self.role == role) for seat, role in said.dealt]
        checks += [(seat, move == table.number(claimed)) for seat, claimed in said.moves]
        checks += [(seat, seen == claimed) for seat, claimed in said.seen]
        own = [holds for seat, holds in checks if seat == player]
        if not all(own):
            return Fraction(0)
        settled = len(own) == sum(map(len, said))
        return Fraction(1) if settled else None


@lru_cache(maxsize=64)
def believed(rules: Onuw) -> Onuw:
    """The game that the players think they play: a stacked deck is one that was shuffled."""
    if rules.parameters["deal"] != "stacked":
        return rules
    return Onuw(**{**rules.parameters, "deal": "chance", "night": "free"})  # type: ignore[arg-type]


def _split(rules: Onuw, view: View) -> tuple[View, tuple[tuple[int, int], ...]]:
    """The view before the talk, and the (seat, statement) pairs heard."""
    table = rules.action_table
    night: list[Any] = []
    heard: list[tuple[int, int]] = []
    for entry in view:
        match entry:
            case ("said", int(seat), int(action)):
                heard.append((seat, action))
            case ("did", int(action)) if not rules.script:  # laid down, but not as far as it knows
                night.append(action)
            case int() if not table.is_move(entry):
                pass  # its own statement
            case _:
                night.append(entry)
    return tuple(night), tuple(heard)


def _teams(rules: Onuw) -> dict[str, str]:
    return {name: TEAMS.get(role.team, role.team) for name, role in rules.roles.items()}


class OnuwFamily(Family):
    """ONUW."""

    def roles(self, rules: Onuw) -> Mapping[str, str]:
        """See `Family`."""
        return _teams(rules)

    def read(self, knowledge: Knowledge) -> OnuwReading:
        """See `Family`."""
        return OnuwReading(knowledge)


@family.register
def _(rules: Onuw) -> Family:
    return OnuwFamily()
