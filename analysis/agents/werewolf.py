"""How a view of Werewolf is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...games.werewolf import ROLES, Werewolf
from ...games.werewolf.actions import Action
from .deals import Chances, Deals, every_deal, role_chances
from .knowledge import Knowledge
from .reading import TOWN, Family, Reading, Task, family
from .werewolf_claims import Claims, claims_of
from .werewolf_facts import NOT_WOLF, WOLF, Facts, facts_of

TASKS: dict[str, Task] = {
    "vote": Task.VOTE,
    "abstain": Task.VOTE,
    "name": Task.VOTE,
    "kill": Task.KILL,
    "check": Task.CHECK,
    "protect": Task.PROTECT,
    "shoot": Task.SHOOT,
    "poison": Task.SHOOT,
    "save": Task.PROTECT,
    "say nothing": Task.SPEAK,
    "reveal": Task.SPEAK,
    "conceal": Task.SPEAK,
}
"""What actions of each verb are about. Of a Witch that may save her potions are about that."""


class WerewolfReading(Reading):
    """A view of Werewolf."""

    def __init__(self, knowledge: Knowledge):
        super().__init__(knowledge)
        self.rules: Werewolf = knowledge.rules  # type: ignore[assignment]
        self.facts: Facts = facts_of(self.rules, knowledge.player, knowledge.view)

    def meaning(self, action: int) -> Action:
        """What an action means."""
        return self.rules.table.actions.meanings[action]

    @cached_property
    def task(self) -> Task:
        """See `Reading`."""
        verbs = {self.meaning(action).verb for action in self.knowledge.legal}
        if "save" in verbs:
            return Task.PROTECT
        return next((task for verb, task in TASKS.items() if verb in verbs), Task.OTHER)

    def target(self, action: int) -> int | None:
        """See `Reading`."""
        verb, seat, _ = self.meaning(action)
        seat = self.facts.victim if verb == "save" else seat
        return seat if seat >= 0 and TASKS.get(verb) is self.task else None

    def chance(self, statement: int) -> Fraction | None:
        """See `Reading`."""
        if self.meaning(statement).verb == "reveal":
            return Fraction(1)
        said = self._claims(statement)
        if not said.size:
            return None
        if said.lived and said.lived.isdisjoint(self.knowledge.view):
            return Fraction(0)
        player = self.knowledge.player
        if any(seat == player and self.role not in roles for seat, roles in said.roles):
            return Fraction(0)
        others = [(seat, roles) for seat, roles in said.roles if seat != player]
        if not others:
            return Fraction(1)
        ((seat, roles),) = others  # no statement is about two others
        return self._probability(seat, roles.__contains__)

    def detail(self, statement: int) -> int:
        """See `Reading`."""
        return self._claims(statement).size

    def _claims(self, statement: int) -> Claims:
        return claims_of(self.rules, statement, self.knowledge.player)

    @cached_property
    def role(self) -> str:
        """See `Reading`."""
        return self.facts.role

    @cached_property
    def living(self) -> tuple[int, ...]:
        """See `Reading`."""
        return tuple(sorted(self.facts.alive))

    @cached_property
    def deals(self) -> Deals:
        """The deals that the player holds possible."""
        table, alive = self.rules.table, self.facts.alive
        if self.knowledge.player not in alive:  # dying: it is not yet asked whether somebody wins
            alive = self.facts.alive_before
        fewest = table.options.town_wins_at + 1
        most = (len(alive) - 1) // 2 if table.options.end == "parity" else len(alive) - 1
        return Deals(
            tuple(Counter(table.deck).items()),
            tuple(map(frozenset, self.facts.allowed)),
            (frozenset(alive), frozenset(filter(is_wolf, table.kinds))),
            (fewest, most),
        )

    @cached_property
    def roles(self) -> Chances:
        """For each seat, living or dead, the probability of each role."""
        return role_chances(self.deals)

    @cached_property
    def suspicion(self) -> Mapping[int, Fraction]:
        """See `Reading`."""
        return {seat: self._probability(seat, is_wolf) for seat in self.living}

    @cached_property
    def trusting_suspicion(self) -> Mapping[int, Fraction]:
        """See `Reading`."""
        deals = every_deal(self.deals)
        cards = [role for role, _ in self.deals.cards]

        def has(seat: int, wanted: Callable[[str], bool]) -> NDArray[np.bool_]:
            return np.array([wanted(card) for card in cards], np.bool_)[deals[:, seat]]

        true = np.zeros(len(deals), np.int64)
        for speaker, statement in dict.fromkeys(self.facts.heard):  # said again, it is the same
            holds = np.ones(len(deals), np.bool_)
            for seat, roles in claims_of(self.rules, statement, speaker).roles:
                holds &= has(seat, roles.__contains__)
            true += holds  # what claims nothing is true everywhere
        plausible = true == true.max()
        number = int(plausible.sum())
        return {s: Fraction(int(has(s, is_wolf)[plausible].sum()), number) for s in self.living}

    def _probability(self, seat: int, wanted: Callable[[str], bool]) -> Fraction:
        chances = self.roles[seat].items()
        return sum((p for role, p in chances if wanted(role)), Fraction(0))

    @cached_property
    def packmates(self) -> frozenset[int]:
        """See `Reading`."""
        return self.facts.pack

    @cached_property
    def findings(self) -> frozenset[int]:
        """See `Reading`."""
        return frozenset(seat for seat, wolf in self.facts.checked.items() if wolf)

    @cached_property
    def drawn(self) -> bool:
        """See `Reading`."""
        return self.facts.drawn

    @cached_property
    def exposed_wolves(self) -> frozenset[int]:
        """See `Reading`."""
        return self._labelled(lambda label: label == WOLF or (label in ROLES and is_wolf(label)))

    @cached_property
    def cleared(self) -> frozenset[int]:
        """See `Reading`."""
        return self._labelled(
            lambda label: label == NOT_WOLF or (label in ROLES and ROLES[label].team == TOWN)
        )

    @cached_property
    def revealed_seers(self) -> frozenset[int]:
        """See `Reading`."""
        return self._labelled(lambda label: label in ROLES and ROLES[label].reveals)

    def _labelled(self, wanted: Callable[[str], bool]) -> frozenset[int]:
        public = self.facts.public
        return frozenset(s for s in self.living if s in public and wanted(public[s]))

    @cached_property
    def public_history(self) -> tuple[Any, ...]:
        """See `Reading`."""
        return tuple(self.facts.deaths)


def is_wolf(role: str) -> bool:
    """Whether a role counts as a wolf."""
    return ROLES[role].wolf


class WerewolfFamily(Family):
    """Werewolf and Mafia."""

    def roles(self, rules: Werewolf) -> Mapping[str, str]:
        """See `Family`."""
        return {role: ROLES[role].team for role in rules.table.kinds}

    def read(self, knowledge: Knowledge) -> WerewolfReading:
        """See `Family`."""
        return WerewolfReading(knowledge)


@family.register
def _(rules: Werewolf) -> Family:
    return WerewolfFamily()
