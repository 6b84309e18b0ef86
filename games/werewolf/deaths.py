"""Deaths and what follows from them: announcements, lovers, last deeds, and whether the game ends.

An event is a dawn or an elimination with all its consequences. Whoever dies in it is announced;
then those with something still to do when they die do it one by one: first those of the event, by
seat, then those who die of that. Only then is it asked whether somebody has won.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from .account import night_account
from .endings import winner
from .position import NOBODY, News, Position, Stage, replaced
from .table import Table

GRIEF, SHOT, AVENGED, VOTED = "grief", "shot", "avenged", "voted"


def eliminate(table: Table, position: Position, seats: Sequence[int], news: News) -> Position:
    """The seats are voted out: the position at `Stage.DUSK` before it is settled."""
    counted = position.voted_out_wolves
    if table.counts_voted_out:
        counted += sum(table.role_of(position, seat).wolf for seat in seats)
    for seat in seats:
        decided = table.role_of(position, seat).decides(table, position, seat, VOTED)
        if decided:
            position = position._replace(winner=decided)
    position = position._replace(
        stage=Stage.DUSK,
        queue=(),
        voted_out_wolves=counted,
        executed=tuple(seats) if table.recalls_votes and table.options.nights else (),
    )
    return _die(table, position, dict.fromkeys(seats, VOTED), news, "eliminated")


def wake(table: Table, position: Position, news: News) -> Position:
    """All of the night happens: the position at `Stage.DAWN` before it is settled."""
    account = night_account(table, position)
    position = position._replace(stage=Stage.DAWN, queue=(), acts=(), executed=())
    position = _die(table, position, account.deaths(), news, "dawn")
    dead = tuple(seat for seat, _ in position.acts)
    position = position._replace(notes=account.notes(dead))
    for seat, kind, target, result in account.learned(dead):
        news.tell(seat, (kind, target, result))
        public = position.public
        if table.role_of(position, seat).reveals and public[seat] in table.roles:
            news.tell_all(("result", seat, target, result), but=seat)
            position = position._replace(public=_published(public, target, result))
    return position


def _die(
    table: Table, position: Position, causes: Mapping[int, str], news: News, event: str
) -> Position:
    """The deaths of an event, lovers included, announced; ``acts`` lists them with their causes."""
    causes = dict(causes)
    for lover, other in _pairs(position):
        if lover in causes and other not in causes and position.alive[other]:
            causes[other] = GRIEF
    dead = tuple(sorted(causes))
    shown = tuple((seat, revealed(table, position, seat)) for seat in dead)
    news.tell_all((event, shown))
    for seat, what in shown:
        position = _buried(table, position, seat, what)
    return position._replace(acts=tuple((seat, causes[seat]) for seat in dead))


def settle(table: Table, position: Position, news: News) -> Position:
    """Goes to the next last deed that needs a move, or on to what follows the event."""
    while position.acts and not position.winner:
        seat, cause = position.acts[0]
        choices = table.role_of(position, seat).last_choices(table, position, seat, str(cause))
        if choices:
            return position._replace(queue=(seat,))
        if table.role_of(position, seat).avenged(table, position, seat, str(cause)):
            return position
        position = position._replace(acts=position.acts[1:])
    position = position._replace(winner=position.winner or winner(table, position))
    if position.winner:
        return ended(position)
    notes = tuple(
        notes if lives else () for notes, lives in zip(position.notes, position.alive, strict=True)
    )
    lovers = position.lovers if all(position.alive[seat] for seat in position.lovers) else ()
    if position.stage is Stage.DUSK:
        return position._replace(stage=Stage.NIGHTFALL, notes=notes, lovers=lovers)
    return position._replace(stage=Stage.DAY, day=position.day + 1, notes=notes, lovers=lovers)


def last_choices(table: Table, position: Position) -> tuple[int, ...]:
    """The actions open to whoever is dying."""
    seat, cause = position.acts[0]
    choices = table.role_of(position, seat).last_choices(table, position, seat, str(cause))
    return table.actions.numbers(choices)


def avengers(table: Table, position: Position) -> tuple[tuple[int, Fraction], ...]:
    """Of which seats chance kills one."""
    seat, cause = position.acts[0]
    seats = table.role_of(position, seat).avenged(table, position, seat, str(cause))
    return table.chance.evenly(seats)


def last_deed(table: Table, position: Position, action: int, news: News) -> Position:
    """Whoever is dying acts, or chance does for it."""
    seat, _ = position.acts[0]
    by_chance = not position.queue
    target = table.chance.drawn(action) if by_chance else table.actions.target(action)
    position = position._replace(queue=(), acts=position.acts[1:])
    what = "" if target == NOBODY else revealed(table, position, target)
    news.tell_all(("avenged" if by_chance else "shot", seat, target, what))
    if target != NOBODY:
        position = _buried(table, position, target, what)
        acts = (*position.acts, (target, AVENGED if by_chance else SHOT))
        for lover, other in _pairs(position):
            if lover == target and position.alive[other]:
                what = revealed(table, position, other)
                news.tell_all(("followed", other, what))
                position = _buried(table, position, other, what)
                acts = (*acts, (other, GRIEF))
        position = position._replace(acts=acts)
    return settle(table, position, news)


def ended(position: Position) -> Position:
    """The end of the game: all that only the rest of the play would need is dropped."""
    return position._replace(
        stage=Stage.END, queue=(), acts=(), notes=(), executed=(), order=(), lovers=()
    )


def revealed(table: Table, position: Position, seat: int) -> str:
    """What is made public of a seat that dies in this event."""
    options = table.options
    kind = options.reveal_day
    if position.stage is Stage.DAWN:
        kind = options.reveal_night
        if options.reveal_first_night_only and table.night(position) > 1:
            kind = "none"
    role = table.role_of(position, seat)
    return {"none": "", "team": "wolf" if role.wolf else "not wolf", "role": role.name}[kind]


def publish_results(position: Position, seat: int) -> Position:
    """The role of ``seat`` and all that it has noted become public."""
    public = replaced(position.public, seat, position.roles[seat])
    for target, result in position.notes[seat]:
        public = _published(public, target, result)
    return position._replace(public=public)


def _published(public: tuple[str, ...], seat: int, wolf: bool | str) -> tuple[str, ...]:
    if public[seat]:
        return public
    return replaced(public, seat, "wolf" if wolf else "not wolf")


def _buried(table: Table, position: Position, seat: int, what: str) -> Position:
    public = position.public
    if what and public[seat] not in table.roles:
        public = replaced(public, seat, what)
    return position._replace(alive=replaced(position.alive, seat, False), public=public)


def _pairs(position: Position) -> tuple[tuple[int, ...], ...]:
    lovers = position.lovers
    return (lovers, lovers[::-1]) if lovers else ()
