"""Figures that show themselves in a notebook, without pyplot and its global state; their files."""

from __future__ import annotations

from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from matplotlib import rc_context
from matplotlib.figure import Figure

from ..games.errors import OutputError
from ..games.files import replacing
from .lettering import boxes_for_lacking_characters

FORMATS = ("svg", "pdf", "png")
DPI = 200
"""Of PNG files."""
LARGEST_PNG = 1 << 16
"""Dots along a side that Matplotlib cannot draw."""
AS_MEASURED: dict[Any, Any] = {"text.hinting": "none"}
"""Letters as wide as their outlines, for whatever the session's settings."""
ONE_FONT = b"font-family: 'DejaVu Sans';"
FONTS = b"font-family: 'DejaVu Sans', 'Bitstream Vera Sans', Verdana, Arial, sans-serif;"
"""In SVG files: the font that was measured, then its like, then narrower ones."""


class Picture(Figure):
    """A Matplotlib figure that Jupyter renders.

    Attributes:
        heading: what it shows, in a few words.
        words: what it shows, for readers who cannot see it.
    """

    heading: str = ""
    words: str = ""

    def _repr_png_(self) -> bytes:
        buffer = BytesIO()
        with rc_context(AS_MEASURED), boxes_for_lacking_characters():
            self.savefig(buffer, format="png", dpi=100, metadata={"Software": None})
        return buffer.getvalue()


def picture_format(path: str | PathLike[str]) -> str:
    """``svg``, ``pdf`` or ``png``, from the ending of a name; to be asked before the work.

    Raises:
        OutputError: another ending, a folder, or a place in a folder that does not exist.
    """
    target = Path(path)
    ending = target.suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise OutputError(
            f"cannot draw to {target}: give the file a name that ends in .svg, .pdf or .png"
        )
    try:
        is_folder, has_folder = target.is_dir(), target.parent.is_dir()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise OutputError(f"cannot write {str(target)!r} ({error}); choose another path") from error
    if is_folder:
        raise OutputError(f"{target} is a directory; name a file")
    if not has_folder:
        raise OutputError(f"there is no directory {target.parent}; make it or choose another path")
    return ending


def save_picture(picture: Picture, path: str | PathLike[str]) -> None:
    """Writes a picture as SVG, PDF or PNG, completely or not at all; the same bytes every time.

    Text stays text in SVG and PDF: it can be searched, copied and read aloud, and the files are
    small. PDF files carry their font. SVG files name it, with others to fall back on that are as
    wide or narrower, so that what does not collide here does not collide in them.

    Args:
        picture: what to write.
        path: a name that ends in ``.svg``, ``.pdf`` or ``.png`` (200 dots per inch).

    Raises:
        OutputError: another ending, a picture too large for dots, or the file cannot be written.
    """
    ending = picture_format(path)
    if ending == "png" and max(picture.get_size_inches()) * DPI >= LARGEST_PNG:
        raise OutputError(
            f"{path}: {max(picture.get_size_inches()):.0f} inches are too long for a PNG file; "
            "write .svg or .pdf, or draw fewer nodes"
        )
    settings: dict[Any, Any] = AS_MEASURED | {
        "svg.fonttype": "none",
        "svg.hashsalt": "crywolf",
        "pdf.fonttype": 42,
    }
    metadata: dict[str, dict[str, Any]] = {
        "svg": {"Date": None, "Creator": None, "Title": picture.heading or None},
        "pdf": {"CreationDate": None, "Creator": None, "Producer": None, "Title": picture.heading},
        "png": {"Software": None},
    }
    buffer = BytesIO()
    with (
        rc_context(settings),
        boxes_for_lacking_characters(),
    ):  # without a salt the identifiers of SVG are random
        picture.savefig(buffer, format=ending, dpi=DPI, metadata=metadata[ending])
    content = buffer.getvalue()
    if ending == "svg":
        content = _described(content, picture.words).replace(ONE_FONT, FONTS)
    try:
        with replacing(path) as file:
            file.write(content)
    except (OSError, ValueError) as error:
        raise OutputError(f"cannot write {path}: {error}; choose another path") from error


def _described(svg: bytes, words: str) -> bytes:
    """An SVG document with a description, if there is one, after its title."""
    head, title, rest = svg.partition(b"</title>\n")
    if not title or not words:
        return svg
    return head + title + f" <desc>{escape(words)}</desc>\n".encode() + rest
