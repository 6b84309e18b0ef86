"""The conditions of an equilibrium once more, written anew from the tree, case by case.

`system` and `search` find equilibria with beliefs as coordinates, single deviations and cells. Here
nothing of that is used, so that a mistake there shows. An assessment is an equilibrium iff

- at every *start* (an information set with the belief there; for Nash equilibria the root, for
  subgame perfection the root of every subgame) each plan that is played is a best one;
- beliefs follow Bayes' rule where they must;
- for ``sequential``, some trembles explain the others (Kreps & Wilson 1982).

Within a `Case` fewer probabilities and beliefs are unknown. Only arithmetic (`field`), its
translation for solvers (`prover`) and the names of the coordinates (`unknowns`) are shared with the
search.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import z3

from ...games.errors import UnsupportedGame
from ...games.rules import CHANCE
from .case import Case, Move
from .conditions import WITHOUT_BELIEFS
from .field import Element
from .setting import Setting

Plan = tuple[frozenset[Move], Element]
"""The moves of a plan, and what it earns."""

MAX_PLANS = 2_000
"""Plans from one start; the formula grows with the square of their number."""


def conditions(case: Case) -> list[Any]:
    """z3 formulas that hold at the equilibria of a case, and nowhere else."""
    concept = case.setting.concept
    found = [f for h in range(len(case.strategy)) for f in _proper(case, h)]
    for player, start in _starts(case):
        for h, nodes in _descend(case, player, start)[1].items():
            found += _best(case, _plans(case, player, h, nodes))
    if concept not in WITHOUT_BELIEFS:
        for h, status in case.status.items():
            if status == "open":
                found += _proportional(case, h, *case.prior[h])
            if concept == "pbe" and (k := case.before(h)) >= 0:
                found += _proportional(case, h, *case.carried(h, k))
        if concept == "sequential":
            found += _trembles(case)
    return [f for f in found if not z3.is_true(f)]


def _proper(case: Case, h: int) -> Iterator[Any]:
    """Probabilities and beliefs are not negative; by their coordinates they add up to 1."""
    for a, x in enumerate(case.strategy[h]):
        yield case.setting.atom(x, ">" if case.surely(h, a) else ">=")
    if case.status.get(h) in ("open", "unreached"):
        for x in case.belief[h]:
            yield case.setting.atom(x, ">=")


def _proportional(case: Case, h: int, weights: Sequence[Element], own: Element) -> Iterator[Any]:
    """Bayes' rule: where it applies, the belief is to the weights as 1 to their sum."""
    total = sum(weights, case.setting.field.zero)
    for mu, weight in zip(case.belief[h], weights, strict=True):
        yield case.setting.atom((mu * total - weight) * own, "==")


# ---------------------------------------------------------------------------------- rationality


def _starts(case: Case) -> Iterator[tuple[int, dict[int, Element]]]:
    """Where plans begin: whose, and the weights of the nodes there."""
    setting, one = case.setting, case.setting.field.one
    if setting.concept in WITHOUT_BELIEFS:
        roots = [0] if setting.concept == "nash" else _subgames(setting)
        for root in roots:
            for player in range(setting.tree.num_players):
                yield player, {root: one}
        return
    for h, nodes in enumerate(setting.nodes):
        yield int(setting.tree.owner[h]), dict(zip(nodes, case.weights[h], strict=True))


def _subgames(setting: Setting) -> list[int]:
    """The nodes that begin a subgame: every information set is below them, or outside."""
    roots = []
    for root, children in enumerate(setting.children):
        below = _below(setting, root) if children else set()
        if children and all(
            below.issuperset(nodes) or below.isdisjoint(nodes) for nodes in setting.nodes
        ):
            roots.append(root)
    return roots


def _below(setting: Setting, root: int) -> set[int]:
    """A node and all after it."""
    found, stack = set[int](), [root]
    while stack:
        node = stack.pop()
        found.add(node)
        stack += setting.children[node]
    return found


def _plans(case: Case, player: int, h: int, nodes: Mapping[int, Element]) -> list[Plan]:
    """All plans of a player from an information set on, whose nodes have these weights."""
    found: list[Plan] = []
    for a in range(len(case.strategy[h])):
        after = {case.setting.children[n][a]: w for n, w in nodes.items()}
        earned, later = _descend(case, player, after)
        parts = [_plans(case, player, k, group) for k, group in later.items()]
        for choice in product(*parts):
            plan = frozenset({(h, a)}).union(*(p for p, _ in choice))
            found.append((plan, sum((v for _, v in choice), earned)))
        if len(found) > MAX_PLANS:
            raise UnsupportedGame(
                f"{case.setting.tree.name}: P{player + 1} has more than {MAX_PLANS:,} plans "
                f"from {case.setting.tree.keys[h]!r} on, too many to check the list anew"
            )
    return found


