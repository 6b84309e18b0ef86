"""Texts with formulas and tables, written once and rendered as Markdown or as LaTeX.

Words are plain Python strings: what they contain is escaped when they are rendered, so that a label
of a game can never be read as a command.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from os import PathLike
from pathlib import Path
from typing import Literal, TypeAlias

from ...games.errors import OutputError, ParameterError
from ...games.files import replacing

_BLANK = dict.fromkeys("\n\r\t\0", " ")
"""Characters of a label that would break a line or a file."""
_LATEX = str.maketrans(
    _BLANK
    | {ch: "\\" + ch for ch in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", '"': "''", "[": "{[}", "]": "{]}"}
)
"""Characters that LaTeX reads as commands, or as an option of the command before."""
_MARKDOWN = str.maketrans(_BLANK | {ch: "\\" + ch for ch in "\\`*_$<>#|[]"})
LONG_CELL = 45
"""Characters above which a cell of a table is broken into lines."""
_SECTIONS = {1: "section*", 2: "subsection*", 3: "subsubsection*"}
_PREAMBLE = r"""\documentclass[a4paper]{article}
\usepackage{amsmath,amssymb,booktabs,longtable}
\setlength{\oddsidemargin}{0pt}
\setlength{\textwidth}{\dimexpr\paperwidth-2in\relax}
\setlength{\topmargin}{-\headheight}
\addtolength{\topmargin}{-\headsep}
\setlength{\textheight}{\dimexpr\paperheight-2.2in\relax}
\setlength{\parindent}{0pt}
\setlength{\parskip}{0.5ex plus 0.3ex}
\setlength{\LTpre}{1ex}
\setlength{\LTpost}{1ex}
\renewcommand{\arraystretch}{1.3}
\allowdisplaybreaks
"""

Format: TypeAlias = Literal["markdown", "latex"]


@dataclass(frozen=True)
class Math:
    """A formula, as LaTeX source without delimiters."""

    source: str


Text: TypeAlias = tuple[str | Math, ...]
"""Words and formulas in a row."""


@dataclass(frozen=True)
class Heading:
    """A heading; levels 1, 2 and 3."""

    level: int
    text: Text


@dataclass(frozen=True)
class Paragraph:
    """A paragraph."""

    text: Text


@dataclass(frozen=True)
class Item:
    """An item of a list; items in a row make the list."""

    text: Text


@dataclass(frozen=True)
class Display:
    """Formulas on lines of their own, as LaTeX sources; ``&`` stands where they are aligned."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """A table; every row has as many cells as the header."""

    header: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]


Block: TypeAlias = Heading | Paragraph | Item | Display | Table


def words(text: str, command: str = "text") -> str:
    """Words as a part of a formula; ``text`` is a command of amsmath, ``mbox`` of LaTeX itself."""
    return rf"\{command}{{{text.translate(_LATEX)}}}"


def joined(rows: Iterable[Text | Math], between: str = ", ", last: str | None = None) -> Text:
    """Texts one after the other.

    Args:
        rows: the texts.
        between: what stands between two of them.
        last: what stands before the last one, if something else.
    """
    texts = [(row,) if isinstance(row, Math) else row for row in rows]
    parts: list[str | Math] = []
    for i, row in enumerate(texts):
        if i:
            parts.append(last if last is not None and i == len(texts) - 1 else between)
        parts += row
    return tuple(parts)


def render(blocks: Sequence[Block], form: Format) -> str:
    """The blocks as Markdown, or as LaTeX without a preamble.

    LaTeX needs the packages amsmath, booktabs and longtable, unless there are neither displays,
    tables nor `words` in formulas.
    """
    return _latex(blocks) if form == "latex" else _markdown(blocks)


def document(title: str, blocks: Sequence[Block], form: Format) -> str:
    """A complete document.

    Raises:
        ParameterError: another form than ``markdown`` and ``latex``.
    """
    if form == "markdown":
        return f"# {title.translate(_MARKDOWN)}\n\n{_markdown(blocks)}"
    if form == "latex":
        head = rf"\begin{{center}}\Large\bfseries {title.translate(_LATEX)}\end{{center}}"
        return f"{_PREAMBLE}\\begin{{document}}\n{head}\n\n{_latex(blocks)}\\end{{document}}\n"
    raise ParameterError(f"format={form!r}: write 'markdown' or 'latex'")


def format_of(path: str | PathLike[str], *others: str) -> Format:
    """The format that the ending of a document's name says: ``.tex`` or ``.md``.

    Args:
        path: the name.
        others: endings of what can be written instead of a document, for the message.

    Raises:
        ParameterError: another ending.
    """
    formats: dict[str, Format] = {".tex": "latex", ".md": "markdown"}
    try:
        return formats[Path(path).suffix.lower()]
    except KeyError:
        known = ", ".join((*others, ".tex"))
        raise ParameterError(f"{str(path)!r}: give a name that ends in {known} or .md") from None


def save_text(path: str | PathLike[str], text: str) -> None:
    """Writes a text to a file, completely or not at all.

    Raises:
        OutputError: a missing or read-only folder, or a full disk.
    """
    try:
        with replacing(path) as file:
            file.write(text.encode())
    except (OSError, ValueError) as error:
        raise OutputError(f"cannot write {str(path)!r}: {error}; choose another path") from error


def _unaligned(line: str) -> str:
    return line.replace("&&", r"\qquad").replace("&", "")


# ---------------------------------------------------------------------------------------- Markdown


def _markdown(blocks: Sequence[Block]) -> str:
    parts: list[str] = []
    for kind, run in groupby(blocks, key=type):
        told = [_markdown_block(block) for block in run]
        parts += ["\n".join(told)] if kind is Item else told
    return "\n\n".join(parts) + "\n"


def _markdown_block(block: Block) -> str:
    match block:
        case Heading(level, text):
            return "#" * (level + 1) + " " + _markdown_text(text)
        case Paragraph(text):
            return _markdown_text(text)
        case Item(text):
            return "- " + _markdown_text(text)
        case Display((line,)):
            return f"$$\n{_unaligned(line)}\n$$"
        case Display(lines):
            inside = " \\\\\n".join(lines)
            return f"$$\n\\begin{{aligned}}\n{inside}\n\\end{{aligned}}\n$$"
        case Table(header, rows):
            lines = [header, (("---",),) * len(header), *rows]
            return "\n".join(f"| {' | '.join(map(_markdown_text, row))} |" for row in lines)


def _markdown_text(text: Text) -> str:
    return "".join(
        f"${part.source}$" if isinstance(part, Math) else part.translate(_MARKDOWN) for part in text
    )


# ------------------------------------------------------------------------------------------- LaTeX


def _latex(blocks: Sequence[Block]) -> str:
    return "".join(line + "\n" for line in _latex_lines(blocks))


def _latex_lines(blocks: Sequence[Block]) -> Iterator[str]:
    before: type[Block] | None = None
    for kind, run in groupby(blocks, key=type):
        if before is Paragraph and kind is not Display:  # a display belongs to its paragraph
            yield ""
        before = kind
        if kind is Paragraph:
            yield "\n\n".join(map(_latex_block, run))
            continue
        if kind is Item:
            yield r"\begin{itemize}"
        yield from map(_latex_block, run)
        if kind is Item:
            yield r"\end{itemize}"


def _latex_block(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"\\{_SECTIONS[level]}{{{_latex_text(text)}}}"
        case Paragraph(text):
            return _latex_text(text)
        case Item(text):
            return r"\item " + _latex_text(text)
        case Display((line,)):
            return f"\\[\n{_unaligned(line)}\n\\]"
        case Display(lines):
            inside = " \\\\\n".join(lines)
            return f"\\begin{{align*}}\n{inside}\n\\end{{align*}}"
        case Table(header, rows):
            cells = [" & ".join(map(_latex_text, row)) + r" \\" for row in (header, *rows)]
            lines = [
                rf"\begin{{longtable}}[l]{{@{{}}{''.join(map(_column, *(header, *rows)))}@{{}}}}",
                r"\toprule",
                cells[0],
                r"\midrule",
                r"\endhead",
                *cells[1:],
                r"\bottomrule",
                r"\end{longtable}",
            ]
            return "\n".join(lines)


def _column(*cells: Text) -> str:
    """A column that breaks its lines if some cell is long."""
    longest = max(sum(len(part) for part in cell if isinstance(part, str)) for cell in cells)
    return r"p{0.4\textwidth}" if longest > LONG_CELL else "l"


def _latex_text(text: Text) -> str:
    return "".join(
        f"${part.source}$" if isinstance(part, Math) else part.translate(_LATEX) for part in text
    )
