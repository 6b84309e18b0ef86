"""All equilibria of a game, as parametric families, with a proof that nothing is left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from importlib.metadata import version
from time import monotonic
from typing import Any

import pyspiel
import sympy

from ...games.errors import ParameterError
from ...games.rules import Rules
from ..tree import GameTree, compile_tree
from .assessment import Belief
from .certificate import Certificate, script
from .conditions import WITHOUT_BELIEFS, check_concept
from .equilibria import Equilibria
from .families import Family, relation_of
from .pieces import Cutter, Piece
from .search import Found, Search
from .system import System

QUERY_LIMIT = 120.0
"""Seconds for one question of the search, unless the time limit comes first."""
SEARCH_SHARE = 0.8
"""Of a time limit. The rest is for taking apart what was found; where it does not suffice, families
keep conditions that are longer than they need to be."""


def derive_equilibria(
    game: str | pyspiel.Game | Rules[Any] | GameTree,
    concept: str = "pbe",
    *,
    assumptions: Sequence[Any] = (),
    fixed_beliefs: Mapping[str, Belief] | None = None,
    time_limit: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Equilibria:
    """All equilibria of a small game, in exact terms.

    The cost grows exponentially with the number of unknown probabilities and beliefs in the worst
    case; with some 25 of them a complete answer takes seconds, sometimes minutes.

    Args:
        game: a name, rules, a compiled tree, or an OpenSpiel game (whose floats are then read as
            the nearest fractions). Payoffs and chance may hold symbols.
        concept: ``nash``, ``subgame-perfect``, ``weak-pbe``, ``pbe`` or ``sequential``, as defined
            in `conditions`.
        assumptions: SymPy relations on the symbols of the game and of the fixed beliefs.
        fixed_beliefs: beliefs given from outside, see `verify`; they may hold symbols.
        time_limit: seconds after which the search stops with what it has, incomplete; or None.
        progress: called with the number of cells found and of questions asked.

    Raises:
        ParameterError: a time limit that is not positive, assumptions that are no list, beliefs
            that are no mapping.
        UnknownConcept: no such concept.
        AssessmentError: assumptions that contradict each other or the game, or speak of symbols
            that are not there; fixed beliefs that are not always probabilities.
        UnsupportedGame: more than `unknowns.MAX_UNKNOWNS` unknowns, or too many plans.
    """
    began = monotonic()
    _check_arguments(assumptions, fixed_beliefs, time_limit)
    known = check_concept(concept)
    tree = compile_tree(game)
    system = System(tree, known, assumptions, fixed_beliefs, QUERY_LIMIT)
    limit = float("inf") if time_limit is None else time_limit
    system.prover.deadline = began + limit
    found = Search(system, began + SEARCH_SHARE * limit, progress).run()
    cutter = Cutter(system)
    pieces = cutter.fewest([piece for cell in found.cells for piece in cutter.pieces(cell)])
    families = [_family(system, piece, tuple(assumptions), fixed_beliefs or {}) for piece in pieces]
    families.sort(key=lambda family: -family.dimension)
    return Equilibria(
        tree.name,
        known,
        found.status == "complete",
        tuple(families),
        monotonic() - began,
        tree.rationalised,
        _certificate(system, found),
        system.unknowns,
        (*getattr(tree.rules, "assumptions", ()), *assumptions),
    )


def _check_arguments(assumptions: Any, fixed_beliefs: Any, time_limit: Any) -> None:
    if time_limit is not None and not (
        isinstance(time_limit, int | float | Fraction) and 0 < time_limit < 1e9
    ):
        raise ParameterError(f"time_limit={time_limit!r}: give seconds, more than 0")
    if isinstance(assumptions, str) or not isinstance(assumptions, Sequence):
        raise ParameterError(f"assumptions={assumptions!r}: give a list of SymPy relations")
    beliefs = {} if fixed_beliefs is None else fixed_beliefs
    if not (
        isinstance(beliefs, Mapping)
        and all(isinstance(key, str) for key in beliefs)
        and all(isinstance(b, Sequence | Mapping) and b for b in beliefs.values())
    ):
        raise ParameterError(
            f"fixed_beliefs={fixed_beliefs!r}: give for information sets, by their names, the "
            "probabilities of their histories"
        )


def _certificate(system: System, found: Found) -> Certificate:
    title = f"{system.tree.name}: is there an equilibrium ({system.concept}) outside of all cells?"
    return Certificate(
        f"z3 {version('z3-solver')}",
        "unsat" if found.status == "complete" else "unknown",
        script(system.prover, found.last, title, system.unknowns),
        found.queries,
    )


def _family(
    system: System, piece: Piece, assumptions: tuple[Any, ...], fixed: Mapping[str, Belief]
) -> Family:
    model, tree, field_ = system.model, system.tree, system.model.field

    def at(element: Any) -> Any:
        return field_.to_exact(field_.substitute(element, piece.dependent))

    strategies = {
        key: dict(zip(tree.action_names(h), map(at, model.strategy[h]), strict=True))
        for h, key in enumerate(tree.keys)
    }
    beliefs: dict[str, tuple[Any, ...]] = {}
    if system.concept not in WITHOUT_BELIEFS:
        beliefs = {
            key: tuple(map(at, model.beliefs[h]))
            for h, key in enumerate(tree.keys)
            if len(model.nodes[h]) > 1
        }
    relations = [(sympy.sympify(field_.to_exact(r.element)), r.sense) for r in piece.conditions]
    return Family(
        tree=tree,
        concept=system.concept,
        strategies=strategies,
        beliefs=beliefs,
        conditions=tuple(relation_of(e, sense) for e, sense in relations),
        payoffs=tuple(at(v) for v in model.value[0]),
        unknowns=system.unknowns,
        assumptions=assumptions,
        fixed_beliefs=fixed,
    )
