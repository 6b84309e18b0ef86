"""Lumps: positions that are renamings of each other, and a canonical one for each lump."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Generic, TypeAlias, TypeVar

import pyspiel

from ..games.errors import NotInterchangeable, PolicyError, TooManyLumps
from ..games.loading import game_name, load_rules
from ..games.rules import CHANCE, Interchangeable, Rules
from .acyclic import Acyclic, Branch
from .exact import exact_number
from .tree_size import Progress

P = TypeVar("P")

Playable: TypeAlias = str | pyspiel.Game | Rules[Any]
"""A name or game string, an OpenSpiel game made from rules, or the rules."""

Mixture: TypeAlias = Mapping[int, Fraction]
"""Probabilities of some actions; the others have probability 0."""

Policy: TypeAlias = Callable[[Any, Any], Mixture]
"""What the mover does, ``policy(rules, position)``. It may use only what the mover knows, and may
not depend on the numbers of the seats: renaming the seats of a position must rename its actions."""


class Lumping(Generic[P]):
    """The lumps of a game.

    Args:
        game: a name or game string, an OpenSpiel game, or rules; with interchangeable seats.
        lump: whether to lump positions that are renamings of each other.

    Raises:
        NotInterchangeable: the seats are not interchangeable.
    """

    def __init__(self, game: Playable, *, lump: bool = True):
        rules = load_rules(game)
        if not isinstance(rules, Interchangeable):
            raise NotInterchangeable(
                f"{game_name(game)}: the game does not say how its seats are renamed; derive its "
                "rules from crywolf.games.rules.Interchangeable, or solve the compiled tree"
            )
        if lump and not rules.interchangeable:
            raise NotInterchangeable(
                f"{game_name(rules)}: under these parameters it matters how the players are "
                "numbered; choose others, or pass lump=False, or solve the compiled tree"
            )
        self.rules: Any = rules
        self.lump = lump
        self.seats = range(rules.num_players)

    def canonical(self, position: P) -> P:
        """The position that stands for its lump."""
        if not self.lump:
            return position
        order = sorted(self.seats, key=self.rules.signatures(position).__getitem__)
        return self.reordered(position, order)

    def reordered(self, position: P, order: Sequence[int]) -> P:
        """The position in which the seat ``order[i]`` is called i."""
        seats = [0] * len(order)
        for new, old in enumerate(order):
            seats[old] = new
        return self.rules.relabelled(position, seats)

    def successors(self, position: P, weights: Mapping[int, Any]) -> dict[P, Any]:
        """The lumps after a position, with the weights of the actions that lead there added up."""
        found: dict[P, Any] = {}
        for action, weight in weights.items():
            lump = self.canonical(self.rules.play(position, action).position)
            found[lump] = found.get(lump, 0) + weight
        return found

    def weights(self, position: P, policy: Policy) -> dict[int, Fraction]:
        """The positive probabilities of the actions: chance's own, or those of the policy.

        Raises:
            PolicyError: they are no distribution over the legal actions.
            InexactError: a probability is not exact.
        """
        if self.rules.mover(position) == CHANCE:
            return {action: exact_number(p) for action, p in self.rules.chance_outcomes(position)}
        mixture = policy(self.rules, position)
        if isinstance(mixture, str):
            raise PolicyError(
                f"{self.rules.name}: the policy says {mixture!r} where probabilities of actions "
                "are needed; optimal_probability takes decisions that are left open"
            )
        chances = {action: exact_number(p) for action, p in mixture.items()}
        legal = self.rules.legal_actions(position)
        if sum(chances.values()) != 1 or min(chances.values()) < 0 or set(chances) - set(legal):
            raise PolicyError(
                f"{self.rules.name}: the policy gives {dict(mixture)} at "
                f"({self.rules.describe(position)}); it must give nonnegative probabilities of the "
                f"actions {', '.join(map(str, legal))} that sum to exactly 1"
            )
        return {action: chance for action, chance in chances.items() if chance}

    def explored(
        self,
        branch: Callable[[Any], Branch[Any]],
        start: P | None,
        max_lumps: int,
        progress: Progress | None,
    ) -> Acyclic[Any]:
        """The graph of the lumps from a position on, by default the initial one.

        Raises:
            TooManyLumps: more than ``max_lumps``.
        """
        root = self.rules.initial().position if start is None else start
        return Acyclic.explored(
            self.canonical(root), branch, lambda: self.too_many(max_lumps), max_lumps, progress
        )

    def too_many(self, max_lumps: int) -> TooManyLumps:
        """The refusal."""
        return TooManyLumps(
            f"{self.rules.name} has more than {max_lumps:,} lumps; pass a larger max_lumps (each "
            "takes some kilobytes), or ask about fewer players or about public random elimination "
            "instead of votes",
            limit=max_lumps,
        )
