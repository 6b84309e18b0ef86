"""What players of Mafia do, as policies of positions, for the lumped game.

Each is a function of rules and position as `crywolf.solvers.lumping` wants it: it may name roles,
but uses only what the mover knows, and treats seats alike. A decision is left open where its source
says that it is made as well as possible: ``max`` and ``min`` are of the probability that the town
wins.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from ..games.werewolf.position import Position, Stage
from ..games.werewolf.roles import ROLES
from ..solvers.lumping import Decision, Decisions
from ..solvers.lumps import Mixture, Policy


def evenly(rules: Any, position: Any) -> Mixture:
    """Every action is as likely."""
    return _even(rules.legal_actions(position))


def best_kills(rules: Any, position: Any) -> Decision:
    """The mafia kills whom it had best kill; the rest is left to chance."""
    return "min" if position.stage is Stage.KILL else evenly(rules, position)


def best_skips(rules: Any, position: Any) -> Decision:
    """The town skips the elimination whenever it had better; the rest is left to chance."""
    return "max" if position.stage is Stage.SKIP else evenly(rules, position)


def block_votes(rules: Any, position: Any) -> Mixture:
    """The town votes at random; the mafia agrees on a townsperson, any, and votes together."""
    if position.stage is not Stage.VOTE or not _wolf(position, position.queue[0]):
        return evenly(rules, position)
    agreed = [action for voter, action in position.acts if _wolf(position, voter)]
    target = rules.table.actions.target
    return _even(
        agreed[:1] or [a for a in rules.legal_actions(position) if not _wolf(position, target(a))]
    )


# ------------------------------------------------------------------------------------- the Seer


def vanilla(rules: Any, position: Any) -> Mixture:
    """The Seer never reveals itself."""
    return seer(rules, position, reveals=False)


def found(rules: Any, position: Any) -> Mixture:
    """The Seer reveals itself when it has found a living wolf, but not when it is drawn."""
    reveals = position.stage is Stage.REVEAL and _has_found(position)
    return seer(rules, position, reveals)


def found_or_drawn(rules: Any, position: Any) -> Mixture:
    """The Seer reveals itself when it has found a living wolf or is drawn for elimination."""
    return seer(rules, position, position.stage is Stage.DRAWN or _has_found(position))


def best_kills_after(policy: Policy) -> Decisions:
    """The mafia kills a Seer that has revealed itself, and then whom it had best kill.

    Args:
        policy: what else is done.
    """

    def decisions(rules: Any, position: Position) -> Decision:
        if position.stage is Stage.KILL and any(position.public) and not _known_seers(position):
            return "min"
        return policy(rules, position)

    return decisions


def seer(rules: Any, position: Position, reveals: bool = False) -> Mixture:
    """The Seer checks players that it has not yet checked, and reveals itself if it is told to.

    The mafia kills at random while nobody has revealed itself; then the Seer, then players who are
    publicly cleared, then others.

    Args:
        rules: the game.
        position: the position.
        reveals: whether a Seer that may reveal itself does.
    """
    actions = rules.table.actions
    legal = rules.legal_actions(position)
    if position.stage in (Stage.REVEAL, Stage.DRAWN):
        return {actions.number("reveal" if reveals else "conceal"): Fraction(1)}
    if position.stage is Stage.KILL:
        public = [position.public[actions.target(action)] for action in legal]
        for known in ("seer", "not wolf", ""):
            if known in public:
                return _even(a for a, what in zip(legal, public, strict=True) if what == known)
    if position.stage is Stage.NIGHT:
        checked = [seat for seat, _ in position.notes[position.queue[0]]]
        return _even([a for a in legal if actions.target(a) not in checked] or legal)
    return _even(legal)


def _has_found(position: Position) -> bool:
    """Whether the mover has checked a living wolf."""
    notes = position.notes[position.queue[0]]
    return any(wolf is True and position.alive[seat] for seat, wolf in notes)


def _known_seers(position: Position) -> list[int]:
    return [s for s, what in enumerate(position.public) if what == "seer" and position.alive[s]]


def _wolf(position: Position, seat: int) -> bool:
    return ROLES[position.roles[seat]].wolf


def _even(actions: Iterable[int]) -> Mixture:
    found = tuple(actions)
    return dict.fromkeys(found, Fraction(1, len(found)))
