"""The fingerprint of a script: another script, another number; the same one, the same in every process."""

import functools
import subprocess
import sys

import numpy as np
import pytest

from crywolf.llm_bridge.backends.fingerprint import fingerprint

TABLE = {"K": [0.5, 0.5]}


def helper(question):
    return TABLE["K"][0]


def player(question, scale=1.0):
    return {"A": helper(question) * scale}


def with_closure(value):
    return lambda question: value


class Player:
    def __init__(self, value):
        self.value = value

    def __call__(self, question):
        return self.value

    def answer(self, question):
        return [self.value]


DIFFERENT = {
    "constants": (lambda q: "A", lambda q: "B"),
    "names": (lambda q: q.player, lambda q: q.labels),
    "code": (lambda q: q + q, lambda q: q * q),
    "code inside": (lambda q: [x for x in q], lambda q: [x + 1 for x in q]),
    "closures": (with_closure(1), with_closure(2)),
    "types": (with_closure(1), with_closure(1.0)),
    "tables": (with_closure({"a": 0.1}), with_closure({"a": 0.2})),
    "sets": (with_closure({1, 2}), with_closure({1, 3})),
    "arrays": (with_closure(np.arange(5000)), with_closure(np.arange(5000) + 1)),
    "functions": (with_closure(lambda q: 1), with_closure(lambda q: 2)),
    "partials": (functools.partial(player, scale=1.0), functools.partial(player, scale=0.5)),
    "inside partials": (functools.partial(lambda q: 1), functools.partial(lambda q: 2)),
    "methods": (Player(1).answer, Player(2).answer),
    "objects": (Player(1), Player(2)),
    "cached": (functools.cache(lambda q: 1), functools.cache(lambda q: 2)),
}


@pytest.mark.parametrize(("one", "other"), DIFFERENT.values(), ids=DIFFERENT)
def test_scripts_that_differ_have_different_fingerprints(one, other):
    assert fingerprint(one) == fingerprint(one)
    assert fingerprint(one) != fingerprint(other)


def test_functions_and_data_that_a_script_uses_belong_to_it(monkeypatch):
    before = fingerprint(player)
    monkeypatch.setitem(TABLE, "K", [0.4, 0.6])
    changed = fingerprint(player)
    assert changed != before
    monkeypatch.setitem(globals(), "helper", lambda question: 1.0)
    assert fingerprint(player) not in (before, changed)
    monkeypatch.undo()
    assert fingerprint(player) == before


def test_what_differs_from_process_to_process_does_not_count():
    assert fingerprint(with_closure(object())) == fingerprint(with_closure(object()))
    assert fingerprint(with_closure(iter([1]))) == fingerprint(with_closure(iter([2])))


def test_circles_come_to_an_end():
    circle = []
    circle.append(circle)

    def ping(question):
        return pong(question) if question else circle

    def pong(question):
        return ping(question)

    assert fingerprint(ping) == fingerprint(ping)
    assert fingerprint(ping) != fingerprint(pong)


def test_a_name_that_is_not_defined_yet_is_left_out():
    def script(question):
        return later

    assert fingerprint(script)
    later = "A"
    assert script(None) == later


SCRIPT = """
from crywolf.llm_bridge.backends.fingerprint import fingerprint
TABLE = {"a": {"x", "y", "z"}, "b": (1.5, object)}
def helper(q): return {"p", "q", "r"} & TABLE["a"]
def script(q, known=frozenset("abc")): return [helper(x) for x in q if x in {"u", "v", "w"}]
print(fingerprint(script))
"""


def test_the_fingerprint_is_the_same_in_every_process(tmp_path):
    said = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in ("1", "2", "3")
    }  # fmt: skip
    assert len(said) == 1
    assert len(said.pop().strip()) == 64
