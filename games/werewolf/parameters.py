"""The parameters of Werewolf, and which of them go together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import ParameterError
from .roles import ROLES

SEATS = (3, 30)
"""Fewest and most players."""

CHOICES: dict[str, tuple[str, ...]] = {
    "deal": ("chance", "fixed", "hidden"),
    "first": ("day", "night"),
    "end": ("parity", "coin", "all_dead", "villagers_dead"),
    "no_lynch": ("forbidden", "allowed", "even"),
    "elimination": ("votes", "random", "order", "proposer"),
    "vote": ("simultaneous", "sequential"),
    "majority": ("plurality", "strict"),
    "ties": ("random", "nobody", "all"),
    "reveal_night": ("none", "team", "role"),
    "reveal_day": ("none", "team", "role"),
    "night_kill": ("consensus", "random", "vote"),
    "lovers": ("none", "wolves", "random"),
    "talk_order": ("seat", "shuffled"),
    "timeout": ("draw", "wolves", "town"),
}
"""What each parameter that names a convention may be."""


@dataclass(kw_only=True, eq=False, repr=False)
class Options:
    """The conventions of one game of Werewolf.

    Attributes:
        players: number of players, 3 to 30.
        roles: one card for each, e.g. ``2werewolf+seer+4villager``; see `roles.ROLES`.
        deal: ``chance`` shuffles, one chance node a card; ``fixed`` deals the roles in the order
            written, and everybody knows it; ``hidden`` deals them so, but the players are told only
            that they were dealt at random, which is an experiment and no game of common knowledge.
        first: whether the game starts with a ``day`` or a ``night``.
        end: when the wolves win. ``parity``: as soon as living wolves are as many as the others.
            ``coin``: when nobody else lives; but if a day starts with one wolf and one other
            player, a coin decides. ``all_dead``: when nobody else lives. ``villagers_dead``: when
            no plain Villager lives, or nobody else at all. The town wins when no wolf lives, which
            is looked at first. Deaths that follow from each other count as one event.
        town_wins_at: the town wins as soon as at most this many wolves live.
        voted_out_wins: if positive, the town also wins once this many wolves were voted out.
        no_lynch: whether a day may end without an elimination. ``allowed``: with votes, "nobody" is
            a candidate; a proposer may name nobody; with ``random`` and ``order`` the town's living
            player of the lowest number, who is not named, decides in public. ``even``: nobody is
            eliminated while the number of living players is even.
        abstain: whether a vote may be for nothing.
        self_vote: whether players may vote for themselves.
        elimination: ``votes``; ``random``, a public draw among the living players who are not
            publicly known to be of the town, known wolves first; ``order``, the lowest seat among
            them; ``proposer``, one living player, drawn in public, decides.
        vote: ``simultaneous`` or ``sequential`` (in seat order, each vote seen at once).
        open_votes: whether simultaneous votes are shown afterwards.
        majority: ``plurality``, or ``strict``: more than half of the living, else nobody.
        ties: ``random``: chance decides among the tied; ``nobody``; ``all`` are eliminated.
        reveal_night: what is made public of those who die at night: ``none``, ``team`` (wolf or
            not) or ``role``.
        reveal_day: the same by day.
        reveal_first_night_only: whether `reveal_night` holds for the first night alone.
        nights: whether there are nights.
        quiet_nights: in how many nights, from the first, the wolves do not kill.
        night_kill: ``consensus``: the living wolf of the lowest number chooses for all;
            ``random``: a wolf drawn by chance; ``vote``: a plurality of them, ties by chance. The
            wolves learn the choice.
        kill_own: whether wolves may kill wolves.
        no_kill: whether they may kill nobody.
        guard_repeat: whether a Guard may protect the same player in two nights running.
        guard_self: whether it may protect itself.
        witch_self: whether the Witch may save herself.
        lovers: ``wolves``: the two wolves; ``random``: two players drawn by chance and told. If one
            dies the other dies in the same event.
        talk: vocabularies joined by ``+``, see `talk`; or ``none``.
        talk_rounds: how often everybody speaks each day.
        talk_order: ``seat``, or ``shuffled`` once for the whole game, in public.
        talk_first_day: whether there is talk on the first day.
        reveal_when_drawn: whether a concealed Seer that is drawn may reveal itself and live.
        max_days: how many days the game may last; 0 stands for as many as there are players.
        timeout: who wins after them: ``draw``, ``wolves`` or ``town``.
    """

    players: int = 7
    roles: str = "2werewolf+5villager"
    deal: str = "chance"
    first: str = "day"
    end: str = "parity"
    town_wins_at: int = 0
    voted_out_wins: int = 0
    no_lynch: str = "forbidden"
    abstain: bool = False
    self_vote: bool = False
    elimination: str = "votes"
    vote: str = "simultaneous"
    open_votes: bool = True
    majority: str = "plurality"
    ties: str = "random"
    reveal_night: str = "none"
    reveal_day: str = "none"
    reveal_first_night_only: bool = False
    nights: bool = True
    quiet_nights: int = 0
    night_kill: str = "consensus"
    kill_own: bool = False
    no_kill: bool = False
    guard_repeat: bool = True
    guard_self: bool = True
    witch_self: bool = True
    lovers: str = "none"
    talk: str = "none"
    talk_rounds: int = 1
    talk_order: str = "seat"
    talk_first_day: bool = True
    reveal_when_drawn: bool = True
    max_days: int = 0
    timeout: str = "draw"

    @property
    def last_day(self) -> int:
        """The number of days that the game may last."""
        return self.max_days or self.players


def check_options(options: Options, deck: Sequence[str]) -> None:
    """Refuses parameters that are out of range or contradict each other.

    Raises:
        ParameterError: they do; the text names the cure.
    """
    fewest, most = SEATS
    players = options.players
    _check(fewest <= players <= most, f"players={players}: choose {fewest} to {most}")
    _check(
        len(deck) == players,
        f"roles={options.roles!r} has {len(deck)} cards for {players} players; write as many",
    )
    for name, choices in CHOICES.items():
        value = getattr(options, name)
        _check(value in choices, f"{name}={value!r}: choose one of {', '.join(choices)}")
    for name in ("town_wins_at", "voted_out_wins", "quiet_nights", "max_days"):
        value = getattr(options, name)
        _check(0 <= value <= 99, f"{name}={value}: choose 0 to 99")
    _check(1 <= options.talk_rounds <= 99, f"talk_rounds={options.talk_rounds}: choose 1 to 99")
    _check_deck(options, deck)
    _check(
        options.open_votes or options.vote == "simultaneous" or options.elimination != "votes",
        "open_votes=False: sequential votes are seen at once; choose vote=simultaneous",
    )
    _check(
        options.nights or options.first == "day",
        "first=night: there are no nights; choose nights=True or first=day",
    )
    _check(
        options.nights or options.quiet_nights == 0,
        f"quiet_nights={options.quiet_nights}: there are no nights; choose nights=True or 0",
    )
    _check(
        options.nights or options.no_lynch != "even",
        "no_lynch=even: without nights an even number of players stays for ever; choose "
        "nights=True, or no_lynch=allowed",
    )


def _check_deck(options: Options, deck: Sequence[str]) -> None:
    wolves = sum(ROLES[card].wolf for card in deck)
    _check(wolves > 0, f"roles={options.roles!r}: there is no wolf; add e.g. werewolf")
    _check(
        options.town_wins_at < wolves,
        f"town_wins_at={options.town_wins_at}: with {wolves} wolves the town would have won before "
        f"the start; choose less than {wolves}",
    )
    _check(
        wolves < options.players and (options.end != "parity" or 2 * wolves < options.players),
        f"roles={options.roles!r}: with {wolves} wolves of {options.players} and "
        f"end={options.end} the wolves would have won before the start; write fewer wolves",
    )
    _check(
        options.voted_out_wins <= wolves,
        f"voted_out_wins={options.voted_out_wins}: there are {wolves} wolves; choose at most these",
    )
    _check(
        options.end != "villagers_dead" or "villager" in deck,
        "end=villagers_dead: there is no villager among the roles; add one, or choose another end",
    )
    _check(
        options.lovers != "wolves" or wolves == 2,
        f"lovers=wolves: it takes exactly two wolves, not {wolves}; choose lovers=random, or roles "
        "with two wolves",
    )


def _check(condition: bool, message: str) -> None:
    if not condition:
        raise ParameterError(f"werewolf: {message}")
