"""Strategy profiles: one behaviour strategy per player, as one flat array."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from os import PathLike
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import ArrayLike, NDArray
from open_spiel.python import policy as openspiel

from ..games.errors import CrywolfError, PolicyError
from .identity import same_by_names
from .policies import ROUNDING, distribution
from .policy_file import read_policy_file, write_policy_file
from .tree import GameTree, compile_tree

TOLERANCE = 1e-9
"""How far the probabilities of an information set may sum from 1."""
TABLE_ROWS = 60
"""Information sets shown in a notebook."""
SAME_ANSWER = 1e-6
"""How far two answers of a policy at one information set may differ."""

TABLES = (openspiel.TabularPolicy, openspiel.UniformRandomPolicy, pyspiel.TabularPolicy)
"""Policies that by their nature depend on the information state alone."""


@dataclass(frozen=True, eq=False, repr=False)
class Profile:
    """A behaviour strategy for every player of a game.

    Attributes:
        tree: the compiled game.
        probabilities: float64 (S,), read-only, indexed by the sequences of ``tree``: the
            probability of each sequence's last action; 1 at the empty sequences ``0 .. n-1``.
        remarks: what a reader of the policy has to know, such as that it is made of draws; kept in
            policy files and shown in reports. Profiles with different remarks may be equal.

    Raises:
        PolicyError: wrong length, a negative probability, or probabilities of an information set
            that do not sum to 1 within 1e-9. Smaller errors are normalised away.
    """

    tree: GameTree
    probabilities: NDArray[np.float64]
    remarks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        tree = self.tree
        p = np.array(self.probabilities, np.float64)
        if p.shape != (tree.num_sequences,):
            raise PolicyError(
                f"{tree.name} has {tree.num_sequences} sequences, but the array has shape "
                f"{p.shape}; Profile.from_dict and Profile.from_policy build it for you"
            )
        p[: tree.num_players] = 1.0
        if tree.num_infosets:
            start = tree.first.astype(np.int64)
            sums = np.add.reduceat(p, start)
            lowest = np.minimum.reduceat(p, start)
            bad = ~((lowest >= 0.0) & (np.abs(sums - 1.0) <= TOLERANCE))  # true for NaN, too
            if bad.any():
                self._refuse(int(np.argmax(bad)), p)
            divisor = np.where(np.abs(sums - 1.0) > ROUNDING, sums, 1.0)
            p[tree.num_players :] /= np.repeat(divisor, tree.num_actions)
        p.setflags(write=False)
        object.__setattr__(self, "probabilities", p)

    def _refuse(self, h: int, p: NDArray[np.float64]) -> None:
        row = p[self.tree.slice(h)]
        raise PolicyError(
            f"{self.tree.name}: the probabilities at information set {self.tree.keys[h]!r} are "
            f"{row.tolist()} with sum {row.sum():.12g}; they must be nonnegative and sum to 1 "
            f"within {TOLERANCE}: divide them by their sum in float64"
        )

    # ------------------------------------------------------------------------------- constructors

    @classmethod
    def uniform(cls, tree: GameTree) -> Profile:
        """Every action of an information set with the same probability."""
        weights = np.ones(tree.num_sequences)
        return cls(tree, normalised(tree, weights))

    @classmethod
    def random(cls, tree: GameTree, rng: np.random.Generator) -> Profile:
        """Uniformly distributed over the simplex at each information set (Dirichlet(1))."""
        return cls(tree, normalised(tree, rng.standard_exponential(tree.num_sequences)))

    @classmethod
    def from_dict(
        cls, tree: GameTree, strategies: Mapping[str, Mapping[str, float] | Mapping[int, float]]
    ) -> Profile:
        """From ``{information-state string: {action name or number: probability}}``.

        Actions left out have probability 0.

        Raises:
            PolicyError: an information set is missing or unknown, an action is unknown, or the
                probabilities are no distribution.
        """
        probabilities = np.zeros(tree.num_sequences)
        for s, value in assigned(tree, strategies):
            probabilities[s] = value
        return cls(tree, probabilities)

    @classmethod
    def from_policy(cls, tree: GameTree, policy: openspiel.Policy | pyspiel.Policy) -> Profile:
        """From any OpenSpiel policy, tabular or not, Python or C++.

        The policy is asked at the first and at the last history of each information set (tables
        only once). Its answers must agree: a policy that depends on more than the information
        state, or on chance of its own, is no behaviour strategy, and has no NashConv.

        Raises:
            PolicyError: at some information set the policy fails, its answer is no distribution
                over the legal actions (see `policies.distribution`), or its answers differ.
        """
        probabilities = np.zeros(tree.num_sequences)
        for h, state in states_at(tree, tree.first_node):
            probabilities[tree.slice(h)] = distribution(policy, state, int(tree.owner[h]))
        if not isinstance(policy, TABLES):
            several = np.flatnonzero(tree.last_node != tree.first_node)
            for h, state in states_at(tree, tree.last_node, several):
                again = distribution(policy, state, int(tree.owner[h]))
                row = probabilities[tree.slice(h)]
                if np.abs(row - again).max() > SAME_ANSWER:
                    raise PolicyError(
                        f"{tree.name}: the policy answers {row.tolist()} and {list(again)} at two "
                        f"histories of information set {tree.keys[h]!r}; a policy may depend only "
                        "on the information state, and must answer the same each time"
                    )
        return cls(tree, probabilities)

    # -------------------------------------------------------------------------------- conversions

    def strategy(self, key: str) -> dict[str, float]:
        """The probabilities of the actions, by name, at the information set with this string."""
        h = find_infoset(self.tree, key)
        row = self.probabilities[self.tree.slice(h)].tolist()
        return dict(zip(self.tree.action_names(h), row, strict=True))

    def to_dict(self) -> dict[str, dict[int, float]]:
        """``{information-state string: {action number: probability}}``."""
        p = self.probabilities.tolist()
        first = self.tree.first.tolist()
        return {
            key: dict(zip(legal, p[start : start + len(legal)], strict=True))
            for key, legal, start in zip(self.tree.keys, self.tree.legal, first, strict=True)
        }

    def to_policy(self) -> ProfilePolicy:
        """An OpenSpiel Python policy that reads a dictionary: no walk over the game."""
        return ProfilePolicy(self)

    def to_tabular(self) -> openspiel.TabularPolicy:
        """OpenSpiel's Python ``TabularPolicy``, rows in OpenSpiel's own order."""
        # One state per information set is enough for its constructor, which else walks the game.
        states = {
            str(state.history()): state for _, state in states_at(self.tree, self.tree.first_node)
        }
        tabular = openspiel.TabularPolicy(self.tree.game, states=states)
        tabular.action_probability_array[:] = 0.0
        for key, row in self.to_dict().items():
            tabular.policy_for_key(key)[list(row)] = list(row.values())
        return tabular

    def to_pyspiel(self) -> pyspiel.TabularPolicy:
        """OpenSpiel's C++ ``TabularPolicy``."""
        table = {key: list(row.items()) for key, row in self.to_dict().items()}
        return pyspiel.TabularPolicy(table)

    # -------------------------------------------------------------------------------------- files

    def save(self, path: str | PathLike[str]) -> None:
        """Writes a ``.npz`` file, completely or not at all.

        Raises:
            PolicyFileError: the file cannot be written.
        """
        tree = self.tree
        actions = np.array([a for legal in tree.legal for a in legal], np.int64)
        write_policy_file(
            path, tree.game_string, tree.keys, tree.num_actions.astype(np.int64), actions,
            self.probabilities[tree.num_players :], self.remarks,
        )  # fmt: skip

    @classmethod
    def load(cls, path: str | PathLike[str], tree: GameTree) -> Profile:
        """Reads a file that `save` wrote.

        The policy of a game fits a tree of another name that is the same, such as that of the
        ``.efg`` file written from the game (see `identity.same_by_names`).

        Raises:
            PolicyFileError: the file is missing, truncated, corrupted or of another kind.
            PolicyError: it belongs to another game.
        """
        file = read_policy_file(path)
        own = tree if file.game == tree.game_string else _same_game(file.game, tree)
        if own is None:
            raise PolicyError(
                f"{path} holds a policy for {file.game}, not for {tree.game_string}; load it with "
                "a tree of its own game"
            )
        try:
            probabilities = cls.from_dict(own, file.strategies()).probabilities
            return cls(tree, probabilities, file.remarks)
        except PolicyError as error:
            raise PolicyError(
                f"{path} holds a policy for another version of {file.game}; solve the game again. "
                f"({error})"
            ) from error

    # -------------------------------------------------------------------------------------- words

    def __eq__(self, other: object) -> bool:
        """Same game and same probabilities, bit by bit."""
        if not isinstance(other, Profile):
            return NotImplemented
        return np.array_equal(self.probabilities, other.probabilities) and self.tree.same_game(
            other.tree
        )

    __hash__ = None  # type: ignore[assignment]  # equality is by value

    def __repr__(self) -> str:
        return f"Profile({self.tree.name}: {self.tree.num_infosets:,} information sets)"

    def _repr_html_(self) -> str:
        tree = self.tree
        rows = []
        for h in range(min(tree.num_infosets, TABLE_ROWS)):
            p = self.probabilities[tree.slice(h)]
            cells = ", ".join(
                f"{html.escape(name)}&nbsp;{x:.4g}" for name, x in zip(tree.action_names(h), p)
            )
            key = html.escape(tree.keys[h])
            rows.append(f"<tr><td>P{tree.owner[h] + 1}</td><td>{key}</td><td>{cells}</td></tr>")
        if tree.num_infosets > TABLE_ROWS:
            more = tree.num_infosets - TABLE_ROWS
            rows.append(f'<tr><td colspan="3">… and {more:,} more information sets</td></tr>')
        return (
            f"<table><caption>{html.escape(repr(self))}</caption><thead><tr><th>Player</th>"
            "<th>Information set</th><th>Strategy</th></tr></thead><tbody>"
            + "".join(rows)
            + "</tbody></table>"
        )


