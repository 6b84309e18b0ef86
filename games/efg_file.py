"""What an .efg file says: a game tree as flat rows, whatever its players remember.

`EfgFile` keeps all that Gambit's format can say, imperfect recall and payoffs on the way included,
so that files round-trip. `EfgFile.game` makes the rules of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import NamedTuple

from .extensive import ExtensiveGame
from .nodes import Chance, Decision, Leaf, Node
from .rules import CHANCE, View

WHOLE_KEYS = "Information sets are named by their whole information-state strings."
"""In the comment of a file: no player is to be put in front of the names (see `EfgFile.game`)."""


class EfgSet(NamedTuple):
    """An information set of a player, or an event of chance.

    Attributes:
        player: from 0 on, or `CHANCE`.
        number: of the set, unique among those of its player.
        name: may be empty, and need not be unique.
        actions: names of the actions or outcomes, in order; they may be empty or repeated.
        probabilities: of chance's outcomes, from 0 to 1, with the sum 1; none for a player.
    """

    player: int
    number: int
    name: str
    actions: tuple[str, ...]
    probabilities: tuple[Fraction, ...]


class EfgOutcome(NamedTuple):
    """Payoffs that nodes refer to.

    Attributes:
        number: from 1 on.
        name: may be empty, and need not be unique.
        payoffs: what each player receives on arrival at a node with this outcome.
    """

    number: int
    name: str
    payoffs: tuple[Fraction, ...]


class EfgNode(NamedTuple):
    """One node.

    Attributes:
        name: may be empty.
        infoset: index in `EfgFile.sets`, -1 at a terminal node.
        outcome: index in `EfgFile.outcomes`, -1 for none.
    """

    name: str
    infoset: int
    outcome: int


@dataclass(frozen=True, slots=True)
class EfgFile:
    """A Gambit extensive-form file, as `read_efg` and `to_efg` make it.

    Attributes:
        title: the game's name for people.
        players: the players' names; they may be empty or repeated.
        comment: any text.
        sets: information sets and chance events, in the order of their first nodes.
        outcomes: in the order of the first nodes that have them.
        nodes: in depth-first order, the children of each in the order of its actions.
    """

    title: str
    players: tuple[str, ...]
    comment: str
    sets: tuple[EfgSet, ...]
    outcomes: tuple[EfgOutcome, ...]
    nodes: tuple[EfgNode, ...]

    @property
    def short_title(self) -> str:
        """The title in one line, with single spaces."""
        return " ".join(self.title.split())

    @property
    def keys_are_names(self) -> bool:
        """Whether the names of the players' sets are their information-state strings.

        So the comment says of files that `to_efg` makes of some games. It is not so if two sets
        have one name, as after a change by another program.
        """
        names = [s.name for s in self.sets if s.player != CHANCE]
        return WHOLE_KEYS in self.comment and len(set(names)) == len(names)

    def game(self, name: str | None = None) -> EfgGame:
        """The rules of the game.

        Payoffs on the way are added to those at the end. Branches of probability 0 are left out,
        and with them the information sets that lie nowhere else; the others stay as they are.

        Names: an action without a name becomes ``_1``, ``_2``; one that occurs twice in a set,
        ``x_1``, ``x_2`` (as Gambit does it). The information set named ``n`` of player 1 has the
        information-state string ``P1: n``; without a name its number stands there, and the number
        is added to a name that several sets of the player have. If `keys_are_names`, the
        information-state string is ``n`` itself.

        Args:
            name: a short name for the game; by default the title, which people are told anyway.

        Raises:
            ImperfectRecall: a player forgets what it knew or did; no solver here handles that.
            GameError: there are more players than games may have.
        """
        title = self.short_title or name or "untitled"
        return EfgGame(name or title, title, _nested(self), whole_keys=self.keys_are_names)


class EfgGame(ExtensiveGame):
    """The rules of a file; see `EfgFile.game`.

    Args:
        name: a short name.
        title: the name for people.
        root: the tree.
        whole_keys: whether labels are information-state strings, without the player in front.
    """

    def __init__(self, name: str, title: str, root: Node, *, whole_keys: bool = False):
        super().__init__(name, root, shared_labels=True)
        self.title = title  # type: ignore[misc]  # one class, many games
        self.whole_keys = whole_keys

    def information_state_string(self, player: int, view: View) -> str:
        """See `ExtensiveGame`."""
        key = super().information_state_string(player, view)
        return key.removeprefix(f"P{player + 1}: ") if self.whole_keys and view else key


def _nested(file: EfgFile) -> Node:
    """The tree of the nodes, built from the end: children are there before their parents."""
    whole = file.keys_are_names
    labels = [s.name for s in file.sets] if whole else _labels(file.sets)
    actions = [_distinct_actions(s.actions) for s in file.sets]
    totals = _totals(file)
    leaves: dict[int, Leaf] = {}
    waiting: list[Node] = []  # subtrees without a parent yet, the leftmost last
    for node, total in zip(reversed(file.nodes), reversed(totals), strict=True):
        if node.infoset < 0:
            # Few vectors of payoffs, many leaves: each vector is one leaf, used again and again.
            waiting.append(leaves.setdefault(id(total), Leaf(total)))
            continue
        kind, names = file.sets[node.infoset], actions[node.infoset]
        children = [waiting.pop() for _ in names]
        if kind.player == CHANCE:
            rows = zip(names, kind.probabilities, children, strict=True)
            waiting.append(Chance(tuple(row for row in rows if row[1])))
        else:
            moves = tuple(zip(names, children, strict=True))
            waiting.append(Decision(kind.player, labels[node.infoset], moves))
    return waiting.pop()


def _totals(file: EfgFile) -> list[tuple[Fraction, ...]]:
    """The payoffs collected up to each node, its own included. Equal sums are one object."""
    sums: dict[tuple[int, int], tuple[Fraction, ...]] = {}
    zero = (Fraction(0),) * len(file.players)
    totals: list[tuple[Fraction, ...]] = []
    waiting = [zero]  # what was collected above each node that is still to come, the next one last
    for _, infoset, outcome in file.nodes:
        total = above = waiting.pop()
        if outcome >= 0:
            total = sums.get((id(above), outcome))
            if total is None:
                own = file.outcomes[outcome].payoffs
                total = own if above is zero else _added(above, own)
                sums[id(above), outcome] = total
        totals.append(total)
        if infoset >= 0:
            waiting += [total] * len(file.sets[infoset].actions)
    return totals


def _added(one: Sequence[Fraction], other: Sequence[Fraction]) -> tuple[Fraction, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _labels(sets: Sequence[EfgSet]) -> list[str]:
    """A label for each information set, distinct among those of a player."""
    labels = [s.name or str(s.number) for s in sets]
    uses = Counter((s.player, label) for s, label in zip(sets, labels, strict=True))
    taken = set(uses)
    for i, s in enumerate(sets):
        if uses[s.player, labels[i]] > 1:
            label = f"{labels[i]} ({s.number})"
            while (s.player, label) in taken:
                label += "'"
            taken.add((s.player, label))
            labels[i] = label
    return labels


def _distinct_actions(names: Sequence[str]) -> list[str]:
    """Names of actions, made distinct and not empty."""
    if all(names) and len(set(names)) == len(names):
        return list(names)
    uses = Counter(names)
    taken = set(names)
    numbers = {name: count(1) for name in uses}
    distinct = []
    for name in names:
        if uses[name] > 1 or not name:
            name = next(
                word for word in (f"{name}_{k}" for k in numbers[name]) if word not in taken
            )
            taken.add(name)
        distinct.append(name)
    return distinct
