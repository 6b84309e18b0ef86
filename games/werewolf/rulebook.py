"""The rules in force in a game of Werewolf, in plain words for its players."""

from __future__ import annotations

from collections.abc import Iterator

from .role import WOLVES
from .table import Table

REVEALED = {"none": "nothing", "team": "whether it was a wolf", "role": "its role"}

SAID = {
    "roles": "which role one has",
    "results": "that another player is a wolf or is none",
    "accuse": "that one accuses another living player",
    "defend": "that one defends another living player",
    "support": "that one supports another living player",
    "aiwolf": "a sentence of the AIWolf protocol without operators",
}
"""What each vocabulary says; `reveal` is no statement."""


def in_words(table: Table) -> str:
    """What every player is told of the rules."""
    sentences = [*_deal(table), *_days(table), *_talk(table), *_elimination(table)]
    return " ".join([*sentences, *_nights(table), *_roles(table), *_end(table)])


def _deal(table: Table) -> Iterator[str]:
    options, deck = table.options, table.deck
    counts = ", ".join(f"{deck.count(kind)} {table.roles[kind].title}" for kind in table.kinds)
    if options.deal == "fixed":
        seats = ", ".join(f"P{s + 1} {table.roles[card].title}" for s, card in enumerate(deck))
        yield f"Everybody knows all roles: {seats}."
    else:
        yield f"The roles ({counts}) are dealt at random, one to each of {options.players} players."
    if any(table.roles[kind].knows_wolves for kind in table.kinds):
        yield "The wolves know each other."
    if options.lovers == "wolves":
        yield "The two wolves are lovers: if one dies the other dies, too."
    elif options.lovers == "random":
        yield "Two players, drawn at random and told, are lovers: if one dies the other dies, too."


def _days(table: Table) -> Iterator[str]:
    options = table.options
    if not options.nights:
        yield "There are no nights, one day follows the other."
    else:
        yield f"Days and nights take turns; the game starts with a {options.first}."
    limit = f"The game lasts at most {options.last_day} days; after them "
    yield limit + ("it is a draw." if options.timeout == "draw" else f"the {options.timeout} win.")


def _talk(table: Table) -> Iterator[str]:
    options = table.options
    if table.talk.reveals:
        yield (
            "At the start of a day a Seer may reveal itself: then its role and its results, true "
            "ones, are public, and so are later results while it lives."
        )
    if not table.talk.speaks:
        yield "Nobody may say anything" + (" else." if table.talk.reveals else ".")
        return
    order = "in seat order" if options.talk_order == "seat" else "in an order drawn once in public"
    often = "once" if options.talk_rounds == 1 else f"{options.talk_rounds} times"
    except_first = "" if options.talk_first_day else ", but not on the first day"
    said = [words for name, words in SAID.items() if name in table.talk.names]
    yield (
        f"By day every living player makes a statement, true or not, or says nothing, {often}, "
        f"{order}{except_first}. It can be said {'; or '.join(said)}."
    )


def _elimination(table: Table) -> Iterator[str]:
    options = table.options
    allowed = options.no_lynch == "allowed"
    town = " who are not publicly known to be of the town, known wolves first"
    if options.elimination == "votes":
        yield from _votes(table)
    elif options.elimination == "random":
        yield f"By day chance draws who is eliminated, among the living players{town}."
    elif options.elimination == "order":
        yield f"By day the lowest-numbered living player is eliminated, of those{town}."
    else:
        yield "By day chance draws a living player, in public, who names another one, " + (
            "or nobody; whoever is named is eliminated." if allowed else "who is eliminated."
        )
    if options.elimination in ("random", "order"):
        if allowed:
            yield "Before it a player of the town, unnamed, decides in public whether it happens."
        if table.talk.reveals and options.reveal_when_drawn:
            yield "A hidden Seer that is drawn may reveal itself; then the draw is repeated."
    if options.no_lynch == "even":
        yield "While the number of living players is even nobody is eliminated."
    yield f"Of those who die by day {REVEALED[options.reveal_day]} is made public."


def _votes(table: Table) -> Iterator[str]:
    options = table.options
    how = (
        "at once" if options.vote == "simultaneous" else "one by one in seat order, for all to see"
    )
    shown = options.vote == "simultaneous" and options.open_votes
    whom = "a living player" if options.self_vote else "another living player"
    more = " or for nobody to be eliminated" if options.no_lynch == "allowed" else ""
    yield f"By day all living players vote {how} for {whom}{more}."
    if options.vote == "simultaneous":
        yield "The votes are shown afterwards." if shown else "The votes stay secret."
    if options.abstain:
        yield "A player may abstain."
    if options.majority == "strict":
        yield "Whoever has the votes of more than half of the living is eliminated, else nobody."
        return
    tie = {
        "random": "in a tie chance decides among the tied",
        "nobody": "in a tie nobody is",
        "all": "in a tie all of the tied are",
    }[options.ties]
    yield f"Whoever has the most votes is eliminated; {tie}."


def _nights(table: Table) -> Iterator[str]:
    options = table.options
    if not options.nights:
        return
    who = {
        "consensus": "the wolves, together, choose",
        "random": "a wolf drawn by chance chooses",
        "vote": "the wolves choose by vote, chance deciding ties,",
    }[options.night_kill]
    whom = (
        "a living player to kill" if options.kill_own else "a living player who is no wolf to kill"
    )
    nobody = ", or nobody" if options.no_kill else ""
    yield f"At night {who} {whom}{nobody}."
    if options.quiet_nights:
        some = "night" if options.quiet_nights == 1 else f"{options.quiet_nights} nights"
        yield f"In the first {some} the wolves do not kill."
    only = " in the first night (later nothing)" if options.reveal_first_night_only else " at night"
    yield f"Of those who die{only} {REVEALED[options.reveal_night]} is made public."


def _roles(table: Table) -> Iterator[str]:
    options = table.options
    words = [table.roles[kind].words for kind in table.kinds if table.roles[kind].words]
    if {"guard", "doctor"} & set(table.kinds):
        if not options.guard_repeat:
            words.append("nobody is protected by the same player in two nights running")
        words.append(
            "who protects may protect itself"
            if options.guard_self
            else "who protects may not protect itself"
        )
    if "witch" in table.kinds:
        words.append(f"the Witch may {'' if options.witch_self else 'not '}save herself")
    for sentence in words:
        yield sentence[0].upper() + sentence[1:] + "."


def _end(table: Table) -> Iterator[str]:
    options = table.options
    town = "when no wolf lives"
    if options.town_wins_at:
        town = f"as soon as at most {options.town_wins_at} wolves live"
    if options.voted_out_wins:
        town += f", or {options.voted_out_wins} wolves have been voted out"
    yield f"The town wins {town}."
    yield {
        "parity": "The wolves win as soon as they are as many as the other living players.",
        "coin": "The wolves win when nobody else lives; if a day starts with one wolf and one "
        "other player a coin decides.",
        "all_dead": "The wolves win when nobody else lives.",
        "villagers_dead": "The wolves win when no Villager lives, or nobody but wolves.",
    }[options.end]
    roles = table.roles.values()
    allies = [role.title for role in roles if role.team == WOLVES and not role.wolf]
    if allies:
        yield f"The {' and the '.join(allies)} win with the wolves."
    yield "Whoever belongs to the winning team gets 1, the others get -1; a draw gives 0."
