"""The numbering of ONUW's actions, and their names.

Actions are numbered in blocks, so that one number means one thing for every seat and a name needs
no position: switches, looks, statements, votes.
"""

from __future__ import annotations

from itertools import combinations


class ActionTable:
    """Numbers and names of the actions for given numbers of players and centre cards.

    Args:
        num_players: number of seats.
        num_centre: number of centre cards.
    """

    def __init__(self, num_players: int, num_centre: int):
        seats = range(num_players)
        centre = range(num_players, num_players + num_centre)
        places = [(s,) for s in (*seats, *centre)] + list(combinations(centre, 2))

        def place_name(place: int) -> str:
            return f"P{place + 1}" if place < num_players else f"centre {place - num_players + 1}"

        self.place_name = place_name
        self.names: list[str] = []
        self.no_switch = self._block(["NS"])
        self._switch = self._block([f"S{s + 1}" for s in seats])
        self.no_look = self._block(["no look"])
        self._look = self._block(["look " + " and ".join(map(place_name, p)) for p in places])
        self._say = self._block([f"say {name}" for name in self.names[: self.no_look]])
        self._vote = self._block([f"vote P{s + 1}" for s in seats])
        self._places = places
        self._look_of: dict[tuple[int, ...], int] = {
            p: self._look + i for i, p in enumerate(places)
        }

    def _block(self, names: list[str]) -> int:
        first = len(self.names)
        self.names += names
        return first

    def __len__(self) -> int:
        return len(self.names)

    def switch(self, seat: int) -> int:
        """The Robber swaps its card with that of ``seat``."""
        return self._switch + seat

    def switched_with(self, action: int) -> int:
        """The seat of a `switch`."""
        return action - self._switch

    def look(self, places: tuple[int, ...]) -> int:
        """A look at the cards on ``places``."""
        return self._look_of[places]

    def looked_at(self, action: int) -> tuple[int, ...]:
        """The places of a `look`; none for `no_look`."""
        return () if action == self.no_look else self._places[action - self._look]

    def say(self, switch: int) -> int:
        """The statement "I did ``switch``", for `no_switch` or a `switch`."""
        return self._say + switch

    def said(self, action: int) -> int:
        """The night action that the statement ``action`` claims."""
        return action - self._say

    def vote(self, seat: int) -> int:
        """A vote for ``seat``."""
        return self._vote + seat

    def voted_for(self, action: int) -> int:
        """The seat of a `vote`."""
        return action - self._vote
