"""One Night Ultimate Werewolf as a moderator would lead it: slow, plain, and on its own.

Written from the rule texts alone, to compare `crywolf.games.onuw` with. Cards lie on places: the
players "P1", "P2", ... and the centre "centre 1", "centre 2", ...
"""

from collections.abc import Collection, Mapping
from fractions import Fraction
from itertools import combinations

from .moderator import Asking, Moderator, Question, ask, cards_of, chance_move

NIGHT_ORDER = (
    "werewolf",
    "minion",
    "mason",
    "seer",
    "robber",
    "troublemaker",
    "drunk",
    "insomniac",
)


class OneNight(Moderator):
    """One game.

    Args:
        players: number of players.
        centre: number of centre cards.
        roles: the cards, e.g. ``2werewolf+seer+robber``.
        deal: ``chance``, or ``fixed`` or ``stacked`` in the order written.
        resolution: ``official`` or ``paper``.
        vote_order: ``informed_first`` or ``seat``.
        lone_wolf_looks: whether a Werewolf without a partner may look at a centre card.
        night: ``free``, or what roles do, e.g. ``seer:P4+robber:NS+troublemaker:P3-P5+drunk:C2``.
        talk: ``none``, ``robber``, or some of ``roles``, ``others`` and ``accuse`` joined with ``+``.
        talk_rounds: how often everybody speaks.
    """

    def __init__(
        self,
        players: int,
        centre: int,
        roles: str,
        deal: str,
        resolution: str,
        vote_order: str,
        lone_wolf_looks: bool,
        night: str = "free",
        talk: str = "none",
        talk_rounds: int = 1,
    ):
        super().__init__(players)
        self.centre = [f"centre {i}" for i in range(1, centre + 1)]
        self.deck = cards_of(roles)
        self.deal = deal
        self.resolution = resolution
        self.vote_order = vote_order
        self.lone_wolf_looks = lone_wolf_looks
        self.script: dict[str, str] = {}
        if night != "free":
            self.script = dict(part.split(":") for part in night.split("+"))
        self.vocabularies = talk.split("+")
        self.talk_rounds = talk_rounds
        self.card: dict[str, str] = {}  # of each place, as the cards lie now
        self.initial: dict[str, str] = {}

    def living(self) -> list[str]:
        return self.people

    def game(self) -> Asking[dict[str, Fraction]]:
        yield from self.dealing()
        yield from self.night()
        yield from self.talk()
        votes = yield from self.voting()
        return self.payoffs(votes)

    # ------------------------------------------------------------------------------------ the deal

    def dealing(self) -> Asking[None]:
        pile = list(self.deck)
        for place in self.people + self.centre:
            card = pile[0]
            if self.deal == "chance":
                chances = {
                    kind.capitalize(): Fraction(pile.count(kind), len(pile)) for kind in pile
                }
                card = (yield from chance_move(chances)).lower()
            pile.remove(card)
            self.card[place] = card
            if place in self.people:
                self.tell([place], "card", card)
        self.initial = dict(self.card)

    def holders(self, role: str) -> list[str]:
        """The players to whom ``role`` was dealt."""
        return [person for person in self.people if self.initial[person] == role]

    # ----------------------------------------------------------------------------------- the night

    def night(self) -> Asking[None]:
        for role in NIGHT_ORDER:
            for person in self.holders(role):
                match role:
                    case "werewolf":
                        yield from self.werewolf(person)
                    case "minion":
                        self.tell([person], "werewolves", tuple(self.holders("werewolf")))
                    case "mason":
                        self.tell([person], "masons", tuple(self.holders("mason")))
                    case "seer":
                        yield from self.seer(person)
                    case "robber":
                        yield from self.robber(person)
                    case "troublemaker":
                        yield from self.troublemaker(person)
                    case "drunk":
                        yield from self.drunk(person)
                    case _:  # the Insomniac looks at its own card
                        self.tell([person], "now", self.card[person])

    def choice(self, person: str, role: str, moves: Mapping[str, Collection[str]]) -> Asking[str]:
        """What ``person`` does: a move with its places, chosen freely or laid down in advance."""
        if role not in self.script:
            return (yield from ask(person, moves))
        laid_down = self.script[role]
        places = [place.replace("C", "centre ") for place in laid_down.split("-")]
        (move,) = (m for m, at in moves.items() if list(at) == places or m == laid_down)
        self.tell([person], "did", move)
        return move

    def swap(self, one: str, other: str) -> None:
        self.card[one], self.card[other] = self.card[other], self.card[one]

    def look(self, person: str, places: Collection[str]) -> None:
        for place in places:
            self.tell([person], "saw", place, self.card[place])

    def werewolf(self, person: str) -> Asking[None]:
        pack = self.holders("werewolf")
        self.tell([person], "werewolves", tuple(pack))
        if pack == [person] and self.lone_wolf_looks and self.centre:
            looks = {"no look": [], **{f"look {card}": [card] for card in self.centre}}
            self.look(person, looks[(yield from self.choice(person, "werewolf", looks))])

    def seer(self, person: str) -> Asking[None]:
        looks = {f"look {other}": [other] for other in self.others(person)}
        for pair in combinations(self.centre, 2):
            looks["look " + " and ".join(pair)] = list(pair)
        self.look(person, looks[(yield from self.choice(person, "seer", looks))])

    def robber(self, person: str) -> Asking[None]:
        switches = {"NS": [], **{f"S{other[1:]}": [other] for other in self.others(person)}}
        for other in switches[(yield from self.choice(person, "robber", switches))]:
            self.swap(person, other)
            self.tell([person], "now", self.card[person])

    def troublemaker(self, person: str) -> Asking[None]:
        swaps = {f"swap {a} and {b}": [a, b] for a, b in combinations(self.others(person), 2)}
        move = yield from self.choice(person, "troublemaker", {"no swap": [], **swaps})
        if move in swaps:
            self.swap(*swaps[move])

    def drunk(self, person: str) -> Asking[None]:
        if self.centre:
            moves = {f"take {card}": [card] for card in self.centre}
            (card,) = moves[(yield from self.choice(person, "drunk", moves))]
            self.swap(person, card)

    # ------------------------------------------------------------------------------------ the talk

    def talk(self) -> Asking[None]:
        if self.vocabularies == ["none"]:
            return
        if self.vocabularies == ["robber"]:
            for robber in self.holders("robber"):
                claims = ["NS", *(f"S{other[1:]}" for other in self.others(robber))]
                yield from self.statement(robber, [f"say {claim}" for claim in claims])
            return
        for _ in range(self.talk_rounds):
            for person in self.people:
                yield from self.statement(person, self.statements(person))

    def statement(self, person: str, statements: Collection[str]) -> Asking[None]:
        said = yield from ask(person, statements)
        self.tell(self.others(person), "said", person, said)

    def statements(self, person: str) -> set[str]:
        """What everybody may say, whatever its card."""
        found = {"say nothing"}
        cards = [card.capitalize() for card in self.deck]
        if "roles" in self.vocabularies:
            found |= {f"say I {verb} {card}" for verb in ("started as", "am now") for card in cards}
        if "others" in self.vocabularies:
            found |= {
                f"say {other} {verb} {card}"
                for other in self.others(person)
                for verb in ("started as", "is now")
                for card in cards
            }
        if "accuse" in self.vocabularies:
            found |= {f"accuse {other}" for other in self.others(person)}
            found |= {f"defend {anybody}" for anybody in self.people}
        return found

    # ------------------------------------------------------------------------------------ the vote

    def voting(self) -> Asking[dict[str, str]]:
        """Everybody votes for another player at once; nobody hears a vote before all are given."""
        votes: dict[str, str] = {}
        while len(votes) < len(self.people):
            waiting = [person for person in self.people if person not in votes]
            asked = waiting[:1] if self.vote_order == "seat" else waiting
            ballots = {p: [f"vote {other}" for other in self.others(p)] for p in asked}
            answer = yield Question(ballots, {})
            votes[answer.who] = answer.move.removeprefix("vote ")
        return votes

    def deaths(self, votes: dict[str, str]) -> set[str]:
        """Everybody who dies."""
        received = {person: list(votes.values()).count(person) for person in self.people}
        if all(count == 1 for count in received.values()):
            return set()
        most = max(received.values())
        dead = {person for person in self.people if received[person] == most}
        while True:
            shot = {votes[person] for person in dead if self.card[person] == "hunter"}
            if shot <= dead:
                return dead
            dead |= shot

    def payoffs(self, votes: dict[str, str]) -> dict[str, Fraction]:
        dead = self.deaths(votes)
        pack = {person for person in self.people if self.card[person] == "werewolf"}
        if self.resolution == "paper" and (not pack or not dead):
            return dict.fromkeys(self.people, Fraction(0))
        winners = (
            self.paper_winners(dead, pack)
            if self.resolution == "paper"
            else (self.official_winners(dead, pack))
        )
        return {person: Fraction(1 if person in winners else -1) for person in self.people}

    def paper_winners(self, dead: set[str], pack: set[str]) -> set[str]:
        """Who wins by the rules of the paper, with a Werewolf among the players and a death."""
        return set(self.people) - pack if dead & pack else pack

    def official_winners(self, dead: set[str], pack: set[str]) -> set[str]:
        """Who wins by the official rules."""
        minions = {person for person in self.people if self.card[person] == "minion"}
        tanners = {person for person in self.people if self.card[person] == "tanner"}
        village = set(self.people) - pack - minions - tanners
        if dead & pack:
            return village | (dead & tanners)
        if pack:
            return dead & tanners or pack | minions
        if not dead:
            return village
        return dead & tanners | {minion for minion in minions if dead - {minion}}
