"""The equilibria that a method of Gambit finds, in a process that can be stopped.

``python -m benchmarks.gambit_points METHOD < game.efg`` prints JSON: seconds, and points as lists
of numbers for each player's information sets in turn (null where a strategy leaves one open).
"""

from __future__ import annotations

import io
import json
import math
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

METHODS = ("enumpure", "enumpoly", "liap", "logit")
STARTS = 3
"""Starting points of liap: the centre, and random ones."""

Mix = list[float] | None


@dataclass(frozen=True)
class Found:
    """What a method found.

    Attributes:
        failure: why there are no points: the time was up, or Gambit's own words; else empty.
        seconds: time taken without reading the game.
        points: for each equilibrium the mixes at the information sets, in Gambit's order.
    """

    failure: str
    seconds: float
    points: list[list[Mix]]


def find(efg: str, method: str, time_limit: float) -> Found:
    """Runs a method in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.gambit_points", method]
    try:
        done = subprocess.run(
            command, input=efg, capture_output=True, text=True, timeout=time_limit, check=False
        )
    except subprocess.TimeoutExpired:
        return Found(f"no answer in {time_limit:g} s", time_limit, [])
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        return Found(f"failed: {''.join(last)}", 0.0, [])
    said = json.loads(done.stdout)
    return Found("", said["seconds"], said["points"])


def _points(game: Any, method: str) -> Iterable[Any]:
    import pygambit  # type: ignore[import-not-found]

    if method == "liap":
        return _minima(game)
    return getattr(pygambit.nash, f"{method}_solve")(game).equilibria


def _minima(game: Any) -> Iterator[Any]:
    import pygambit  # type: ignore[import-not-found]

    for seed in range(STARTS):
        start = game.mixed_strategy_profile()
        if seed:
            start = game.random_strategy_profile(gen=np.random.default_rng(seed))
        yield from pygambit.nash.liap_solve(start).equilibria


def _mixes(game: Any, profile: Any) -> Iterator[Mix]:
    behaviour = profile.as_behavior() if hasattr(profile, "as_behavior") else profile
    for player in game.players:
        for infoset in player.infosets:
            mix = [float(behaviour[action]) for action in infoset.actions]
            yield mix if math.isclose(sum(mix), 1.0, rel_tol=1e-3) else None


def main(method: str) -> None:
    import pygambit  # type: ignore[import-not-found]

    game = pygambit.read_efg(io.StringIO(sys.stdin.read()))
    began = time.perf_counter()
    profiles = list(_points(game, method))
    seconds = time.perf_counter() - began
    points: list[list[Mix]] = []
    for profile in profiles:
        point = list(_mixes(game, profile))
        if point not in points:
            points.append(point)
    print(json.dumps({"seconds": seconds, "points": points}))


if __name__ == "__main__":
    main(sys.argv[1])
