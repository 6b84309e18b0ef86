"""From a walk over a game to the rows of an .efg file."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .efg_file import WHOLE_KEYS, EfgFile, EfgNode, EfgOutcome, EfgSet
from .errors import InexactError, ParameterError
from .rules import CHANCE, Exact


class EfgRows:
    """The nodes of a game, told in depth-first order; then `file`.

    Args:
        name: what errors call the game.
        num_players: the number of players.
    """

    def __init__(self, name: str, num_players: int):
        self._name = name
        self._num_players = num_players
        self._nodes: list[EfgNode] = []
        self._sets: list[EfgSet] = []
        self._set_of_label: dict[tuple[int, str], int] = {}
        self._numbers = [0] * (num_players + 1)  # the latest of each player, of chance at the end
        self._outcomes: list[EfgOutcome] = []
        self._outcome_of_payoffs: dict[tuple[Exact, ...], int] = {}

    def leaf(self, payoffs: Sequence[Exact]) -> None:
        """The end of a play."""
        vector = tuple(payoffs)
        index = self._outcome_of_payoffs.setdefault(vector, len(self._outcomes))
        if index == len(self._outcomes):
            number = index + 1
            exact = tuple(map(self._fraction, vector))
            self._outcomes.append(EfgOutcome(number, f"Outcome {number}", exact))
        self._nodes.append(EfgNode("", -1, index))

    def chance(self, names: Sequence[str], probabilities: Sequence[Exact]) -> None:
        """A chance node, each an event of its own."""
        exact = tuple(map(self._fraction, probabilities))
        self._add(EfgSet(CHANCE, self._next_number(CHANCE), "", tuple(names), exact))

    def decision(self, player: int, label: str, actions: Sequence[str]) -> tuple[str, ...]:
        """A node of a player's information set.

        Returns:
            The actions in the order of the set's first node: the children follow in this order.
        """
        index = self._set_of_label.setdefault((player, label), len(self._sets))
        if index == len(self._sets):
            self._add(EfgSet(player, self._next_number(player), label, tuple(actions), ()))
        else:
            self._nodes.append(EfgNode("", index, -1))
        return self._sets[index].actions

    def file(
        self,
        title: str,
        players: Sequence[str] | None,
        comment: str,
        *,
        whole_keys: bool = False,
    ) -> EfgFile:
        """All that was told.

        Args:
            title: the game's name for people.
            players: the players' names; by default P1, P2 and so on.
            comment: any text.
            whole_keys: whether labels are information-state strings; the comment says so then, and
                only then.

        Raises:
            ParameterError: not one name for each player.
        """
        names = [f"P{p + 1}" for p in range(self._num_players)] if players is None else players
        if len(names) != self._num_players or isinstance(names, str):
            raise ParameterError(
                f"{self._name}: {len(names)} names for {self._num_players} players; give each one"
            )
        if whole_keys != (WHOLE_KEYS in comment):
            lines = [line for line in comment.split("\n") if WHOLE_KEYS not in line]
            comment = "\n".join([*filter(None, lines), WHOLE_KEYS] if whole_keys else lines)
        return EfgFile(
            title=title,
            players=tuple(names),
            comment=comment,
            sets=tuple(self._sets),
            outcomes=tuple(self._outcomes),
            nodes=tuple(self._nodes),
        )

    def _add(self, described: EfgSet) -> None:
        self._nodes.append(EfgNode("", len(self._sets), -1))
        self._sets.append(described)

    def _next_number(self, player: int) -> int:
        self._numbers[player] += 1
        return self._numbers[player]

    def _fraction(self, value: Exact) -> Fraction:
        if isinstance(value, int | Fraction):
            return Fraction(value)
        raise InexactError(
            f"{self._name}: {value} is no fraction, and .efg files hold no other numbers; put "
            "numbers in place of symbols with game.subs({...}) first"
        )
