"""All equilibria of small games: time, completeness, and what Gambit's methods find of them.

Gambit's methods find single Nash equilibria. Each point is looked up: whether a family of Nash
equilibria has it, and whether a family of sequential equilibria does. The ratio is their time to
ours, for a list that is proved to be complete against some points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
import sympy

from crywolf.games import load_game
from crywolf.games.efg_writer import format_efg
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.solvers import GameTree
from crywolf.solvers.efg_export import to_efg
from crywolf.solvers.pbe import CONCEPTS, Equilibria, derive_equilibria
from crywolf.solvers.pbe.prover import Prover

from .gambit_points import METHODS, Found, Mix, find
from .peers import SKIPPED
from .rows import Row
from .timing import Job, best_times

sp: Any = sympy  # its relations have no useful types

GAMES = (
    "entry",
    "selten_horse",
    "bos_outside",
    "beer_quiche",
    "spence",
    "cheap_talk",
    "burning_money",
    "stripped_poker",
    "kuhn_poker",
    "onuw_robber3_official",
    "onuw_robber3",
)
TIME_LIMIT = 120.0
"""Seconds for one run of ours."""
PATIENCE = 20.0
"""Seconds for one run of a peer."""
CLOSE = Fraction(1, 100)
"""How close a member's probabilities must be to those of a point, which is computed in floats."""


def derivations(rounds: int) -> Iterator[Row]:
    """All equilibria by each concept, beside the Nash equilibria that Gambit's methods find."""
    for name in GAMES:
        tree = GameTree.compile(load_game(name))
        lists: dict[str, Equilibria] = {}
        seconds: dict[str, float] = {}
        for concept in CONCEPTS:
            work = partial(derive_equilibria, tree, concept, time_limit=TIME_LIMIT)
            seconds[concept], lists[concept] = _timed(work, rounds)
        for concept in CONCEPTS:
            if concept != "nash":
                yield _row(concept, name, lists[concept], seconds[concept])
        for method in METHODS:
            if find_spec("pygambit") is None:
                yield _row(
                    "nash", name, lists["nash"], seconds["nash"], f"Gambit {method}", SKIPPED
                )
                continue
            theirs = find(format_efg(to_efg(tree)), method, PATIENCE)
            yield _beside(name, tree, lists, seconds["nash"], method, theirs)


def rechecks(rounds: int) -> Iterator[Row]:
    """Completeness checked once more, by other programs and another formulation."""
    for name, concept in (
        ("beer_quiche", "sequential"),
        ("cheap_talk", "sequential"),
        ("kuhn_poker", "weak-pbe"),
        ("kuhn_poker", "sequential"),
        ("onuw_robber3_official", "weak-pbe"),
        ("onuw_robber3", "weak-pbe"),
    ):
        found = derive_equilibria(name, concept)
        for solver, formulation in (
            ("z3", "certificate"),
            ("cvc5", "certificate"),
            ("z3", "families"),
            ("cvc5", "families"),
        ):
            task, peer = f"Derive all, {concept}", f"re-check by {solver}, {formulation}"
            if solver == "cvc5" and find_spec("cvc5") is None:
                yield Row(task, name, found.seconds, peer, None, "s", None, note=SKIPPED)
                continue
            again = found.recheck(solver, formulation, time_limit=TIME_LIMIT)
            yield Row(
                task, name, found.seconds, f"{peer}: {again.answer}", again.seconds, "s",
                again.seconds / found.seconds, note=_counted(again.questions, "question"),
            )  # fmt: skip


def derivation_growth(rounds: int) -> Iterator[Row]:
    """How the cost grows with the unknowns: beer and quiche for more and more types."""
    for types in (2, 3, 4, 5, 6):
        game = signalling(types)
        for concept in ("nash", "weak-pbe", "sequential"):
            work = partial(derive_equilibria, game, concept, time_limit=TIME_LIMIT)
            seconds, found = _timed(work, min(rounds, 2))
            yield _row(concept, game.name, found, seconds, task="Growth: derive all")


