"""Words in pictures: numbers as people write them, names that print, and how wide they are.

Widths come from the outlines of Matplotlib's own font, so they are the same on every screen and in
every file. DejaVu Sans is wide: where a viewer puts another font in its place, text gets narrower.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy
from matplotlib.font_manager import FontProperties, fontManager, get_font
from matplotlib.textpath import text_to_path
from sympy.printing.pretty.pretty_symbology import pretty_symbol

SIZE = 7.5
"""Points of names, probabilities and payoffs."""
SMALL = 6.5
"""Points of players' names and of notes: the smallest text."""
LEADING = 1.27
"""Distance of lines, in sizes."""
SPACE = 3.0
"""Points between the pieces of a row."""
LONGEST_NAME = 48
LONGEST_NUMBER = 24
"""Characters; a name beyond is cut, an exact number beyond is rounded, with a sign that says so."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A word in one colour."""

    text: str
    colour: str
    size: float = SIZE
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """Rows of pieces, set as one."""

    rows: tuple[tuple[Piece, ...], ...] = ()

    @property
    def width(self) -> float:
        """Points."""
        return max((row_width(row) for row in self.rows), default=0.0)

    @property
    def height(self) -> float:
        """Points."""
        return sum(max(p.size for p in row) * LEADING for row in self.rows)


def row_width(row: tuple[Piece, ...]) -> float:
    """Points that a row of pieces takes."""
    return sum(text_width(p.text, p.size, p.bold) for p in row) + SPACE * (len(row) - 1)


def font(size: float, bold: bool = False) -> FontProperties:
    """The font of all pictures of trees, whatever the settings of the session."""
    return FontProperties(family="DejaVu Sans", size=size, weight="bold" if bold else "normal")


@lru_cache(maxsize=1)
def _known() -> frozenset[int]:
    return frozenset(get_font(fontManager.findfont(font(SIZE))).get_charmap())


def lacks(text: str) -> bool:
    """Whether a character of the text is none of the font, which then shows a box for it."""
    return not _known().issuperset(map(ord, text))


@contextmanager
def boxes_for_lacking_characters() -> Iterator[None]:
    """Without Matplotlib's warning for each of them: the picture says it, once."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font", UserWarning)
        yield


@lru_cache(maxsize=4096)
def text_width(text: str, size: float = SIZE, bold: bool = False) -> float:
    """Points that a text takes."""
    with boxes_for_lacking_characters():
        return text_to_path.get_text_width_height_descent(text, font(size, bold), ismath=False)[0]


def one_line(text: str) -> str:
    """A text on one line, without characters that no file can hold."""
    return "".join(c if c.isprintable() else "\ufffd" for c in " ".join(text.split()))


def name_words(name: str) -> str:
    """A name on one line, cut if it is very long."""
    line = one_line(name)
    return line if len(line) <= LONGEST_NAME else line[: LONGEST_NAME - 1] + "…"


def key_words(keys: Sequence[str]) -> list[str]:
    """Keys of information sets, each on one line, long ones without what tells nothing.

    From keys beyond `LONGEST_NAME` go the ``[fields]`` that all have; then what is in their middle.
    """
    fields = [re.findall(r"\[[^\]]*\]|[^\[]+|\[", one_line(key)) for key in keys]
    common = set.intersection(*map(set, fields)) if len(keys) > 1 else set()
    return [_key_words(row, common) for row in fields]


def _key_words(fields: Sequence[str], common: set[str]) -> str:
    words, half = "".join(fields), (LONGEST_NAME - 1) // 2
    if len(words) > LONGEST_NAME:
        words = "".join(field for field in fields if field not in common)
    return words if len(words) <= LONGEST_NAME else f"{words[:half]}…{words[-half:]}"


def probability_words(value: Any) -> str:
    """A probability: exact as it is, a float to three digits, never rounded to 0 or 1."""
    if not isinstance(value, float):
        return number_words(value)
    if 0.0 < value < 0.0005:
        return "<0.001"
    if 0.9995 < value < 1.0:
        return ">0.999"
    return f"{value:.3f}".rstrip("0").rstrip(".")


def number_words(value: Any) -> str:
    """A number: exact as it is, with its symbols; a float to three digits."""
    if isinstance(value, float):
        return f"{value + 0.0:.3g}".replace("-", "−")
    if isinstance(value, sympy.Expr) and value.free_symbols:
        named = {s: sympy.Symbol(pretty_symbol(str(s))) for s in value.free_symbols}
        value = value.xreplace(named)
        words = str(value)
    else:
        words = str(value)
        if len(words) > LONGEST_NUMBER:
            words = f"≈{float(value):.6g}"
    return words.replace("**", "^").replace("*", "·").replace("-", "−")


def wrapped(text: str, width: float, size: float = SIZE) -> list[str]:
    """A text in lines of so many points, cut between words or, of one too long, within it."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if text_width(longer, size) <= width:
            lines[-1] = longer
            continue
        lines += [""] * bool(lines[-1])
        for character in word:
            if lines[-1] and text_width(lines[-1] + character, size) > width:
                lines.append("")
            lines[-1] += character
    return lines
