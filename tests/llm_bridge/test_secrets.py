"""Keys and passwords appear in no text, however they are spelled."""

import base64
import html
import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crywolf.games.errors import CrywolfError
from crywolf.llm_bridge.backends.secrets import Secrets, without_credentials
from crywolf.llm_bridge.specs import policy_from_spec

KEY = "sk-AbCdEfGhIjKlMnOp/q+1"
SECRETS = Secrets({"Authorization": f"Bearer {KEY}"})


def percent(text: str) -> str:
    return "".join(f"%{ord(sign):02X}" for sign in text)


def unicode_escaped(text: str) -> str:
    return "".join(f"\\u{ord(sign):04x}" for sign in text)


SPELLINGS = {
    "plain": str,
    "lower": str.lower,
    "upper": str.upper,
    "json": lambda text: text.replace("/", "\\/"),
    "json in json": lambda text: json.dumps(json.dumps(text).replace("/", "\\/")),
    "json in json in json": lambda text: json.dumps(
        json.dumps(json.dumps(text).replace("/", "\\/"))
    ),
    "unicode": unicode_escaped,
    "unicode in json": lambda text: json.dumps(unicode_escaped(text)),
    "url": lambda text: quote(text, safe=""),
    "all of it": percent,
    "url in url": lambda text: quote(quote(text, safe=""), safe=""),
    "html": lambda text: html.escape(text).replace("/", "&#x2F;").replace("+", "&#43;"),
    "hexadecimal": lambda text: text.encode().hex(),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 of more": lambda text: base64.b64encode(f"x:Bearer {text} and".encode()).decode(),
    "base64 for urls": lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_key_is_found_however_it_is_spelled(spelling):
    text = SPELLINGS[spelling](KEY)
    for redacted in (
        SECRETS.redacted(f"the key {text} is wrong"),
        SECRETS.cleaned({"error": [f"the key {text} is wrong"]})["error"][0],
    ):
        assert redacted.startswith("the key ")
        assert redacted.endswith(" is wrong")
        assert "***" in redacted
        assert len(redacted) < len("the key  is wrong") + 28  # the rest of a longer base64 text
    assert text not in str(SECRETS.cleaned({text: 1}))


@pytest.mark.parametrize("spelling", ["plain", "upper", "json", "url", "unicode", "base64"])
def test_the_beginning_of_a_key_at_the_end_is_cut(spelling):
    text = SPELLINGS[spelling](KEY)
    whole = SECRETS.redacted(f"the key {text[: len(text) - 3]}")
    assert whole.startswith("the key ***")
    assert len(whole) <= len("the key ***") + 6  # half of an escape


KEYS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=40)


@given(KEYS, st.sampled_from(sorted(SPELLINGS)), st.text(max_size=20), st.text(max_size=20))
def test_no_key_is_left_in_any_text(key, spelling, before, after):
    secrets = Secrets({"X-Key": key})
    redacted = secrets.redacted(before + key + after)
    assert key not in redacted.replace("***", "\0") or key in before + "\0" + after
    spelled = SPELLINGS[spelling](key)
    if spelled.lower() not in (before + "\0" + after).lower():
        assert spelled not in secrets.redacted(f"{before} {spelled} {after}")


@given(st.text(max_size=60))
def test_other_texts_stay(text):
    if not any(text.lower().endswith(KEY[:size].lower()) for size in range(8, len(KEY))):
        assert Secrets({"X-Key": KEY}).redacted(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://localhost:8080/v1#m", "http://localhost:8080/v1#m"),
        ("llm:https://u:hunter2@h/v1#m", "llm:https://***@h/v1#m"),
        ("llm:https://u:hun/t@r2@h/v1", "llm:https://***@h/v1"),
        ("llm:https://u:hun#ter2@h/v1", "llm:https://***@h/v1"),
        ("llm:u:hunter2@h/v1#m", "llm:***@h/v1#m"),
        ("https:/u:hunter2@h", "https:/***@h"),
        ("https://h/v1?api_key=hunter2", "https://h/v1?***"),
        ("https://h/v1?api_key=hunter2#m", "https://h/v1?***#m"),
    ],
)
def test_a_url_is_shown_without_credentials(text, shown):
    assert without_credentials(text) == shown


@pytest.mark.parametrize(
    "spec",
    [
        "llm:https://u:hunter2@h/v1",
        "llm:htps://u:hunter2@h/v1#m",
        "llm:https://u:hunter2@h/v1#m",
        "llm:https:/u:hunter2@h/v1#m",
        "llm:https://u:hunter2#m",
        "llm:https://u:hunter2@h:x/v1#m",
        "llm:u:hunter2@h/v1#m",
        "llm:https://h/v1?api_key=hunter2",
        "llm:https://h/v1?api_key=hunter2#m",
    ],
)
def test_no_refused_specification_shows_its_password(spec):
    with pytest.raises(CrywolfError) as caught:
        policy_from_spec(spec, "kuhn_poker")
    assert "hunter2" not in str(caught.value)
