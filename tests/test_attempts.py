"""``crywolf nashconv --attempts``: how often a call is made that a server does not answer."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from typer.testing import CliRunner

from crywolf.cli import app


@pytest.fixture
def failing() -> Iterator[tuple[str, list[str]]]:
    """The address of a server that is never able to answer, and the requests that it had."""
    requests: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requests.append(self.path)
            self.send_response(503)
            self.send_header("Retry-After", "0")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *arguments: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"llm:http://127.0.0.1:{server.server_port}/v1#m", requests
    server.shutdown()
    thread.join()
    server.server_close()


def run(policy: str, *options: object) -> str:
    arguments = ["nashconv", "kuhn_poker", "--policy", policy, *map(str, options)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2, result.output
    return " ".join(result.stderr.split())


@pytest.mark.parametrize("attempts", [1, 3])
def test_a_call_is_given_up_after_so_many(failing: tuple[str, list[str]], attempts: int):
    policy, requests = failing
    text = run(policy, "--elicitation", "samples:2", "--attempts", attempts)
    assert f"gave up after {attempts} attempt" in text
    assert len(requests) == attempts


@pytest.mark.parametrize("policy", ["llm:local", "llm:replay:calls.sqlite"])
def test_attempts_of_no_server_are_refused(policy: str):
    assert run(policy, "--attempts", 3).startswith("error: --attempts: of no use")


def test_attempts_are_at_least_one():
    assert "--attempts" in run("llm:http://127.0.0.1:1/v1#m", "--attempts", 0)