def signalling(types: int) -> ExtensiveGame:
    """Beer-quiche with types of rising strength, all equally likely; the weaker half likes quiche.

    The receiver gains from a fight what the type lacks in strength; from sparing it, what it has.
    """
    half = types // 2

    def respond(meal: str, strength: int) -> Any:
        liked = int((meal == "beer") == (strength >= half))
        return decision(
            1,
            meal,
            {
                "fight": leaf(liked, types - 1 - strength),
                "retreat": leaf(liked + 2, Fraction(3 * strength, 2)),
            },
        )

    def breakfast(strength: int) -> Any:
        meals = {meal: respond(meal, strength) for meal in ("beer", "quiche")}
        return decision(0, f"type {strength}", meals)

    moves = {f"{k}": (Fraction(1, types), breakfast(k)) for k in range(types)}
    return ExtensiveGame(f"beer-quiche, {types} types", chance(moves))


def _timed(work: Any, rounds: int) -> tuple[float, Equilibria]:
    """The best time of some runs, fewer where one takes long; and what came out."""
    found = work()
    if found.seconds > 5:
        return found.seconds, found
    return best_times({"ours": Job(work)}, min(rounds, 2))["ours"], found


def _row(
    concept: str,
    game: str,
    found: Equilibria,
    seconds: float,
    peer: str = "-",
    note: str = "",
    task: str = "Derive all",
) -> Row:
    told = _counted(len(found.families), "family") if found.complete else "INCOMPLETE"
    known = f"{told}, {len(found.unknowns.symbols)} unknowns"
    return Row(
        f"{task}, {concept}", game, seconds, peer, None, "s", None,
        note=f"{known}; {note}" if note else known,
    )  # fmt: skip


def _counted(number: int, noun: str) -> str:
    plural = {"family": "families", "point": "points", "question": "questions"}
    return f"{number} {noun if number == 1 else plural[noun]}"


def _beside(
    name: str,
    tree: GameTree,
    lists: dict[str, Equilibria],
    ours: float,
    method: str,
    theirs: Found,
) -> Row:
    nash = lists["nash"]
    if not nash.complete:
        return _row("nash", name, nash, ours, f"Gambit {method}")
    task = f"Derive all, nash ({_counted(len(nash.families), 'family')})"
    if theirs.failure:
        return Row(task, name, ours, f"Gambit {method}", None, "s", None, note=theirs.failure)
    points = [_by_set(tree, point) for point in _distinct(theirs.points)]
    members = sum(near(nash, point) for point in points)
    sequential = sum(near(lists["sequential"], point) for point in points)
    said = f"{_counted(len(points), 'point')}, {members} in a family, {sequential} sequential"
    return Row(
        task, name, ours, f"Gambit {method}: {said}", theirs.seconds, "s", theirs.seconds / ours
    )


def _distinct(points: Sequence[list[Mix]]) -> list[list[Mix]]:
    """Points that differ by more than the floats' error."""
    kept: list[list[Mix]] = []
    for point in points:
        numbers = np.array([p for mix in point for p in mix or ()])
        rows = [np.array([p for mix in other for p in mix or ()]) for other in kept]
        if not any(r.shape == numbers.shape and np.allclose(r, numbers, atol=1e-3) for r in rows):
            kept.append(point)
    return kept


def _by_set(tree: GameTree, point: Sequence[Mix]) -> list[Mix]:
    """A point by our information sets: Gambit numbers a player's by their first nodes."""
    order = sorted(
        range(tree.num_infosets), key=lambda h: (int(tree.owner[h]), tree.nodes_of(h)[0])
    )
    mixes: list[Mix] = [None] * tree.num_infosets
    for h, mix in zip(order, point, strict=True):
        mixes[h] = mix
    return mixes


def near(found: Equilibria, point: Sequence[Mix]) -> bool:
    """Whether some member has its probabilities close to those of a point, where that has any."""
    relations = []
    for (key, names), mix in zip(found.unknowns.assessment.strategies.items(), point, strict=True):
        for name, p in zip(names, mix or (), strict=False):
            wanted, ours = Fraction(p), found.probability(key, name)
            relations += [ours >= wanted - CLOSE, ours <= wanted + CLOSE]
    union = sp.Or(*(family.membership for family in found.families))
    questions = [union, *relations]
    prover = Prover.of(questions)
    return prover.refutable([prover.assumed(r) for r in questions]).answer == "refuted"
