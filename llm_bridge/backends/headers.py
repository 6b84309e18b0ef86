"""Urls and headers of HTTP, among them the key; see `secrets` for what is kept out of texts."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import ModuleType
from urllib.parse import urlsplit

from ...games.errors import ParameterError
from .. import arguments
from .secrets import without_credentials

_ENVIRONMENT = frozenset(
    ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR")
)
KEY = "CRYWOLF_API_KEY"
"""The environment variable that holds the key."""
OPENAI_KEY = "OPENAI_API_KEY"
"""The one that stands in for it at OpenAI's own servers, and is sent to no others."""


def environment_key(host: str) -> str:
    """The key that the environment holds for a server; empty if none."""
    key = os.environ.get(KEY, "")
    if not key and (host == "openai.com" or host.endswith(".openai.com")):
        key = os.environ.get(OPENAI_KEY, "")
    return key


def checked_url(url: str, httpx: ModuleType) -> str:
    """The host of a url, in brackets if it is an address of IPv6.

    Raises:
        ParameterError: the url is malformed, or holds what it should not.
    """
    cure = "give the address up to and with /v1, for instance http://localhost:8080/v1"
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
        httpx.URL(url)
        (host or "").encode("idna")  # as the resolver does
    except (ValueError, TypeError, AttributeError, httpx.InvalidURL):
        # Not repeated here, and neither is the error, which quotes it: it may hold a password.
        raise ParameterError(f"the url of the server is malformed: {cure}") from None
    if parts.username is not None or parts.query or parts.fragment:
        # Not repeated here: such parts hold keys.
        raise ParameterError(
            f"the url of the server has a user name, a query or a fragment: {cure}; a key is "
            "passed as api_key, or in headers"
        )
    if parts.scheme not in ("http", "https") or not host or not url.isprintable() or " " in url:
        raise ParameterError(f"{without_credentials(url)!r} is no url of a server: {cure}")
    return f"[{host}]" if ":" in host else host


def checked_headers(headers: Mapping[str, str] | None, api_key: str) -> dict[str, str]:
    """The headers with the key; what is wrong with a value is said without repeating it.

    Raises:
        ParameterError: a name or a value is malformed.
    """
    if headers is not None and not isinstance(headers, Mapping):
        kind = type(headers).__name__
        raise ParameterError(f'headers are of type {kind}: give them as {{"X-Name": "value"}}')
    if not isinstance(api_key, str):
        raise ParameterError(f"api_key is of type {type(api_key).__name__}: give the key as a text")
    sent = dict(headers or {})
    key = api_key.strip()
    if key and not any(str(name).lower() == "authorization" for name in sent):
        sent["Authorization"] = f"Bearer {key}"
    for name, value in sent.items():
        whole = isinstance(name, str) and name.isascii() and name.replace("-", "").isalnum()
        if not whole or not isinstance(value, str) or not (value.isascii() and value.isprintable()):
            raise ParameterError(
                f"the header {arguments.shown(name)} (a key is sent as Authorization) has a "
                "malformed name, or characters in its value that no header can hold; check it for "
                "line breaks"
            )
    return sent


def unusable_environment(error: Exception) -> ParameterError:
    """What is wrong if proxies or certificates of the environment cannot be used.

    The variables are named and not quoted, since a proxy's url may hold a password.
    """
    names = sorted(name for name in os.environ if name.upper() in _ENVIRONMENT)
    why = f": {error}" if isinstance(error, ImportError) else ""
    return ParameterError(
        f"the proxies or certificates named in the environment cannot be used{why}. Set "
        f"{', '.join(names) or 'the variables'} right (a proxy is http://HOST:PORT), or unset them"
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds for which a server asks to wait, in any of three forms; None if it does not.

    ``Retry-After-Ms`` is OpenAI's; ``Retry-After`` holds seconds or a date (RFC 9110).
    """
    for name, unit in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) * unit
        except (KeyError, ValueError):
            continue
        if math.isfinite(seconds):
            return max(0.0, seconds)
    try:
        date = parsedate_to_datetime(headers["retry-after"])
    except (KeyError, ValueError, OverflowError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.now(UTC)).total_seconds())


def unasked_encoding(headers: Mapping[str, str]) -> str:
    """How the content of a reply is compressed; empty if it is not."""
    names = (name.strip() for name in headers.get("content-encoding", "").lower().split(","))
    return ", ".join(name for name in names if name not in ("", "identity"))[:40]
