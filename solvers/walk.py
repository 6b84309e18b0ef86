"""What one walk over a game records, and the refusals that all walks share.

Each node is visited once, depth first: a player's moves in the order of their action numbers,
chance's in the order in which the game lists its outcomes. Whatever makes a game unfit for a tree
is refused by name and with the histories that show it. `walk_rules` and `walk_pyspiel` are the two
walks.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..games.errors import BadChance, BadPayoff, UnequalActions
from ..games.exact import is_exact
from ..games.rules import Exact


@dataclass
class Walk:
    """Everything one walk records. Nodes are numbered in depth-first order.

    Lists that concern some nodes only are in the order of these nodes.

    Attributes:
        num_players: number of players.
        parent: parent of each node, -1 at the root.
        action: the action number on the edge into each node, -1 at the root.
        player: the mover of each node: a player, `CHANCE` or `TERMINAL`.
        infoset: the information set of each node where a player moves, in order of first visit.
        probability: index in ``probabilities`` of each outcome of each chance node.
        payoff: index in ``payoffs`` of each terminal node.
        probabilities: the different chance probabilities.
        payoffs: the different payoff vectors.
        owners: the player of each information set.
        legal: the action numbers of each information set.
        keys: the information-state string of each information set.
    """

    num_players: int
    parent: array[int] = field(default_factory=lambda: array("i"))
    action: array[int] = field(default_factory=lambda: array("i"))
    player: array[int] = field(default_factory=lambda: array("b"))
    infoset: array[int] = field(default_factory=lambda: array("i"))
    probability: array[int] = field(default_factory=lambda: array("i"))
    payoff: array[int] = field(default_factory=lambda: array("i"))
    probabilities: dict[Any, int] = field(default_factory=dict)
    payoffs: dict[Any, int] = field(default_factory=dict)
    owners: list[int] = field(default_factory=list)
    legal: list[tuple[int, ...]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    def history(self, node: int) -> list[int]:
        """The action numbers on the path from the root to ``node``."""
        path = []
        while node > 0:
            path.append(self.action[node])
            node = self.parent[node]
        return path[::-1]

    def probability_index(self, probability: Exact | float) -> int:
        """The index of a chance probability, new or known."""
        return self.probabilities.setdefault(probability, len(self.probabilities))

    def first_node(self, infoset: int) -> int:
        """The first node of an information set."""
        rank = self.infoset.index(infoset)
        movers = (node for node, player in enumerate(self.player) if player >= 0)
        return next(node for i, node in enumerate(movers) if i == rank)


def check_payoff(payoff: Sequence[Exact], players: int, name: str) -> None:
    """Refuses payoffs of rules that are not one exact number per player."""
    if len(payoff) != players:
        raise BadPayoff(f"{name}: {len(payoff)} payoffs for {players} players")
    if any(isinstance(u, float) for u in payoff):
        raise BadPayoff(f"{name}: payoffs {payoff} hold a float; rules give Fraction or int")
    if not all(map(is_exact, payoff)):
        raise BadPayoff(
            f"{name}: payoffs {payoff} are not exact real numbers; rules give Fraction, int, or a "
            "SymPy expression"
        )


def check_chance(outcomes: Sequence[tuple[int, Exact | float]], words: Callable[[], str]) -> None:
    """Refuses chance outcomes that are no distribution; ``words`` tells where."""
    if not outcomes:
        raise BadChance(f"the chance node after {words()} has no outcome")
    total: Any = 0
    for _, p in outcomes:
        if not isinstance(p, float) and not is_exact(p):
            raise BadChance(
                f"the chance node after {words()} has the probability {p!r}, which is no number; "
                "give Fraction"
            )
        total += p
        number = isinstance(p, int | float | Fraction) or p.is_number
        if number and not (p > 0 and p <= 1):
            raise BadChance(f"the chance node after {words()} has an outcome of probability {p}")
    if len({action for action, _ in outcomes}) < len(outcomes):
        raise BadChance(f"the chance node after {words()} lists an outcome twice; add them up")
    if isinstance(total, float):
        fits = abs(total - 1.0) <= 1e-9
    elif isinstance(total, int | Fraction):
        fits = total == 1
    else:
        fits = total.simplify() == 1
    if not fits:
        raise BadChance(f"the chance node after {words()} has probabilities that sum to {total}")


def check_legal(legal: Sequence[int], words: Callable[[], str]) -> None:
    """Refuses a decision without actions; ``words`` tells where."""
    if not legal:
        raise UnequalActions(f"no legal action after {words()}; a decision needs at least one")


def raise_unequal(
    record: Walk, infoset: int, node: int, legal: Sequence[int], words: Callable[..., str]
) -> None:
    """Refuses an information set whose nodes offer different actions."""
    other = record.first_node(infoset)
    raise UnequalActions(
        f"one information set of P{record.owners[infoset] + 1} offers actions "
        f"{list(record.legal[infoset])} after {words(record.history(other))} but {list(legal)} "
        f"after {words(record.history(node))}; its key must tell them apart"
    )
