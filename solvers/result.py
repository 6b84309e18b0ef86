"""What `solve` returns: a profile, how it was found, and what can be promised of it."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from .best_response import evaluate
from .profile import Profile


@dataclass(frozen=True)
class SolveResult:
    """The outcome of `solve`.

    Attributes:
        profile: what was found: the profile after the last iteration.
        algorithm: the algorithm's name.
        iterations: how many iterations were run, or steps of a direct algorithm.
        history: (iteration, NashConv of the profile) at each checkpoint, in utilities.
        iterate: whether profiles are ``average`` or ``last`` iterates.
        promise: what the algorithm itself says of its profile, or of its lack of one; may be empty.
        solution: the result of a direct algorithm in its own terms, such as a `ZeroSumSolution`;
            None for iterative ones.
        seconds: time spent in the algorithm, not part of equality.
        compile_seconds: besides, time that numba took to compile its kernels or to load them; see
            `stopwatch`.
    """

    profile: Profile
    algorithm: str
    iterations: int
    history: tuple[tuple[int, float], ...]
    iterate: str = "average"
    promise: str = ""
    solution: Any = field(compare=False, default=None)
    seconds: float = field(compare=False, default=0.0)
    compile_seconds: float = field(compare=False, default=0.0)

    @property
    def nash_conv(self) -> float:
        """NashConv of ``profile``."""
        return self.history[-1][1]

    @property
    def unit(self) -> str:
        """What ``iterations`` counts."""
        return "iterations" if self.solution is None else "steps"

    @property
    def exact_values(self) -> tuple[Fraction, ...] | None:
        """The payoffs of an equilibrium that was found exactly; None if there is none."""
        values = getattr(self.solution, "values", ())
        return tuple(values) if values and isinstance(values[0], Fraction) else None

    @property
    def values(self) -> tuple[Fraction, ...] | tuple[float, ...]:
        """Each player's expected payoff, in utilities; exact where it is known exactly."""
        return self.exact_values or tuple(evaluate(self.profile).values.tolist())

    @property
    def note(self) -> str:
        """What can be promised of the profile besides its NashConv; empty if all is well."""
        if self.solution is not None:
            return self.promise
        tree = self.profile.tree
        if tree.num_players == 2 and tree.is_constant_sum:
            return "" if self.iterate == "average" else "the last iterate need not converge"
        return (
            f"heuristic: {tree.name} is no two-player zero-sum game, so NashConv need not approach "
            "0, and a small one tells of one equilibrium among possibly many"
        )

    def __repr__(self) -> str:
        return (
            f"SolveResult({self.profile.tree.name}, {self.algorithm}: "
            f"NashConv {self.nash_conv:.6g} after {self.iterations:,} {self.unit}, "
            f"{self.seconds:.3g} s)"
        )

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{t:,}</td><td>{x:.6g}</td></tr>" for t, x in self.history)
        note = f"<p>{html.escape(self.note)}</p>" if self.note else ""
        return (
            f"<table><caption>{html.escape(repr(self))}</caption><thead><tr><th>Iteration</th>"
            f"<th>NashConv</th></tr></thead><tbody>{rows}</tbody></table>{note}"
        )
