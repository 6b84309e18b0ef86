"""Lists of equilibria as JSON, written for other programs and read back without trusting it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from keyword import iskeyword
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

import numpy as np
import sympy
from numpy.typing import NDArray

from ...games.errors import (
    AssessmentError,
    CrywolfError,
    EquilibriaFileError,
    ExpressionError,
    InexactError,
    ParameterError,
    UnknownConcept,
    UnknownGame,
)
from ...games.rules import CHANCE, Exact
from ..tree import GameTree, compile_tree
from .assessment import Belief
from .certificate import Certificate
from .conditions import WITHOUT_BELIEFS, Concept, check_concept
from .expressions import read_expression, read_relation
from .families import Family
from .model import Model
from .unknowns import Unknowns, unknowns

if TYPE_CHECKING:
    from .equilibria import Equilibria


def is_json(path: str | PathLike[str]) -> bool:
    """Whether a file's name says that it holds JSON."""
    return Path(path).suffix.lower() == ".json"


def to_json(found: Equilibria) -> dict[str, Any]:
    """See `Equilibria.to_json`."""
    first = found.families[0] if found.families else None
    return {
        "game": found.game,
        "concept": found.concept,
        "complete": found.complete,
        "seconds": found.seconds,
        "families": [
            {
                "name": family.name,
                "strategies": {
                    key: {name: str(p) for name, p in mix.items()}
                    for key, mix in family.strategies.items()
                },
                "beliefs": {key: list(map(str, b)) for key, b in family.beliefs.items()},
                "parameters": list(map(str, family.parameters)),
                "conditions": list(map(str, family.conditions)),
                "payoffs": list(map(str, family.payoffs)),
                "dimension": family.dimension,
            }
            for family in found.families
        ],
        "orbits": [list(orbit) for orbit in found.orbits],
        "rationalised": found.rationalised,
        "assumptions": list(map(str, found.assumptions)),
        "fixed_beliefs": {
            key: {word: str(x) for word, x in belief.items()}
            if isinstance(belief, Mapping)
            else list(map(str, belief))
            for key, belief in (first.fixed_beliefs if first else {}).items()
        },
        "symbols": _declared(found),
        "game_digest": game_digest(first.tree) if first else None,
        "certificate": {
            "solver": found.certificate.solver,
            "answer": found.certificate.answer,
            "digest": found.certificate.digest,
            "queries": found.certificate.queries,
            "query": found.certificate.query,
        },
    }


def refuse_unreadable_names(found: Equilibria) -> None:
    """Refuses symbols that an expression in a file cannot name.

    Raises:
        ParameterError: there are some.
    """
    names = {*_declared(found)}
    for family in found.families:
        names |= {s.name for c in family.conditions for s in c.free_symbols}
    strange = sorted(
        name
        for name in names
        if not name.isidentifier() or iskeyword(name) or normalize("NFKC", name) != name
    )
    if strange:
        raise ParameterError(
            f"the symbols {', '.join(map(repr, strange))} have names that a .json file cannot hold "
            "in expressions; rename them in the game (say, 'lambda' to 'lamda'), or write .md"
        )


