"""A player's view as a vector of fixed size, for learning algorithms.

Rules do not number the observations in advance, so an observation enters by a *random code*: a
vector of 64 signs that is a hash of its words. Codes of one stretch of news are added up, the place
in the stretch being part of the hash. Two different views have different vectors but for a
collision of 64-bit hashes; equal entries make equal contributions, so a network can learn to read
them.
Compare the hashing trick: Weinberger et al., "Feature hashing for large scale multitask learning",
ICML 2009.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np

from .rules import Rules, View

CODE = 64
"""Length of a code."""


class ViewEncoder:
    """Writes views of one game into one reused vector.

    Row k of ``moves`` is the player's k-th own action, one-hot; row k of ``news`` is what it
    observed before that action and after the one before.

    Args:
        rules: the game.

    Attributes:
        tensor: the vector, float32, of size n + L A + (L + 1) 64 for n players, A distinct actions
            and plays of at most L moves.
        pieces: its named parts, as views into it: ``player``, ``moves``, ``news``.
    """

    def __init__(self, rules: Rules[Any]):
        self._rules = rules
        shapes = {
            "player": (rules.num_players,),
            "moves": (rules.max_game_length, rules.num_distinct_actions),
            "news": (rules.max_game_length + 1, CODE),
        }
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.pieces = {
            name: part.reshape(shape)
            for (name, shape), part in zip(shapes.items(), parts, strict=True)
        }

    def encode(self, player: int, view: View) -> None:
        """Overwrites `tensor` with a view of ``player``."""
        self.tensor.fill(0.0)
        self.pieces["player"][player] = 1.0
        row = place = 0
        for entry in view:
            if isinstance(entry, int):
                self.pieces["moves"][row, entry] = 1.0
                row, place = row + 1, 0
            else:
                words = self._rules.observation_name(player, entry)
                self.pieces["news"][row] += _code(f"{place} {words}")
                place += 1


@lru_cache(maxsize=1 << 16)
def _code(text: str) -> np.ndarray:
    """64 signs that depend on ``text`` alone, the same on every machine."""
    digest = np.frombuffer(blake2b(text.encode(), digest_size=CODE // 8).digest(), np.uint8)
    return 2.0 * np.unpackbits(digest).astype(np.float32) - 1.0
