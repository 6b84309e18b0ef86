"""What all stages of one game share: conventions, cards, seats and actions."""

from __future__ import annotations

from functools import lru_cache

from ..rules import Observations
from .actions import ActionTable, ChanceTable
from .parameters import Options, check_options
from .position import NOBODY, Position
from .role import TOWN, WOLVES, Role
from .roles import ROLES, parse_roles
from .talk import Talk

COIN_SIDES = (TOWN, WOLVES)
"""The teams between which a coin decides."""
KEPT = 1 << 16
"""Answers remembered of each question about positions."""


class Table:
    """One game's conventions, cards, seats and actions.

    Args:
        options: the conventions.

    Raises:
        ParameterError: see `check_options`, `parse_roles` and `Talk`.

    Attributes:
        options: the conventions.
        deck: the cards, in the order written.
        kinds: the roles among them, in night order.
        roles: these roles by name.
        turn: when each kind has its turn at night.
        seats: all seats.
        talk: what can be said.
        actions: numbers and names of actions.
        chance: numbers and names of the outcomes of chance moves.
        nothing: what players observe when nobody observes anything.
    """

    def __init__(self, options: Options):
        self.options = options
        self.deck = parse_roles(options.roles)
        check_options(options, self.deck)
        self.kinds = tuple(name for name in ROLES if name in self.deck)
        self.roles = {name: ROLES[name] for name in self.kinds}
        order = list(ROLES)
        self.turn = {name: order.index(self.roles[name].turn or name) for name in self.kinds}
        self.seats = range(options.players)
        self.talk = Talk(options, self.roles)
        self.actions = self._actions()
        self.chance = ChanceTable(
            options.players,
            [role.title for role in self.roles.values()] if options.deal == "chance" else [],
            COIN_SIDES if options.end == "coin" else (),
            options.lovers == "random",
        )
        self.nothing: Observations = ((),) * options.players
        self.counts_voted_out = options.voted_out_wins > 0
        self.recalls_votes = any(self.roles[name].recalls_votes for name in self.kinds)
        # Asked at every node, hence remembered.
        self.living = lru_cache(maxsize=KEPT)(self._living)
        self.pack = lru_cache(maxsize=KEPT)(self._pack)
        self.ballot = lru_cache(maxsize=KEPT)(self._ballot)

    def _actions(self) -> ActionTable:
        options = self.options
        verbs, deeds = [], ["abstain"] if options.abstain else []
        if options.elimination == "votes":
            verbs.append("vote")
        elif options.elimination == "proposer":
            verbs.append("propose")
        elif options.no_lynch == "allowed":
            deeds += ["draw", "skip"]
        if self.talk.reveals:
            deeds += ["reveal", "conceal"]
        if options.nights:
            verbs.append("kill")
        for name in self.kinds:
            verbs += self.roles[name].verbs
            deeds += self.roles[name].deeds
        return ActionTable(options.players, verbs, deeds, self.talk.all_statements())

    def _living(self, alive: tuple[bool, ...]) -> tuple[int, ...]:
        """The living seats, ascending."""
        return tuple(seat for seat, lives in enumerate(alive) if lives)

    def _pack(self, roles: tuple[str, ...], alive: tuple[bool, ...]) -> tuple[int, ...]:
        """The living wolves, ascending."""
        return tuple(seat for seat in self.living(alive) if self.roles[roles[seat]].wolf)

    def _ballot(self, alive: tuple[bool, ...], seat: int) -> tuple[int, ...]:
        """The votes open to ``seat``."""
        options, number = self.options, self.actions.number
        votes = [
            number("vote", target)
            for target in self.living(alive)
            if target != seat or options.self_vote
        ]
        if options.no_lynch == "allowed":
            votes.append(number("vote", NOBODY))
        if options.abstain:
            votes.append(number("abstain"))
        return tuple(sorted(votes))

    def role_of(self, position: Position, seat: int) -> Role:
        """The role of a seat."""
        return self.roles[position.roles[seat]]

    def victim(self, position: Position) -> int:
        """At night, once the wolves have chosen: whom, or `NOBODY`."""
        for seat, action in position.acts:
            if seat == NOBODY:
                return self.actions.target(int(action))
        return NOBODY

    def night(self, position: Position) -> int:
        """The number of the night that is, or comes next; the first is 1."""
        return position.day + (self.options.first == "night")

    def quiet(self, position: Position) -> bool:
        """Whether the wolves do not kill in the night that is, or comes next."""
        return self.night(position) <= self.options.quiet_nights

    def town(self, position: Position) -> tuple[int, ...]:
        """The living seats of the town's team, ascending."""
        roles = position.roles
        return tuple(s for s in self.living(position.alive) if self.roles[roles[s]].team == TOWN)

    def concealed(self, position: Position, seat: int) -> bool:
        """Whether the role of ``seat`` has results to reveal and has not been made public."""
        return self.role_of(position, seat).reveals and position.public[seat] not in self.roles
