"""What is said in a log as statements of the formal game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..werewolf.actions import Action
from ..werewolf.position import NOBODY
from ..werewolf.talk import NOTHING
from .records import Utterance
from .sentences import Opinion, Sentence, Silence
from .vocabulary import ANY, Channel, Quiet

FREE_TEXT = "not a statement of the game, as it is no sentence of the protocol"


def statement(utterance: Utterance, places: Mapping[int, int]) -> Action | str:
    """What an action of the game says the same, or why none does.

    Args:
        utterance: from a log.
        places: for the numbers of the day's talks, which statement of the day each is in the game,
            in which everybody speaks in every round.
    """
    sentence = utterance.sentence
    if sentence is None:
        return FREE_TEXT
    if isinstance(sentence, Silence):
        return Action("over") if sentence.word is Quiet.OVER else NOTHING
    if sentence.subject == utterance.agent:
        sentence = _without_subject(sentence)
    if sentence.subject is not None:
        return f"not a statement of the game, which are about the speaker: {sentence}"
    if sentence.parts:
        return f"not a statement of the game, which has no operators: {sentence}"
    if isinstance(sentence, Opinion):
        return _opinion(sentence, utterance.day, places)
    target = getattr(sentence, "target", ANY)
    if not isinstance(target, int):
        return f"not a statement of the game, which are about definite agents: {sentence}"
    return Action("sentence", target - 1, str(sentence))


def _opinion(sentence: Opinion, day: int, places: Mapping[int, int]) -> Action | str:
    talk = sentence.talk
    if talk.channel is not Channel.TALK or talk.day != day or talk.index not in places:
        return f"not a statement of the game, which has opinions on the day's only: {sentence}"
    return Action(str(sentence.verb), NOBODY, f"{day} {places[talk.index]}")


def _without_subject(sentence: Sentence) -> Sentence:
    return replace(sentence, subject=None)  # type: ignore[type-var]  # all sentences are dataclasses
