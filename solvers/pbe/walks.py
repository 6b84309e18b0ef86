"""Random walks through a set that polynomial inequalities define, in rational steps.

A walk goes from point to point along random lines (hit-and-run; R. L. Smith, Operations Research
32, 1984). A step tries points of the line on a grid and shrinks the line towards where it stands
after each that is outside (slice sampling; R. M. Neal, Annals of Statistics 31, 2003), or goes to a
bound, so that faces and corners are met, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np

from .field import Element
from .prover import Relation, Sense

_SWEEPS = 2
"""Steps from one member to the next, for each free coordinate."""
_TRIES = 12
"""Points tried on a line before the walk stays where it is."""
_REACH = Fraction(2)
"""How far a step goes at most where a symbol of the game has no bounds."""
_LONGEST = 10**12
"""The largest denominator that a step may bring."""

Point = list[Fraction]
Clause = tuple[Relation, ...]
"""Relations, polynomials compared with 0, one of which must hold."""


class Polynomial:
    """A polynomial over the rationals, to be evaluated often.

    Args:
        polynomial: of SymPy's ring.
    """

    def __init__(self, polynomial: Any):
        self._terms = [
            (
                Fraction(int(c.numerator), int(c.denominator)),
                tuple(place for place, k in enumerate(powers) for _ in range(k)),
            )
            for powers, c in polynomial.terms()
        ]
        self.places = {place for _, places in self._terms for place in places}

    def at(self, point: Sequence[Fraction]) -> Fraction:
        """Its value."""
        total = Fraction(0)
        for coefficient, places in self._terms:
            for place in places:
                coefficient *= point[place]
            total += coefficient
        return total


class Ratio:
    """A rational function, to be evaluated often.

    Args:
        element: of an `ExactField` with symbols.
    """

    def __init__(self, element: Element):
        self._top, self._bottom = Polynomial(element.numer), Polynomial(element.denom)

    def at(self, point: Sequence[Fraction]) -> Fraction:
        """Its value."""
        return self._top.at(point) / self._bottom.at(point)


class Constraint:
    """A clause, to be tested often."""

    def __init__(self, clause: Clause):
        self.atoms: list[tuple[Polynomial, Sense]] = [
            (Polynomial(element.numer), sense) for element, sense in clause
        ]
        self.places = set[int]().union(*(polynomial.places for polynomial, _ in self.atoms))

    def holds(self, point: Sequence[Fraction]) -> bool:
        """Whether it holds at a point."""
        return any(compare(polynomial.at(point), sense) for polynomial, sense in self.atoms)


@dataclass(frozen=True)
class Chart:
    """A part of the parameter space.

    Attributes:
        free: the coordinates that are free, by their places among the field's symbols.
        dependent: the others as functions of the free ones.
        constraints: what the free ones must satisfy.
        bounded: the places of probabilities.
        starts: points inside.
    """

    free: tuple[int, ...]
    dependent: Mapping[int, Ratio]
    constraints: tuple[Constraint, ...]
    bounded: frozenset[int]
    starts: tuple[Point, ...]

    def completed(self, point: Point) -> Point:
        """The point with its dependent coordinates."""
        full = list(point)
        for place, ratio in self.dependent.items():
            full[place] = ratio.at(point)
        return full

    def walk(self, point: Point, rng: np.random.Generator) -> Point:
        """A point some steps further."""
        for _ in range(_SWEEPS * len(self.free)):
            point = self._step(point, rng)
        return point

    def _step(self, point: Point, rng: np.random.Generator) -> Point:
        pivot = self.free[rng.integers(len(self.free))]
        direction = dict.fromkeys(self.free, 0)
        if rng.random() < 0.25:  # not along an axis
            direction = {place: int(rng.integers(-1, 2)) for place in self.free}
        direction[pivot] = 1
        concerned = [c for c in self.constraints if any(direction[place] for place in c.places)]

        def moved(value: Fraction) -> Point:
            by, new = value - point[pivot], list(point)
            for place, slope in direction.items():
                new[place] += slope * by
            return new

        def holds(value: Fraction) -> bool:
            new = moved(value)
            short = all(x.denominator <= _LONGEST for x in new)
            return short and all(constraint.holds(new) for constraint in concerned)

        if rng.random() < 0.25:
            ends = [end for end in _ends(point, pivot, moved, concerned) if holds(end)]
            if ends:
                return moved(ends[rng.integers(len(ends))])
        drawn = draw(point[pivot], pivot in self.bounded, holds, rng)
        return point if drawn is None else moved(drawn)


def compare(value: Fraction, sense: Sense) -> bool:
    """Whether ``value sense 0``."""
    if sense == ">=":
        return value >= 0
    if sense == ">":
        return value > 0
    return (value == 0) == (sense == "==")


def _ends(
    point: Point, pivot: int, moved: Callable[[Fraction], Point], constraints: Sequence[Constraint]
) -> Iterator[Fraction]:
    """Where conditions that are linear along a line hold with equality."""
    here, further = point[pivot], moved(point[pivot] + 1)
    for constraint in constraints:
        for polynomial, _ in constraint.atoms:
            value = polynomial.at(point)
            slope = polynomial.at(further) - value
            if slope:
                end = here - value / slope
                if not polynomial.at(moved(end)):
                    yield end


def draw(
    value: Fraction, bounded: bool, holds: Callable[[Fraction], bool], rng: np.random.Generator
) -> Fraction | None:
    """A random number with a small denominator that holds, None if it is not found soon.

    Args:
        value: one that holds; what is tried comes nearer and nearer to it.
        bounded: whether it is a probability.
        holds: whether a number will do.
        rng: random numbers.
    """
    low, high = (Fraction(0), Fraction(1)) if bounded else (value - _REACH, value + _REACH)
    for _ in range(_TRIES):
        if low >= high:
            return None
        scale = 12 if rng.random() < 0.5 else int(rng.integers(12, 1000))
        while (high - low) * scale < 8:
            scale *= 2
        candidate = Fraction(int(rng.integers(ceil(low * scale), floor(high * scale) + 1)), scale)
        if holds(candidate):
            return candidate
        if candidate < value:
            low = candidate
        else:
            high = candidate
    return None
