"""What a server says, as it may be read and shown; and what that means, with a cure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ...games.errors import CallFailed
from ..failures import Failure
from . import dialects
from .headers import retry_after
from .pages import visible
from .secrets import Secrets

_FAILURES = {408: Failure.TIMEOUT, 429: Failure.RATE_LIMITED}
_CURES = {
    300: "give the url at which the server answers directly",
    401: "set the environment variable CRYWOLF_API_KEY, or pass api_key",
    403: "the key does not allow this: choose another key or model",
    404: "is this the url that ends in /v1, and does the server have this model?",
    408: "try again, or raise the server's own limit of time",
    413: "the question is too long for this server: choose another model or a smaller game",
    429: "try again later, pass a slower RateGate, or look at the quota of the account",
}
_REJECTED = "change what the server names"
_LOOKED_AT = 100_000  # characters of an error in which its words are looked for
BROKEN = "try again, and look at the log of the server"
"""The cure of what only the server can know."""


class Wording:
    """Reads what one server says, without the keys that were sent to it.

    Args:
        model: the name of the model.
        url: where the server is.
        secrets: what must not be shown.
    """

    def __init__(self, model: str, url: str, secrets: Secrets):
        self._model = model
        self._url = url
        self._secrets = secrets

    def document(self, content: bytes) -> Any:
        """The JSON document of a reply, without keys; NaN and infinities are not JSON."""
        try:
            return self._secrets.cleaned(json.loads(content, parse_constant=_no_constant))
        except (ValueError, RecursionError) as error:
            why = self.shortened(str(error))
            what = self.shortened(content.decode("utf-8", "replace")) or "nothing"
            text = f"not JSON ({why}): {what}"
        raise CallFailed(text, failure=Failure.BAD_RESPONSE)

    def shortened(self, text: str) -> str:
        """A text of the server for an error message."""
        return dialects.shortened(self._secrets.redacted(visible(text[:_LOOKED_AT])))

    def refusal(self, status: int, headers: Mapping[str, str], content: bytes) -> CallFailed:
        """What a status other than 2xx means."""
        kind = Failure.SERVER_ERROR if status >= 500 else _FAILURES.get(status, Failure.REJECTED)
        cure = BROKEN if status >= 500 else _CURES.get(300 if status < 400 else status, _REJECTED)
        wait = None if kind is Failure.REJECTED else retry_after(headers)
        place = f" to {self.shortened(headers['location'])}" if "location" in headers else ""
        said = self._said(content)
        what = f"HTTP {status}{place}" + (f": {said}" if said else "")
        if wait is not None:
            what += f" (to be tried again after {wait:g} s)"
        return self.failed(kind, what, cure, wait)

    def _said(self, content: bytes) -> str:
        """The message of an error, as far as there is one."""
        try:
            document = self.document(content)
        except CallFailed:
            return self.shortened(content.decode("utf-8", "replace"))
        error = document.get("error", document) if isinstance(document, dict) else document
        message = error.get("message", error) if isinstance(error, dict) else error
        return dialects.shown(message)

    def failed(
        self,
        failure: Failure,
        what: str,
        cure: str,
        retry_after: float | None = None,
        kind: type[CallFailed] = CallFailed,
    ) -> CallFailed:
        """The failure in words; `what` holds no keys and is no longer than it should be."""
        text = f"{self._model} at {self._url}: {what.rstrip('.')}; {cure}"
        return kind(text, failure=failure, retry_after=retry_after)


def _no_constant(name: str) -> Any:
    raise CallFailed(f"{name} is not JSON", failure=Failure.BAD_RESPONSE)
