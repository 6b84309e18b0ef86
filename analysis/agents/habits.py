"""Habits: how decisions of one task are made. Agents are composed of them.

Equally good choices are equally likely.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from ...games.errors import ParameterError
from .knowledge import Agent, Distribution, Knowledge, evenly, foremost
from .reading import Reading, Task, reading_of

Habit: TypeAlias = Callable[[Reading], Distribution]
"""From what a player knows to the probabilities of its actions."""

HALF = Fraction(1, 2)


def agent_of(**habits: Habit) -> Agent:
    """The agent with these habits, by task: ``agent_of(speak=truthful, vote=for_suspects)``.

    What it has no habit for it decides as `DEFAULTS` say, or uniformly.

    Raises:
        ParameterError: there is no such task.
    """
    tasks = {task.value: task for task in Task}
    unknown = [name for name in habits if name not in tasks]
    if unknown:
        raise ParameterError(f"{unknown[0]!r} is no task; there are {', '.join(tasks)}")
    by_task = DEFAULTS | {tasks[name]: habit for name, habit in habits.items()}

    def play(knowledge: Knowledge) -> Distribution:
        reading = reading_of(knowledge)
        habit = by_task.get(reading.task)
        return habit(reading) if habit else evenly(knowledge.legal)

    return play


# ------------------------------------------------------------------------------------- speaking


def truthful(reading: Reading) -> Distribution:
    """Says what it knows to be true and has not said yet, as much at once as it can.

    With nothing to say it is silent; where it cannot be, it says what is most probably true.
    """
    said = set(reading.knowledge.own_actions)
    known = [a for a in reading.knowledge.legal if reading.chance(a) == 1]
    new = [a for a in known if a not in said]
    if new:
        return evenly(foremost(new, reading.detail))
    return evenly(_silence(reading) or known or foremost(reading.knowledge.legal, reading.chance))


def lying(reading: Reading) -> Distribution:
    """Says what it knows to be false; if it cannot, is silent, or says what is least probable."""
    legal = reading.knowledge.legal
    false = [a for a in legal if reading.chance(a) == 0]
    return evenly(false or _silence(reading) or foremost(legal, lambda a: -_chance(reading, a)))


def silent(reading: Reading) -> Distribution:
    """Claims nothing; where it has to, anything."""
    return evenly(_silence(reading) or reading.knowledge.legal)


def when_it_matters(reading: Reading) -> Distribution:
    """Is silent until it has found a wolf or is drawn for elimination; from then on truthful."""
    return truthful(reading) if reading.findings or reading.drawn else silent(reading)


def when_found(reading: Reading) -> Distribution:
    """Is silent until it has found a wolf; from then on truthful."""
    return truthful(reading) if reading.findings else silent(reading)


def _chance(reading: Reading, statement: int) -> Fraction:
    chance = reading.chance(statement)
    assert chance is not None  # silence was not possible
    return chance


def _silence(reading: Reading) -> list[int]:
    return [a for a in reading.knowledge.legal if reading.chance(a) is None]


# --------------------------------------------------------------------------------------- voting


def for_anybody(reading: Reading) -> Distribution:
    """Votes for each of the others with the same probability; does not abstain."""
    return evenly(_aimed(reading) or reading.knowledge.legal)


def for_suspects(reading: Reading) -> Distribution:
    """Votes for whom it holds most probable to be a wolf."""
    return _by(reading, lambda seat: reading.suspicion[seat])


def for_innocents(reading: Reading) -> Distribution:
    """Votes for whom it holds least probable to be a wolf."""
    return _by(reading, lambda seat: -reading.suspicion[seat])


def for_suspects_by_hearsay(reading: Reading) -> Distribution:
    """Votes for whoever is most probably a wolf if as many statements as possible are true.

    Who wins with the wolves votes for whoever is least probably one.
    """
    sign = -1 if reading.sides_with_wolves else 1
    return _by(reading, lambda seat: sign * reading.trusting_suspicion[seat])


def for_the_lowest(reading: Reading) -> Distribution:
    """Votes for the living player of the lowest number that its pack does not know as a wolf."""
    return _by(reading, lambda seat: (seat not in reading.packmates, -seat))


def for_one_drawn(reading: Reading, seed: int) -> Distribution:
    """Votes for a living player, not of its pack, that is drawn from what the pack knows."""
    shared = (reading.public_history, sorted(reading.packmates))
    return _by(reading, lambda seat: (seat not in reading.packmates, _draw(seed, shared, seat)))


def by_protocol(reading: Reading, seed: int) -> Distribution:
    """Votes for the first of the living players in an order that everybody knows.

    The order is drawn by a hash of the seed and what all have observed. Those whom everybody knows
    as wolves come first, those whom everybody knows not to be wolves last. Who is the first itself
    votes for the next.
    """

    def place(seat: int) -> tuple[bool, bool, bytes]:
        draw = _draw(seed, reading.public_history, seat)
        return (seat in reading.exposed_wolves, seat not in reading.cleared, draw)

    return _by(reading, place)


def _draw(seed: int, shared: object, seat: int) -> bytes:
    """A number of a seat, as good as random; the same for all who know the same."""
    words = f"{seed}\n{shared!r}\n{seat}"
    return hashlib.blake2b(words.encode(), digest_size=16).digest()


def _by(reading: Reading, rank: Callable[[int], object]) -> Distribution:
    """The choices whose targets are of the highest rank."""
    aimed = _aimed(reading)
    if not aimed:
        return evenly(reading.knowledge.legal)
    return evenly(foremost(aimed, lambda action: rank(aimed[action])))


def _aimed(reading: Reading) -> dict[int, int]:
    """The actions that are directed at a seat, with the seat; but votes for oneself."""
    own = reading.knowledge.player if reading.task is Task.VOTE else None
    targets = {a: reading.target(a) for a in reading.knowledge.legal}
    return {a: seat for a, seat in targets.items() if seat is not None and seat != own}


# ---------------------------------------------------------------------------------------- nights


def kill(reading: Reading) -> Distribution:
    """Kills a Seer that has come out, else one whom all know to be no wolf, else any non-wolf."""
    return _by(
        reading,
        lambda seat: (
            seat not in reading.packmates,
            seat in reading.revealed_seers,
            seat in reading.cleared,
        ),
    )


def shoot(reading: Reading) -> Distribution:
    """Shoots the most suspected if that is more probably a wolf than not; else, if it may, none."""
    aimed = _aimed(reading)
    idle = [a for a in reading.knowledge.legal if a not in aimed]
    if idle and all(reading.suspicion.get(seat, 0) <= HALF for seat in aimed.values()):
        return evenly(idle)
    return _by(reading, lambda seat: reading.suspicion.get(seat, 0))


def check(reading: Reading) -> Distribution:
    """Looks at the card of the player that it knows least about."""

    def doubt(seat: int) -> Fraction:
        chance = reading.suspicion.get(seat, Fraction(0))
        return chance * (1 - chance)

    return _by(reading, doubt)


def protect(reading: Reading) -> Distribution:
    """Saves a Seer that has come out, else one whom it does not know as a wolf."""
    return _by(
        reading,
        lambda seat: (seat in reading.revealed_seers, reading.suspicion.get(seat, 0) < 1),
    )


DEFAULTS: dict[Task, Habit] = {
    Task.SPEAK: silent,
    Task.VOTE: for_anybody,
    Task.KILL: kill,
    Task.SHOOT: shoot,
    Task.CHECK: check,
    Task.PROTECT: protect,
}
"""What agents do that have no habit of their own for a task."""
