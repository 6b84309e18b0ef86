"""Keys and passwords, taken out of whatever is shown or kept."""

from __future__ import annotations

import base64
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from string import ascii_lowercase, ascii_uppercase
from typing import Any

_SECRET = 8  # characters from which on a part of a header may be a secret
_PUBLIC = re.compile(r"accept.*|content-.*|user-agent|(http-)?referer|x-title", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,;=\"]+")
_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)  # keeps the length of every text
_HIDDEN = "***"
# One character in the spelling of JSON (also of JSON within JSON), of a url or of HTML.
_ESCAPED = re.compile(
    r"\\+(?:u00(?P<u>[0-9a-f]{2})|x(?P<x>[0-9a-f]{2}))?|%(?:25)*(?P<url>[0-9a-f]{2})"
    r"|&\#(?:x0{,6}(?P<hex>[0-9a-f]{1,2})|0{,6}(?P<dec>[0-9]{1,3}));"
)
_HALF = re.compile(
    r"(?:\\+(?:u0{0,2}[0-9a-f]?|x[0-9a-f]?)?|%(?:25)*2?[0-9a-f]?|&[^;\s]{0,7})\Z", re.IGNORECASE
)
_SCHEME = re.compile(r"(?:llm:)?(?:[A-Za-z][A-Za-z0-9+.-]*:/+)?")


class Secrets:
    """The secrets among headers, to be taken out of whatever a server says.

    Some servers repeat the key in an error, and a model may be made to repeat what its server shows
    it. Each word of a header that may hold a secret counts as one, whatever stands before it
    (``Bearer``, ``basic``), and so does the password inside the Basic scheme. A secret is found in
    capitals or not, with any of its characters escaped as in JSON, urls or HTML, and in base64 or
    hexadecimal, alone or as part of a longer text.

    Args:
        headers: the headers that are sent.
    """

    def __init__(self, headers: Mapping[str, str]):
        found = {
            spelled.translate(_LOWER)
            for name, value in headers.items()
            if not _PUBLIC.fullmatch(name)
            for secret in _parts(value)
            if len(secret) >= _SECRET
            for spelled in _spellings(secret)
        }
        # As they are after `_unescaped`, too: a key may hold what reads as an escape.
        found |= {_unescaped(secret)[0] for secret in found}
        found = {secret for secret in found if len(secret) >= _SECRET}
        self._secrets = sorted(found, key=lambda secret: (-len(secret), secret))

    def redacted(self, text: str) -> str:
        """A text without the secrets. Shorten it only afterwards: half a key is a leak, too."""
        redacted = self._without(text, broken_off=True)
        # It may also end inside of an escape, inside of a secret.
        half = _HALF.search(text, max(0, len(text) - 16))
        if half is None or redacted.endswith(_HIDDEN):
            return redacted
        whole = text[: half.start()]
        shorter = self._without(whole, broken_off=True)
        return shorter if shorter.endswith(_HIDDEN) and not whole.endswith(_HIDDEN) else redacted

    def cleaned(self, document: Any) -> Any:
        """A JSON document without the secrets in any of its texts."""
        if not self._secrets:
            return document
        match document:
            case str():
                return self._without(document)
            case list():
                return [self.cleaned(item) for item in document]
            case dict():
                return {self._without(k): self.cleaned(value) for k, value in document.items()}
        return document

    def _without(self, text: str, broken_off: bool = False) -> str:
        """The text without secrets and, if it may end inside of one, without its beginning."""
        plain, starts, origins = _unescaped(text.translate(_LOWER))
        spans = list(self._found(text.translate(_LOWER), broken_off))
        for start, end in self._found(plain, broken_off):
            spans.append((_origin(start, starts, origins), _origin(end, starts, origins)))
        pieces, last = [], 0
        for start, end in sorted(spans):
            if end > last:
                if start > last or not pieces:
                    pieces += [text[last:start], _HIDDEN]
                last = end
        return "".join([*pieces, text[last:]])

    def _found(self, text: str, broken_off: bool) -> Iterator[tuple[int, int]]:
        """Where the secrets stand in a text."""
        for secret in self._secrets:
            start = text.find(secret)
            while start >= 0:
                yield start, start + len(secret)
                start = text.find(secret, start + len(secret))
            if broken_off:
                for size in range(len(secret) - 1, _SECRET - 1, -1):
                    if text.endswith(secret[:size]):
                        yield len(text) - size, len(text)
                        break


def without_credentials(text: str) -> str:
    """A url, or the specification of a policy, to be shown: without user, password and query.

    It may be malformed, and a password may hold any characters: everything before the last ``@``
    goes, up to the scheme.
    """
    before, at, after = text.rpartition("@")
    if at:
        scheme = _SCHEME.match(before)
        text = f"{scheme[0] if scheme else ''}{_HIDDEN}@{after}"
    place, mark, query = text.partition("?")
    _, hash_, model = query.rpartition("#")
    return f"{place}?{_HIDDEN}{hash_}{model if hash_ else ''}" if mark else text


def _parts(value: str) -> Iterator[str]:
    """What may be a secret in the value of a header."""
    yield value
    yield from _BETWEEN.split(value)
    scheme, _, rest = value.partition(" ")
    if scheme.lower() == "basic":
        try:
            pair = base64.b64decode(rest, validate=True).decode("utf-8")
        except ValueError:
            return
        yield pair
        yield pair.partition(":")[2]


def _spellings(secret: str) -> Iterator[str]:
    """A secret as it is, in hexadecimal, and in base64 at any place of a longer text."""
    yield secret
    content = secret.encode("utf-8", "surrogatepass")
    yield content.hex()
    for before in range(3):
        # Characters that also depend on what stands before and after are left out.
        first, last = -(-8 * before // 6), 8 * (before + len(content)) // 6
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            yield encode(bytes(before) + content).decode("ascii")[first:last]


def _unescaped(text: str) -> tuple[str, list[int], list[int]]:
    """A text in lower case with its escapes resolved.

    Returns:
        The text; where pieces of it start; and where these start in the original.
    """
    pieces, starts, origins, length, last = [], [0], [0], 0, 0
    for found in _ESCAPED.finditer(text):
        code = found["u"] or found["x"] or found["url"] or found["hex"]
        number = int(code, 16) if code else int(found["dec"] or -1)
        sign = "" if number < 0 else chr(number).translate(_LOWER)
        pieces += [text[last : found.start()], sign]
        length += found.start() - last
        last = found.end()
        starts += [length, length + len(sign)]
        origins += [found.start(), last]
        length += len(sign)
    return "".join([*pieces, text[last:]]), starts, origins


def _origin(place: int, starts: list[int], origins: list[int]) -> int:
    """The place in the original of a place in an unescaped text."""
    piece = bisect_right(starts, place) - 1
    return origins[piece] + place - starts[piece]
