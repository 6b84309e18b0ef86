"""The elimination of the day: votes, public draws, or a proposer."""

from __future__ import annotations

from fractions import Fraction

from .days import reveal
from .deaths import eliminate
from .position import NOBODY, TIED, News, Position, Stage, tied_seats
from .role import TOWN
from .table import Table


def begin(table: Table, position: Position, news: News) -> Position:
    """`Stage.ELIMINATION`: the first move of the protocol, or a day without elimination."""
    options = table.options
    living = table.living(position.alive)
    if options.no_lynch == "even" and len(living) % 2 == 0:
        return eliminate(table, position, (), news)
    if options.elimination == "votes":
        return position._replace(stage=Stage.VOTE, queue=living)
    if options.elimination == "proposer":
        return position._replace(stage=Stage.PROPOSER)
    town = table.town(position)
    if options.no_lynch == "allowed" and town:
        return position._replace(stage=Stage.SKIP, queue=town[:1])
    return _to_draw(table, position, news)


# ------------------------------------------------------------------------------------ votes


def ballot(table: Table, position: Position) -> tuple[int, ...]:
    """The votes open to the next voter."""
    return table.ballot(position.alive, position.queue[0])


def vote_unseen(position: Position, action: int) -> Position:
    """A vote that nobody sees, and that is not the last: the commonest move of all."""
    vote = (position.queue[0], action)
    acts = position.acts
    acts = (*acts, vote) if not acts or acts[-1] < vote else tuple(sorted((*acts, vote)))
    return position._replace(queue=position.queue[1:], acts=acts)


def cast(table: Table, position: Position, action: int, news: News) -> Position:
    """A vote: seen at once, or with all others when the last one is cast."""
    seat = position.queue[0]
    if table.options.vote == "sequential":
        news.tell_all(("voted", seat, action), but=seat)
    position = vote_unseen(position, action)
    return position if position.queue else _count(table, position, news)


def _count(table: Table, position: Position, news: News) -> Position:
    options, acts = table.options, position.acts
    if options.vote == "simultaneous" and options.open_votes:
        news.tell_all(("votes", acts))
    actions = table.actions
    votes: dict[int, int] = {}
    for _, action in acts:
        verb, target, _ = actions.meanings[int(action)]
        if verb == "vote":
            votes[target] = votes.get(target, 0) + 1
    top = max(votes.values(), default=0)
    first = sorted(target for target, number in votes.items() if number == top)
    if options.majority == "strict" and 2 * top <= len(acts):
        first = []
    if len(first) > 1 and options.ties == "random":
        return position._replace(stage=Stage.TIE, acts=tuple((seat, TIED) for seat in first))
    if len(first) > 1 and options.ties == "nobody":
        first = []
    out = [seat for seat in first if seat != NOBODY]
    return eliminate(table, position, out, news)


def tied(table: Table, position: Position) -> tuple[tuple[int, Fraction], ...]:
    """Each of the tied is as likely."""
    return table.chance.evenly(tied_seats(position))


def break_tie(table: Table, position: Position, action: int, news: News) -> Position:
    """Chance decides who of the tied is eliminated, if it is a player."""
    seat = table.chance.drawn(action)
    return eliminate(table, position, () if seat == NOBODY else (seat,), news)


# ------------------------------------------------------------------------------ public draws


def skip_choices(table: Table, position: Position) -> tuple[int, ...]:
    """Whether somebody is drawn."""
    return table.actions.numbers([("draw", NOBODY), ("skip", NOBODY)])


def choose_to_draw(table: Table, position: Position, action: int, news: News) -> Position:
    """The spokesman decides; all see what."""
    draws = table.actions.verb(action) == "draw"
    news.tell_all(("draw", draws))
    position = position._replace(queue=())
    return _to_draw(table, position, news) if draws else eliminate(table, position, (), news)


def candidates(table: Table, position: Position) -> tuple[int, ...]:
    """Who may be drawn: known wolves if there are any, else whoever is not known to be of the town.

    If all are taken for townspeople (a wolf that Seers do not recognise), anybody.
    """
    public, living = position.public, table.living(position.alive)
    known = tuple(s for s in living if _publicly_wolf(table, public[s]))
    unclear = tuple(s for s in living if not _publicly_town(table, public[s]))
    return known or unclear or living


def _publicly_wolf(table: Table, label: str) -> bool:
    return label == "wolf" or (label in table.roles and table.roles[label].wolf)


def _publicly_town(table: Table, label: str) -> bool:
    return label == "not wolf" or (label in table.roles and table.roles[label].team == TOWN)


def _to_draw(table: Table, position: Position, news: News) -> Position:
    if table.options.elimination == "random":
        return position._replace(stage=Stage.DRAW)
    return drawn(table, position, candidates(table, position)[0], news)


def any_candidate(table: Table, position: Position) -> tuple[tuple[int, Fraction], ...]:
    """Every candidate is as likely."""
    return table.chance.evenly(candidates(table, position))


def draw(table: Table, position: Position, action: int, news: News) -> Position:
    """Chance draws a candidate."""
    return drawn(table, position, table.chance.drawn(action), news)


def drawn(table: Table, position: Position, seat: int, news: News) -> Position:
    """``seat`` is drawn: it is eliminated, or is a concealed Seer and chooses first."""
    talks = table.talk.reveals and table.options.reveal_when_drawn
    if talks and table.concealed(position, seat):
        news.tell(seat, ("drawn", seat))
        return position._replace(stage=Stage.DRAWN, queue=(seat,))
    return eliminate(table, position, (seat,), news)


def answer(table: Table, position: Position, action: int, news: News) -> Position:
    """The Seer that was drawn reveals itself, and the draw is repeated, or dies concealed."""
    seat = position.queue[0]
    position = position._replace(queue=())
    if table.actions.verb(action) == "conceal":
        return eliminate(table, position, (seat,), news)
    news.tell_all(("drawn", seat), but=seat)
    return _to_draw(table, reveal(position, seat, news), news)


# --------------------------------------------------------------------------------- a proposer


def any_living(table: Table, position: Position) -> tuple[tuple[int, Fraction], ...]:
    """Every living player is as likely."""
    return table.chance.evenly(table.living(position.alive))


def appoint(table: Table, position: Position, action: int, news: News) -> Position:
    """The proposer is drawn, in public."""
    proposer = table.chance.drawn(action)
    news.tell_all(("proposer", proposer))
    return position._replace(stage=Stage.PROPOSAL, queue=(proposer,))


def proposals(table: Table, position: Position) -> tuple[int, ...]:
    """Whom the proposer may name."""
    proposer = position.queue[0]
    named = [("propose", seat) for seat in table.living(position.alive) if seat != proposer]
    if table.options.no_lynch == "allowed":
        named.append(("propose", NOBODY))
    return table.actions.numbers(named)


def propose(table: Table, position: Position, action: int, news: News) -> Position:
    """Whoever is named is eliminated."""
    target = table.actions.target(action)
    return eliminate(table, position, () if target == NOBODY else (target,), news)
