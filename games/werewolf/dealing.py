"""Before the first day or night: the cards, and the lovers."""

from __future__ import annotations

from fractions import Fraction

from .position import News, Position, Stage, replaced
from .table import Table


def opening(table: Table, news: News) -> Position:
    """The position before the first move; what cards dealt without chance tell is told."""
    players = table.options.players
    position = Position(
        Stage.DEAL,
        day=int(table.options.first == "day"),
        roles=("",) * players,
        alive=(True,) * players,
        notes=((),) * players,
        public=("",) * players,
    )
    if table.options.deal == "chance":
        return position
    for seat, card in enumerate(table.deck):
        news.tell(seat, ("role", card))
    notes = tuple(table.roles[card].notes for card in table.deck)
    return _meet(table, position._replace(roles=table.deck, notes=notes), news)


def cards_left(table: Table, position: Position) -> tuple[tuple[int, Fraction], ...]:
    """The next card: each kind of card left, by how many are left."""
    left = [table.deck.count(kind) - position.roles.count(kind) for kind in table.kinds]
    total = sum(left)
    return tuple((kind, Fraction(count, total)) for kind, count in enumerate(left) if count)


def deal(table: Table, position: Position, action: int, news: News) -> Position:
    """The lowest seat without a card gets one."""
    seat, card = position.roles.index(""), table.kinds[action]
    news.tell(seat, ("role", card))
    position = position._replace(
        roles=replaced(position.roles, seat, card),
        notes=replaced(position.notes, seat, table.roles[card].notes),
    )
    return position if "" in position.roles else _meet(table, position, news)


def _meet(table: Table, position: Position, news: News) -> Position:
    """All cards are dealt: those who know each other are told."""
    roles = position.roles
    wolves = table.pack(roles, position.alive)
    for seat, card in enumerate(roles):
        if table.roles[card].knows_wolves:
            news.tell(seat, ("wolves", wolves))
        if table.roles[card].knows_kin:
            news.tell(
                seat, (f"{card}s", tuple(s for s, other in enumerate(roles) if other == card))
            )
    if table.options.lovers == "random":
        return position._replace(stage=Stage.LOVERS)
    if table.options.lovers == "wolves":
        position = _wed(position, wolves, news)
    return _begin(table, position)


def any_pair(table: Table, position: Position) -> tuple[tuple[int, Fraction], ...]:
    """Every pair is as likely."""
    number = len(table.chance.pairs)
    return tuple((table.chance.pair(place), Fraction(1, number)) for place in range(number))


def draw_lovers(table: Table, position: Position, action: int, news: News) -> Position:
    """Two players are lovers, and are told."""
    return _begin(table, _wed(position, table.chance.couple(action), news))


def _wed(position: Position, pair: tuple[int, ...], news: News) -> Position:
    for seat in pair:
        news.tell(seat, ("lovers", pair))
    return position._replace(lovers=pair)


def _begin(table: Table, position: Position) -> Position:
    if table.options.first == "night":
        return position._replace(stage=Stage.NIGHTFALL)
    return position._replace(stage=Stage.DAY)
