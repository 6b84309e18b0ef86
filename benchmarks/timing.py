"""Best-of-k timing, interleaved: what is compared runs in turn, under the same load."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Job:
    """Something to time.

    Attributes:
        work: does it once.
        repeat: how often to do it per sample, so that short jobs outlast the clock's grain.
    """

    work: Callable[[], object]
    repeat: int = 1


def best_times(jobs: Mapping[str, Job], rounds: int) -> dict[str, float]:
    """The shortest time of each job in seconds; every round runs each job once."""
    best = dict.fromkeys(jobs, float("inf"))
    for job in jobs.values():
        job.work()  # compiles kernels, fills caches
    for _ in range(rounds):
        for name, job in jobs.items():
            started = time.perf_counter()
            for _ in range(job.repeat):
                job.work()
            best[name] = min(best[name], (time.perf_counter() - started) / job.repeat)
    return best
