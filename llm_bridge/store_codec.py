"""Calls as JSON objects, exactly: what was kept is read back as the same call, or refused."""

from __future__ import annotations

import json
import math
from dataclasses import fields
from typing import Any, TypeAlias

from ..games.errors import StoreError
from .chat import Call, Reply, call_key, canonical

Types: TypeAlias = dict[str, tuple[type, ...]]
"""The types that each field of a JSON object may have."""

TEXT: tuple[type, ...] = (str,)
OPTIONAL: tuple[type, ...] = (str, type(None))

CALL_TYPES: Types = {"body": (dict,), "draw": (int,), "failures": (dict,), "reply": (dict,)}
_REPLY_TYPES: Types = {
    "text": TEXT,
    "finish": TEXT,
    "refusal": OPTIONAL,
    "label_probabilities": (dict, type(None)),
    "unlisted": (float,),
    "prompt_tokens": (int, type(None)),
    "completion_tokens": (int, type(None)),
    "response_model": OPTIONAL,
    "fingerprint": OPTIONAL,
}
_REPLY_FIELDS = tuple(field.name for field in fields(Reply))
# NaN and infinities become floats here, and are refused where values are checked.
_DECODER = json.JSONDecoder(parse_constant=float)


def reply_to_json(reply: Reply) -> dict[str, Any]:
    """The reply as a JSON object of all its fields; floats survive `canonical` exactly."""
    document = {name: getattr(reply, name) for name in _REPLY_FIELDS}
    document["unlisted"] = _float(reply.unlisted)
    if reply.label_probabilities is not None:
        listed = reply.label_probabilities.items()
        document["label_probabilities"] = {label: _float(value) for label, value in listed}
    return document


def reply_from_json(document: Any) -> Reply:
    """The reply of such an object.

    Raises:
        StoreError: a field is missing, unknown, or of another type, or a probability not finite.
    """
    check_fields(document, _REPLY_TYPES, "reply")
    listed = document["label_probabilities"] or {}
    for value in (document["unlisted"], *listed.values()):
        if type(value) is not float or not math.isfinite(value):
            raise StoreError(f"the reply has the probability {value!r}, which is no finite float")
    return Reply(**document)


def call_to_json(call: Call) -> dict[str, Any]:
    """The call as a JSON object: body, draw, failures, reply."""
    return {
        "body": call.body,
        "draw": call.draw,
        "failures": dict(call.failures),
        "reply": reply_to_json(call.reply),
    }


def call_from_json(key: str, document: Any) -> Call:
    """The call of such an object.

    Args:
        key: what `call_key` of body and draw must be.
        document: the object.

    Raises:
        StoreError: a field is missing, unknown, or of another type; or another key.
    """
    check_fields(document, CALL_TYPES, "call")
    if document["draw"] < 0:
        raise StoreError(f"the call's draw is {document['draw']}; draws are counted from 0")
    for name, count in document["failures"].items():
        if type(count) is not int:
            raise StoreError(f"the call's failures {name!r} are {count!r}, which is no count")
    reply = reply_from_json(document["reply"])
    call = Call(document["body"], document["draw"], reply, document["failures"])
    try:
        intact = call_key(call.body, call.draw) == key
    except (ValueError, RecursionError):  # a number that JSON does not have; very deep nesting
        intact = False
    if not intact:
        raise StoreError(
            "the key is not that of body and draw: changed by hand, damaged, of another version "
            "of crywolf, or a body that is no plain JSON with strings as names"
        )
    return call


def encode(document: Any) -> str:
    """`canonical`.

    Raises:
        StoreError: the document is no plain JSON.
    """
    try:
        return canonical(document)
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"the call is no plain JSON ({error}); send only plain JSON") from error


def decode(text: Any) -> Any:
    """The document of a JSON text.

    Raises:
        StoreError: the text is no JSON.
    """
    try:
        return _DECODER.decode(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"it is no JSON ({error})") from error


def check_fields(document: Any, types: Types, what: str) -> None:
    """Refuses an object that has other fields than `types` names, or other types.

    Raises:
        StoreError: see above.
    """
    if type(document) is not dict:
        raise StoreError(f"the {what} is no JSON object")
    if document.keys() != types.keys():
        odd = ", ".join(sorted(map(str, document.keys() ^ types.keys())))
        raise StoreError(f"the {what} has unknown fields or lacks some: {odd}")
    for name, allowed in types.items():
        if type(document[name]) not in allowed:
            kind = type(document[name]).__name__
            raise StoreError(f"the {what}'s field {name!r} has the wrong type, {kind}")


def _float(value: Any) -> Any:
    """Whole numbers become floats; anything else is left to the check of types."""
    return float(value) if type(value) is int else value
