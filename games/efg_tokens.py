"""The words of an .efg text, with their places, and its numbers, exactly.

Source: Gambit's description of the format (https://gambitproject.readthedocs.io, "The extensive
game (.efg) file format"). A text is a sequence of quoted strings, braces, commas and words; white
space between them means nothing.
"""

from __future__ import annotations

import re
from fractions import Fraction

from .efg_names import unquoted
from .errors import EfgError

# Possessive quantifiers (++ and *+): a quotation mark without its partner costs no backtracking.
# One without a partner is a token by itself; the end of the text is the empty token.
_TOKEN = re.compile(r"""\s*+("(?:[^"\\]++|\\"?+)*+"|[{},"]|[^\s{},"]++|\Z)""")
_NUMBER = re.compile(
    r"(?P<sign>[+-]?)(?:(?P<over>[0-9]+)/(?P<under>[0-9]+)"
    r"|(?=\.?[0-9])(?P<whole>[0-9]*)(?:\.(?P<decimals>[0-9]*))?(?:[eE](?P<power>[+-]?[0-9]+))?)"
)
_LINE_END = re.compile(r"\r\n|\r|\n")

MAX_DIGITS = 1000
"""Digits of a number, and the largest exponent: far beyond any payoff, and quick to compute."""
_SHOWN = 40
"""Characters of the file that an error quotes."""


class Tokens:
    """A text read token by token, one at a time.

    Args:
        text: the content of the file.
        source: what errors call the file.

    Attributes:
        value: the current token as it is written, empty at the end of the text.
        place: where it stands, for `error`.
    """

    value: str
    place: re.Match[str]

    def __init__(self, text: str, source: str):
        self._text = text
        self._source = source
        self._matches = _TOKEN.finditer(text)
        self._names: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._numbers: dict[str, Fraction] = {}
        self.advance()

    def advance(self) -> None:
        """Goes on to the next token; the end stays the end."""
        for match in self._matches:
            self.place = match
            self.value = match[1]
            return

    @property
    def is_name(self) -> bool:
        """Whether a quoted string comes."""
        return self.value[:1] == '"'

    def error(self, problem: str, place: re.Match[str] | None = None) -> EfgError:
        """An error that tells where: at the current token, or at an earlier one."""
        return error_at(self._text, self._source, (place or self.place).start(1), problem)

    def expected(self, what: str, cure: str) -> EfgError:
        """An error at a token that should be something else."""
        if self.value == '"':
            return self.error('this quotation mark has no partner; close the string with "')
        found = quoted(self.value) if self.value else "the end of the file"
        return self.error(f"expected {what}, found {found}; {cure}")

    # --------------------------------------------------------------------- tokens of one kind each

    def symbol(self, value: str, what: str, cure: str) -> None:
        """Passes a brace or a word."""
        if self.value != value:
            raise self.expected(what, cure)
        self.advance()

    def name(self, what: str) -> str:
        """Passes a quoted string."""
        name = self._names.get(self.value)
        if name is None:
            if not self.is_name or self.value == '"':
                raise self.expected(f"{what} in quotation marks", 'an empty name is written ""')
            name = self._names[self.value] = unquoted(self.value)
        self.advance()
        return name

    def count(self, what: str, cure: str) -> int:
        """Passes a whole number from 0 on."""
        count = self._counts.get(self.value)
        if count is None:
            digits = self.value
            if not (digits.isascii() and digits.isdecimal() and len(digits) <= MAX_DIGITS):
                raise self.expected(f"{what}, a whole number", cure)
            count = self._counts[digits] = int(digits)
        self.advance()
        return count

    def number(self, what: str, cure: str) -> Fraction:
        """Passes a number such as 3, -0.25, 1/3 or 2.5e-3, read exactly."""
        number = self._numbers.get(self.value)
        if number is None:
            number = self._numbers[self.value] = self._exactly(what, cure)
        self.advance()
        return number

    def _exactly(self, what: str, cure: str) -> Fraction:
        match = _NUMBER.fullmatch(self.value)
        if match is None:
            raise self.expected(what, cure)
        power = match["power"] or "0"
        if len(self.value) > MAX_DIGITS or abs(int(power)) > MAX_DIGITS:
            raise self.error(
                f"the number {quoted(self.value)} has more than {MAX_DIGITS:,} digits or an "
                f"exponent beyond {MAX_DIGITS:,}; divide all payoffs by one number"
            )
        if match["over"]:
            if not int(match["under"]):
                raise self.error(f"the fraction {quoted(self.value)} divides by 0; correct it")
            number = Fraction(int(match["over"]), int(match["under"]))
        else:
            decimals = match["decimals"] or ""
            number = Fraction(int(match["whole"] + decimals)) * Fraction(10) ** (
                int(power) - len(decimals)
            )
        return -number if match["sign"] == "-" else number


def error_at(text: str, source: str, offset: int, problem: str) -> EfgError:
    """An error with the line and the column of an offset in a text."""
    ends = [match.end() for match in _LINE_END.finditer(text, 0, offset)]
    line, column = len(ends) + 1, offset - (ends[-1] if ends else 0) + 1
    return EfgError(f"{source}, line {line}, column {column}: {problem}", line=line, column=column)


def quoted(text: str) -> str:
    """A piece of the file for an error's text."""
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}...")
