"""The different chance probabilities and payoffs of a tree as floats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..games.errors import BadPayoff, InexactError

if TYPE_CHECKING:
    from .tree import GameTree

LARGEST_PAYOFF = 1e150
"""Payoffs beyond this are refused: products and sums of them would overflow."""
SMALLEST_PAYOFF = 1e-300
"""Payoffs nearer to 0, but not 0, are refused: as floats they lose their digits or vanish."""


def float_tables(tree: GameTree) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Probabilities (P,) and payoff vectors (K, n), in utilities.

    Raises:
        InexactError: the game has symbols.
        BadPayoff: a payoff is beyond `LARGEST_PAYOFF`, or nearer to 0 than `SMALLEST_PAYOFF`.
    """
    try:
        probabilities = np.array([float(p) for p in tree.probabilities])
        payoffs = np.array([[float(u) for u in row] for row in tree.payoffs])
    except OverflowError:
        raise _too_large(tree.name) from None
    except TypeError:
        raise InexactError(
            f"{tree.name} has symbols in its payoffs or probabilities; give them numbers with "
            "game.subs({...}) before asking for numbers"
        ) from None
    if np.abs(payoffs).max(initial=0.0) > LARGEST_PAYOFF:
        raise _too_large(tree.name)
    for k, p in np.argwhere(np.abs(payoffs) < SMALLEST_PAYOFF).tolist():
        if tree.payoffs[k][p] != 0:
            raise BadPayoff(
                f"{tree.name} has payoffs below {SMALLEST_PAYOFF:.0e}, which floats cannot tell "
                "from 0; multiply all payoffs by one number"
            )
    return probabilities, payoffs.reshape(-1, tree.num_players)


def _too_large(name: str) -> BadPayoff:
    return BadPayoff(
        f"{name} has payoffs beyond {LARGEST_PAYOFF:.0e}, where sums of floats overflow; "
        "divide all payoffs by one number"
    )
