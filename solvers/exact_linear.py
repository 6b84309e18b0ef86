"""Sparse linear equations in rational arithmetic, by p-adic lifting.

The matrix is eliminated once, modulo a prime; after that, each solution modulo the prime gives one
more p-adic digit of the exact one. (J. Dixon, "Exact solution of linear equations using p-adic
expansions", Numerische Mathematik 40, 1982. W. Cook and D. Steffy, "Solving very sparse rational
systems of equations", ACM Transactions on Mathematical Software 37, 2011, for the bases of linear
programs.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import isqrt
from typing import NamedTuple, TypeAlias

Vector: TypeAlias = dict[int, int]
"""A sparse vector of integers."""
Matrix: TypeAlias = dict[int, Vector]
"""A sparse matrix of integers, by rows."""

PRIMES = (2**61 - 1, 2**89 - 1, 2**107 - 1, 2**127 - 1)
"""Moduli; the next one is taken where a determinant is 0 modulo the one before."""


class Step(NamedTuple):
    """One pivot of an elimination, modulo a prime.

    Attributes:
        row: of the pivot.
        column: of the pivot.
        inverse: of the pivot.
        right: the rest of the pivot's row at that time.
        below: (row, multiple) of what was subtracted from other rows.
    """

    row: int
    column: int
    inverse: int
    right: Vector
    below: list[tuple[int, int]]


@dataclass(frozen=True)
class Factors:
    """Elimination of a sparse matrix M modulo a prime: solves ``M z = b``, or ``-M' w = b``.

    Attributes:
        prime: the modulus.
        steps: the pivots, in order.
        transpose: whether it solves the second kind of system.
    """

    prime: int
    steps: list[Step]
    transpose: bool = False

    @classmethod
    def of(
        cls, matrix: Matrix, groups: Iterable[list[int]], rank: Mapping[int, int], prime: int
    ) -> Factors:
        """Eliminates with few fill-ins: the shortest row first, in it the shortest column.

        Args:
            matrix: M.
            groups: its rows; all of a group come before those of the next. Rows that depend on
                earlier ones have no pivot.
            rank: of columns, by default 0: those of lower rank are pivots before others.
            prime: the modulus.
        """
        rows = {i: {j: v % prime for j, v in row.items() if v % prime} for i, row in matrix.items()}
        places: dict[int, set[int]] = {}
        for i, row in rows.items():
            for j in row:
                places.setdefault(j, set()).add(i)
        steps = []
        for group in groups:
            left = set(group)
            queue = [(len(rows[i]), i) for i in group]
            heapify(queue)
            while queue:
                length, i = heappop(queue)
                if i not in left or length != len(rows[i]):
                    continue  # an entry from before the row changed
                left.remove(i)
                row = rows.pop(i)
                if not row:
                    continue
                pivot = min(row, key=lambda j: (rank.get(j, 0), len(places[j])))
                for j in row:
                    places[j].remove(i)
                inverse = pow(row.pop(pivot), -1, prime)
                below = []
                for k in places.pop(pivot):
                    target = rows[k]
                    multiple = target.pop(pivot) * inverse % prime
                    below.append((k, multiple))
                    for j, v in row.items():
                        new = (target.get(j, 0) - multiple * v) % prime
                        if new:
                            target[j] = new
                            places[j].add(k)
                        elif j in target:
                            del target[j]
                            places[j].remove(k)
                    if k in left:
                        heappush(queue, (len(target), k))
                steps.append(Step(i, pivot, inverse, row, below))
        return cls(prime, steps)

    @property
    def dual(self) -> Factors:
        """For the other kind of system."""
        return Factors(self.prime, self.steps, not self.transpose)

    def solve(self, b: Vector) -> Vector:
        """The solution modulo the prime."""
        return self._solve_transpose(b) if self.transpose else self._solve(b)

    def _solve(self, b: Vector) -> Vector:
        b = dict(b)
        for i, _, _, _, below in self.steps:
            if value := b.get(i, 0):
                for k, multiple in below:
                    b[k] = (b.get(k, 0) - multiple * value) % self.prime
        z: Vector = {}
        for i, j, inverse, right, _ in reversed(self.steps):
            z[j] = (b.get(i, 0) - dot(right, z)) * inverse % self.prime
        return z

    def _solve_transpose(self, b: Vector) -> Vector:
        b = {j: -v for j, v in b.items()}
        w: Vector = {}
        for i, j, inverse, right, _ in self.steps:
            w[i] = value = b.get(j, 0) * inverse % self.prime
            if value:
                for k, v in right.items():
                    b[k] = (b.get(k, 0) - value * v) % self.prime
        for i, _, _, _, below in reversed(self.steps):
            w[i] = (w[i] - sum(multiple * w[k] for k, multiple in below)) % self.prime
        return w


def lift(matrix: Matrix, b: Vector, factors: Factors) -> tuple[Vector, int]:
    """The exact solution of a nonsingular system, as integers over a common denominator.

    Digit by digit in base p: the solution modulo p of what remains of the right-hand side, which
    then is divisible by p (Dixon 1982). Fractions are read off when their number of digits
    has doubled, and put into the equations.

    Args:
        matrix: a nonsingular matrix.
        b: the right-hand side.
        factors: of the matrix.

    Returns:
        Numerators and their positive common denominator.
    """
    prime = factors.prime
    rest = {i: b.get(i, 0) for i in matrix}
    solution: Vector = {}
    power, digits, attempt = 1, 0, 1
    while True:
        digit = factors.solve(rest)
        for i, row in matrix.items():
            rest[i] = (rest[i] - dot(row, digit)) // prime
        for j, v in digit.items():
            solution[j] = solution.get(j, 0) + power * v
        power *= prime
        digits += 1
        if digits == attempt:
            attempt *= 2
            found = _common_fractions(solution, power)
            if found is not None:
                z, scale = found
                if all(dot(row, z) == scale * b.get(i, 0) for i, row in matrix.items()):
                    return z, scale


def _common_fractions(residues: Vector, modulus: int) -> tuple[Vector, int] | None:
    """Small integers over a small common denominator with these residues; None if there are none.

    The denominator of a residue is found by Euclid's algorithm (P. Wang 1981); those found before
    usually are its denominator already.
    """
    bound = isqrt(modulus // 2)
    scale = 1
    for residue in residues.values():
        r, s, t, u = modulus, residue * scale % modulus, 0, 1
        if min(s, modulus - s) <= bound:
            continue
        while s > bound:
            r, s, t, u = s, r % s, u, t - r // s * u
        scale *= abs(u)
        if scale > bound:
            return None
    centred = ((j, v * scale % modulus) for j, v in residues.items())
    return {j: v if v <= bound else v - modulus for j, v in centred}, scale


def dot(row: Vector, values: Vector) -> int:
    """The scalar product of two sparse vectors."""
    return sum(v * values[j] for j, v in row.items() if j in values)


def transposed(matrix: Matrix) -> Matrix:
    """The matrix by columns."""
    columns: Matrix = {}
    for i, row in matrix.items():
        for j, v in row.items():
            columns.setdefault(j, {})[i] = v
    return columns


def negated(matrix: Matrix) -> Matrix:
    """Minus the matrix."""
    return {i: {j: -v for j, v in row.items()} for i, row in matrix.items()}
