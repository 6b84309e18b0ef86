"""The role cards of ONUW, in the order of the night, and how to add one.

A role acts by its *initial* card, in the order of `ROLES`; teams count by the *final* card. All
roles of the printed game are there but the Doppelganger, which would act as a copy of any other.

Source of the rules: Bezier Games, "One Night Ultimate Werewolf" (2014); Jin et al., "Learning to
Discuss Strategically: A Case Study on One Night Ultimate Werewolf", NeurIPS 2024.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..decks import insert_role, parse_deck
from . import night
from .role import Outcome, Role, werewolves_win
from .scene import Cards, looks, swaps, switches, takes


def _minion_wins(outcome: Outcome, seat: int) -> bool:
    """As the Werewolves, dead or not; with none among the players, if somebody else dies."""
    if outcome.werewolves:
        return werewolves_win(outcome, seat)
    return bool(outcome.dead - {seat})


def _tanner_wins(outcome: Outcome, seat: int) -> bool:
    return seat in outcome.dead


def _hunter_takes_along(votes: Sequence[int], seat: int) -> tuple[int, ...]:
    return (votes[seat],)


ROLES: dict[str, Role] = {
    role.name: role
    for role in (
        Role(
            "werewolf",
            team="werewolf",
            werewolf=True,
            moves=looks,
            sees=night.werewolf_sees,
            choices=night.werewolf_choices,
            perform=night.perform_look,
            tells=night.werewolf_tells,
            wins=werewolves_win,
            words="Werewolves see each other",
        ),
        Role(
            "minion",
            team="werewolf",
            sees=night.werewolf_sees,
            tells=night.minion_tells,
            wins=_minion_wins,
            words="the Minion sees the Werewolves, who do not see it",
            goal="The Minion wins with the Werewolves, even if it dies; if no player is a "
            "Werewolf, it wins if a player other than itself dies.",
        ),
        Role(
            "mason",
            sees=night.mason_sees,
            tells=night.mason_tells,
            words="Masons see each other",
        ),
        Role(
            "seer",
            informed=True,
            moves=looks,
            choices=night.seer_choices,
            perform=night.perform_look,
            tells=night.seer_tells,
            words="the Seer looks at another player's card or at two centre cards",
        ),
        Role(
            "robber",
            informed=True,
            moves=switches,
            choices=night.robber_choices,
            perform=night.rob,
            tells=night.robber_tells,
            words="the Robber swaps cards with a player (S1 with P1, S2 with P2, ...) and sees the "
            "new card, or does not (NS)",
        ),
        Role(
            "troublemaker",
            informed=True,
            moves=swaps,
            choices=night.troublemaker_choices,
            perform=night.make_trouble,
            tells=night.troublemaker_tells,
            words="the Troublemaker may swap the cards of two other players, unseen",
        ),
        Role(
            "drunk",
            informed=True,
            needs_centre=True,
            moves=takes,
            choices=night.drunk_choices,
            perform=night.take_card,
            tells=night.drunk_tells,
            words="the Drunk swaps its card with a centre card, unseen",
        ),
        Role(
            "insomniac",
            informed=True,
            sees=night.insomniac_sees,
            tells=night.insomniac_tells,
            words="the Insomniac sees its own card at the end of the night",
        ),
        Role(
            "hunter",
            takes_along=_hunter_takes_along,
            goal="If the Hunter dies, the player that it votes for dies too.",
        ),
        Role(
            "tanner",
            team="tanner",
            wins=_tanner_wins,
            spoils=True,
            goal="The Tanner is on no team: it wins if it dies, and then the Werewolves and the "
            "Minion do not win with a Werewolf among the players.",
        ),
        Role("villager"),
    )
}
"""Every role, in the order of the night."""

_PRINTED = frozenset(ROLES)


def add_role(role: Role, after: str) -> None:
    """Makes a role known to ONUW, e.g. as ``roles=2werewolf+seer+village-idiot``.

    Games that were made before keep the roles that they have. Adding a name again replaces the
    role, as in a notebook cell that is run twice; that of a printed role cannot be replaced.
    A process that loads a game or unpickles a state by name must have added its roles first.

    Args:
        role: the role.
        after: the role after whose turn its own comes at night.

    Raises:
        ParameterError: the name is no name or taken, or no role is called ``after``.
    """
    insert_role(ROLES, role, after, _PRINTED)


def parse_roles(text: str) -> Cards:
    """Role names from a string such as ``2werewolf+robber+3villager``.

    Raises:
        ParameterError: an unknown role or a malformed count.
    """
    return parse_deck(text, ROLES, "2werewolf+seer+robber")
