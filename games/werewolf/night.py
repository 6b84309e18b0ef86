"""The night: the wolves choose, then the other roles act, each hidden from the others."""

from __future__ import annotations

from fractions import Fraction

from .position import NOBODY, TIED, News, Position, Stage, tied_seats
from .table import Table

# ------------------------------------------------------------------------------- the wolves


def any_wolf(table: Table, position: Position) -> tuple[tuple[int, Fraction], ...]:
    """Every living wolf is as likely to decide."""
    return table.chance.evenly(table.pack(position.roles, position.alive))


def appoint_killer(table: Table, position: Position, action: int, news: News) -> Position:
    """The wolf that decides is drawn; the wolves are told."""
    killer = table.chance.drawn(action)
    for seat in table.pack(position.roles, position.alive):
        news.tell(seat, ("decider", killer))
    return position._replace(stage=Stage.KILL, queue=(killer,))


def gather(table: Table, position: Position, news: News) -> Position:
    """`Stage.KILL` begins: one wolf chooses for all, or all vote."""
    if position.queue:
        return position
    pack = table.pack(position.roles, position.alive)
    return position._replace(queue=pack if table.options.night_kill == "vote" else pack[:1])


def victims(table: Table, position: Position) -> tuple[int, ...]:
    """Whom a wolf may choose."""
    options, roles = table.options, position.roles
    choices = [
        ("kill", seat)
        for seat in table.living(position.alive)
        if options.kill_own or not table.roles[roles[seat]].wolf
    ]
    if options.no_kill:
        choices.append(("kill", NOBODY))
    return table.actions.numbers(choices)


def choose_victim(table: Table, position: Position, action: int, news: News) -> Position:
    """A wolf chooses; once all who choose have, the wolves learn whom they attack."""
    acts = tuple(sorted((*position.acts, (position.queue[0], action))))
    position = position._replace(queue=position.queue[1:], acts=acts)
    if position.queue:
        return position
    if table.options.night_kill != "vote":
        return _attack(table, position, action, news)
    for seat in table.pack(position.roles, position.alive):
        news.tell(seat, ("pack votes", acts))
    votes = [int(choice) for _, choice in acts]
    top = max(map(votes.count, votes))
    first = sorted({choice for choice in votes if votes.count(choice) == top})
    if len(first) == 1:
        return _attack(table, position, first[0], news)
    choices = sorted(table.actions.target(choice) for choice in first)
    return position._replace(stage=Stage.KILL_TIE, acts=tuple((seat, TIED) for seat in choices))


def tied(table: Table, position: Position) -> tuple[tuple[int, Fraction], ...]:
    """Each of the tied is as likely."""
    return table.chance.evenly(tied_seats(position))


def break_tie(table: Table, position: Position, action: int, news: News) -> Position:
    """Chance decides between the victims tied."""
    return _attack(table, position, table.actions.number("kill", table.chance.drawn(action)), news)


def _attack(table: Table, position: Position, action: int, news: News) -> Position:
    for seat in table.pack(position.roles, position.alive):
        news.tell(seat, ("kill", table.actions.target(action)))
    return position._replace(stage=Stage.NIGHT, queue=(), acts=((NOBODY, action),))


# ---------------------------------------------------------------------------- the other roles


def rounds(table: Table, position: Position, news: News) -> Position:
    """`Stage.NIGHT` begins: those with a choice take their turns, by role, then by seat."""
    queue = sorted(
        (
            seat
            for seat in table.living(position.alive)
            if table.role_of(position, seat).choices(table, position, seat)
        ),
        key=lambda seat: (table.turn[position.roles[seat]], seat),
    )
    return _next_turn(table, position._replace(queue=tuple(queue)), news)


def _next_turn(table: Table, position: Position, news: News) -> Position:
    if not position.queue:
        return position._replace(stage=Stage.DAWN)
    seat = position.queue[0]
    if table.role_of(position, seat).sees_victim:
        news.tell(seat, ("victim", table.victim(position)))
    return position


def turn_choices(table: Table, position: Position) -> tuple[int, ...]:
    """What the role whose turn it is may do."""
    seat = position.queue[0]
    return table.actions.numbers(table.role_of(position, seat).choices(table, position, seat))


def take_turn(table: Table, position: Position, action: int, news: News) -> Position:
    """The role whose turn it is acts; nobody sees it."""
    acts = tuple(sorted((*position.acts, (position.queue[0], action))))
    return _next_turn(table, position._replace(queue=position.queue[1:], acts=acts), news)
