"""Werewolf and Mafia as a moderator would lead them: slow, plain, and on their own.

Written from the rule texts alone, to compare `crywolf.games.werewolf` with. People are called "P1",
"P2", ...; nothing is a number that is not counted.
"""

from collections.abc import Collection
from fractions import Fraction
from itertools import combinations
from typing import Any

from .moderator import Asking, Moderator, ask, cards_of, chance_move, uniform_move

WOLVES = ("werewolf", "godfather")
WOLF_TEAM = (*WOLVES, "possessed", "minion")
GUARDS = ("guard", "doctor")
NOBODY = "nobody"
ABSTAIN = "abstain"
HALF = Fraction(1, 2)


class Village(Moderator):
    """One game.

    Attributes:
        alive: who lives.
        role: everybody's role.
        public: what everybody knows of a person: "wolf", "not wolf" or a role; nothing at first.
        results: what each Seer has seen: person and whether a wolf.
        winner: "town", "wolves" or "draw"; empty while the game goes on.
    """

    def __init__(self, **parameters: Any):
        super().__init__(parameters["players"])
        self.options = parameters
        self.role: dict[str, str] = {}
        self.alive = list(self.people)
        self.day = 1
        self.is_day = False
        self.nights = 0
        self.public: dict[str, str] = {}
        self.results: dict[str, list[tuple[str, bool]]] = {}
        self.guarded: dict[str, str] = {}  # by each Guard in the night before
        self.potions: dict[str, set[str]] = {}
        self.pair: list[str] = []
        self.eliminated: list[str] = []  # on the last day
        self.wolves_out = 0  # wolves ever eliminated
        self.revealed: list[str] = []
        self.speakers: list[str] = []
        self.can_reveal = "reveal" in parameters["talk"].split("+")
        self.winner = ""

    # -------------------------------------------------------------------------------- small words

    def living(self) -> list[str]:
        return [person for person in self.people if person in self.alive]

    def with_role(self, *roles: str) -> list[str]:
        """The living with one of ``roles``."""
        return [person for person in self.living() if self.role[person] in roles]

    def living_wolves(self) -> list[str]:
        return self.with_role(*WOLVES)

    def is_wolf(self, person: str) -> bool:
        return self.role[person] in WOLVES

    def on_town_team(self, person: str) -> bool:
        return self.role[person] not in WOLF_TEAM

    def by_seat(self, about: tuple[str, bool]) -> int:
        return self.people.index(about[0])

    def tell_all(self, *fact: Any) -> None:
        self.tell(self.people, *fact)

    # ------------------------------------------------------------------------------- the whole game

    def game(self) -> Asking[dict[str, Fraction]]:
        yield from self.dealing()
        most_days = self.options["max_days"] or self.options["players"]
        if self.options["first"] == "night":
            yield from self.night()
        while not self.winner:
            yield from self.daytime()
            if self.winner:
                break
            if self.day == most_days:
                self.winner = self.options["timeout"]
                break
            if self.options["first"] == "day":
                yield from self.night()
                self.day += 1
            else:
                self.day += 1
                yield from self.night()
        return {person: self.payoff(person) for person in self.people}

    def payoff(self, person: str) -> Fraction:
        if self.winner == "draw":
            return Fraction(0)
        return Fraction(1 if self.on_town_team(person) == (self.winner == "town") else -1)

    def dealing(self) -> Asking[None]:
        pile = cards_of(self.options["roles"])
        for person in self.people:
            if self.options["deal"] == "chance":
                chances = {c.capitalize(): Fraction(pile.count(c), len(pile)) for c in pile}
                card = (yield from chance_move(chances)).lower()
            else:
                card = pile[0]
            pile.remove(card)
            self.role[person] = card
            self.tell([person], "role", card)
        for person in self.people:
            if self.is_wolf(person) or self.role[person] == "minion":
                self.tell([person], "wolves", tuple(self.living_wolves()))
            if self.role[person] == "mason":
                self.tell([person], "masons", tuple(self.with_role("mason")))
            if self.role[person] == "witch":
                self.potions[person] = {"antidote", "poison"}
            if self.role[person] == "seer":
                self.results[person] = []
        if self.options["lovers"] == "wolves":
            self.pair = self.living_wolves()
        elif self.options["lovers"] == "random":
            pairs = {" and ".join(pair): list(pair) for pair in combinations(self.people, 2)}
            self.pair = pairs[(yield from uniform_move(pairs))]
        self.tell(self.pair, "lovers", tuple(self.pair))

    # ------------------------------------------------------------------------------------ the night

    def night(self) -> Asking[None]:
        if not self.options["nights"]:
            return
        self.nights += 1
        victim = NOBODY
        if self.nights > self.options["quiet_nights"]:
            victim = yield from self.wolves_choose()
        protected = yield from self.guards_protect()
        saved, poisoned = yield from self.witches_brew(victim)
        checked = yield from self.seers_check()
        # Dawn: everything happens together.
        dying = set(poisoned)
        if victim not in (NOBODY, *protected) and not saved:
            dying.add(victim)
        dead = self.bury(dying)
        self.tell_all("dawn", self.announced(dead))
        for seer, seen in checked.items():
            if seer in self.alive:
                self.learn(seer, seen)
        for medium in self.with_role("medium"):
            for person in self.eliminated:
                self.tell([medium], "medium", person, self.is_wolf(person))
        yield from self.last_acts(dead, poisoned)
        self.look_for_a_winner()

    def wolves_choose(self) -> Asking[str]:
        """Whom the wolves kill."""
        wolves = self.living_wolves()
        targets = [p for p in self.living() if self.options["kill_own"] or p not in wolves]
        if self.options["no_kill"]:
            targets.append(NOBODY)
        kills = {f"kill {target}": target for target in targets}
        match self.options["night_kill"]:
            case "vote":
                votes: dict[str, str] = {}
                for wolf in wolves:
                    votes[wolf] = yield from ask(wolf, kills)
                self.tell(wolves, "pack votes", tuple(votes.items()))
                favourites = [kills[move] for move in most_frequent(votes.values())]
                victim = favourites[0]
                if len(favourites) > 1:
                    victim = yield from uniform_move(favourites)
            case "random":
                decider = yield from uniform_move(wolves)
                self.tell(wolves, "decider", decider)
                victim = kills[(yield from ask(decider, kills))]
            case _:  # the lowest-numbered wolf speaks for all
                victim = kills[(yield from ask(wolves[0], kills))]
        self.tell(wolves, "kill", victim)
        return victim

    def guards_protect(self) -> Asking[list[str]]:
        """Who is protected."""
        protected: list[str] = []
        for guard in self.with_role(*GUARDS):
            choices = self.living()
            if not self.options["guard_self"]:
                choices.remove(guard)
            if not self.options["guard_repeat"] and self.guarded.get(guard) in choices:
                choices.remove(self.guarded[guard])
            moves = [f"protect {choice}" for choice in choices or [NOBODY]]
            self.guarded[guard] = (yield from ask(guard, moves)).removeprefix("protect ")
            protected.append(self.guarded[guard])
        return protected

    def witches_brew(self, victim: str) -> Asking[tuple[bool, list[str]]]:
        """Whether a Witch saves the victim, and who is poisoned."""
        saved = False
        poisoned: list[str] = []
        for witch in self.with_role("witch"):
            potions = self.potions[witch]
            if not potions:
                continue
            self.tell([witch], "victim", victim)
            moves = ["no potion"]
            curable = victim != NOBODY and (victim != witch or self.options["witch_self"])
            if "antidote" in potions and curable:
                moves.append("save")
            if "poison" in potions:
                moves += [f"poison {person}" for person in self.living() if person != witch]
            move = yield from ask(witch, moves)
            if move == "save":
                potions.remove("antidote")
                saved = True
            elif move != "no potion":
                potions.remove("poison")
                poisoned.append(move.removeprefix("poison "))
        return saved, poisoned

    def seers_check(self) -> Asking[dict[str, str]]:
        """Whom each Seer looks at."""
        checked: dict[str, str] = {}
        for seer in self.with_role("seer"):
            moves = [f"check {person}" for person in self.living() if person != seer]
            checked[seer] = (yield from ask(seer, moves)).removeprefix("check ")
        return checked

    def learn(self, seer: str, seen: str) -> None:
        """A Seer learns its result, and everybody does if it has revealed itself."""
        result = (seen, self.is_wolf(seen))
        self.results[seer] = sorted({*self.results[seer], result}, key=self.by_seat)
        self.tell([seer], "checked", *result)
        if self.public.get(seer) == "seer":
            self.publish([result])
            self.tell(self.others(seer), "result", seer, *result)

    # ------------------------------------------------------------------------------------ the death

    def bury(self, dying: Collection[str]) -> list[str]:
        """These die, and lovers with them; returns all who die, in seat order."""
        dead = set(dying)
        if dead & set(self.pair):
            dead |= set(self.pair)
        dead &= set(self.alive)
        self.alive = [person for person in self.alive if person not in dead]
        return [person for person in self.people if person in dead]

    def announced(self, dead: Collection[str]) -> tuple[tuple[str, str], ...]:
        """What is told of the dead."""
        return tuple((person, self.shown(person)) for person in dead)

    def shown(self, person: str) -> str:
        """What a death at this time of the day makes public of a person."""
        rule = self.options["reveal_day" if self.is_day else "reveal_night"]
        if self.options["reveal_first_night_only"] and not self.is_day and self.nights > 1:
            rule = "none"
        match rule:
            case "role":
                return self.role[person]
            case "team":
                return "wolf" if self.is_wolf(person) else "not wolf"
            case _:
                return ""

    def last_acts(self, dead: Collection[str], poisoned: Collection[str]) -> Asking[None]:
        """Hunters among the dead shoot, the Vengeful are avenged, one after the other."""
        queue = list(dead)
        while queue:
            person = queue.pop(0)
            if not self.alive:
                return
            if self.role[person] == "hunter" and person not in poisoned:
                moves = [f"shoot {target}" for target in [*self.living(), NOBODY]]
                target = (yield from ask(person, moves)).removeprefix("shoot ")
                word = "shot"
            elif self.role[person] == "vengeful" and self.day == 1 and person in self.eliminated:
                target = yield from uniform_move(self.living())
                word = "avenged"
            else:
                continue
            if target == NOBODY:
                self.tell_all(word, person, NOBODY, "")
                continue
            hit = self.bury([target])
            self.tell_all(word, person, target, self.shown(target))
            followers = [p for p in hit if p != target]
            for follower in followers:
                self.tell_all("followed", follower, self.shown(follower))
            queue += [target, *followers]

    def look_for_a_winner(self) -> None:
        """Who has won, looked for after every event with all its consequences."""
        wolves = len(self.living_wolves())
        others = len(self.alive) - wolves
        enough = self.options["voted_out_wins"]
        if wolves <= self.options["town_wins_at"] or (enough and self.wolves_out >= enough):
            self.winner = "town"
        elif (
            others == 0
            or (self.options["end"] == "parity" and wolves >= others)
            or (self.options["end"] == "villagers_dead" and not self.with_role("villager"))
        ):
            self.winner = "wolves"

    # -------------------------------------------------------------------------------------- the day

    def daytime(self) -> Asking[None]:
        self.is_day = True
        self.eliminated = []
        if self.options["end"] == "coin" and len(self.alive) == 2:
            # One wolf and one other: with two wolves, or none, the game would be over.
            self.winner = yield from chance_move({"town": HALF, "wolves": HALF})
            self.tell_all("coin", self.winner)
            return
        yield from self.reveals()
        yield from self.talk()
        self.eliminated = yield from self.elimination()
        self.wolves_out += sum(map(self.is_wolf, self.eliminated))
        dead = self.bury(self.eliminated)
        self.tell_all("eliminated", self.announced(dead))
        if self.day == 1 and any(self.role[person] == "godfather" for person in self.eliminated):
            self.winner = "town"
            return
        yield from self.last_acts(dead, poisoned=[])
        self.look_for_a_winner()
        self.is_day = False

    def reveals(self) -> Asking[None]:
        """Concealed Seers choose at once whether to reveal themselves."""
        if not self.can_reveal:
            return
        revealing: list[str] = []
        for seer in self.with_role("seer"):
            if seer not in self.revealed:
                move = yield from ask(seer, ["reveal", "conceal"])
                if move == "reveal":
                    revealing.append(seer)
        for seer in revealing:
            self.reveal(seer)

    def reveal(self, seer: str) -> None:
        """A Seer's role and results become public."""
        self.revealed.append(seer)
        self.public[seer] = "seer"
        self.publish(self.results[seer])
        self.tell_all("revealed", seer, "seer", tuple(self.results[seer]))

    def publish(self, results: Collection[tuple[str, bool]]) -> None:
        for person, wolf in results:
            if self.public.get(person) != "seer":
                self.public[person] = "wolf" if wolf else "not wolf"

    def elimination(self) -> Asking[list[str]]:
        """Who is eliminated."""
        if self.options["no_lynch"] == "even" and len(self.alive) % 2 == 0:
            return []
        match self.options["elimination"]:
            case "votes":
                return (yield from self.ballot())
            case "proposer":
                return (yield from self.proposal())
            case _:
                return (yield from self.drawing())

    def proposal(self) -> Asking[list[str]]:
        proposer = yield from uniform_move(self.living())
        self.tell_all("proposer", proposer)
        names = [person for person in self.living() if person != proposer]
        if self.options["no_lynch"] == "allowed":
            names.append(NOBODY)
        move = yield from ask(proposer, [f"propose {name}" for name in names])
        return [person for person in names if move == f"propose {person}" and person != NOBODY]

    def drawing(self) -> Asking[list[str]]:
        town = [person for person in self.living() if self.on_town_team(person)]
        if self.options["no_lynch"] == "allowed" and town:
            move = yield from ask(town[0], ["draw", "skip"])
            self.tell_all("draw", move == "draw")
            if move == "skip":
                return []
        while True:
            candidates = (
                [person for person in self.living() if self.public.get(person) == "wolf"]
                or [person for person in self.living() if person not in self.public]
                or self.living()
            )
            drawn = candidates[0]
            if self.options["elimination"] == "random":
                drawn = yield from uniform_move(candidates)
            hidden_seer = self.role[drawn] == "seer" and drawn not in self.revealed
            if not (hidden_seer and self.can_reveal and self.options["reveal_when_drawn"]):
                return [drawn]
            self.tell([drawn], "drawn", drawn)
            if (yield from ask(drawn, ["reveal", "conceal"])) == "conceal":
                return [drawn]
            self.tell(self.others(drawn), "drawn", drawn)
            self.reveal(drawn)

    def ballot(self) -> Asking[list[str]]:
        secret = self.options["vote"] == "simultaneous"
        votes: dict[str, str] = {}
        for voter in self.living():
            names = [p for p in self.living() if p != voter or self.options["self_vote"]]
            if self.options["no_lynch"] == "allowed":
                names.append(NOBODY)
            moves = [f"vote {name}" for name in names]
            if self.options["abstain"]:
                moves.append(ABSTAIN)
            votes[voter] = yield from ask(voter, moves)
            if not secret:
                self.tell(self.others(voter), "voted", voter, votes[voter])
        if secret and self.options["open_votes"]:
            self.tell_all("votes", tuple(votes.items()))
        ballots = [vote.removeprefix("vote ") for vote in votes.values() if vote != ABSTAIN]
        leading = most_frequent(ballots)
        if self.options["majority"] == "strict":
            leading = [name for name in leading if 2 * ballots.count(name) > len(self.alive)]
        if len(leading) > 1:
            match self.options["ties"]:
                case "random":
                    leading = [(yield from uniform_move(leading))]
                case "nobody":
                    leading = []
                case _:
                    pass
        return [person for person in self.living() if person in leading]

    # -------------------------------------------------------------------------------------- the talk

    def talk(self) -> Asking[None]:
        words = [v for v in self.options["talk"].split("+") if v not in ("none", "reveal")]
        if not words or (self.day == 1 and not self.options["talk_first_day"]):
            return
        if not self.speakers:
            if self.options["talk_order"] == "seat":
                self.speakers = list(self.people)
            else:
                waiting = self.living()
                while waiting:
                    self.speakers.append((yield from uniform_move(waiting)))
                    waiting.remove(self.speakers[-1])
                    self.tell_all("speaker", self.speakers[-1])
        said_today = 0
        for _ in range(self.options["talk_rounds"]):
            for speaker in self.speakers:
                if speaker in self.alive:
                    move = yield from ask(speaker, self.sentences(speaker, words, said_today))
                    self.tell(self.others(speaker), "said", speaker, move)
                    said_today += 1

    def sentences(self, speaker: str, words: Collection[str], said_today: int) -> set[str]:
        """What ``speaker`` may say after ``said_today`` other statements."""
        found: set[str] = set()
        if "aiwolf" in words:
            found |= protocol_sentences(len(self.people), self.day, said_today)
        else:
            found.add("say nothing")
        if "roles" in words:
            found |= {f"I am the {kind.capitalize()}" for kind in cards_of(self.options["roles"])}
        if "results" in words:
            found |= {f"{other} is a wolf" for other in self.others(speaker)}
            found |= {f"{other} is not a wolf" for other in self.others(speaker)}
        for verb in {"accuse", "defend", "support"} & set(words):
            found |= {f"{verb} {person}" for person in self.living() if person != speaker}
        return found


def protocol_sentences(players: int, day: int, said_today: int) -> set[str]:
    """The sentences of the AIWolf protocol without operators, spoken of oneself."""
    found = {"Skip", "Over"}
    for number in range(1, players + 1):
        agent = f"Agent[{number:02}]"
        for verb in ("ESTIMATE", "COMINGOUT"):
            for role in ("VILLAGER", "SEER", "MEDIUM", "BODYGUARD", "WEREWOLF", "POSSESSED"):
                found.add(f"{verb} {agent} {role}")
        for verb in ("DIVINED", "IDENTIFIED"):
            found |= {f"{verb} {agent} {species}" for species in ("HUMAN", "WEREWOLF")}
        for verb in ("DIVINATION", "GUARD", "VOTE", "ATTACK", "GUARDED", "VOTED", "ATTACKED"):
            found.add(f"{verb} {agent}")
    for verb in ("AGREE", "DISAGREE"):
        found |= {f"{verb} TALK day{day} ID:{index}" for index in range(said_today)}
    return found


def most_frequent(items: Collection[str]) -> list[str]:
    """The items that occur most often, sorted; none if there are none."""
    found = list(items)
    most = max(map(found.count, found), default=0)
    return sorted({item for item in found if found.count(item) == most}, key=found.index)
