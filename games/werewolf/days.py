"""The course of a day up to the elimination: coin, reveals, talk; and how the day ends."""

from __future__ import annotations

from fractions import Fraction

from .deaths import ended, publish_results
from .endings import coin_decides
from .position import News, Position, Stage
from .table import COIN_SIDES, Table

HALF = Fraction(1, 2)


def day_breaks(table: Table, position: Position, news: News) -> Position:
    """`Stage.DAY`: a coin, or the Seers' choice, or the talk."""
    if coin_decides(table, position):
        return position._replace(stage=Stage.COIN)
    if table.talk.reveals:
        living = table.living(position.alive)
        seers = tuple(seat for seat in living if table.concealed(position, seat))
        if seers:
            return position._replace(stage=Stage.REVEAL, queue=seers)
    return _to_talk(table, position)


def coin(table: Table, position: Position) -> tuple[tuple[int, Fraction], ...]:
    """Either team, as likely."""
    return tuple((table.chance.team(place), HALF) for place in range(len(COIN_SIDES)))


def toss(table: Table, position: Position, action: int, news: News) -> Position:
    """The coin falls."""
    team = COIN_SIDES[table.chance.decided(action)]
    news.tell_all(("coin", team))
    return ended(position._replace(winner=team))


def reveal_choices(table: Table, position: Position) -> tuple[int, ...]:
    """Reveal or conceal."""
    return table.actions.numbers([("reveal", -1), ("conceal", -1)])


def choose_to_reveal(table: Table, position: Position, action: int, news: News) -> Position:
    """A Seer chooses; when all have, everybody sees who has revealed itself."""
    acts = position.acts
    if table.actions.verb(action) == "reveal":
        acts = tuple(sorted((*acts, (position.queue[0], action))))
    position = position._replace(queue=position.queue[1:], acts=acts)
    if position.queue:
        return position
    for seat, _ in acts:
        position = reveal(position, seat, news)
    return _to_talk(table, position._replace(acts=()))


def reveal(position: Position, seat: int, news: News) -> Position:
    """A Seer reveals its role and its results."""
    news.tell_all(("revealed", seat, position.roles[seat], position.notes[seat]))
    return publish_results(position, seat)


def _to_talk(table: Table, position: Position) -> Position:
    options = table.options
    if not table.talk.speaks or (position.day == 1 and not options.talk_first_day):
        return position._replace(stage=Stage.ELIMINATION)
    if options.talk_order == "shuffled" and not position.order:
        return position._replace(stage=Stage.ORDER)
    return _open_talk(table, position)


def _open_talk(table: Table, position: Position) -> Position:
    order = position.order or table.seats
    speakers = tuple(seat for seat in order if position.alive[seat])
    return position._replace(stage=Stage.TALK, queue=speakers * table.options.talk_rounds)


def next_places(table: Table, position: Position) -> tuple[tuple[int, Fraction], ...]:
    """Who speaks next in the order: any living player not in it yet."""
    living = table.living(position.alive)
    return table.chance.evenly(seat for seat in living if seat not in position.order)


def draw_place(table: Table, position: Position, action: int, news: News) -> Position:
    """The next place of the order is drawn."""
    speaker = table.chance.drawn(action)
    news.tell_all(("speaker", speaker))
    position = position._replace(order=(*position.order, speaker))
    if len(position.order) < len(table.living(position.alive)):
        return position
    return _open_talk(table, position)


def statements(table: Table, position: Position) -> tuple[int, ...]:
    """What the next speaker may say."""
    return table.talk.legal(table.actions, position)


def say(table: Table, position: Position, action: int, news: News) -> Position:
    """The next speaker says something; the others hear it."""
    seat = position.queue[0]
    news.tell_all(("said", seat, action), but=seat)
    position = position._replace(queue=position.queue[1:])
    return position if position.queue else position._replace(stage=Stage.ELIMINATION)


def night_falls(table: Table, position: Position, news: News) -> Position:
    """`Stage.NIGHTFALL`: the last day has passed, or a night follows, or the next day."""
    options = table.options
    if position.day >= options.last_day:
        return ended(position._replace(winner=options.timeout))
    if not options.nights:
        return position._replace(stage=Stage.DAY, day=position.day + 1)
    if table.quiet(position):
        return position._replace(stage=Stage.NIGHT)
    killer = Stage.KILLER if options.night_kill == "random" else Stage.KILL
    return position._replace(stage=killer)
