"""Equilibria in a few words, as people name them: "pooling on beer", "pure; P1: In, T · P2: T"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import shorten

import sympy

from ...games.exact import exact
from ...games.rules import CHANCE, TERMINAL, Exact
from ..profile import assigned
from ..tree import GameTree

MAX_LENGTH = 100
"""Characters of a name."""


def describe(
    tree: GameTree,
    strategies: Mapping[str, Mapping[str, Exact]],
    payoffs: Sequence[Exact] = (),
) -> str:
    """What happens on the path of a profile, or of a family of profiles, on one line.

    A probability counts as positive unless it is 0 whatever its symbols are, so a family is named
    by its members in general position.

    - A player with several types, that is, information sets that only chance leads to and that
      offer the same actions, one of which another player sees, is *pooling* if all types play the
      same, *separating* if no two types ever do the same, and *semi-separating* otherwise.
    - Of the other players, and in other games of all, the choices on the path are told: ``T/W`` if
      both are played, with ``(free)`` if the probabilities are not determined.
    - In other games this comes after *pure* (on the path, if not everywhere), *mixed*, or
      *completely mixed* (every action has positive probability).

    Args:
        tree: the game.
        strategies: ``{information set: {action name: probability}}``; probabilities may hold
            symbols. Sets with a single action may be left out, and actions of probability 0.
        payoffs: told at the end, if given and if they fit.

    Returns:
        At most `MAX_LENGTH` characters; what does not fit is cut.

    Raises:
        PolicyError: a missing or unknown information set, or an unknown action.
        GameError: a probability that is no exact number.
    """
    play = _Play(tree, strategies)
    parts = []
    senders = {}
    for player in range(tree.num_players):
        types = _types(tree, player)
        if types and _seen(tree, types):
            senders[player] = types
    for player, types in senders.items():
        who = f"P{player + 1} " if len(senders) > 1 else ""
        parts.append(who + _signalling(play, types))
    if not senders:
        parts.append(play.degree())
    choices = [
        f"P{player + 1}: {', '.join(told)}"
        for player in range(tree.num_players)
        if (told := play.choices(player, without=senders.get(player, [])))
    ]
    if choices:
        parts.append(" · ".join(choices))
    text = "; ".join(parts)
    if payoffs:
        ending = f"; payoffs ({', '.join(str(exact(u)) for u in payoffs)})"
        if len(text) + len(ending) <= MAX_LENGTH:
            return text + ending
    return shorten(text, MAX_LENGTH, placeholder=" ...")


class _Play:
    """Which actions are played, which nodes are reached, and which probabilities are free."""

    def __init__(self, tree: GameTree, strategies: Mapping[str, Mapping[str, Exact]]):
        self.tree = tree
        self.mix: list[dict[int, Exact]] = [{} for _ in tree.keys]  # action ranks, played ones only
        forced = {key: {tree.legal[h][0]: 1} for h, key in enumerate(tree.keys) if self.single(h)}
        for sequence, value in assigned(tree, {**forced, **strategies}):
            h = int(tree.first.searchsorted(sequence, side="right")) - 1
            if (value := _simplest(value)) != 0:
                self.mix[h][sequence - int(tree.first[h])] = value
        self.mix = [dict(sorted(row.items())) for row in self.mix]
        probabilities, table = tree.exact_tables
        self.of_game = {
            symbol
            for value in (*probabilities, *(u for row in table for u in row))
            if isinstance(value, sympy.Basic)
            for symbol in value.free_symbols
        }
        self.reached = self._reached()

    def single(self, h: int) -> bool:
        """Whether there is nothing to choose."""
        return len(self.tree.legal[h]) == 1

    def _reached(self) -> set[int]:
        """The information sets on the path."""
        tree, on_path = self.tree, [True]
        for node in range(1, tree.num_nodes):
            above = int(tree.parent[node])
            h = int(tree.node_infoset[above])
            played = h < 0 or int(tree.branch[node]) in self.mix[h]
            on_path.append(on_path[above] and played)
        return {int(h) for h, on in zip(tree.node_infoset, on_path, strict=True) if on and h >= 0}

    def degree(self) -> str:
        """How much is mixed."""
        if all(len(row) == 1 for row in self.mix):
            return "pure"
        if [*map(len, self.mix)] == self.tree.num_actions.tolist():
            return "completely mixed"
        if all(len(self.mix[h]) == 1 for h in self.reached):
            return "pure on the path"
        return "mixed"

    def choices(self, player: int, without: Sequence[int]) -> list[str]:
        """What a player does at each of its sets on the path where there is a choice."""
        sets = range(*self.tree.blocks[player : player + 2].tolist())
        return [
            self.support(h)
            for h in sets
            if h in self.reached and h not in without and not self.single(h)
        ]

    def support(self, h: int) -> str:
        """The actions that are played, such as ``T/W``."""
        names = self.tree.action_names(h)
        free = any(
            isinstance(p, sympy.Basic) and p.free_symbols - self.of_game
            for p in self.mix[h].values()
        )
        return "/".join(names[a] for a in self.mix[h]) + (" (free)" if free else "")


def _simplest(value: Exact) -> Exact:
    """An exact number in a form in which equal ones are equal."""
    value = exact(value)
    return exact(sympy.cancel(sympy.expand(value))) if isinstance(value, sympy.Basic) else value


def _types(tree: GameTree, player: int) -> list[int]:
    """The sets of a player that only chance leads to, if these are several with equal actions."""
    blind = [True]
    for node in range(1, tree.num_nodes):
        above = int(tree.parent[node])
        blind.append(blind[above] and tree.player[above] == CHANCE)
    sets = range(*tree.blocks[player : player + 2].tolist())
    types = [h for h in sets if all(blind[node] for node in tree.nodes_of(h))]
    menus = {tree.action_names(h) for h in types}
    alike = len(types) > 1 and len(menus) == 1 and len(menus.pop()) > 1
    return types if alike else []


def _seen(tree: GameTree, types: Sequence[int]) -> bool:
    """Whether another player later knows which of the types' actions were not taken."""
    said: list[int] = [-1]
    messages: dict[int, set[int]] = {}
    for node in range(1, tree.num_nodes):
        above = int(tree.parent[node])
        if int(tree.node_infoset[above]) in types:
            said.append(int(tree.branch[node]))
        else:
            said.append(said[above])
        if tree.player[node] not in (CHANCE, TERMINAL, int(tree.owner[types[0]])):
            messages.setdefault(int(tree.node_infoset[node]), set()).add(said[node])
    every = len(tree.legal[types[0]])
    return any(-1 not in heard and len(heard) < every for heard in messages.values())


def _signalling(play: _Play, types: Sequence[int]) -> str:
    """How much the types' actions tell."""
    mixes = [play.mix[h] for h in types]
    if all(mix == mixes[0] for mix in mixes):
        return f"pooling on {play.support(types[0])}"
    by_type = ", ".join(f"{_type_name(play.tree, h)}: {play.support(h)}" for h in types)
    told = [action for mix in mixes for action in mix]
    kind = "separating" if len(told) == len(set(told)) else "semi-separating"
    return f"{kind} ({by_type})"


def _type_name(tree: GameTree, h: int) -> str:
    """The name of an information set without its owner's."""
    return tree.keys[h].removeprefix(f"P{int(tree.owner[h]) + 1}: ")
