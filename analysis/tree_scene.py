"""What there is to see of a game tree: items, and the words that belong to them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

from ..games.rules import CHANCE, TERMINAL
from ..solvers.tree import GameTree
from .lettering import (
    SMALL,
    Block,
    Piece,
    key_words,
    lacks,
    name_words,
    number_words,
    one_line,
    probability_words,
)
from .tree_folding import Item, folded
from .tree_play import Play, shown_tables

COLOURS = ("#0072b2", "#b84700", "#007a59", "#a5407a", "#7d6200", "#4b4b4b", "#6a3d9a", "#7a1f1f")
"""One per player, told apart by colour-blind readers (after Okabe & Ito 2008), and dark enough to
be read as text on white (contrast 4.5)."""
INK, GREY = "#1c1f26", "#5b616b"
FAINT_INK, FAINT = "#767b84", "#b4b8be"
"""Words and lines of moves that are never played."""
NEVER = 5e-4
"""A probability below this is shown as not played."""
OFF_PATH = "off path"
NO_BREAK = "\xa0"
LEGEND = 24
"""Information sets whose keys are written under the picture."""


def colour_of(player: int) -> str:
    """The colour of a player, grey of chance."""
    return GREY if player < 0 else COLOURS[player % len(COLOURS)]


@dataclass(frozen=True, slots=True)
class Thing:
    """An item with its words.

    Attributes:
        item: what is drawn.
        player: the mover at its node.
        infoset: the information set of a node that is drawn, else -1.
        name: the words in a player's node: the player and, where several of the player's dashed
            lines are to be told apart, a letter of the information set.
        label: rows on the edge into it: the action's name, its probability.
        weight: the probability of that edge, 1 where nothing is known.
        badge: the belief, or nothing.
        tail: rows behind a leaf or a triangle.
    """

    item: Item
    player: int
    infoset: int
    name: str
    label: tuple[Piece, ...]
    weight: float
    badge: str
    tail: tuple[tuple[Piece, ...], ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A tree to be drawn.

    Attributes:
        tree: the game.
        things: parents before children.
        notes: lines under the picture.
        words: all of it in a sentence, for readers who cannot see it.
    """

    tree: GameTree
    things: tuple[Thing, ...]
    notes: tuple[str, ...]
    words: str


def scene(tree: GameTree, play: Play | None, max_drawn: int, depth: int | None = None) -> Scene:
    """What to draw of a tree, with the words of a profile if there is one."""
    items = folded(tree, max_drawn, depth, None if play is None else play.reach)
    drawn = sorted({int(tree.node_infoset[i.node]) for i in items if not i.roots} - {-1})
    several = [h for h in drawn if tree.first_node[h] != tree.last_node[h]]
    letters = _letters(tree, several)
    beliefs = {} if play is None else _beliefs(tree, several, play)
    tables = shown_tables(tree)
    things = tuple(_thing(tree, item, play, letters, beliefs, tables) for item in items)
    notes = _notes(tree, things, letters, play)
    return Scene(tree, things, tuple(notes), _in_words(tree, items))


def block(rows: Sequence[Sequence[Piece]], sideways: bool) -> Block:
    """Rows on one line for trees that lie on their side, else below each other."""
    rows = [row for row in rows if row]
    if sideways and rows:
        return Block((tuple(piece for row in rows for piece in row),))
    return Block(tuple(map(tuple, rows)))


def _thing(
    tree: GameTree,
    item: Item,
    play: Play | None,
    letters: Mapping[int, str],
    beliefs: Mapping[int, str],
    tables: Any,
) -> Thing:
    player = int(tree.player[item.node])
    label, weight = _label(tree, item, play, tables[0])
    if item.roots:
        tail = _triangle_words(tree, item, play)
    elif player == TERMINAL:
        tail = tuple((piece,) for piece in _payoffs(tables[1][tree.payoff[item.node]]))
    else:
        tail = ()
    drawn_set = -1 if item.roots else int(tree.node_infoset[item.node])
    belief = "" if item.roots else beliefs.get(item.node, "")
    name = "" if drawn_set < 0 else f"P{player + 1}{letters.get(drawn_set, '')}"
    return Thing(item, player, drawn_set, name, label, weight, belief, tail)


def _label(
    tree: GameTree, item: Item, play: Play | None, chance: Sequence[Any]
) -> tuple[tuple[Piece, ...], float]:
    """The pieces on the edge into an item; and its probability, as a thickness."""
    node = item.node
    if node == 0 or len(item.roots) > 1:
        return (), 1.0
    mover = int(tree.player[tree.parent[node]])
    if mover == CHANCE:
        probability: Any = chance[tree.probability[node]]
        weight = 1.0
    elif play is not None:
        probability = play.probability(node)
        weight = 1.0 if getattr(probability, "free_symbols", None) else float(probability)
    else:
        return (Piece(name_words(tree.edge_name(node)), INK),), 1.0
    faint = weight < NEVER
    return (
        Piece(name_words(tree.edge_name(node)), FAINT_INK if faint else INK),
        Piece(probability_words(probability), FAINT_INK if faint else colour_of(mover)),
    ), weight


def _payoffs(payoffs: Sequence[Any]) -> tuple[Piece, ...]:
    return tuple(Piece(number_words(u), colour_of(p)) for p, u in enumerate(payoffs))


