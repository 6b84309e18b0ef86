"""The registry of published results that crywolf verifies.

Each entry is a `Claim`: its source, its statement, and the computation that checks it.
"""

from __future__ import annotations

from difflib import get_close_matches

from ..games.errors import UnknownTheorem
from .claims import Claim, Finding
from .mafia_protocol_theorems import CLAIMS as MAFIA_PROTOCOLS
from .mafia_setup_theorems import CLAIMS as MAFIA_SETUPS
from .mafia_theorems import CLAIMS as MAFIA
from .onuw_derived import CLAIMS as ONUW_DERIVED
from .onuw_families import CLAIMS as ONUW_FAMILIES
from .onuw_talk_theorems import CLAIMS as ONUW_TALK
from .onuw_theorems import CLAIMS as ONUW
from .onuw_vote_theorems import CLAIMS as ONUW_VOTE
from .onuw_voting_theorems import CLAIMS as ONUW_VOTING
from .seer_theorems import CLAIMS as SEER
from .textbook_theorems import CLAIMS as TEXTBOOK

THEOREMS: dict[str, Claim] = {
    claim.name: claim
    for claims in (
        ONUW, ONUW_FAMILIES, ONUW_VOTING, ONUW_DERIVED, ONUW_TALK, ONUW_VOTE,
        MAFIA, MAFIA_PROTOCOLS, MAFIA_SETUPS, SEER, TEXTBOOK,
    )
    for claim in claims
}  # fmt: skip
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