class ProfilePolicy(openspiel.Policy):
    """A `Profile` as an OpenSpiel Python policy, for states of the game of its tree."""

    def __init__(self, profile: Profile):
        super().__init__(profile.tree.game, list(range(profile.tree.num_players)))
        self._name = profile.tree.name
        self._table = profile.to_dict()

    def action_probabilities(
        self, state: pyspiel.State, player_id: int | None = None
    ) -> dict[int, float]:
        """The mover's (or ``player_id``'s) action probabilities.

        Raises:
            PolicyError: the state is not of this game.
        """
        player = state.current_player() if player_id is None else player_id
        key = state.information_state_string(player)
        row = self._table.get(key)
        if row is None:
            raise PolicyError(
                f"{self._name} has no information set {key!r}; is the state of another game?"
            )
        return dict(row)


def _same_game(text: str, tree: GameTree) -> GameTree | None:
    """The tree of a game string if it is the same as ``tree``, but for the numbers of actions."""
    try:
        own = compile_tree(text, max_nodes=tree.num_nodes)
        return own if same_by_names(own, tree) else None
    except CrywolfError:  # there is no such game, a larger one, or no names
        return None


def normalised(tree: GameTree, weights: ArrayLike) -> NDArray[np.float64]:
    """Nonnegative weights (S,) divided by their sums at each information set; uniform where 0."""
    p = np.array(weights, np.float64)
    p[: tree.num_players] = 1.0
    if tree.num_infosets:
        sums = np.add.reduceat(p, tree.first.astype(np.int64))
        zero = np.repeat(sums == 0.0, tree.num_actions)
        total = np.repeat(np.where(sums == 0.0, 1.0, sums), tree.num_actions)
        p[tree.num_players :] /= total
        p[tree.num_players :][zero] = 1.0 / np.repeat(tree.num_actions, tree.num_actions)[zero]
    return p


