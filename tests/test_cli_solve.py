"""The commands `solve` and `correlate`: their options, and runs that are killed and go on."""

import json
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from crywolf.solvers.profile import Profile
from crywolf.solvers.tree import compile_tree

from .test_cli import crywolf, refused


def words(text: str) -> str:
    return " ".join(text.split())


def test_a_target_that_qre_misses_says_what_helps():
    text = words(crywolf("solve", "kuhn_poker", "--algorithm", "qre", "--target", 1e-30, status=1))
    missed = text[text.index("NashConv is not down to 1e-30") :]
    assert "--iterations" not in missed
    assert "larger --target" in missed
    assert "--algorithm lemke" in missed
    refused("solve", "kuhn_poker", "--algorithm", "qre", "--iterations", 5)  # so it would not help
    three = ("solve", "kuhn_poker(players=3)", "--algorithm", "qre", "--target", 1e-30)
    assert "--algorithm cfr+" in words(crywolf(*three, status=1))


def test_json_without_a_target_says_nothing_of_one():
    solve = ("solve", "kuhn_poker", "--iterations", 8, "--json")
    document = json.loads(crywolf(*solve))
    assert document["target"] is document["reached"] is None
    document = json.loads(crywolf(*solve, "--target", 10))
    assert document["reached"] is True
    document = json.loads(crywolf(*solve, "--target", 1e-9, status=1))
    assert document["reached"] is False


def test_seconds_are_told_apart_from_those_of_compiling():
    document = json.loads(crywolf("solve", "kuhn_poker", "--iterations", 8, "--json"))
    assert document["seconds"] > 0.0 <= document["compile_seconds"]
    document = json.loads(crywolf("correlate", "kuhn_poker", "--json"))
    assert document["seconds"] > 0.0 <= document["compile_seconds"]


def test_solve_in_float32():
    solve = ("solve", "kuhn_poker", "--iterations", 100, "--json")
    short, long = (json.loads(crywolf(*solve, "--dtype", d)) for d in ("float32", "float64"))
    assert long["nash_conv"] == json.loads(crywolf(*solve))["nash_conv"] != short["nash_conv"]
    assert short["nash_conv"] == pytest.approx(long["nash_conv"], abs=1e-5)
    assert "'xfp' has no --dtype" in refused(*solve, "--algorithm", "xfp", "--dtype", "float32")


def test_the_policy_of_a_merged_tree_is_one_of_the_game(tmp_path: Path):
    out, file = tmp_path / "policy.npz", tmp_path / "run.npz"
    solve = ("solve", "onuw", "--iterations", 40, "--json")
    merged = json.loads(crywolf(*solve, "--merge", "--out", out, "--checkpoint", file))
    scored = json.loads(crywolf("nashconv", "onuw", "--policy", out, "--json"))
    assert scored["nash_conv"] == pytest.approx(merged["nash_conv"], abs=1e-12)
    assert merged["nash_conv"] == pytest.approx(json.loads(crywolf(*solve))["nash_conv"], abs=1e-9)
    assert "leave out --merge as before" in refused(*solve, "--checkpoint", file)


def test_checkpoints_at_other_times(tmp_path: Path):
    file = tmp_path / "run.npz"
    solve = ("solve", "kuhn_poker", "--iterations", 100, "--json", "--checkpoint-every")
    parts = json.loads(crywolf(*solve, 0, "--checkpoint", file))
    assert file.exists()
    assert parts["values"] == json.loads(crywolf(*solve[:-1]))["values"]
    assert "--checkpoint-every 5.0 needs a file: give --checkpoint FILE" in refused(*solve, 5)
    assert "--checkpoint-every is for one run" in refused(*solve, 5, "--starts", 2)
    direct = ("solve", "kuhn_poker", "--algorithm", "lp", "--checkpoint-every", 5)
    assert "--checkpoint-every does not go with 'lp'" in refused(*direct)


