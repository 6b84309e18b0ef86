"""Asking a model at one information set, and what happens when its answer names no move."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from ..games.errors import ElicitationFailed
from . import prompts
from .answers import BadAnswer
from .chat import Message, Question, Reply, Want
from .client import Client
from .failures import FailurePolicy
from .ledger import Ledger
from .prompts import Brief
from .views import PlayerView

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asking:
    """Everything that an elicitation needs besides the view.

    Attributes:
        client: whom to ask.
        brief: the game in words.
        on_failure: what happens when an answer names no move.
        told: called after each answer.
        ledger: where the calls are counted.
    """

    client: Client
    brief: Brief
    on_failure: FailurePolicy
    told: Callable[[], None] = lambda: None
    ledger: Ledger = field(default_factory=Ledger)

    def ask(self, question: Question, draw: int = 0) -> Reply:
        """The reply to a question; see `Client.ask`."""
        return self.client.ask(question, draw, self.ledger)


class Talk:
    """Asks at one information set, and counts what is wrong with the answers.

    Attributes:
        failures: how often an answer named no move, by `Failure`.
        substituted: answers for which uniform play stands in.
    """

    def __init__(self, asking: Asking, view: PlayerView):
        self.failures: Counter[str] = Counter()
        self.substituted = 0
        self._asking = asking
        self._view = view

    def question(
        self, messages: tuple[Message, ...], rotation: int, want: Want, **how: Any
    ) -> Question:
        """A question in which the options are turned by so many places."""
        options = prompts.rotated(self._view.options, rotation)
        return Question(
            messages,
            prompts.labels(len(options)),
            want,
            player=self._view.player,
            information_state=self._view.information_state,
            options=options,
            **how,
        )

    def answer(
        self, question: Question, read: Callable[[Reply], T], draw: int = 0
    ) -> tuple[T | None, bool]:
        """Asks, and asks again while the answer names no move.

        Returns:
            What was read (None: uniform play stands in), and whether the first answer could be
            read.
        """
        retries = self._asking.on_failure.retries
        for trial in range(retries + 1):
            reply = self._asking.ask(question, draw)
            try:
                value = read(reply)
            except BadAnswer as bad:
                if trial == retries:
                    self.give_up(reply, bad, tries=trial + 1)
                    break
                self.failures[bad.failure.value] += 1
                again = prompts.ask_again(question.messages, reply.text, bad.reason)
                question = replace(question, messages=again)
            else:
                self._asking.told()
                return value, trial == 0
        self._asking.told()
        return None, False

    def give_up(self, reply: Reply, bad: BadAnswer, tries: int) -> None:
        """Counts a final failure; raises unless uniform play is to stand in."""
        self.failures[bad.failure.value] += 1
        if self._asking.on_failure.then == "uniform":
            self.substituted += 1
            return
        raise ElicitationFailed(
            f"{self._asking.client.backend.model} names no move at "
            f"{self._view.information_state!r} (P{self._view.player + 1}): its answer "
            f"{reply.text[:200]!r} is {bad.failure.value} after {tries} of {tries} tries "
            f"({bad.reason.rstrip('.')}). Allow more retries, give more tokens, ask in another "
            "way, or let such answers count as uniform play with on_failure='uniform'; they are "
            "counted and reported"
        )

    def average(self, weights: Callable[[int], Sequence[float] | None]) -> tuple[float, ...]:
        """The mean over all rotations of the distributions that are asked for.

        Args:
            weights: asks in a rotation, and returns weights by place shown; None stands for uniform
                play.
        """
        count = len(self._view.options)
        rows = [
            _turned_back(weights(rotation) or (1.0,) * count, rotation) for rotation in range(count)
        ]
        means = [math.fsum(column) / count for column in zip(*rows, strict=True)]
        total = math.fsum(means)
        return tuple(means) if total == 1.0 else tuple(mean / total for mean in means)


def _turned_back(weights: Sequence[float], rotation: int) -> list[float]:
    """Weights by place shown, divided by their sum and put at the options' own places."""
    total, count = math.fsum(weights), len(weights)
    return [weights[(place - rotation) % count] / total for place in range(count)]
