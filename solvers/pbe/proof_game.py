"""The first part of a written proof: the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import sympy

from ...games.rules import CHANCE, TERMINAL
from .field import Element
from .formulas import formula, source
from .markup import Block, Heading, Math, Paragraph, Table, Text, joined
from .proof_account import Account
from .set_names import label
from .shares import MAX_LISTED

MAX_ROWS = 32
"""Rows of a table of payoffs; a longer one is summed up."""
MAX_COLUMNS = 4
"""Columns of payoffs."""
MAX_SETS = 40
"""Information sets that are told; the others are counted."""


def game_part(account: Account) -> Iterator[Block]:
    """The game: information sets, chance, payoffs."""
    tree = account.tree
    yield Heading(1, ("The game",))
    counted = (
        f"{tree.title} has {tree.num_players} players, {tree.num_infosets} information sets and "
        f"{tree.num_leaves} terminal histories."
    )
    yield Paragraph((counted,))
    if tree.rationalised:
        yield Paragraph(
            ("Its payoffs and probabilities are floats, read here as the nearest fractions.",)
        )
    yield _information_sets(account)
    yield from _chance(account)
    yield from _payoffs(account)


def _information_sets(account: Account) -> Table:
    tree = account.tree
    rows = [
        (
            (account.names[h],),
            (label(tree, h),),
            (", ".join(tree.action_names(h)),),
            (_histories(account, h),),
        )
        for h in range(min(tree.num_infosets, MAX_SETS))
    ]
    return Table((("Set",), ("What is known",), ("Actions",), ("Histories",)), tuple(rows))


def _histories(account: Account, h: int) -> str:
    model = account.model
    nodes = model.nodes[h]
    if len(nodes) <= MAX_LISTED:
        return _listed(account, nodes)
    for level in reversed(model.levels(h)):
        if 1 < len(level) <= MAX_LISTED:
            return f"{len(nodes)}, after {_listed(account, level)}"
    return str(len(nodes))


def _listed(account: Account, nodes: Sequence[int]) -> str:
    return ", ".join(f"({account.model.history(node)})" if node else "the start" for node in nodes)


def _chance(account: Account) -> Iterator[Block]:
    model, tree = account.model, account.tree
    nodes = [n for n, player in enumerate(model.player) if player == CHANCE]
    told: dict[Text, list[str]] = {}
    for node in nodes:
        outcomes = [
            (f"{tree.edge_name(c)} with probability ", formula(model.show(model.edge[c])))
            for c in model.children[node]
        ]
        told.setdefault(joined(outcomes), []).append(account.history(node))
    if len(told) > MAX_LISTED:
        yield Paragraph((f"Chance moves after {len(nodes)} histories.",))
        return
    for outcomes, histories in told.items():
        where = (
            ", ".join(histories) if len(histories) <= MAX_LISTED else f"{len(histories)} histories"
        )
        yield Paragraph((f"Chance moves at {where}: ", *outcomes, "."))


# ----------------------------------------------------------------------------------------- payoffs


def _payoffs(account: Account) -> Iterator[Block]:
    tree = account.tree
    leaves = tree.leaves.tolist()
    players = ", ".join(f"u_{{{p + 1}}}" for p in range(tree.num_players))
    movers = _stages(account)
    if movers is not None and len(leaves) <= MAX_ROWS * MAX_COLUMNS:
        across = 0 if len(movers) > 2 else len(movers) - 1
        columns = len(movers[across][1])
        if len(movers) > 1 and columns <= MAX_COLUMNS and len(leaves) <= MAX_ROWS * columns:
            side = f", {movers[across][0]}'s first choice in columns:" if across == 0 else ":"
            yield Paragraph(("Payoffs ", Math(f"({players})"), side))
            yield _grid(account, movers, across)
            return
    if len(leaves) <= MAX_ROWS:
        yield Paragraph(("Payoffs ", Math(f"({players})"), ":"))
        rows = [((f"({account.history(z)})",), (_payoff(account, z),)) for z in leaves]
        half = (len(rows) + 1) // 2
        if len(rows) > 8:
            blank: tuple[Text, Text] = (("",), ("",))
            pairs = [
                rows[i] + (rows[i + half] if i + half < len(rows) else blank) for i in range(half)
            ]
            yield Table((("Terminal history",), ("Payoffs",)) * 2, tuple(pairs))
        else:
            yield Table((("Terminal history",), ("Payoffs",)), tuple(rows))
        return
    yield Paragraph(_range_of_payoffs(account))


def _payoff(account: Account, leaf: int) -> Math:
    values = ", ".join(account.full(u) for u in account.model.value[leaf])
    return Math(f"({values})")


def _range_of_payoffs(account: Account) -> Text:
    model = account.model
    vectors = np.unique(account.tree.payoff[account.tree.leaves]).tolist()
    parts: list[Text] = []
    for player in range(account.tree.num_players):
        values: list[Element] = [account.tree.exact_tables[1][v][player] for v in vectors]
        if all(not isinstance(v, sympy.Basic) or v.is_number for v in values):
            low, high = min(map(sympy.sympify, values)), max(map(sympy.sympify, values))
            text = Math(f"{source(low)} \\le u_{{{player + 1}}} \\le {source(high)}")
            parts.append((text,))
    size = f"{len(model.parent):,} histories, {len(vectors)} different payoff vectors"
    return (f"The game is too large for a table of payoffs: {size}", *_after("; ", parts), ".")


def _after(start: str, parts: Sequence[Text]) -> Text:
    return (start, *joined(parts)) if parts else ()


def _stages(account: Account) -> list[tuple[str, tuple[str, ...]]] | None:
    """Mover and actions at each depth, if all histories go through the same ones."""
    model, tree = account.model, account.tree
    stages: list[tuple[str, tuple[str, ...]]] = []
    level = [0]
    while True:
        ends = {model.player[node] == TERMINAL for node in level}
        if ends != {False}:
            return stages if ends == {True} else None
        kinds = {
            (model.player[node], tuple(tree.edge_name(c) for c in model.children[node]))
            for node in level
        }
        if len(kinds) > 1:
            return None
        ((player, names),) = kinds
        stages.append(("Chance" if player == CHANCE else f"P{player + 1}", names))
        level = [child for node in level for child in model.children[node]]


def _grid(account: Account, stages: Sequence[tuple[str, tuple[str, ...]]], across: int) -> Table:
    """A table with the choices of one stage side by side, and those of the others in rows."""
    tree, model = account.tree, account.model
    rows: dict[tuple[str, ...], dict[str, Math]] = {}
    for leaf in tree.leaves.tolist():
        way = [tree.edge_name(node) for node in model.path(leaf)[1:]]
        column = way.pop(across)
        rows.setdefault(tuple(way), {})[column] = _payoff(account, leaf)
    movers = [mover for i, (mover, _) in enumerate(stages) if i != across]
    who, names = stages[across]
    header = [*((mover,) for mover in movers), *((f"{who}: {name}",) for name in names)]
    body = [
        (*((name,) for name in way), *((cells[name],) for name in names))
        for way, cells in sorted(rows.items(), key=lambda row: _ranks(stages, across, row[0]))
    ]
    return Table(tuple(header), tuple(body))


def _ranks(
    stages: Sequence[tuple[str, tuple[str, ...]]], across: int, way: Sequence[str]
) -> list[int]:
    names = [actions for i, (_, actions) in enumerate(stages) if i != across]
    return [actions.index(name) for actions, name in zip(names, way, strict=True)]
