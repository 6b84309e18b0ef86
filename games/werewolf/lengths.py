"""How long a play can be at most: bounds on the numbers of players' and of chance moves.

The bounds follow the days with the largest number of players that may still live: it falls with
every elimination and kill that cannot fail. For each day and night the most is counted that so many
players can do. So the bounds hold, but a play of that length need not exist.
"""

from __future__ import annotations

from typing import NamedTuple

from .table import Table


class Lengths(NamedTuple):
    """Upper bounds for one play, or a part of it.

    Attributes:
        moves: of players.
        chance: of chance; 0 only if chance never moves.
    """

    moves: int
    chance: int

    def plus(self, other: Lengths) -> Lengths:
        """Both parts together."""
        return Lengths(self.moves + other.moves, self.chance + other.chance)


def longest_play(table: Table) -> Lengths:
    """The bounds of a game."""
    options = table.options
    total = _once(table)
    living, day = options.players, 0
    if options.first == "night":
        total = total.plus(_night(table, living, 1))
        living -= _surely_killed(table, 1)
    while day < options.last_day and living >= _fewest(table):
        day += 1
        total = total.plus(_day(table, living, day))
        living -= _surely_eliminated(table, living)
        if options.nights and day < options.last_day and living >= _fewest(table):
            night = day + (options.first == "night")
            total = total.plus(_night(table, living, night))
            living -= _surely_killed(table, night)
    return total


def _once(table: Table) -> Lengths:
    """What happens at most once in a play, or once for each player."""
    options, roles = table.options, [table.roles[card] for card in table.deck]
    talks = table.talk.speaks and (options.talk_first_day or options.last_day > 1)
    shuffles = talks and options.talk_order == "shuffled"
    moves = sum(role.shoots for role in roles)
    chance = options.players * ((options.deal == "chance") + shuffles)
    chance += (options.lovers == "random") + (options.end == "coin")
    return Lengths(moves, chance + sum(role.is_avenged for role in roles))


def _day(table: Table, living: int, day: int) -> Lengths:
    options = table.options
    seers = min(living, sum(table.roles[card].reveals for card in table.deck)) * table.talk.reveals
    moves, chance = seers, 0
    if table.talk.speaks and (day > 1 or options.talk_first_day):
        moves += living * options.talk_rounds
    if options.no_lynch == "even" and options.first == "day" and day == 1 and living % 2 == 0:
        return Lengths(moves, chance)  # nobody can have died, so that the number is known
    if options.elimination == "votes":
        moves += living - (options.no_lynch == "even" and living % 2 == 0)
        chance += options.ties == "random" and options.majority == "plurality"
    elif options.elimination == "proposer":
        moves, chance = moves + 1, 1
    else:
        moves += (options.no_lynch == "allowed") + seers * options.reveal_when_drawn
        chance = (1 + seers * options.reveal_when_drawn) * (options.elimination == "random")
    return Lengths(moves, chance)


def _night(table: Table, living: int, night: int) -> Lengths:
    options, roles = table.options, [table.roles[card] for card in table.deck]
    turns = min(living, sum(role.acts for role in roles))
    if night <= options.quiet_nights:
        return Lengths(turns, 0)
    wolves = min(living - 1, sum(role.wolf for role in roles))
    if options.night_kill == "vote":
        return Lengths(turns + wolves, int(wolves > 1))
    return Lengths(turns + 1, int(options.night_kill == "random"))


def _fewest(table: Table) -> int:
    """With fewer living players the game is over."""
    wolves = table.options.town_wins_at + 1
    return 2 * wolves + 1 if table.options.end == "parity" else wolves + 1


def _surely_eliminated(table: Table, living: int) -> int:
    """By how much the largest number of living players falls on a day."""
    options = table.options
    if options.no_lynch == "allowed" or (options.no_lynch == "even" and living % 2 == 0):
        return 0
    if options.elimination != "votes":
        return 1
    return int(options.majority == "plurality" and options.ties != "nobody" and not options.abstain)


def _surely_killed(table: Table, night: int) -> int:
    """The same for a night."""
    options = table.options
    quiet = night <= options.quiet_nights or options.no_kill
    return int(not quiet and not any(table.roles[card].may_save for card in table.deck))
