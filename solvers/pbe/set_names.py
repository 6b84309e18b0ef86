"""Short names of information sets, for people."""

from __future__ import annotations

from itertools import takewhile

from ..tree import GameTree

LONGEST = 30
"""Characters of the part of a name that follows the player."""


def set_names(tree: GameTree) -> list[str]:
    """A short name for every information set, all different.

    A player's only set is called by the player, ``P1``. Several are told apart by the first parts
    of their labels (information-state strings) that they do not share, ``P3: S1`` for the label
    ``P3: dealt Robber; S1; now Werewolf``; or by numbers, ``P1 #2``, where these are long.
    """
    names = [""] * tree.num_infosets
    for player in range(tree.num_players):
        sets = [h for h in range(tree.num_infosets) if tree.owner[h] == player]
        who = f"P{player + 1}"
        if len(sets) == 1:
            names[sets[0]] = who
            continue
        short = _distinct_parts([label(tree, h).split("; ") for h in sets])
        fits = all(len(text) <= LONGEST and "\n" not in text for text in short)
        for number, (h, text) in enumerate(zip(sets, short, strict=True), 1):
            names[h] = f"{who}: {text}" if fits else f"{who} #{number}"
    return names


def label(tree: GameTree, h: int) -> str:
    """The information-state string without the player's name in front."""
    return tree.keys[h].removeprefix(f"P{tree.owner[h] + 1}: ")


def _distinct_parts(labels: list[list[str]]) -> list[str]:
    """As many parts as tell the labels apart, those left out that all begin with."""
    common = sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, zip(*labels)))
    rest = [parts[common:] or parts[-1:] for parts in labels]
    for count in range(1, max(map(len, rest), default=0) + 1):
        names = ["; ".join(parts[:count]) for parts in rest]
        if len(set(names)) == len(names):
            return names
    return ["; ".join(parts) for parts in labels]
