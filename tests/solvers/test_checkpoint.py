"""Checkpoints: interrupted runs go on bit for bit, and foreign or damaged files are refused."""

import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from crywolf.games.errors import CheckpointError, ParameterError
from crywolf.solvers import ALGORITHMS, CFRPlus, UpdateRule, solve
from crywolf.solvers.checkpoint import KIND, fingerprint, load_checkpoint, save_checkpoint
from crywolf.solvers.regret import MINIMISERS

RUN = """
import sys, time
from crywolf.solvers import solve
import crywolf.solvers.solve
module = sys.modules["crywolf.solvers.solve"]
module.SAVED_EVERY = 0.0
path, algorithm = sys.argv[1:]
def tick(iteration):
    print(iteration, flush=True)
    time.sleep(0.005)
solve("leduc_poker", algorithm, 3000, checkpoint=path, tick=tick)
"""


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_run_in_parts_is_the_same_bit_for_bit(tree_of, tmp_path, algorithm):
    tree, path = tree_of("kuhn_poker(players=3)"), tmp_path / "run.npz"
    whole = solve(tree, algorithm, 200)
    for stop in (1, 17, 64, 64, 200):
        parts = solve(tree, algorithm, stop, checkpoint=path)
    assert parts.profile == whole.profile
    assert parts.history[-1] == whole.history[-1]
    assert set(whole.history) <= set(parts.history)


