"""Pictures of game trees, as textbooks have them.

Each player has a colour and is named in its nodes; chance nodes are diamonds. Dashed lines join the
nodes of an information set, which stand on one level wherever the game allows it; letters tell the
sets of a player apart. Edges carry the names of actions and the probabilities of chance, leaves the
payoffs in the order and the colours of the players. With a profile, edges also carry the
probabilities of moves (moves never played fade), the nodes of information sets their beliefs, and a
line below tells what the players expect. What does not fit is folded into triangles.

What there is to see is decided in `tree_scene`, where it goes in `tree_places`; here it is drawn.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, PathPatch, Polygon, Rectangle
from matplotlib.path import Path

from ..games.errors import ParameterError
from ..games.rules import CHANCE
from ..solvers.tree import DEFAULT_MAX_NODES, Game, compile_tree
from .lettering import (
    LEADING,
    SMALL,
    SPACE,
    Block,
    Piece,
    font,
    one_line,
    row_width,
    text_width,
    wrapped,
)
from .picture import Picture
from .tree_places import (
    PAD,
    RADIUS,
    TRIANGLE,
    TRIANGLE_WIDTH,
    Drawn,
    Link,
    Place,
    Places,
    half_width,
    places,
)
from .tree_play import play_of
from .tree_scene import FAINT, GREY, INK, NEVER, Scene, colour_of, scene

Orientation = Literal["auto", "down", "right"]

MAX_DRAWN = 200
"""Nodes and triangles drawn unless told otherwise."""
PAGE_WIDTH = 468.0
"""Points (6.5 inches): wider trees turn sideways."""
MARGIN = 9.0
LEAST_WIDTH = 150.0
TITLE_SIZE = 9.0
NOTE_LINE = SMALL * 1.4
HEIGHT_OF_CAPITALS = 0.73
"""Of the font, in sizes."""


def draw_tree(
    game: Game,
    profile: Any = None,
    *,
    max_drawn: int = MAX_DRAWN,
    depth: int | None = None,
    orientation: Orientation = "auto",
    title: str | None = None,
    max_nodes: int = DEFAULT_MAX_NODES,
) -> Picture:
    """Draws a game tree.

    Text has 6.5 points or more at the size of the figure, which grows with the tree: some 11 points
    in height for each leaf of a tree that lies on its side.

    Args:
        game: the game in any form.
        profile: probabilities of the moves: exact ones as ``{information set: {action name:
            probability}}`` or as an `Assessment` (whose beliefs are then shown), with symbols if
            need be; or in floating point as a `Profile` or an OpenSpiel policy.
        max_drawn: nodes and triangles to draw at most. Beyond, subtrees are folded into triangles
            that tell their size and, with a profile, how probable they are and the expected payoffs
            once they are reached; some lines of play (with a profile the most probable) are drawn
            from the root to the end. See `tree_folding.folded`.
        depth: fold everything after this number of moves.
        orientation: ``down`` from the root at the top, ``right`` from the root at the left, or
            ``auto``: down as long as the picture is no wider than a page.
        title: a line above the tree.
        max_nodes: the largest tree to compile.

    Returns:
        A figure without pyplot. Notebooks show it; `picture.save_picture` writes it.

    Raises:
        ParameterError: an argument out of its range.
        TreeTooLarge: more than ``max_nodes`` nodes.
        PolicyError: the policy fails or belongs to another game.
        AssessmentError: strategies with an unknown information set or action, or without a needed
            one.
        InexactError: floats among exact strategies.
        GameError: no extensive-form game with perfect recall.
    """
    if orientation not in ("auto", "down", "right"):
        raise ParameterError(f"orientation={orientation!r}: choose auto, down or right")
    tree = compile_tree(game, max_nodes=max_nodes)
    play = None if profile is None else play_of(tree, profile)
    shown = scene(tree, play, max_drawn, depth)
    placed = places(shown, sideways=orientation == "right")
    if orientation == "auto" and placed.cross > PAGE_WIDTH:
        placed = places(shown, sideways=True)
    return _Drawing(shown, placed, None if title is None else one_line(title)).picture


class _Drawing:
    """A scene on its way onto a figure whose axes count points."""

    def __init__(self, shown: Scene, placed: Places, title: str | None):
        self.placed = placed
        width, height = placed.cross, placed.depth
        if placed.sideways:
            width, height = height, width
        title_width = 0.0 if title is None else text_width(title, TITLE_SIZE, bold=True)
        self.width = max(width, title_width, LEAST_WIDTH) + 2 * MARGIN
        notes = [
            line for note in shown.notes for line in wrapped(note, self.width - 2 * MARGIN, SMALL)
        ]
        head = 0.0 if title is None else 2.0 * TITLE_SIZE
        foot = NOTE_LINE * len(notes) + 6.0 if notes else 0.0
        self.height = height + head + foot + 2 * MARGIN
        self.left = (self.width - width) / 2
        self.top = self.height - MARGIN - head
        self.picture = Picture(figsize=(self.width / 72, self.height / 72), dpi=100)
        self.picture.heading = title or f"Game tree of {one_line(shown.tree.name)}"
        self.picture.words = shown.words
        self.axes: Axes = self.picture.add_axes((0.0, 0.0, 1.0, 1.0))
        self.axes.set_axis_off()
        self.axes.set_xlim(0.0, self.width)
        self.axes.set_ylim(0.0, self.height)
        for thing in placed.drawn:
            self._edge(thing)
        for link in placed.links:
            self._link(link)
        for thing in placed.drawn:
            self._words(thing)
            self._node(thing)
        if title is not None:
            self._row((Piece(title, INK, TITLE_SIZE, bold=True),), MARGIN, self.top + TITLE_SIZE)
        for k, line in enumerate(reversed(notes)):
            at = MARGIN + NOTE_LINE * (k + 0.5)
            self._row((Piece(line, GREY, SMALL),), MARGIN, at, name=f"note_{len(notes) - k}")

    def _xy(self, place: Place) -> tuple[float, float]:
        if self.placed.sideways:
            return self.left + place.depth, self.top - place.cross
        return self.left + place.cross, self.top - place.depth

    # ------------------------------------------------------------------------------------- lines

    def _edge(self, thing: Drawn) -> None:
        if thing.edge:
            never = thing.thing.weight < NEVER
            self._path(
                Path([self._xy(place) for place in thing.edge]),
                color=FAINT if never else INK,
                lw=0.7 if never else 0.6 + 0.5 * thing.thing.weight,
                zorder=1,
            )

    def _link(self, link: Link) -> None:
        one, other = link.start, link.end
        if link.aside:
            bend = min(7.0, (other.cross - one.cross) / 2 - 0.7 * RADIUS)
            lane, off = one.depth - link.aside, 0.7 * RADIUS
            low, high = one.cross + off, other.cross - off
            corners = [
                Place(one.depth - off, low), Place(lane, low), Place(lane, low + bend),
                Place(lane, high - bend), Place(lane, high), Place(other.depth - off, high),
            ]  # fmt: skip
            codes = [Path.MOVETO, Path.CURVE3, Path.CURVE3, Path.LINETO, Path.CURVE3, Path.CURVE3]
        elif one.depth == other.depth:
            corners = [one, other]
            codes = [Path.MOVETO, Path.LINETO]
        else:  # on two levels: out at right angles, which is where the edges are not
            out = 0.4 * (other.cross - one.cross)
            corners = [
                one, Place(one.depth, one.cross + out),
                Place(other.depth, other.cross - out), other,
            ]  # fmt: skip
            codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
        path = Path([self._xy(corner) for corner in corners], codes)
        self._path(path, color=colour_of(link.player), lw=1.1, ls=(0, (3.2, 1.8)), zorder=2)

    def _path(self, path: Path, **style: Any) -> None:
        self.axes.add_patch(PathPatch(path, fill=False, capstyle="butt", **style))

    # ------------------------------------------------------------------------------------- nodes

    def _node(self, thing: Drawn) -> None:
        player, (x, y) = thing.thing.player, self._xy(thing.at)
        colour = colour_of(player)
        if thing.thing.item.roots:
            half = TRIANGLE_WIDTH / 2
            sides = [(0.0, 0.0), (TRIANGLE, -half), (TRIANGLE, half)]
            corners = [Place(thing.at.depth + d, thing.at.cross + c) for d, c in sides]
            triangle = Polygon(
                [self._xy(corner) for corner in corners],
                facecolor="white", edgecolor=GREY, lw=0.9, joinstyle="miter", zorder=4,
            )  # fmt: skip
            self.axes.add_patch(triangle)
        elif player == CHANCE:
            r = 0.8 * RADIUS
            corners = [(x - r, y), (x, y + r), (x + r, y), (x, y - r)]
            self.axes.add_patch(
                Polygon(corners, facecolor="white", edgecolor=INK, lw=1.0, zorder=4)
            )
        elif player >= 0:
            pill = _pill(x, y, half_width(thing.thing.name) - RADIUS)
            self.axes.add_patch(PathPatch(pill, facecolor=colour, lw=0, zorder=4))
            name = (Piece(thing.thing.name, "white", SMALL, bold=True),)
            self._row(name, x - row_width(name) / 2, y)
        else:
            self.axes.add_patch(Circle((x, y), 1.5, facecolor=INK, lw=0, zorder=4))

    # ------------------------------------------------------------------------------------- words

    def _words(self, thing: Drawn) -> None:
        if thing.label.rows:
            self._block(thing.label, *self._xy(thing.label_at), centred=True)
        if thing.badge.rows:
            depth = thing.at.depth + self.placed.half.depth + PAD
            self._behind(thing.badge, Place(depth, thing.at.cross))
        if thing.tail.rows:
            self._behind(thing.tail, thing.tail_at)

    def _behind(self, block: Block, place: Place) -> None:
        x, y = self._xy(place)
        if self.placed.sideways:
            self._block(block, x, y, centred=False)
        else:
            self._block(block, x, y - block.height / 2, centred=True)

    def _block(self, block: Block, x: float, y: float, *, centred: bool) -> None:
        """Rows around the height ``y``; each around ``x``, or from there on; lines end there."""
        left = x - block.width / 2 if centred else x
        low, width, height = y - block.height / 2 + 0.5, block.width + 2.0, block.height - 1.0
        self.axes.add_patch(
            Rectangle((left - 1.0, low), width, height, facecolor="white", lw=0, zorder=2.5)
        )
        top = y + block.height / 2
        for row in block.rows:
            line = LEADING * max(piece.size for piece in row)
            self._row(row, x - row_width(row) / 2 if centred else x, top - line / 2)
            top -= line

    def _row(self, row: tuple[Piece, ...], x: float, y: float, name: str | None = None) -> None:
        """Pieces from ``x`` on, capitals centred at ``y``; ``name`` is their identifier in SVG."""
        for piece in row:
            self.axes.text(
                x, y - HEIGHT_OF_CAPITALS / 2 * piece.size, piece.text, color=piece.colour,
                fontproperties=font(piece.size, piece.bold), ha="left", va="baseline",
                parse_math=False, zorder=5, gid=name,
            )  # fmt: skip
            x += text_width(piece.text, piece.size, piece.bold) + SPACE


def _pill(x: float, y: float, out: float) -> Path:
    """A circle of `RADIUS` around a point, pulled ``out`` to both sides."""
    half_circles = Path.arc(90, 270), Path.arc(-90, 90)
    left, right = (np.asarray(half.vertices, np.float64) for half in half_circles)
    codes = np.concatenate([np.asarray(half.codes, np.uint8) for half in half_circles])
    codes[len(left)] = Path.LINETO
    vertices = np.concatenate([left - (out / RADIUS, 0.0), right + (out / RADIUS, 0.0), left[:1]])
    return Path(RADIUS * vertices + (x, y), [*codes, Path.CLOSEPOLY])
