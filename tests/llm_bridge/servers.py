"""A real HTTP server on loopback that misbehaves on command."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self, TypeAlias


class Handler(BaseHTTPRequestHandler):
    """Answers as the `Misbehaving` server says."""

    protocol_version = "HTTP/1.1"
    misbehaving: Misbehaving

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        self.misbehaving.gets += 1
        self.misbehaving.models(self)

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        with suppress(OSError):  # the client has gone
            self.misbehaving.next_behaviour(content, dict(self.headers))(self)

    def respond(
        self,
        content: bytes,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        length: int | None = None,
    ) -> None:
        """Sends a response; `length` is what it claims to have, if not what it has."""
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content) if length is None else length))
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()


Behaviour: TypeAlias = Callable[[Handler], None]


class Misbehaving:
    """The server, as a context manager: request number i meets with behaviour number i.

    The last behaviour stays. Requests are kept, as they came.
    """

    def __init__(self, *behaviours: Behaviour, models: Behaviour | None = None):
        self.behaviours = behaviours
        self.models = models or status(404)
        self.bodies: list[bytes] = []
        self.headers: list[dict[str, str]] = []
        self.gets = 0
        self.over = threading.Event()
        self._lock = threading.Lock()
        handler = type("BoundHandler", (Handler,), {"misbehaving": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def next_behaviour(self, content: bytes, headers: dict[str, str]) -> Behaviour:
        with self._lock:
            self.bodies.append(content)
            self.headers.append(headers)
            return self.behaviours[min(len(self.bodies), len(self.behaviours)) - 1]

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.over.set()  # hanging requests end
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


# ------------------------------------------------------------------------------------ behaviours


def completion(text: str | None = "A", finish: str = "stop", **fields: Any) -> dict[str, Any]:
    """A chat completion; `fields` are set in the message, the choice or the document."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    choice: dict[str, Any] = {"index": 0, "finish_reason": finish, "message": message}
    document: dict[str, Any] = {
        "object": "chat.completion",
        "model": "served-model",
        "system_fingerprint": "fp_1",
        "choices": [choice],
        "usage": {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9},
    }
    for name, value in fields.items():
        place = {"refusal": message, "reasoning_content": message, "logprobs": choice}
        place.get(name, document)[name] = value
    return document


def listed(*pairs: tuple[str, float]) -> dict[str, Any]:
    """The ``logprobs`` of a choice, with these tokens and logarithms at the first place."""
    top = [{"token": token, "logprob": logprob} for token, logprob in pairs]
    return {"content": [{"token": "A", "logprob": -1.0, "top_logprobs": top}]}


def ok(text: str | None = "A", finish: str = "stop", **fields: Any) -> Behaviour:
    return document(completion(text, finish, **fields))


def document(content: Any) -> Behaviour:
    return raw(json.dumps(content).encode())


def raw(content: bytes, code: int = 200, **headers: str) -> Behaviour:
    """Any bytes; ``content_encoding="gzip"`` becomes the header ``content-encoding: gzip``."""
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler: handler.respond(content, code, fields)


def status(code: int, message: str | None = None, **headers: str) -> Behaviour:
    """An error; ``retry_after="2"`` becomes the header ``retry-after: 2``."""
    content = b"" if message is None else json.dumps({"error": {"message": message}}).encode()
    return raw(content, code, **headers)


def hang(handler: Handler) -> None:
    """Accepts the request and says nothing."""
    handler.misbehaving.over.wait(10)


def drip(handler: Handler) -> None:
    """Sends a body that never ends, busily."""
    handler.respond(b"", length=10**9)
    _drop_by_drop(handler, b" ")


def drip_headers(handler: Handler) -> None:
    """Sends informational responses that never end, busily."""
    _drop_by_drop(handler, b"HTTP/1.1 102 Processing\r\n\r\n")


def _drop_by_drop(handler: Handler, drop: bytes) -> None:
    while not handler.misbehaving.over.wait(0.02):
        handler.wfile.write(drop)
        handler.wfile.flush()


def close_in_the_middle(handler: Handler) -> None:
    """Closes the connection after half of a body."""
    handler.respond(b'{"choices": [', length=1000)
    handler.close_connection = True


def close_at_once(handler: Handler) -> None:
    """Closes the connection without a word."""
    handler.close_connection = True


def reset(handler: Handler) -> None:
    """Resets the connection, as a crashing server does."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.close_connection = True


def no_http(handler: Handler) -> None:
    """Speaks another protocol."""
    handler.wfile.write(b"SSH-2.0-OpenSSH_9.6\r\n\r\n")
    handler.close_connection = True


def huge(size: int) -> Behaviour:
    """Sends so many bytes of white space before a completion."""

    def behaviour(handler: Handler) -> None:
        handler.respond(b" " * size + json.dumps(completion()).encode())

    return behaviour


@contextmanager
def closed_url() -> Iterator[str]:
    """A url at which nobody listens, and nobody else can begin to."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))  # bound but not listening: connections are refused
        yield f"http://127.0.0.1:{bound.getsockname()[1]}/v1"