@pytest.mark.parametrize("algorithm", ["cfr+", "pcfr+"])
def test_a_killed_run_goes_on_bit_for_bit(tree_of, tmp_path, algorithm):
    path = tmp_path / "run.npz"
    for _ in range(2):
        process = subprocess.Popen(
            [sys.executable, "-c", RUN, str(path), algorithm], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        for _ in range(3):  # by the third look at the clock, something has been saved
            process.stdout.readline()
        time.sleep(random.uniform(0.0, 0.05))
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert process.returncode == -signal.SIGKILL
    solver, _ = load_checkpoint(path, tree_of("leduc_poker"), ALGORITHMS)
    assert 0 < solver.iteration < 3000
    resumed = solve(tree_of("leduc_poker"), algorithm, 3000, checkpoint=path)
    whole = solve(tree_of("leduc_poker"), algorithm, 3000)
    assert resumed.profile == whole.profile
    assert resumed.history == whole.history


def test_an_interrupt_says_what_is_kept(kuhn, tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules["crywolf.solvers.solve"], "SAVED_EVERY", 0.0)
    path = tmp_path / "run.npz"

    def tick(iteration):
        if iteration >= 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as interrupt:
        solve(kuhn, iterations=100, checkpoint=path, tick=tick)
    assert f"{path} is at iteration" in interrupt.value.__notes__[0]
    assert solve(kuhn, iterations=100, checkpoint=path) == solve(kuhn, iterations=100)
    with pytest.raises(KeyboardInterrupt) as interrupt:
        solve(kuhn, iterations=100, tick=tick)
    assert not hasattr(interrupt.value, "__notes__")


def test_an_interrupted_save_leaves_the_old_file(kuhn, tmp_path, monkeypatch):
    path, solver = tmp_path / "run.npz", CFRPlus(kuhn)
    solver.run(5)
    save_checkpoint(solver, path)
    before = path.read_bytes()
    solver.run(5)

    def full(*_):
        raise OSError("no space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CheckpointError, match="no space left"):
        save_checkpoint(solver, path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_damaged_files_are_refused(kuhn, tmp_path):
    path, solver = tmp_path / "run.npz", CFRPlus(kuhn)
    solver.run(5)
    save_checkpoint(solver, path)
    content = path.read_bytes()
    for size in range(0, len(content), 97):
        path.write_bytes(content[:size])
        with pytest.raises(CheckpointError, match=str(path)):
            load_checkpoint(path, kuhn, ALGORITHMS)
    rng = np.random.default_rng(0)
    for place in rng.integers(0, len(content), 200).tolist():
        flipped = bytearray(content)
        flipped[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(flipped)
        try:  # the archive holds bytes that nothing reads
            again, _ = load_checkpoint(path, kuhn, ALGORITHMS)
        except CheckpointError:
            continue
        assert again.average_profile() == solver.average_profile()


def test_foreign_files_are_refused(kuhn, tree_of, tmp_path):
    path, solver = tmp_path / "run.npz", CFRPlus(kuhn)
    save_checkpoint(solver, path)
    with pytest.raises(CheckpointError, match="not of leduc_poker"):
        load_checkpoint(path, tree_of("leduc_poker"), ALGORITHMS)
    with pytest.raises(CheckpointError, match="of cfr"):
        solve(kuhn, "cfr", 10, checkpoint=path)
    with pytest.raises(CheckpointError, match="same options"):
        solve(kuhn, "cfr+", 10, checkpoint=path, alternating=False)
    with pytest.raises(CheckpointError, match="unknown algorithm"):
        load_checkpoint(path, kuhn, {})
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        load_checkpoint(tmp_path / "none.npz", kuhn, ALGORITHMS)
    solver.run(20)
    save_checkpoint(solver, path)
    with pytest.raises(CheckpointError, match="ask for more"):
        solve(kuhn, "cfr+", 10, checkpoint=path)
    profile = tmp_path / "policy.npz"
    solver.average_profile().save(profile)
    with pytest.raises(CheckpointError, match="no checkpoint of crywolf"):
        load_checkpoint(profile, kuhn, ALGORITHMS)
    for facts, said in (({}, "lacks parts"), ({"tree": fingerprint(kuhn)}, "lacks parts")):
        KIND.write(path, facts, {})
        with pytest.raises(CheckpointError, match=said):
            load_checkpoint(path, kuhn, ALGORITHMS)


def test_arrays_that_do_not_fit_are_refused(kuhn, tmp_path):
    path, solver = tmp_path / "run.npz", CFRPlus(kuhn)
    save_checkpoint(solver, path)
    facts, arrays = KIND.read(path)
    KIND.write(path, facts, {**arrays, "plan": arrays["plan"][:-1]})
    with pytest.raises(CheckpointError, match="plan is float64"):
        load_checkpoint(path, kuhn, ALGORITHMS)
    del arrays["plan"]
    KIND.write(path, facts, arrays)
    with pytest.raises(CheckpointError, match="instead of"):
        load_checkpoint(path, kuhn, ALGORITHMS)


@pytest.mark.parametrize("kind", MINIMISERS.values(), ids=list(MINIMISERS))
def test_settings_survive(kuhn, tmp_path, kind):
    path = tmp_path / "run.npz"
    solver = kind(kuhn, alternating=False)
    save_checkpoint(solver, path, [(1, 0.5)])
    again, history = load_checkpoint(path, kuhn, ALGORITHMS)
    assert type(again) is kind
    assert (again.rule, again.alternating, history) == (solver.rule, False, [(1, 0.5)])


def test_rules_of_ones_own_survive(kuhn, tmp_path):
    path, rule = tmp_path / "run.npz", UpdateRule(alpha=1.25, beta=-0.5, gamma=3.0)
    solve(kuhn, "dcfr", 10, checkpoint=path, rule=rule)
    again, _ = load_checkpoint(path, kuhn, ALGORITHMS)
    assert again.rule == rule


def test_solvers_without_checkpoints_say_so(kuhn, tmp_path, monkeypatch):
    class Mine:
        name, tree, iteration = "mine", kuhn, 0

    monkeypatch.setitem(ALGORITHMS, "mine", lambda tree: Mine())
    with pytest.raises(ParameterError, match="keeps no checkpoints"):
        solve(kuhn, "mine", 5, checkpoint=tmp_path / "run.npz")
