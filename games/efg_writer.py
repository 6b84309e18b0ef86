"""The writer of .efg texts and files.

Source: Gambit's description of the format (https://gambitproject.readthedocs.io, "The extensive
game (.efg) file format"). Information sets and outcomes are described wherever they occur, which
the format allows and which every reader understands.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from os import PathLike

from .efg_file import EfgFile, EfgOutcome, EfgSet
from .efg_names import quoted_name, quoted_text
from .errors import InexactError, OutputError
from .files import replacing
from .rules import CHANCE


def format_efg(file: EfgFile) -> str:
    """The content of an .efg file: numbers as exact fractions, one line for each node.

    Names are written as the file has them. Gambit's reader wants those of nodes, and of a player's
    sets, to be distinct, which old files do not heed; in the rules (`EfgFile.game`) they are.

    Raises:
        InexactError: a number has too many digits to be written.
    """
    return "\n".join(_lines(file)) + "\n"


def save_efg(file: EfgFile, path: str | PathLike[str]) -> None:
    """Writes an .efg file, all at once or not at all.

    Raises:
        OutputError: no file name, a missing or read-only folder, or a full disk.
        InexactError: a number has too many digits to be written.
    """
    content = format_efg(file).encode()
    try:
        with replacing(path) as stream:
            stream.write(content)
    except (OSError, ValueError) as error:
        raise OutputError(f"cannot write {str(path)!r}: {error}; choose another path") from error


def _lines(file: EfgFile) -> Iterator[str]:
    players = " ".join(map(quoted_name, file.players))
    yield f"EFG 2 R {quoted_text(file.title)} {{ {players} }}"
    yield quoted_text(file.comment)
    yield ""
    sets = [_set_words(s) for s in file.sets]
    outcomes = [*map(_outcome_words, file.outcomes), "0"]  # -1, no outcome, is the last
    names: dict[str, str] = {}
    for name, infoset, outcome in file.nodes:
        quoted = names.get(name)
        if quoted is None:
            quoted = names[name] = quoted_name(name)
        if infoset < 0:
            yield f"t {quoted} {outcomes[outcome]}"
        else:
            kind = "c" if file.sets[infoset].player == CHANCE else "p"
            yield f"{kind} {quoted} {sets[infoset]} {outcomes[outcome]}"


def _set_words(s: EfgSet) -> str:
    actions = map(quoted_name, s.actions)
    if s.player == CHANCE:
        pairs = zip(actions, map(_digits, s.probabilities), strict=True)
        return f"{s.number} {quoted_name(s.name)} {{ {' '.join(f'{a} {p}' for a, p in pairs)} }}"
    return f"{s.player + 1} {s.number} {quoted_name(s.name)} {{ {' '.join(actions)} }}"


def _outcome_words(outcome: EfgOutcome) -> str:
    payoffs = ", ".join(map(_digits, outcome.payoffs))
    return f"{outcome.number} {quoted_name(outcome.name)} {{ {payoffs} }}"


def _digits(number: Fraction) -> str:
    try:
        return str(number)
    except ValueError as error:  # Python writes at most 4,300 digits
        raise InexactError(
            "a payoff or probability has thousands of digits, which no .efg reader takes; divide "
            "all payoffs by one number or round them"
        ) from error
