"""Language models behind a server that speaks OpenAI's chat completions.

That is most of them: commercial services, and llama.cpp, vLLM, Ollama and LM Studio on one's own
machine. One attempt at a call ends in a reply or in a named failure, and always in time: one clock
bounds the silence of the server, another one the whole call, however busily the server sends.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from ...games.errors import CallFailed, MissingExtra, ParameterError
from ..chat import Body, Provenance, Question, Reply, canonical
from ..failures import Failure
from . import dialects
from .deadline import deadline

if TYPE_CHECKING:
    import httpx

KEY = "CRYWOLF_API_KEY"
"""The environment variable that holds the key."""
OPENAI_KEY = "OPENAI_API_KEY"
"""The one that stands in for it at OpenAI's own servers, and is sent to no others."""
LARGEST = 64 * 2**20
"""Bytes of a reply that are read."""
_DIALECTS = (dialects.OPENAI, dialects.OPENAI_COMPLETION, dialects.LLAMA_CPP)
_LOOPBACK = re.compile(r"localhost|127\.[\d.]+|\[::1\]")
_WEEK = 7 * 24 * 3600.0  # the longest time to wait for anything
_SECRET = 8  # characters from which on the value of a header may be a secret
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
_DOWN = "is the server started, and is the url right?"
_BROKEN = "try again, and look at the log of the server"


