"""Language models behind a server that speaks OpenAI's chat completions.

That is most of them: commercial services, and llama.cpp, vLLM, Ollama and LM Studio on one's own
machine. One attempt at a call ends in a reply or in a named failure, and always in time: one clock
bounds the silence of the server, another one the whole call, however busily the server sends.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from ...games.errors import (
    CallFailed,
    MissingExtra,
    ParameterError,
    ProvenanceMismatch,
    ServerUnreachable,
)
from .. import arguments
from ..chat import Body, Provenance, Question, Reply, canonical
from ..failures import Failure, PaidInVain
from . import dialects
from .deadline import Clock, Deadlines
from .headers import (
    checked_headers,
    checked_url,
    environment_key,
    unasked_encoding,
    unusable_environment,
)
from .secrets import Secrets
from .wording import BROKEN, Wording

if TYPE_CHECKING:
    import httpx

LARGEST = 64 * 2**20
"""Bytes of a reply that are read."""
_DIALECTS = (dialects.OPENAI, dialects.OPENAI_COMPLETION, dialects.LLAMA_CPP)
_LOOPBACK = re.compile(r"localhost|127\.[\d.]+|\[::1\]")
_TOKENS = ("prompt_tokens", "completion_tokens")
_CONNECT = 10.0  # seconds, after which a server that runs has long accepted a connection
_LATER = (408, 429, 503)  # a server that loads its model has a page of models later


@dataclass(slots=True)
class _Received:
    """What has come of a reply so far; status 0 is that of none."""

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytearray = field(default_factory=bytearray)


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
        api_key: the key; by default that of the environment (see `headers`), "" for none. It is
            sent to this server and goes nowhere else: not into stores, errors or logs, even if the
            server repeats it.
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
        host = checked_url(url, self._httpx)
        if dialect is not None and dialect not in _DIALECTS:
            raise ParameterError(
                f"no server has the dialect {dialect!r}; use {', '.join(_DIALECTS)}"
            )
        if max_tokens_field not in ("max_tokens", "max_completion_tokens"):
            raise ParameterError(
                f"max_tokens_field is {max_tokens_field!r}; use max_tokens or max_completion_tokens"
            )
        self.url = url.rstrip("/")
        self.model = arguments.text("model", model)
        self._plain = dialects.OPENAI
        if max_tokens_field == "max_completion_tokens":
            self._plain = dialects.OPENAI_COMPLETION
        self._dialect = self._plain if dialect == dialects.OPENAI else dialect
        self._expected: str | None = None
        self._timeout = arguments.seconds("timeout", timeout, positive=True)
        idle = arguments.seconds("idle_timeout", idle_timeout, positive=True)
        self._idle = min(self._timeout, idle)
        self._connect = min(self._idle, _CONNECT)
        sent = checked_headers(headers, environment_key(host) if api_key is None else api_key)
        self._words = Wording(self.model, self.url, Secrets(sent))
        self._detecting = Lock()
        self._deadlines = Deadlines()
        self._reached = False
        try:
            self._client: httpx.Client = self._httpx.Client(
                headers=sent,
                # Nothing is carried from one call to the next.
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
                timeout=self._httpx.Timeout(self._idle, connect=self._connect, pool=self._timeout),
                limits=self._httpx.Limits(max_keepalive_connections=0),
                follow_redirects=False,
                # A proxy of the environment leads away from this machine.
                mounts={f"all://{host}": None} if _LOOPBACK.fullmatch(host) else None,
            )
        except (ValueError, ImportError, OSError, self._httpx.InvalidURL) as error:
            raise unusable_environment(error) from None
        # A small compressed reply may be a huge one; in place of the caller's, however spelled.
        self._client.headers["Accept-Encoding"] = "identity"

    def __repr__(self) -> str:
        return f"HttpBackend({self.url!r}, {self.model!r})"

    @property
    def dialect(self) -> str:
        """The form of the bodies; asks the server if it was neither declared nor expected.

        Raises:
            CallFailed: the server does not answer.
        """
        if self._dialect is None and self._expected is not None:
            return self._expected
        return self._asked_dialect()

    def body(self, question: Question) -> Body:
        """See `Backend.body`.

        Raises:
            CallFailed: the dialect is not known, and the server does not answer.
        """
        return dialects.body(self.dialect, self.model, question)

    def ask(self, question: Question, body: Body) -> Reply:
        """See `Backend.ask`.

        Raises:
            CallFailed: no reply; of type `ServerUnreachable` if the server was never reached.
        """
        status, headers, content = self._exchange("POST", "/chat/completions", body)
        if not 200 <= status < 300:
            raise self._words.refusal(status, headers, content)
        try:
            return dialects.read_reply(question, self._words.document(content))
        except CallFailed as error:
            failed = self._words.failed(Failure.BAD_RESPONSE, str(error), BROKEN)
            tokens = {name: getattr(error, name, None) for name in _TOKENS}
        raise PaidInVain(str(failed), failure=Failure.BAD_RESPONSE, **tokens)

    def provenance(self) -> Provenance:
        """Nothing is known before the first reply, which names the served model."""
        return Provenance()

    def stop(self) -> None:
        """See `Remote.stop`."""
        self._deadlines.stop()

    def resume(self) -> None:
        """See `Remote.resume`."""
        self._deadlines.resume()

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    # ------------------------------------------------------------------ the dialect

    def expect(self, dialect: str) -> None:
        """See `Remote.expect`; a dialect that was declared stays."""
        if self._dialect is None and dialect in (self._plain, dialects.LLAMA_CPP):
            self._expected = dialect

    def confirm(self) -> None:
        """See `Remote.confirm`."""
        if self._expected not in (None, self._asked_dialect()):
            raise ProvenanceMismatch(
                f"{self.model} at {self.url} was asked in the dialect {self._expected}, and the "
                f"server has the dialect {self._dialect} now. Answers of both must not be mixed: "
                "record into another file, or refresh this one (mode 'refresh')"
            )

    def _asked_dialect(self) -> str:
        """The dialect that was declared, or that the server tells; it is asked once."""
        with self._detecting:
            if self._dialect is None:
                self._dialect = self._detected()
            return self._dialect

    def _detected(self) -> str:
        status, headers, content = self._exchange("GET", "/models")
        if status in (401, 403) or status in _LATER:
            raise self._words.refusal(status, headers, content)
        if not 200 <= status < 300:  # no page of models
            return self._plain
        try:
            document = self._words.document(content)
        except CallFailed:
            return self._plain
        models = document.get("data") if isinstance(document, dict) else None
        if not isinstance(models, list):
            return self._plain
        owners = [model.get("owned_by") for model in models if isinstance(model, dict)]
        return dialects.LLAMA_CPP if "llamacpp" in owners else self._plain

    # ------------------------------------------------------------------ one exchange

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
        reply = _Received()
        failed: CallFailed | None = None
        with self._deadlines.running(self._timeout) as clock:
            try:
                if not clock.expired:  # it has, once calls are stopped
                    self._receive(reply, method, path, body, clock)
            except self._httpx.InvalidURL as error:  # the url itself was checked
                raise unusable_environment(error) from None
            except self._httpx.HTTPError as error:
                failed = self._lost(error)  # raised below: an httpx error holds the headers
            if clock.expired:
                what = f"no complete reply within {self._timeout:g} s"
                cure = "pass a longer timeout, or choose a faster server"
                failed = self._words.failed(Failure.TIMEOUT, what, cure)
        failed = failed or self._unreadable(reply)
        if failed is not None and not reply.status >= 300:
            raise failed
        return reply.status, reply.headers, bytes(reply.content)

    def _receive(
        self, reply: _Received, method: str, path: str, body: Body | None, clock: Clock
    ) -> None:
        """Sends a request, and fills in the reply as it comes."""
        with self._client.stream(
            method,
            self.url + path,
            content=None if body is None else canonical(body).encode("ascii"),
            headers={"Content-Type": "application/json"},
            extensions={"trace": clock.watch},
        ) as response:
            reply.status, reply.headers = response.status_code, response.headers
            self._reached = True
            if unasked_encoding(reply.headers):
                return
            for piece in response.iter_raw():
                reply.content += piece
                if len(reply.content) > LARGEST:
                    return

    def _unreadable(self, reply: _Received) -> CallFailed | None:
        """What is wrong with a complete reply before it is read."""
        encoding = unasked_encoding(reply.headers)
        if encoding:
            what = f"a reply compressed as {encoding}, though it was asked not to be"
            cure = "switch compression off at the server, or at the proxy before it"
            return self._words.failed(Failure.BAD_RESPONSE, what, cure)
        if len(reply.content) > LARGEST:
            what = f"a reply of more than {LARGEST} bytes"
            return self._words.failed(Failure.BAD_RESPONSE, what, BROKEN)
        return None

    # ------------------------------------------------------------------ failures

    def _lost(self, error: httpx.HTTPError) -> CallFailed:
        """What an exception of httpx means."""
        what = self._words.shortened(str(error)) or type(error).__name__
        match error:
            case self._httpx.ConnectTimeout():
                what = f"no connection within {self._connect:g} s"
                return self._unconnected(Failure.TIMEOUT, what)
            case self._httpx.TimeoutException():
                what = f"the server was silent for {self._idle:g} s"
                cure = "pass a longer idle_timeout, or choose a faster server"
                return self._words.failed(Failure.TIMEOUT, what, cure)
            case self._httpx.ConnectError():
                return self._unconnected(Failure.DISCONNECTED, f"no connection: {what}")
        return self._words.failed(Failure.DISCONNECTED, f"the connection broke: {what}", BROKEN)

    def _unconnected(self, failure: Failure, what: str) -> CallFailed:
        place = urlsplit(self.url).netloc
        cure = f"is the server running at {place}, and is the url right?"
        kind = CallFailed if self._reached else ServerUnreachable
        return self._words.failed(failure, what, cure, kind=kind)


# ------------------------------------------------------------------------------------ details


def _httpx() -> ModuleType:
    try:
        import httpx
    except ImportError:
        raise MissingExtra(
            "models behind a server need httpx: pip install 'crywolf[http]'"
        ) from None
    return httpx
