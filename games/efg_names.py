r"""Names and other texts as quoted strings of .efg files.

Source: Gambit's reader, of which the written description tells little. A quotation mark is written
``\"``, and a backslash elsewhere stands for itself, so none can be the last character. Names are
printable ASCII, with single spaces between other characters. What a name cannot hold is written
``\u{hex}``, its code point; readers that do not know this take it for a part of the name.
"""

from __future__ import annotations

import re

_ESCAPED = re.compile(r'\\"|\\u\{([0-9a-f]{1,6})\}')
# A backslash is written as a code point where reading it would take it for the start of an escape.
_BACKSLASH = r'\\(?=["\\]|u\{|[^\x20-\x7e]|\Z)'
_ODD_IN_NAMES = re.compile(rf'"|[^\x20-\x7e]|\A[ ]|(?<=[ ])[ ]|[ ]\Z|{_BACKSLASH}')
_ODD_IN_TEXTS = re.compile(rf'"|[^\n\t\x20-\x7e]|{_BACKSLASH}')


def quoted_name(name: str) -> str:
    """A name of a player, node, information set, action or outcome."""
    return f'"{_ODD_IN_NAMES.sub(_escape, name)}"'


def quoted_text(text: str) -> str:
    """A title or a comment, which may have several lines."""
    return f'"{_ODD_IN_TEXTS.sub(_escape, text)}"'


def unquoted(token: str) -> str:
    """The text of a quoted string."""
    inner = token[1:-1]
    return _ESCAPED.sub(_unescape, inner) if "\\" in inner else inner


def _escape(match: re.Match[str]) -> str:
    return '\\"' if match[0] == '"' else f"\\u{{{ord(match[0]):x}}}"


def _unescape(match: re.Match[str]) -> str:
    if match[1] is None:
        return '"'
    code = int(match[1], 16)
    # NUL and halves of surrogate pairs stay visible: texts that hold them break other programs.
    is_character = 0 < code < 0xD800 or 0xDFFF < code < 0x110000
    return chr(code) if is_character else match[0]