class HttpBackend:
    """A model behind an OpenAI-compatible server. Serves several threads.

    Every call has a connection of its own: one that is kept open may have been closed by the server
    when the next call comes, and that call would fail for no reason of its own.

    Attributes:
        url: where the server is, for instance ``http://localhost:8080/v1``.
        model: the name under which the server knows the model.

    Args:
        url: see above.
        model: see above.
        api_key: the key; by default that of the environment (`KEY`, `OPENAI_KEY`), "" for none. It
            is sent to this server and goes nowhere else: not into stores, errors or logs.
        dialect: ``openai``, ``openai/max_completion_tokens`` or ``llama.cpp``; see `dialects`. By
            default the server is asked, once, when it is first needed: llama.cpp says so itself,
            all others are taken for plain OpenAI.
        timeout: the most seconds that a call may take in total.
        idle_timeout: the most seconds during which the server may be silent.
        headers: further HTTP headers.
        max_tokens_field: what the server calls the limit of tokens, unless it is llama.cpp.

    Raises:
        MissingExtra: ``httpx`` is not installed.
        ParameterError: an argument is out of range or malformed.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        api_key: str | None = None,
        dialect: str | None = None,
        timeout: float = 120.0,
        idle_timeout: float = 60.0,
        headers: Mapping[str, str] | None = None,
        max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens",
    ):
        self._httpx = _httpx()
        host = _checked_url(url, self._httpx)
        if not isinstance(model, str) or not model:
            raise ParameterError(f"the model has the name {model!r}; give the server's name for it")
        if dialect is not None and dialect not in _DIALECTS:
            raise ParameterError(
                f"no server has the dialect {dialect!r}; use {', '.join(_DIALECTS)}"
            )
        if max_tokens_field not in ("max_tokens", "max_completion_tokens"):
            raise ParameterError(
                f"max_tokens_field is {max_tokens_field!r}; use max_tokens or max_completion_tokens"
            )
        self.url = url.rstrip("/")
        self.model = model
        self._plain = dialects.OPENAI
        if max_tokens_field == "max_completion_tokens":
            self._plain = dialects.OPENAI_COMPLETION
        self._dialect = self._plain if dialect == dialects.OPENAI else dialect
        self._timeout = _seconds("timeout", timeout)
        self._idle = min(self._timeout, _seconds("idle_timeout", idle_timeout))
        sent = _checked_headers(
            headers or {}, environment_key(host) if api_key is None else api_key
        )
        self._secrets = [v.removeprefix("Bearer ") for v in sent.values() if len(v) >= _SECRET]
        self._detecting = Lock()
        try:
            self._client: httpx.Client = self._httpx.Client(
                headers={"Accept-Encoding": "identity", **sent},
                timeout=self._httpx.Timeout(self._idle, pool=self._timeout),
                limits=self._httpx.Limits(max_keepalive_connections=0),
                follow_redirects=False,
                # A proxy of the environment leads away from this machine.
                mounts={f"all://{host}": None} if _LOOPBACK.fullmatch(host) else None,
            )
        except (ValueError, ImportError, OSError) as error:
            raise ParameterError(
                f"the proxies or certificates named in the environment cannot be used: {error}"
            ) from error

    @property
    def dialect(self) -> str:
        """The form of the bodies; asks the server if it was not declared.

        Raises:
            CallFailed: the server does not answer.
        """
        with self._detecting:
            if self._dialect is None:
                self._dialect = self._detected()
            return self._dialect

    def body(self, question: Question) -> Body:
        """See `Backend.body`.

        Raises:
            CallFailed: the dialect is not known, and the server does not answer.
        """
        return dialects.body(self.dialect, self.model, question)

    def ask(self, question: Question, body: Body) -> Reply:
        """See `Backend.ask`."""
        status, headers, content = self._exchange("POST", "/chat/completions", body)
        if not 200 <= status < 300:
            raise self._refusal(status, headers, content)
        try:
            return dialects.read_reply(question, _json(content))
        except CallFailed as error:
            failed = self._failed(Failure.BAD_RESPONSE, str(error), _BROKEN)
        raise failed

    def provenance(self) -> Provenance:
        """Nothing is known before the first reply, which names the served model."""
        return Provenance()

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    # ------------------------------------------------------------------ one exchange

    def _detected(self) -> str:
        status, headers, content = self._exchange("GET", "/models")
        if status in (404, 405):
            return self._plain
        if not 200 <= status < 300:
            raise self._refusal(status, headers, content)
        try:
            document = _json(content)
        except CallFailed:
            return self._plain
        models = document.get("data") if isinstance(document, dict) else None
        if not isinstance(models, list):
            return self._plain
        owners = [model.get("owned_by") for model in models if isinstance(model, dict)]
        return dialects.LLAMA_CPP if "llamacpp" in owners else self._plain

    def _exchange(
        self, method: str, path: str, body: Body | None = None
    ) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers and content of the reply, whatever they are.

        The content of a reply that is itself an error is read as far as it comes.

        Raises:
            CallFailed: there is no complete reply.
        """
        if self._client.is_closed:
            raise ParameterError(f"the backend of {self.model} is closed; make another one")
        status, headers, received = 0, {}, bytearray()
        with deadline(self._timeout) as clock:
            failed: CallFailed | None = None
            try:
                with self._client.stream(
                    method,
                    self.url + path,
                    content=None if body is None else canonical(body).encode("ascii"),
                    headers={"Content-Type": "application/json"},
                    extensions={"trace": clock.watch},
                ) as response:
                    status, headers = response.status_code, response.headers
                    for piece in response.iter_bytes():
                        received += piece
                        if len(received) > LARGEST:
                            break
            except self._httpx.HTTPError as error:
                failed = self._lost(error)  # raised below: an httpx error holds the headers
            if clock.expired:
                what = f"no complete reply within {self._timeout:g} s"
                cure = "pass a longer timeout, or choose a faster server"
                failed = self._failed(Failure.TIMEOUT, what, cure)
        if failed is None and len(received) > LARGEST:
            what = f"a reply of more than {LARGEST} bytes"
            failed = self._failed(Failure.BAD_RESPONSE, what, _BROKEN)
        if failed is not None and not status >= 300:
            raise failed
        return status, headers, bytes(received)

    # ------------------------------------------------------------------ failures

    def _lost(self, error: httpx.HTTPError) -> CallFailed:
        """What an exception of httpx means."""
        what = str(error) or type(error).__name__
        match error:
            case self._httpx.ConnectTimeout():
                what = f"no connection within {self._idle:g} s"
                return self._failed(Failure.TIMEOUT, what, _DOWN)
            case self._httpx.TimeoutException():
                what = f"the server was silent for {self._idle:g} s"
                cure = "pass a longer idle_timeout, or choose a faster server"
                return self._failed(Failure.TIMEOUT, what, cure)
            case self._httpx.ConnectError():
                return self._failed(Failure.DISCONNECTED, f"no connection: {what}", _DOWN)
            case self._httpx.DecodingError():
                return self._failed(Failure.BAD_RESPONSE, what, _BROKEN)
        return self._failed(Failure.DISCONNECTED, f"the connection broke: {what}", _BROKEN)

    def _refusal(self, status: int, headers: Mapping[str, str], content: bytes) -> CallFailed:
        """What a status other than 2xx means."""
        kind = Failure.SERVER_ERROR if status >= 500 else _FAILURES.get(status, Failure.REJECTED)
        cure = _BROKEN if status >= 500 else _CURES.get(300 if status < 400 else status, _REJECTED)
        wait = None if kind is Failure.REJECTED else retry_after(headers)
        place = f" to {headers['location']}" if "location" in headers else ""
        said = _said(self._redacted(content.decode("utf-8", "replace")))
        what = f"HTTP {status}{place}" + (f": {said}" if said else "")
        if wait is not None:
            what += f" (to be tried again after {wait:g} s)"
        return self._failed(kind, what, cure, wait)

    def _failed(
        self, failure: Failure, what: str, cure: str, retry_after: float | None = None
    ) -> CallFailed:
        text = f"{self.model} at {self.url}: {self._redacted(what).rstrip('.')}; {cure}"
        return CallFailed(text, failure=failure, retry_after=retry_after)

    def _redacted(self, text: str) -> str:
        """The text without the keys, which some servers repeat."""
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds for which a server asks to wait, in any of three forms; None if it does not.

    ``Retry-After-Ms`` is OpenAI's; ``Retry-After`` holds seconds or a date (RFC 9110).
    """
    for name, unit in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) * unit
        except (KeyError, ValueError):
            continue
        if math.isfinite(seconds):
            return max(0.0, seconds)
    try:
        date = parsedate_to_datetime(headers["retry-after"])
    except (KeyError, ValueError, OverflowError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.now(UTC)).total_seconds())


# ------------------------------------------------------------------------------------ details


def _httpx() -> ModuleType:
    try:
        import httpx
    except ImportError:
        raise MissingExtra(
            "models behind a server need httpx: pip install 'crywolf[http]'"
        ) from None
    return httpx


def _json(content: bytes | str) -> Any:
    """The document; NaN and infinities are not JSON."""
    try:
        return json.loads(content, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        came = content if isinstance(content, str) else content.decode("utf-8", "replace")
        what = dialects.shortened(came) or "nothing"
        text = f"not JSON ({dialects.shortened(str(error))}): {what}"
        failed = CallFailed(text, failure=Failure.BAD_RESPONSE)
    raise failed


def _no_constant(name: str) -> Any:
    raise CallFailed(f"{name} is not JSON", failure=Failure.BAD_RESPONSE)


def _said(content: str) -> str:
    """The message of an error, as far as there is one."""
    try:
        document = _json(content)
    except CallFailed:
        return dialects.shortened(content)
    error = document.get("error", document) if isinstance(document, dict) else document
    message = error.get("message", error) if isinstance(error, dict) else error
    return dialects.shown(message)


def _checked_url(url: str, httpx: ModuleType) -> str:
    """The host, in brackets if it is an address of IPv6."""
    cure = "give the address up to and with /v1, for instance http://localhost:8080/v1"
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
        httpx.URL(url)
        (host or "").encode("idna")  # as the resolver does
    except (ValueError, TypeError, AttributeError, httpx.InvalidURL) as error:
        raise ParameterError(f"the url of the server is malformed ({error}): {cure}") from None
    if parts.username is not None or parts.query or parts.fragment:
        # Not repeated here: such parts hold keys.
        raise ParameterError(
            f"the url of the server has a user name, a query or a fragment: {cure}; a key is "
            "passed as api_key, or in headers"
        )
    if parts.scheme not in ("http", "https") or not host or not url.isprintable() or " " in url:
        raise ParameterError(f"{url!r} is no url of a server: {cure}")
    return f"[{host}]" if ":" in host else host


def environment_key(host: str) -> str:
    """The key that the environment holds for a server; empty if none."""
    key = os.environ.get(KEY, "")
    if not key and (host == "openai.com" or host.endswith(".openai.com")):
        key = os.environ.get(OPENAI_KEY, "")
    return key


def _checked_headers(headers: Mapping[str, str], api_key: str) -> dict[str, str]:
    """The headers with the key; what is wrong with a value is said without repeating it."""
    sent = dict(headers)
    key = api_key.strip()
    if key and not any(name.lower() == "authorization" for name in sent):
        sent["Authorization"] = f"Bearer {key}"
    for name, value in sent.items():
        whole = isinstance(name, str) and name.isascii() and name.replace("-", "").isalnum()
        if not whole or not isinstance(value, str) or not (value.isascii() and value.isprintable()):
            raise ParameterError(
                f"the header {name!r} (a key is sent as Authorization) has a malformed name, or "
                "characters in its value that no header can hold; check it for line breaks"
            )
    return sent


def _seconds(name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= _WEEK:
        raise ParameterError(f"{name} is {value!r}; give seconds, more than 0 and at most a week")
    return float(value)
