"""The search for all cells: guided by counter-examples, ended by a proof.

z3 is asked for an equilibrium outside of all cells found so far; its support is enlarged as far as
further equilibria allow; the cell of that support is added. When z3 proves that no equilibrium is
outside, the cells are complete. Large supports first give few, large cells; with each of them come
its mirror images under the symmetries of the game, without a question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Literal

import z3

from .cells import Cell, cell_of, indifference, inequalities, pattern
from .consistency import (
    Action,
    Pattern,
    Trembles,
    actions_before,
    tremble_orders,
    tremble_sizes,
)
from .symmetry import Automorphism, keeps_equilibria, symmetry_group
from .system import System

EXTENSION_ROUNDS = 2
"""Of asking whether a support can be enlarged; if in doubt it is not."""
MAX_PATTERNS = 200
"""Patterns examined before a cell keeps all its strict inequalities."""


@dataclass(frozen=True)
class Found:
    """What a search found.

    Attributes:
        cells: the cells, in the order of finding.
        status: ``complete`` if z3 proved that nothing is outside; ``time`` if the time was up,
            ``unknown`` if z3 gave up.
        queries: the number of questions asked.
        last: the z3 formulas of the last question, proved to have no solution if complete.
    """

    cells: tuple[Cell, ...]
    status: Literal["complete", "time", "unknown"]
    queries: int
    last: tuple[Any, ...]


class Search:
    """One search; see the module."""

    def __init__(
        self,
        system: System,
        deadline: float = float("inf"),
        progress: Callable[[int, int], None] | None = None,
    ):
        self.system = system
        self.deadline = deadline
        self.progress = progress
        self.cells: list[Cell] = []
        self.queries = 0
        self._symmetries = _symmetries(system)
        self._relations = system.prover.written(system.relations)
        self._positive: dict[tuple[str, tuple[int, int]], Any] = {
            ("s", a): system.positive(system.probability(a)) for a in system.places
        }
        if system.concept == "sequential":
            self._positive |= {
                ("b", p): system.positive(system.belief(p)) for p in system.free_beliefs
            }

    def run(self) -> Found:
        """Searches until nothing is left, or the time is up."""
        while True:
            query = self._outside()
            model = self._solve(query)
            if model is False:
                return Found(tuple(self.cells), "complete", self.queries, tuple(query))
            if model is None:
                status = "time" if monotonic() >= self.deadline else "unknown"
                return Found(tuple(self.cells), status, self.queries, tuple(query))
            inside = self._enlarged(self._inside(model), query)
            support = frozenset(a for sort, a in inside if sort == "s")
            believed = frozenset(p for sort, p in inside if sort == "b")
            for image in self._images(support):
                self.cells.append(relaxed(self.system, cell_of(self.system, image, believed)))
            if self.progress:
                self.progress(len(self.cells), self.queries)

    def _images(self, support: frozenset[Action]) -> list[frozenset[Action]]:
        """A support and its mirror images."""
        images = [support]
        for one in images:
            for g in self._symmetries:
                image = frozenset((g.infoset[h], g.action[h][a]) for h, a in one)
                if image not in images:
                    images.append(image)
        return images

    def _outside(self) -> list[Any]:
        return [*self.system.formulas, *(cell.outside(self.system) for cell in self.cells)]

    def _solve(self, query: list[Any], rounds: int | None = None) -> Any:
        left = self.deadline - monotonic()
        if left <= 0:
            return None
        self.queries += 1
        prover = self.system.prover
        return prover.solve(query, min(left, prover.time_limit), rounds)

    def _inside(self, model: Any) -> set[tuple[str, Any]]:
        holds = self.system.prover.holds_at
        return {name for name, formula in self._positive.items() if holds(model, formula)}

    def _enlarged(self, inside: set[tuple[str, Any]], query: list[Any]) -> set[tuple[str, Any]]:
        """A support as large as it may be, if ``query`` is to have a solution with it."""
        for name, formula in self._positive.items():
            if name in inside:
                continue
            wanted = [*(self._positive[n] for n in inside), formula]
            # First without disjunctions, which settles most cases at once.
            alike = self._alike({*inside, name})
            if self._solve([*self._relations, *alike, *wanted], EXTENSION_ROUNDS) in (False, None):
                continue
            model = self._solve([*query, *alike, *wanted], EXTENSION_ROUNDS)
            if model not in (False, None):
                inside = self._inside(model)
        return inside

    def _alike(self, inside: set[tuple[str, Any]]) -> list[Any]:
        """What holds where all of a support is played: its alternatives are alike, and best."""
        system, support = self.system, frozenset(a for sort, a in inside if sort == "s")
        relations = (*indifference(system, support), *inequalities(system, support))
        return system.prover.written(relations)


def _symmetries(system: System) -> list[Automorphism]:
    """Symmetries that take equilibria to equilibria and need not be told where beliefs go.

    A cell is made of equilibria whatever its support, so nothing but speed hangs on them.
    """
    believing = system.concept == "sequential" and bool(system.free_beliefs)
    if believing or system.model.fixed:
        return []
    tree = system.tree
    generators = symmetry_group(tree).generators
    return [g for g in generators if keeps_equilibria(g, tree, system.concept)]


def relaxed(system: System, cell: Cell) -> Cell:
    """A cell with as few strict inequalities as consistency needs."""
    if system.concept != "sequential" or not system.free_beliefs:
        return cell
    model, prover = system.model, system.prover
    # Other actions may vanish as they like.
    matter = actions_before(model, system.explained_sets) & cell.support
    rows = [("s", a, system.probability(a)) for a in system.places if a in matter]
    rows += [("b", p, system.belief(p)) for p in system.free_beliefs if p in cell.believed]
    formulas = {(sort, place): system.positive(x) for sort, place, x in rows}
    base = prover.written((*system.relations, *inequalities(system, cell.support)))
    seen: list[Any] = []
    for _ in range(MAX_PATTERNS):
        point = prover.solve([*base, *cell.own(system), *seen])
        if point is False:
            return cell
        if point is None:
            break
        held = {name for name, formula in formulas.items() if prover.holds_at(point, formula)}
        exactly = [f if n in held else z3.Not(f) for n, f in formulas.items()]
        seen.append(z3.Not(z3.And(*exactly)))
        if len(held) == len(formulas):
            continue
        part = pattern(
            system,
            frozenset(a for sort, a in held if sort == "s"),
            frozenset(p for sort, p in held if sort == "b"),
        )
        if not _explained(system, part, [*base, *cell.own(system), *exactly]):
            vanishing = next(x for sort, place, x in rows if (sort, place) not in held)
            cell = replace(cell, strict=(*cell.strict, vanishing))
    return replace(cell, strict=tuple(x for _, _, x in rows if not model.field.is_constant(x)))


def _explained(system: System, part: Pattern, there: list[Any]) -> bool:
    """Whether trembles explain the beliefs at all points with a pattern."""
    if not isinstance(tremble_orders(system.model, part, system.explained_sets), Trembles):
        return False
    return all(
        system.prover.solve([*there, system.prover.formula(c.element, "!=")]) is False
        for c in tremble_sizes(system.model, part, system.explained_sets)
    )
