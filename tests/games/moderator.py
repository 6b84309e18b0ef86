"""Games told as by a moderator, to compare the engines with.

A moderator is a generator that reads like the rule book: it asks one question at a time ("P2, whom
do you look at?"), is sent the move, and returns the payoffs. It shares nothing with the engines but
words: the names of parameters and moves.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple, TypeAlias, TypeVar

from crywolf.games import CHANCE, TERMINAL, Rules, advance, start

T = TypeVar("T")
Fact: TypeAlias = tuple[Any, ...]
"""What a player is told, beginning with a word for its kind; people are called "P1", "P2", ..."""


class Question(NamedTuple):
    """A move that somebody has to make.

    Attributes:
        asked: who may be asked (several where a simultaneous choice may be collected in any order)
            and the names of that player's moves; nobody for a chance move.
        chances: the names of the chance moves with their probabilities.
    """

    asked: Mapping[str, Collection[str]]
    chances: Mapping[str, Fraction]


class Answer(NamedTuple):
    """Who has moved ("" for chance), and the name of the move."""

    who: str
    move: str


Asking: TypeAlias = Generator[Question, Answer, T]
"""A part of a game: asks questions and comes to a result."""


def ask(person: str, moves: Collection[str]) -> Asking[str]:
    """The move that ``person`` makes."""
    return (yield Question({person: moves}, {})).move


def chance_move(chances: Mapping[str, Fraction]) -> Asking[str]:
    """The move that chance makes."""
    return (yield Question({}, chances)).move


def uniform_move(moves: Collection[str]) -> Asking[str]:
    """One of ``moves``, each as likely as the others."""
    return (yield from chance_move(dict.fromkeys(moves, Fraction(1, len(moves)))))


class Moderator(ABC):
    """Somebody who leads a game.

    Attributes:
        people: the players' names, in seat order.
        told: the facts that each player has been told.
    """

    def __init__(self, players: int):
        self.people = [f"P{i}" for i in range(1, players + 1)]
        self.told: dict[str, list[Fact]] = {person: [] for person in self.people}

    @abstractmethod
    def game(self) -> Asking[dict[str, Fraction]]:
        """The game, and everybody's payoff."""

    @abstractmethod
    def living(self) -> list[str]:
        """Who lives, in seat order."""

    def others(self, person: str) -> list[str]:
        """Everybody else, in seat order."""
        return [other for other in self.people if other != person]

    def tell(self, people: Iterable[str], *fact: Any) -> None:
        """Everybody in ``people`` hears ``fact``."""
        for person in people:
            self.told[person].append(fact)


class Play:
    """A game that goes on.

    Attributes:
        question: the move to make; None at the end.
        payoffs: everybody's payoff at the end.
    """

    def __init__(self, moderator: Moderator):
        self._script = moderator.game()
        self.question: Question | None = None
        self.payoffs: dict[str, Fraction] = {}
        self._continue(None)

    def answer(self, who: str, move: str) -> None:
        """Answers the question."""
        self._continue(Answer(who, move))

    def _continue(self, answer: Answer | None) -> None:
        try:
            self.question = next(self._script) if answer is None else self._script.send(answer)
        except StopIteration as end:
            self.question, self.payoffs = None, end.value


def cards_of(roles: str) -> list[str]:
    """The cards that ``roles`` lists: two werewolves and a seer for ``2werewolf+seer``."""
    cards: list[str] = []
    for term in roles.split("+"):
        number = "".join(letter for letter in term if letter.isdigit())
        cards += [term.removeprefix(number)] * int(number or 1)
    return cards


def compare(
    rules: Rules[Any],
    moderator: Moderator,
    chooser: Random,
    living: Callable[[Any], list[str]],
    fact: Callable[[Any], Fact],
) -> None:
    """Plays one game in both and asserts that they agree.

    At every move: who moves, the names of the moves, the probabilities, who lives, and what each
    player has been told; at the end the payoffs. Moves are random, but every other one concerns one
    and the same player if it can, so that votes agree and the special roles meet.

    Args:
        rules: the engine.
        moderator: the reference.
        chooser: chooses the moves.
        living: who lives at a position of the engine.
        fact: an observation of the engine, as the reference tells it.
    """
    play, cursor, history = Play(moderator), start(rules), list[str]()
    known = Counter[str]()  # how many facts everybody knew before the last move
    marked = chooser.choice(moderator.people)

    def agree(what: str, engine: Any, reference: Any) -> None:
        assert engine == reference, f"{what} after {history}: {engine}; reference: {reference}"

    def agree_on_the_position() -> None:
        agree("the living", living(cursor.position), moderator.living())
        for person, news in zip(moderator.people, cursor.news, strict=True):
            heard = [fact(entry) for entry in news if not isinstance(entry, int)]
            told = moderator.told[person][known[person] :]
            agree(f"what {person} is told", Counter(heard), Counter(told))
            known[person] += len(told)

    while (question := play.question) is not None:
        mover = rules.mover(cursor.position)
        agree("an end", mover == TERMINAL, False)
        agree_on_the_position()
        names = {rules.action_name(mover, a): a for a in rules.actions(cursor.position)}
        if mover == CHANCE:
            who = ""
            outcomes = rules.chance_outcomes(cursor.position)
            chances = {rules.action_name(mover, a): chance for a, chance in outcomes}
            agree("chances", chances, question.chances)
        else:
            who = moderator.people[mover]
            agree(f"a move of {who}", who in question.asked, True)
            agree(f"moves of {who}", sorted(names), sorted(set(question.asked[who])))
        moves = sorted(names)
        about_the_marked = [move for move in moves if marked in move.split()]
        if about_the_marked and chooser.random() < 0.5:
            moves = about_the_marked
        move = chooser.choice(moves)
        history.append(move)
        play.answer(who, move)
        cursor = advance(rules, cursor, names[move])
    agree("an end", rules.mover(cursor.position) == TERMINAL, True)
    agree_on_the_position()
    payoffs = dict(zip(moderator.people, rules.payoffs(cursor.position), strict=True))
    agree("payoffs", payoffs, play.payoffs)