def _descend(
    case: Case, player: int, start: Mapping[int, Element]
) -> tuple[Element, dict[int, dict[int, Element]]]:
    """What is earned before the player moves, and the nodes where it then moves, by set."""
    zero = case.setting.field.zero
    earned, groups = zero, dict[int, dict[int, Element]]()
    stack = [(node, weight) for node, weight in start.items() if weight != zero]
    while stack:
        node, weight = stack.pop()
        children = case.setting.children[node]
        if not children:
            earned += weight * case.utility[case.setting.tree.payoff[node]][player]
        elif case.player[node] == player:
            groups.setdefault(case.infoset[node], {})[node] = weight
        else:
            stack += [(c, weight * case.edge[c]) for c in children if case.edge[c] != zero]
    return earned, groups


def _best(case: Case, plans: Sequence[Plan]) -> Iterator[Any]:
    """Each plan that is played is a best one."""
    atom, any_of, zero = case.setting.atom, case.setting.any_of, case.setting.field.zero
    possible = [
        (plan, value) for plan, value in plans if all(case.strategy[h][a] != zero for h, a in plan)
    ]
    sure = [value for plan, value in possible if all(case.surely(h, a) for h, a in plan)]
    if sure:
        top = sure[0]
        for value in dict.fromkeys(v for _, v in plans):
            if value != top:
                yield atom(top - value, "==" if value in sure else ">=")
        for plan, value in possible:
            if value not in sure:
                yield any_of([*_unplayed(case, plan), atom(value - top, "==")])
        return
    for plan, value in possible:
        for rival in dict.fromkeys(v for _, v in plans if v != value):
            yield any_of([*_unplayed(case, plan), atom(value - rival, ">=")])


def _unplayed(case: Case, plan: Iterable[Move]) -> list[Any]:
    """The ways in which a plan may not be played."""
    open_ = [(h, a) for h, a in sorted(plan) if not case.surely(h, a)]
    return [case.setting.atom(case.strategy[h][a], "==") for h, a in open_]


# ------------------------------------------------------------------------------------- trembles


def _trembles(case: Case) -> Iterator[Any]:
    """Trembles explain the beliefs at all sets to which the others' play may not lead.

    Every action trembles like ``xi eps^K``: K = 0 and xi its probability if it is played, else
    K >= 1 and xi > 0. Believed are exactly the nodes of smallest K on the way, and beliefs are
    to each other as the products of the xi. (Where the others do play to a set, this holds with
    whatever K and xi the owner's moves have: they cancel.)
    """
    prover = case.setting.prover
    context = prover.context
    sets = [h for h, s in case.status.items() if s != "reached" and case.anchor(h) < 0]
    ways = {h: [case.way(node, {0: None}) for node in case.setting.nodes[h]] for h in sets}
    order: dict[Move, Any] = {}
    size: dict[Move, Any] = {}
    moves_before = (move for group in ways.values() for way in group for move in case.moves(way))
    for h, a in dict.fromkeys(moves_before):
        probability = case.strategy[h][a]
        if case.surely(h, a):
            order[h, a] = z3.RealVal(0, context)
            size[h, a] = prover.expression(probability)
            continue
        order[h, a] = k = z3.Real(f"order{len(order)}", context)
        size[h, a] = xi = z3.Real(f"size{len(size)}", context)
        yield xi > 0
        if probability == case.setting.field.zero:
            yield k >= 1
        else:
            like = z3.And(k == 0, xi == prover.expression(probability))
            yield z3.If(case.setting.atom(probability, ">"), like, k >= 1)
    for h in sets:
        shared = set.intersection(*(set(case.moves(way)) for way in ways[h]))
        costs, sizes = [], []
        for way in ways[h]:
            moves = [m for m in case.moves(way) if m not in shared]
            chance = case.product(way, lambda mover: mover == CHANCE)
            costs.append(z3.Sum([z3.RealVal(0, context), *(order[m] for m in moves)]))
            sizes.append(z3.Product([prover.expression(chance), *(size[m] for m in moves)]))
        held = [case.setting.atom(mu, ">") for mu in case.belief[h]]
        for i, j in combinations(range(len(held)), 2):
            yield z3.Implies(z3.And(held[i], held[j]), costs[i] == costs[j])
            yield z3.Implies(z3.And(held[i], z3.Not(held[j])), costs[i] + 1 <= costs[j])
            yield z3.Implies(z3.And(held[j], z3.Not(held[i])), costs[j] + 1 <= costs[i])
            left, right = (prover.expression(case.belief[h][n]) for n in (i, j))
            equal = left * sizes[j] == right * sizes[i]
            yield z3.Implies(z3.And(held[i], held[j]), equal)