@pytest.mark.slow
def test_a_killed_command_goes_on_bit_for_bit(tmp_path: Path):
    """Killed as by a power cut, at moments that nothing in the program chooses."""
    file, out, whole = (tmp_path / name for name in ("run.npz", "parts.npz", "whole.npz"))
    command = [sys.executable, "-m", "crywolf", "solve", "liars_dice", "--iterations", "3000"]
    resumed = [*command, "--checkpoint", str(file), "--checkpoint-every", "0", "--out", str(out)]
    killed = 0
    for _ in range(6):
        seen = file.stat().st_mtime_ns if file.exists() else None
        process = subprocess.Popen(resumed, stdout=subprocess.DEVNULL)
        while process.poll() is None:  # until this process, too, has written a checkpoint
            if file.exists() and file.stat().st_mtime_ns != seen:
                break
            time.sleep(0.001)
        time.sleep(random.uniform(0.0, 0.1))
        process.kill()
        killed += process.wait() == -signal.SIGKILL
        if out.exists():
            break
    assert killed
    subprocess.run(resumed, check=True, capture_output=True)
    subprocess.run([*command, "--out", str(whole)], check=True, capture_output=True)
    tree = compile_tree("liars_dice")
    parts = Profile.load(out, tree)
    assert parts.probabilities.tobytes() == Profile.load(whole, tree).probabilities.tobytes()


# -------------------------------------------------------------------------------------- correlate


def test_a_correlated_equilibrium_in_too_little_time():
    correlate = ("correlate", "kuhn_poker", "--time-limit")
    assert "out of time; give it more with --time-limit" in refused(*correlate, 1e-9)
    assert "--time-limit 0.0: give seconds" in refused(*correlate, 0)
    text = refused("correlate", "leduc_poker", "--time-limit", 1)  # half a minute on a fast machine
    assert re.search(r"out of time.*; give it more with --time-limit", text)


def test_a_correlated_equilibrium_in_too_many_variables():
    text = refused("correlate", "kuhn_poker", "--max-combinations", 20)
    assert "more than 20; pass a larger --max-combinations" in text


def test_values_that_an_option_does_not_take_are_refused_in_one_line():
    for arguments, said in (
        (("correlate", "kuhn_poker", "--kind", "foo"), "'--kind': 'foo' is not one of 'efce'"),
        (("solve", "kuhn_poker", "--iterate", "foo"), "'--iterate': 'foo' is not one of"),
        (("solve", "kuhn_poker", "--iterations", 0), "'--iterations': it should be greater"),
        (("nashconv", "kuhn_poker"), "Missing option '--policy'"),
    ):
        text = refused(*arguments)
        assert text.startswith(f"error: {said}")
        assert text.count("\n") == 1
        assert f"{arguments[0]} --help" in text


# ------------------------------------------------------------------------------ what goes where


def test_what_a_policy_prints_is_no_result(tmp_path: Path):
    (tmp_path / "chatty.py").write_text(
        "print('imported')\n"
        "from open_spiel.python.policy import UniformRandomPolicy\n"
        "class Chatty(UniformRandomPolicy):\n"
        "    def action_probabilities(self, state, player_id=None):\n"
        "        print('asked')\n"
        "        return super().action_probabilities(state, player_id)\n"
        "def make(game):\n"
        "    print('made')\n"
        "    return Chatty(game)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "crywolf", "nashconv", "kuhn_poker", "--policy", "chatty:make", "--json"],
        capture_output=True, text=True, cwd=tmp_path, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout)["nash_conv"] == pytest.approx(11 / 12)
    assert {"imported", "made", "asked"} == set(done.stderr.split())


def on_a_terminal(*arguments: str) -> str:
    """What a command writes on a terminal that is its standard error."""
    ours, its = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "crywolf", *arguments],
        stderr=its, stdout=subprocess.DEVNULL, env={**os.environ, "TERM": "xterm", "COLUMNS": "150"},
    )  # fmt: skip
    os.close(its)
    written = b""
    try:
        while select.select([ours], [], [], 60)[0]:
            piece = os.read(ours, 1 << 16)
            if not piece:
                break
            written += piece
    except OSError:  # how Linux ends it
        pass
    finally:
        os.close(ours)
        process.wait()
    return written.decode()


def test_every_step_that_may_take_long_is_shown(tmp_path: Path):
    tree = tmp_path / "kuhn.tree"
    crywolf("convert", "kuhn_poker", tree)
    text = on_a_terminal("solve", str(tree), "--iterations", "10", "--merge")
    for step in ("reading", "merging copies", "cfr+", "sequence form"):
        assert step in text
    text = on_a_terminal("correlate", "kuhn_poker")
    for step in ("compiling", "combinations of sequences", "linear program for 97", "joint plans"):
        assert step in text
