"""Where everything of a scene goes, in points.

Places have a *depth* (away from the root) and a *cross* (along a level). A picture stands (depth
runs down) or lies on its side (depth runs to the right); the rules are the same. Room is kept for
every word, so that no two of them meet:

- A level's nodes are apart by their words, and what stands behind a leaf takes room on the next
  levels, too, as if it were nodes there.
- Between two levels come, in this order: beliefs of the upper one, edges that fan out, the labels
  on the edges, and lanes for links of information sets that must pass other nodes.
- Edges of standing trees are straight. Their labels are all at the same part `LABEL_AT` of the way,
  and the ends of two edges are apart by as much more. Edges of lying trees end level, and carry the
  label there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from .lettering import SMALL, Block, Piece, text_width
from .tree_layout import Span, aligned_levels, lanes, tidy
from .tree_scene import Scene, Thing, block, colour_of

RADIUS = 7.2
"""Of a node, in points; one with a longer name is wider."""
LANE = 4.5
LABEL_AT = 0.6
LINE = 11.0
"""Room of one line of text across a level that lies on its side."""
TRIANGLE, TRIANGLE_WIDTH = 14.0, 10.5
"""Its length and its width across."""
TAIL = 4.0
"""Between a leaf and its words."""
BETWEEN = 7.0
"""Between labels of a tree that stands."""
PAD = 2.0
"""Around a belief."""
LEAF = 22.0
"""Room of a leaf of a tree that stands, so that its edges fan out."""


class Place(NamedTuple):
    """A point of the picture."""

    depth: float
    cross: float


class Half(NamedTuple):
    """Half the room of a node."""

    depth: float
    cross: float


@dataclass(frozen=True, slots=True)
class Drawn:
    """A thing in its place.

    Attributes:
        thing: what it is.
        at: its centre.
        badge: the belief behind the node.
        tail: the words behind a leaf or a triangle.
        tail_at: where they begin.
        edge: the line from the parent: its corners.
        label: the words on it.
        label_at: their centre.
    """

    thing: Thing
    at: Place
    badge: Block
    tail: Block
    tail_at: Place
    edge: tuple[Place, ...]
    label: Block
    label_at: Place


@dataclass(frozen=True, slots=True)
class Link:
    """A dashed line between two nodes of one information set.

    Attributes:
        player: whose set it is.
        start: the node with the smaller cross, or depth.
        end: the other one.
        aside: how far before the level it runs, 0 if straight from node to node.
    """

    player: int
    start: Place
    end: Place
    aside: float


@dataclass(frozen=True, slots=True)
class Places:
    """A scene with places.

    Attributes:
        sideways: whether depth runs to the right.
        drawn: the things.
        links: the information sets.
        half: half the room of the widest node.
        depth: extent of the picture, in points.
        cross: the same along the levels.
    """

    sideways: bool
    drawn: tuple[Drawn, ...]
    links: tuple[Link, ...]
    half: Half
    depth: float
    cross: float


class _Slots:
    """The tree that is laid out: things, the way of long edges, and room for words behind leaves.

    Attributes:
        parent: of each slot.
        level: of each slot.
        breadth: room across.
        of: the slot of each thing.
        first: the first slot of the edge into each thing.
        passable: whether a link may cross the slot.
    """

    def __init__(self) -> None:
        self.parent: list[int] = []
        self.level: list[int] = []
        self.breadth: list[float] = []
        self.passable: list[bool] = []
        self.of: list[int] = []
        self.first: list[int] = []

    def add(self, parent: int, breadth: float, passable: bool = False) -> int:
        """A new slot below ``parent``; its number."""
        self.parent.append(parent)
        self.level.append(0 if parent < 0 else self.level[parent] + 1)
        self.breadth.append(breadth)
        self.passable.append(passable)
        return len(self.parent) - 1


def places(scene: Scene, sideways: bool) -> Places:
    """Gives every thing its place."""
    things = scene.things
    labels = [block([[piece] for piece in thing.label], sideways) for thing in things]
    tails = [_tail(thing, sideways) for thing in things]
    widest = max(half_width(thing.name) for thing in things)
    half = Half(widest, RADIUS) if sideways else Half(RADIUS, widest)
    badges = [_badge(thing) for thing in things]
    levels = aligned_levels([t.item.above for t in things], [t.infoset for t in things])
    depth_of_labels, depth_of_badges = [0.0] * (max(levels) + 2), [0.0] * (max(levels) + 2)
    for i, thing in enumerate(things):
        first = 0 if i == 0 else levels[thing.item.above] + 1
        depth_of_labels[first] = max(depth_of_labels[first], _depth(labels[i], sideways))
        level = levels[i]
        depth_of_badges[level] = max(depth_of_badges[level], _badge_depth(badges[i], sideways))
    pitch = [
        _pitch(depth_of_labels[k], depth_of_badges[max(k - 1, 0)], 0.0, 0.0, half, sideways)
        for k in range(len(depth_of_labels))
    ]
    slots = _slots(things, levels, labels, badges, tails, pitch, half, sideways)
    cross = tidy(slots.parent, slots.breadth)
    routes = _routes(things, levels, slots, cross)
    aside = [0] * len(pitch)
    for route in routes:
        aside[route.level] = max(aside[route.level], route.lane + 1)
    spread = [0.0] * len(pitch)
    for i, thing in enumerate(things[1:], 1):
        first, above = slots.first[i], slots.of[thing.item.above]
        way = abs(cross[first] - cross[above])
        spread[slots.level[first]] = max(spread[slots.level[first]], way)
    rows = [_Level(half.depth, half.depth, 0.0, 0.0)]
    for k in range(1, len(pitch)):
        label, badge, room = depth_of_labels[k], depth_of_badges[k - 1], _lanes_room(aside[k])
        above = rows[-1].depth
        depth = above + _pitch(label, badge, room, spread[k], half, sideways)
        rows.append(_Level(depth, above + half.depth + badge, label, room))
    at = [Place(rows[levels[i]].depth, cross[slots.of[i]]) for i in range(len(things))]
    drawn = []
    for i, thing in enumerate(things):
        edge, label_at = (), at[i]
        if i:
            above = thing.item.above
            badge = _badge_depth(badges[above], sideways)
            start = Place(at[above].depth + (half.depth + badge if badge else 0.0), at[above].cross)
            row = rows[slots.level[slots.first[i]]]
            edge, label_at = _edge(start, at[i], row, labels[i], half, sideways)
        behind = TRIANGLE + 3.0 if thing.item.roots else TAIL
        drawn.append(
            Drawn(
                thing, at[i], badges[i], tails[i], Place(at[i].depth + behind, at[i].cross), edge,
                labels[i], label_at,
            )
        )  # fmt: skip
    ends = [d.tail_at.depth + _depth(d.tail, sideways) for d in drawn]
    ends += [d.at.depth + half.depth + _depth(d.badge, sideways) for d in drawn]
    return Places(
        sideways,
        tuple(drawn),
        tuple(_link(route, at, half) for route in routes),
        half,
        max(ends),
        max(c + b / 2 for c, b in zip(cross, slots.breadth, strict=True)),
    )


class _Level(NamedTuple):
    """What lies before a level: edges fan out from ``fan``; then labels; then lanes."""

    depth: float
    fan: float
    label: float
    room: float


def _edge(
    start: Place, end: Place, level: _Level, label: Block, half: Half, sideways: bool
) -> tuple[tuple[Place, ...], Place]:
    """The corners of an edge whose first part ends at a level; and the centre of its label."""
    if sideways:
        begin = level.depth - half.depth - level.room - 4.0 - level.label
        return (start, Place(begin - 4.0, end.cross), end), Place(
            begin + label.width / 2, end.cross
        )
    turn = Place(level.depth, end.cross)
    along = level.fan + LABEL_AT * (level.depth - level.fan)
    part = (along - start.depth) / (turn.depth - start.depth)
    label_at = Place(along, start.cross + part * (turn.cross - start.cross))
    return ((start, turn) if turn == end else (start, turn, end)), label_at


def _depth(words: Block, sideways: bool) -> float:
    return words.width if sideways else words.height


def _badge_depth(badge: Block, sideways: bool) -> float:
    return _depth(badge, sideways) + 2 * PAD if badge.rows else 0.0


def _across(words: Block, sideways: bool) -> float:
    return (LINE if words.rows else 0.0) if sideways else words.width


def _badge(thing: Thing) -> Block:
    if not thing.badge:
        return Block()
    return Block(((Piece(thing.badge, colour_of(thing.player), SMALL),),))


def _tail(thing: Thing, sideways: bool) -> Block:
    """Payoffs in a row are told apart by commas, and by their colours."""
    rows = thing.tail
    if sideways and not thing.item.roots:
        *most, last = rows or ((),)
        rows = (*(_with_comma(row) for row in most), last)
    elif thing.item.roots and rows and len(rows[-1]) > 2:
        word, *payoffs = rows[-1]
        *most, last = payoffs
        rows = (*rows[:-1], (word, *_with_comma(tuple(most)), last))
    return block(rows, sideways)


def _with_comma(row: tuple[Piece, ...]) -> tuple[Piece, ...]:
    return tuple(Piece(p.text + ",", p.colour, p.size, p.bold) for p in row)


def _lanes_room(count: int) -> float:
    return 3.0 + LANE * count if count else 0.0


def half_width(name: str) -> float:
    """Half of the width of a node with its name."""
    return max(RADIUS, text_width(name, SMALL, bold=True) / 2 + 2.2) if name else RADIUS


def _pitch(
    label: float, badge: float, room: float, spread: float, half: Half, sideways: bool
) -> float:
    """From one level to the next."""
    if sideways:
        fan = min(max(0.12 * spread, 16.0), 54.0)
        return half.depth + badge + fan + label + 8.0 + room + half.depth
    below_label = (half.depth + room + label / 2 + 3.0) / (1 - LABEL_AT)
    return half.depth + badge + max(below_label, min(max(0.22 * spread, 30.0), 96.0))


def _slots(
    things: Sequence[Thing],
    levels: Sequence[int],
    labels: Sequence[Block],
    badges: Sequence[Block],
    tails: Sequence[Block],
    pitch: Sequence[float],
    half: Half,
    sideways: bool,
) -> _Slots:
    slots = _Slots()
    for i, thing in enumerate(things):
        label = _across(labels[i], sideways)
        if label and not sideways:
            label = (label + BETWEEN) / LABEL_AT
        tail = _across(tails[i], sideways)
        if tail and not sideways:
            tail += 7.0
        if thing.item.roots:
            own = TRIANGLE_WIDTH + 2.0
        elif thing.tail:
            own = LINE if sideways else LEAF
        else:
            own = max(2 * half.cross + 3.0, _across(badges[i], sideways) + 4.0)
        above = slots.of[thing.item.above] if i else -1
        between = levels[i] - levels[thing.item.above] - 1 if i else 0
        for k in range(between):
            above = slots.add(above, max(8.0, label if k == 0 else 0.0), passable=True)
            if k == 0:
                slots.first.append(above)
        slot = slots.add(above, max(own, tail, label if not between else 0.0))
        if not between:
            slots.first.append(slot)
        slots.of.append(slot)
        reach = _depth(tails[i], sideways) + (TRIANGLE + 3.0 if thing.item.roots else TAIL)
        level = levels[i] + 1
        while thing.tail and reach > 0.0 and level < len(pitch):
            slot = slots.add(slot, max(tail, own))
            reach -= pitch[level]
            level += 1
    return slots


class _Route(NamedTuple):
    """A link between two things: ``lane`` -1 straight, else beside ``level``."""

    player: int
    one: int
    other: int
    level: int
    lane: int


def _routes(
    things: Sequence[Thing], levels: Sequence[int], slots: _Slots, cross: Sequence[float]
) -> list[_Route]:
    """Links between neighbours of each information set, with lanes past what lies between."""
    members: dict[int, list[int]] = defaultdict(list)
    for i, thing in enumerate(things):
        if thing.infoset >= 0:
            members[thing.infoset].append(i)
    rows: dict[int, list[int]] = defaultdict(list)
    for slot in range(len(slots.parent)):
        if not slots.passable[slot]:
            rows[slots.level[slot]].append(slot)
    order = {
        slot: k
        for row in rows.values()
        for k, slot in enumerate(sorted(row, key=lambda slot: cross[slot]))
    }
    routes, aside = [], defaultdict(list)
    for h in sorted(members):
        nodes = sorted(members[h], key=lambda i: (levels[i], cross[slots.of[i]]))
        for one, other in pairwise(nodes):
            player = things[one].player
            level = max(levels[one], levels[other])
            apart = levels[one] == levels[other]
            if apart and order[slots.of[other]] - order[slots.of[one]] > 1:
                aside[level].append((player, one, other))
            else:
                routes.append(_Route(player, one, other, level, -1))
    for level, found in aside.items():
        spans = [Span(cross[slots.of[one]], cross[slots.of[other]]) for _, one, other in found]
        for (player, one, other), lane in zip(found, lanes(spans), strict=True):
            routes.append(_Route(player, one, other, level, lane))
    return routes


def _link(route: _Route, at: Sequence[Place], half: Half) -> Link:
    aside = half.depth + 3.0 + LANE * route.lane if route.lane >= 0 else 0.0
    return Link(route.player, at[route.one], at[route.other], aside)
