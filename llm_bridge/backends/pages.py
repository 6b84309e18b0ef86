"""What a reader sees of a page in HTML: many proxies report errors in such pages."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_PAGE = re.compile(r"\s*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_UNSEEN = frozenset({"script", "style", "template"})


def visible(text: str) -> str:
    """The visible words of a page; any other text as it is."""
    if not _PAGE.match(text):
        return text
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return " ".join("".join(reader.words).split())


class _Reader(HTMLParser):
    """Gathers the words outside of scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in _UNSEEN
        self.words.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self._unseen = max(0, self._unseen - (tag in _UNSEEN))
        self.words.append(" ")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.words.append(data)