def _triangle_words(tree: GameTree, item: Item, play: Play | None) -> tuple[tuple[Piece, ...], ...]:
    last = (
        _count(item.leaves, "leaf", "leaves")
        if play is None
        else f"reach {number_words(play.reached(item.roots))}"
    )
    rows = [f"{_count(item.nodes, 'node')},", last]
    if len(item.roots) > 1:
        by_chance = tree.player[tree.parent[item.node]] == CHANCE
        rows.insert(0, f"{len(item.roots):,} more {'outcomes' if by_chance else 'moves'}:")
    lines: list[tuple[Piece, ...]] = [(Piece(words, GREY, SMALL),) for words in rows]
    values = None if play is None else play.values(item.roots)
    if values is not None:
        lines[-1] = (Piece(f"{last},", GREY, SMALL),)
        lines.append((Piece("expected", GREY, SMALL), *_payoffs(values)))
    return tuple(lines)


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _letters(tree: GameTree, sets: Sequence[int]) -> dict[int, str]:
    """Letters that tell the information sets of a player apart who has more than one."""
    of_player: dict[int, list[int]] = defaultdict(list)
    for h in sets:
        of_player[int(tree.owner[h])].append(h)
    return {
        h: _letter(k)
        for _, row in sorted(of_player.items())
        if len(row) > 1
        for k, h in enumerate(row)
    }


def _letter(number: int) -> str:
    """``a`` to ``z``, ``aa`` to ``zz``, and so on."""
    above, last = divmod(number, 26)
    return (_letter(above - 1) if above else "") + ascii_lowercase[last]


def _beliefs(tree: GameTree, sets: Sequence[int], play: Play) -> dict[int, str]:
    """The beliefs at the nodes of information sets."""
    words: dict[int, str] = {}
    for h in sets:
        belief = play.beliefs(h)
        if belief is None:
            words.update(dict.fromkeys(tree.nodes_of(h), OFF_PATH))
        else:
            words.update({v: f"[{probability_words(x)}]" for v, x in belief.items()})
    return words


def _notes(
    tree: GameTree, things: Sequence[Thing], letters: Mapping[int, str], play: Play | None
) -> list[str]:
    notes = []
    if play is not None and not things[0].tail and (values := play.values([0])):
        each = (f"P{p + 1} {number_words(value)}" for p, value in enumerate(values))
        notes.append(f"Expected payoffs: {', '.join(each)}.")
    if letters:
        notes.append(f"Information sets: {_legend(tree, letters)}.")
    if any(thing.badge.startswith("[") for thing in things):
        notes.append("[ ]: belief at a node, given its information set.")
    if any(thing.badge == OFF_PATH for thing in things):
        notes.append("off path: never reached, so Bayes' rule gives no belief.")
    if any(lacks(piece.text) for thing in things for piece in thing.label) or any(
        map(lacks, notes)
    ):
        notes.append("Boxes: characters that the font lacks; SVG files keep them.")
    triangles = [thing.item for thing in things if thing.item.roots]
    if triangles:
        hidden = sum(item.nodes for item in triangles)
        subtrees = sum(len(item.roots) for item in triangles)
        words = f"Triangles: {_count(subtrees, 'folded subtree')} with {hidden:,} of the "
        notes.append(words + f"{tree.num_nodes:,} nodes.")
        if cut := _cut_sets(tree, things):
            sets = _count(cut, "information set")
            notes.append(f"{sets} drawn here {'goes' if cut == 1 else 'go'} on inside triangles.")
    return notes


def _legend(tree: GameTree, letters: Mapping[int, str]) -> str:
    """The keys of information sets, player by player; a line may end after each of them."""
    sets = list(letters)[:LEGEND]
    words = []
    for player in dict.fromkeys(int(tree.owner[h]) for h in sets):
        mine = [h for h in sets if tree.owner[h] == player]
        keys = key_words([tree.keys[h].removeprefix(f"P{player + 1}: ") for h in mine])
        words += [f"P{player + 1}{letters[h]} “{k}”" for h, k in zip(mine, keys, strict=True)]
    if len(letters) > LEGEND:
        words.append(f"and {len(letters) - LEGEND:,} more")
    return ", ".join(word.replace(" ", NO_BREAK) for word in words)


def _cut_sets(tree: GameTree, things: Sequence[Thing]) -> int:
    """The number of information sets of which some nodes are drawn, but not all."""
    drawn: dict[int, int] = defaultdict(int)
    for thing in things:
        if thing.infoset >= 0:
            drawn[thing.infoset] += 1
    return sum(len(tree.nodes_of(h)) > count for h, count in drawn.items())


def _in_words(tree: GameTree, items: Sequence[Item]) -> str:
    words = (
        f"Game tree of {tree.name}: {_count(tree.num_players, 'player')}, "
        f"{_count(tree.num_nodes, 'node')}, {_count(len(tree.leaves), 'leaf', 'leaves')}, "
        f"{_count(tree.num_infosets, 'information set')}"
    )
    folds = sum(bool(item.roots) for item in items)
    more = f"; {len(items) - folds:,} nodes are drawn, the rest is folded" if folds else ""
    return one_line(words + more + ".")