def game_digest(tree: GameTree) -> str:
    """SHA-256 of a game in exact terms: its nodes, sets, action names, chance and payoffs."""
    probabilities, payoffs = tree.exact_tables
    facts = [
        list(tree.keys),
        [list(tree.action_names(h)) for h in range(tree.num_infosets)],
        *(array.tolist() for array in (tree.parent, tree.player, tree.node_infoset, tree.branch)),
        [str(probabilities[i]) for i in tree.probability[_after_chance(tree)].tolist()],
        [[str(u) for u in payoffs[i]] for i in tree.payoff[tree.leaves].tolist()],
        list(map(str, getattr(tree.rules, "assumptions", ()))),
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def _after_chance(tree: GameTree) -> NDArray[np.int64]:
    after = tree.player[tree.parent] == CHANCE
    return np.flatnonzero(after & (tree.parent >= 0))


def _declared(found: Equilibria) -> dict[str, dict[str, bool]]:
    """What the symbols declare of themselves that are no coordinates."""
    rows: list[Any] = [*found.assumptions]
    for family in found.families:
        rows += family.payoffs
        rows += (x for mix in family.strategies.values() for x in mix.values())
        rows += (x for belief in family.beliefs.values() for x in belief)
    symbols = set().union(*(getattr(row, "free_symbols", set()) for row in rows))
    return {
        symbol.name: {k: v for k, v in symbol.assumptions0.items() if k != "commutative"}
        for symbol in sorted(symbols - set(found.unknowns.symbols), key=str)
    }


# ---------------------------------------------------------------------------------------- reading


def from_json(data: Any, game: Any = None) -> Equilibria:
    """See `Equilibria.from_json`."""
    from .equilibria import Equilibria  # which has this as a method

    data = _Part(data, "")
    name, families = data.take("game", str), data.take("families", list)
    concept = _concept(data)
    tree = _tree(name, game)
    digest = data.take("game_digest", str, type(None), missing=None)
    if digest is not None and digest != game_digest(tree):
        raise EquilibriaFileError(
            f"these equilibria are of a game {name!r} that differs from {tree.name!r} here, in its "
            "tree, chance, payoffs or names; give the game that they were derived for, as game=..."
        )
    symbols = _symbols(tree, data)
    own = tuple(getattr(tree.rules, "assumptions", ()))
    stated = data.texts("assumptions", missing=[str(a) for a in own])
    if stated[: len(own)] != [str(a) for a in own]:
        raise data.damaged(f"the game assumes {list(map(str, own))}, not what the list says")
    assumptions = tuple(data.reading(read_relation, text, symbols) for text in stated[len(own) :])
    fixed = _fixed(data, symbols)
    try:
        coordinates = unknowns(tree, concept, assumptions, fixed)
        known = {**symbols, **{s.name: s for s in coordinates.symbols}}
        read = tuple(
            _family(_Part(f, f"family {i}"), tree, concept, coordinates, known, assumptions, fixed)
            for i, f in enumerate(families, 1)
        )
    except (AssessmentError, InexactError) as error:
        raise data.damaged(str(error)) from error
    complete, seconds = data.take("complete", bool), data.take("seconds", int, float)
    if complete and not read and not (symbols or assumptions or fixed):
        raise data.damaged("it says that there are no equilibria, but every finite game has some")
    if not 0 <= seconds < 1e12:
        raise data.damaged("its seconds are no time")
    return Equilibria(
        tree.name,
        concept,
        complete,
        read,
        float(seconds),
        tree.rationalised,
        _certificate(data),
        coordinates,
        (*own, *assumptions),
    )


def read_json(path: str | PathLike[str]) -> Any:
    """The JSON in a file; see `Equilibria.load`."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:  # ValueError: no JSON, or no text
        raise EquilibriaFileError(
            f"{str(path)!r} cannot be read ({error}); name a .json file that Equilibria.save wrote"
        ) from error


class _Part:
    """A JSON object, with checks of what is in it."""

    def __init__(self, content: Any, place: str):
        self.content, self.place = content, place
        if not isinstance(content, dict):
            raise self.damaged(f"it is {type(content).__name__}, not an object with keys")

    def damaged(self, why: str) -> EquilibriaFileError:
        where = f" ({self.place})" if self.place else ""
        return EquilibriaFileError(
            f"this is no list of equilibria as Equilibria.to_json writes it{where}: {why}; derive "
            "them anew with derive_equilibria"
        )

    def take(self, key: str, *kinds: type, **default: Any) -> Any:
        if key not in self.content and "missing" in default:
            return default["missing"]
        if key not in self.content:
            raise self.damaged(f"it has no {key!r}")
        value = self.content[key]
        wrong = isinstance(value, bool) and bool not in kinds
        if wrong or not isinstance(value, kinds):
            raise self.damaged(f"{key!r} is {type(value).__name__}")
        return value

    def texts(self, key: str, **default: Any) -> list[str]:
        value = self.take(key, list, **default)
        if not all(isinstance(text, str) for text in value):
            raise self.damaged(f"{key!r} must hold texts")
        return value

    def reading(
        self, reader: Callable[..., Any], text: Any, symbols: Mapping[str, sympy.Symbol]
    ) -> Any:
        try:
            return reader(text, symbols)
        except ExpressionError as error:
            raise self.damaged(str(error)) from error


def _concept(data: _Part) -> Concept:
    try:
        return check_concept(data.take("concept", str))
    except UnknownConcept as error:
        raise data.damaged(str(error)) from error


def _tree(name: str, game: Any) -> GameTree:
    if game is not None:
        return compile_tree(game)
    try:
        if name.endswith((".efg", ".tree")):  # a list from elsewhere shall not choose files to read
            raise UnknownGame("it is a file")
        return compile_tree(name)
    except CrywolfError as error:
        raise EquilibriaFileError(
            f"the game {name!r} of these equilibria cannot be loaded by its name ({error}); give "
            "it as game=..."
        ) from error


def _symbols(tree: GameTree, data: _Part) -> dict[str, sympy.Symbol]:
    found: dict[str, sympy.Symbol] = {}
    for name, facts in data.take("symbols", dict, missing={}).items():
        known = isinstance(facts, dict) and all(
            isinstance(told, bool) and hasattr(sympy.Symbol, f"is_{fact}")
            for fact, told in facts.items()
        )
        wrong = f"the symbol {name!r} declares {facts}"
        if not known:
            raise data.damaged(wrong)
        try:
            found[name] = sympy.Symbol(name, **facts)
        except (TypeError, ValueError) as error:  # facts that contradict each other
            raise data.damaged(wrong) from error
    probabilities, table = tree.exact_tables
    values = (*probabilities, *(u for row in table for u in row))
    of_game = {s for v in values for s in getattr(v, "free_symbols", ())}
    of_game = of_game.union(*(a.free_symbols for a in getattr(tree.rules, "assumptions", ())))
    return {**found, **{s.name: s for s in of_game}}


def _fixed(data: _Part, symbols: Mapping[str, sympy.Symbol]) -> dict[str, Belief]:
    def read(texts: Iterable[Any]) -> list[Exact]:
        return [data.reading(read_expression, text, symbols) for text in texts]

    found: dict[str, Belief] = {}
    for key, belief in data.take("fixed_beliefs", dict, missing={}).items():
        if isinstance(belief, dict):
            found[key] = dict(zip(belief, read(belief.values()), strict=True))
        elif isinstance(belief, list):
            found[key] = tuple(read(belief))
        else:
            raise data.damaged(f"the fixed belief at {key!r} is {type(belief).__name__}")
    return found


def _certificate(data: _Part) -> Certificate:
    part = _Part(data.take("certificate", dict), "certificate")
    answer, query = part.take("answer", str), part.take("query", str)
    if answer not in ("unsat", "unknown"):
        raise part.damaged(f"the answer is {answer!r}")
    queries = part.take("queries", int)
    if not 0 <= queries < 10**12:
        raise part.damaged("its number of questions is none")
    found = Certificate(part.take("solver", str), answer, query, queries)
    if found.digest != part.take("digest", str):
        raise part.damaged("the digest is not the query's")
    if (answer == "unsat") != data.take("complete", bool):
        raise part.damaged(f"the answer {answer!r} does not go with 'complete'")
    return found


def _family(
    part: _Part,
    tree: GameTree,
    concept: Concept,
    coordinates: Unknowns,
    symbols: Mapping[str, sympy.Symbol],
    assumptions: tuple[Any, ...],
    fixed: Mapping[str, Belief],
) -> Family:
    def number(text: Any) -> Exact:
        return part.reading(read_expression, text, symbols)

    sets = {key: set(tree.action_names(h)) for h, key in enumerate(tree.keys)}
    told = part.take("strategies", dict)
    actions = {key: set(mix) if isinstance(mix, dict) else None for key, mix in told.items()}
    if actions != sets:
        raise part.damaged("its information sets or actions are not the game's")
    lengths = {key: len(tree.nodes_of(h)) for h, key in enumerate(tree.keys)}
    wanted = {key: n for key, n in lengths.items() if n > 1 and concept not in WITHOUT_BELIEFS}
    beliefs = part.take("beliefs", dict)
    if {k: len(b) if isinstance(b, list) else None for k, b in beliefs.items()} != wanted:
        raise part.damaged("its beliefs are not about the game's information sets and histories")
    conditions = tuple(
        part.reading(read_relation, text, symbols) for text in part.texts("conditions")
    )
    payoffs = list(map(number, part.texts("payoffs")))
    family = Family(
        tree=tree,
        concept=concept,
        strategies={
            k: {n: number(told[k][n]) for n in tree.action_names(h)}
            for h, k in enumerate(tree.keys)
        },
        beliefs={key: tuple(map(number, beliefs[key])) for key in wanted},
        conditions=conditions,
        payoffs=tuple(payoffs),
        unknowns=coordinates,
        assumptions=assumptions,
        fixed_beliefs=fixed,
    )
    return _checked(part, family)


def _checked(part: _Part, family: Family) -> Family:
    """The family, its expressions as a derivation gives them, if what it says fits together."""
    if list(map(str, family.parameters)) != part.texts("parameters"):
        raise part.damaged("its parameters are not the coordinates that are free")
    if family.dimension != part.take("dimension", int):
        raise part.damaged(f"by its parameters and conditions, its dimension is {family.dimension}")
    free = {s for c in family.conditions for s in c.free_symbols}
    free |= {s for x in family.values.values() for s in getattr(x, "free_symbols", ())}
    if hidden := free & set(family.unknowns.symbols) - set(family.parameters):
        raise part.damaged(f"it depends on {sorted(map(str, hidden))}, which are no parameters")
    model = Model(family.tree, family.assessment, family.fixed_beliefs or None)
    field = model.field
    place = {x: sympy.sympify(value) for x, value in family.values.items()}
    if any(field(sympy.sympify(x).xreplace(place)) != field(value) for x, value in family.entries):
        raise part.damaged("its probabilities or beliefs do not add up to 1")
    if [field(v) for v in family.payoffs] != list(model.value[0]):
        raise part.damaged("its payoffs are not those of its strategies in the game")

    def usual(value: Exact) -> Exact:
        return field.to_exact(field(value))

    return replace(
        family,
        strategies={k: {n: usual(x) for n, x in m.items()} for k, m in family.strategies.items()},
        beliefs={k: tuple(map(usual, b)) for k, b in family.beliefs.items()},
        payoffs=tuple(map(usual, family.payoffs)),
    )
