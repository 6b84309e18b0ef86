"""What a model would be asked, and how often, without asking it or writing anything.

A stand-in that answers every question with a legal label takes the model's place in the policy, so
that what is shown is by construction what would be asked. Calls that fail, and reminders after
answers that name no move, come on top of what is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel

from ..games.errors import ParameterError, StoreMiss
from ..solvers.profile import states_at
from ..solvers.tree import GameTree
from .backends.scripted import ScriptedBackend, first_label
from .chat import Body, Call, Message, Provenance, Question
from .client import Client
from .policy import LLMPolicy
from .prompts import Brief
from .specs import Options, backend_of, read_spec, refuse_idle
from .store import CallStore


@dataclass(frozen=True)
class Rehearsal:
    """What a run would do.

    Attributes:
        policy: the label of the policy.
        elicitation: how the model is asked.
        information_sets: those at which there is something to choose.
        calls: the calls that the policy rests on.
        new_calls: those that the store does not hold: they would be made.
        first: what is asked first; None if nobody has anything to choose.
    """

    policy: str
    elicitation: str
    information_sets: int
    calls: int
    new_calls: int
    first: Prompt | None

    def to_json(self) -> dict[str, Any]:
        """The rehearsal as JSON values."""
        return {
            "policy": self.policy,
            "elicitation": self.elicitation,
            "information_sets": self.information_sets,
            "calls": self.calls,
            "new_calls": self.new_calls,
            "first_prompt": None if self.first is None else self.first.to_json(),
        }


@dataclass(frozen=True)
class Prompt:
    """What a model is asked at one information set.

    Attributes:
        player: who is asked, from 0.
        information_set: its information-state string.
        elicitation: how the model is asked.
        calls: how many questions this takes: other orders of the options, or draws.
        messages: the first of them; empty where there is nothing to choose.
        rules_told: whether they tell the rules of the game in words.
    """

    player: int
    information_set: str
    elicitation: str
    calls: int
    messages: tuple[Message, ...]
    rules_told: bool

    def to_json(self) -> dict[str, Any]:
        """The prompt as JSON values; messages as servers take them."""
        return {
            "player": f"P{self.player + 1}",
            "information_set": self.information_set,
            "elicitation": self.elicitation,
            "calls": self.calls,
            "messages": [{"role": m.role, "content": m.content} for m in self.messages],
            "rules_told": self.rules_told,
        }


def rehearse(
    spec: str,
    tree: GameTree,
    options: Options,
    progress: Callable[[int, int], None] | None = None,
) -> Rehearsal:
    """Counts the calls of a language model's policy, asked at every information set.

    Args:
        spec: see `policy_from_spec`; a replay has nothing to rehearse.
        tree: the compiled game.
        options: how the model is asked. A store is only read.
        progress: called with the questions looked up in the store, and how many there are.

    Raises:
        PolicyError, ParameterError, MissingExtra, StoreError: the run itself would not begin.
    """
    read = read_spec(spec)
    if read.kind == "replay":
        raise ParameterError(f"{read} makes no calls that could be counted before; just replay it")
    refuse_idle(read, options)
    elicitation = options.way_of_asking()
    calls = new_calls = sum(map(elicitation.calls, tree.num_actions.tolist()))
    with closing(backend_of(read, options)) as backend, _held(options) as store:
        name = backend.model
        dialect = None if store is None else store.models().get(name)
        if dialect is not None:  # without answers of this model there is nothing to look up
            policy = _policy(tree.game, _StandIn(name, dialect), options, store)
            policy.tabulate(tree, progress)
            calls, new_calls = policy.record().calls, policy.record().new_calls
    asked = tree.num_actions > 1
    return Rehearsal(
        policy=f"llm:{name}",
        elicitation=str(elicitation),
        information_sets=int(asked.sum()),
        calls=calls,
        new_calls=new_calls,
        first=prompt_at(tree, first_choice(tree), options) if asked.any() else None,
    )


def first_choice(tree: GameTree, player: int | None = None) -> int:
    """The first information set with several actions; of a player, if one is named.

    Raises:
        ParameterError: there is none.
    """
    choices = tree.num_actions > 1
    if player is not None:
        choices &= tree.owner == player
    if not choices.any():
        whose = "nobody" if player is None else f"there is no P{player + 1} that"
        raise ParameterError(
            f"{tree.name}: {whose} has anything to choose; its players are P1 to "
            f"P{tree.num_players}"
        )
    return int(np.argmax(choices))


def prompt_at(tree: GameTree, h: int, options: Options) -> Prompt:
    """What a model is asked at information set ``h``."""
    ((_, state),) = states_at(tree, tree.first_node, np.array([h]))
    player = int(tree.owner[h])
    model = _StandIn("model")
    policy = _policy(tree.game, model, options)
    policy.action_probabilities(state, player)
    record = policy.record()
    return Prompt(
        player=player,
        information_set=tree.keys[h],
        elicitation=record.elicitation,
        calls=record.calls,
        messages=model.prompt,
        rules_told=Brief.of(tree.game, options.rules).told,
    )


def _policy(
    game: pyspiel.Game, model: _StandIn, options: Options, store: _Glance | None = None
) -> LLMPolicy:
    return LLMPolicy(
        game,
        Client(model, store=store),
        options.way_of_asking(),
        rules=options.rules,
        on_failure=options.on_failure,
    )


def _held(options: Options) -> AbstractContextManager[_Glance | None]:
    """The store that the run would begin with, only read; None if it would be a new one."""
    if options.store is None or options.refresh:
        return nullcontext()
    path = Path(options.store)
    return _Glance(path, "replay") if path.exists() and path.stat().st_size else nullcontext()


class _StandIn(ScriptedBackend):
    """Answers the first label, and keeps the first question."""

    def __init__(self, model: str, dialect: str | None = None):
        super().__init__(first_label, model)
        self.prompt: tuple[Message, ...] = ()
        if dialect is not None:
            self.dialect = dialect  # that of the recorded calls, whose keys are looked up

    def body(self, question: Question) -> Body:
        self.prompt = self.prompt or question.messages
        return super().body(question)


class _Glance(CallStore):
    """A store that is read and never written: what it lacks is a call to make."""

    def get(self, key: str, *, model: str | None = None) -> Call | None:
        try:
            return super().get(key, model=model)
        except StoreMiss:
            return None

    def put(self, key: str, backend: Any, call: Call, provenance: Provenance) -> Call:
        return call

    def failures(self, key: str) -> Mapping[str, int]:
        return {}

    def give_up(self, key: str, model: str, failures: Mapping[str, int]) -> None:
        pass
