"""The registry of published results that crywolf verifies.

Each entry is a `Claim`: its source, its statement, and the computation that checks it.
"""

from __future__ import annotations

from difflib import get_close_matches

from ..games.errors import UnknownTheorem
from .claims import Claim, Finding
from .onuw_derived import CLAIMS as ONUW_DERIVED
from .onuw_families import CLAIMS as ONUW_FAMILIES
from .onuw_talk_theorems import CLAIMS as ONUW_TALK
from .onuw_theorems import CLAIMS as ONUW
from .onuw_voting_theorems import CLAIMS as ONUW_VOTING
from .textbook_theorems import CLAIMS as TEXTBOOK

THEOREMS: dict[str, Claim] = {
    claim.name: claim
    for claim in (*ONUW, *ONUW_FAMILIES, *ONUW_VOTING, *ONUW_DERIVED, *ONUW_TALK, *TEXTBOOK)
}
"""Every claim by name, in the order in which it is shown."""


def find(name: str) -> Claim:
    """The claim called ``name``.

    Raises:
        UnknownTheorem: there is none.
    """
    try:
        return THEOREMS[name]
    except KeyError:
        close = get_close_matches(name, THEOREMS, n=3, cutoff=0.3) or list(THEOREMS)
        raise UnknownTheorem(
            f"no theorem is called {name!r}; did you mean {', '.join(close)}?"
        ) from None


def check_theorem(name: str) -> Finding:
    """Checks one claim; see `Finding`."""
    return find(name).check()


def check_all() -> list[Finding]:
    """Checks every claim."""
    return [claim.check() for claim in THEOREMS.values()]