def states_at(
    tree: GameTree, nodes: NDArray[np.int64], sets: NDArray[np.int64] | None = None
) -> Iterator[tuple[int, pyspiel.State]]:
    """Information sets (all, or those of ``sets``), each with an OpenSpiel state of its node.

    The nodes, one per information set, are visited depth first, so each step of a path is played
    once.
    """
    order = np.argsort(nodes) if sets is None else sets[np.argsort(nodes[sets])]
    path: list[tuple[int, pyspiel.State]] = [(0, tree.game.new_initial_state())]
    parent, action = tree.parent, tree.action
    for h in order.tolist():
        node = int(nodes[h])
        known = {i: depth for depth, (i, _) in enumerate(path)}
        missing = []
        while node not in known:
            missing.append(node)
            node = int(parent[node])
        del path[known[node] + 1 :]
        for step in reversed(missing):
            path.append((step, path[-1][1].child(int(action[step]))))
        yield h, path[-1][1]


def find_infoset(tree: GameTree, key: str) -> int:
    """The information set with this information-state string.

    Raises:
        PolicyError: there is none; the text has the closest strings.
    """
    h = tree.infoset_of_key.get(key)
    if h is None:
        close = get_close_matches(str(key), tree.keys[:5000], n=2, cutoff=0.3) or tree.keys[:2]
        raise PolicyError(
            f"{tree.name} has no information set {key!r}; it has, for example, "
            + " and ".join(map(repr, close))
        )
    return h


def assigned(
    tree: GameTree, strategies: Mapping[str, Mapping[str, Any] | Mapping[int, Any]]
) -> Iterator[tuple[int, Any]]:
    """(sequence, value) of each entry of ``{key: {action name or number: value}}``.

    Raises:
        PolicyError: an information set is missing or unknown, or an action unknown or given twice.
    """
    for key, row in strategies.items():
        h = find_infoset(tree, key)
        seen = set()
        for action, value in row.items():
            choices = tree.action_names(h) if isinstance(action, str) else tree.legal[h]
            if action not in choices:
                raise PolicyError(
                    f"{tree.name}: information set {key!r} has no action {action!r}; it has "
                    f"{_menu(tree, h)}"
                )
            s = int(tree.first[h]) + choices.index(action)  # type: ignore[arg-type]
            if s in seen:
                raise PolicyError(
                    f"{tree.name}: {key!r} has action {action!r} by name and number: give one"
                )
            seen.add(s)
            yield s, value
    missing = [key for key in tree.keys if key not in strategies]
    if missing:
        raise PolicyError(
            f"{tree.name}: {len(missing)} of {tree.num_infosets} information sets have no "
            f"strategy, for example {missing[0]!r}; give every one a distribution"
        )


def _menu(tree: GameTree, h: int) -> str:
    pairs = zip(tree.legal[h], tree.action_names(h), strict=True)
    return ", ".join(f"{a} ({name})" for a, name in pairs)
