"""Checkpoints: everything that an iterative solver needs to go on, bit for bit, in one file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..games.archive import ArchiveKind
from ..games.errors import CheckpointError
from .profile import Profile
from .tree import GameTree

KIND = ArchiveKind("checkpoint", 1, CheckpointError, "solve(..., checkpoint=...)")

History = Sequence[tuple[int, float]]


class Solver(Protocol):
    """What an iterative algorithm offers; `regret.RegretMinimiser` is the model.

    Attributes:
        name: of the algorithm.
        tree: the compiled game.
    """

    name: Any
    tree: GameTree

    @property
    def iteration(self) -> int:
        """How many iterations have been run."""
        ...

    def run(self, iterations: int) -> None:
        """Runs ``iterations`` more iterations."""
        ...

    def average_profile(self) -> Profile:
        """The average of the strategies so far."""
        ...

    def current_profile(self) -> Profile:
        """The strategies of the last iteration."""
        ...


@runtime_checkable
class Resumable(Solver, Protocol):
    """An iterative algorithm that can be stopped and go on."""

    def settings(self) -> dict[str, Any]:
        """All that determines how iterations go, beside the game and the state; JSON."""
        ...

    def state(self) -> dict[str, NDArray[Any]]:
        """The numbers that, with `iteration`, the next iterations depend on; not copied."""
        ...

    @classmethod
    def resume(
        cls,
        tree: GameTree,
        settings: Mapping[str, Any],
        iteration: int,
        state: Mapping[str, NDArray[Any]],
    ) -> Self:
        """A solver that goes on from there.

        Raises:
            KeyError, TypeError, ValueError, CrywolfError: what is given does not fit.
        """
        ...


def save_checkpoint(solver: Resumable, path: str | PathLike[str], history: History = ()) -> None:
    """Writes a checkpoint, completely or not at all.

    Args:
        solver: whose state is written.
        path: where; an older checkpoint there is replaced.
        history: (iteration, NashConv) so far.

    Raises:
        CheckpointError: the file cannot be written.
    """
    facts = {
        "game": solver.tree.game_string,
        "tree": fingerprint(solver.tree),
        "algorithm": solver.name,
        "settings": solver.settings(),
        "iteration": solver.iteration,
        "history": [list(entry) for entry in history],
    }
    KIND.write(path, facts, solver.state())


def load_checkpoint(
    path: str | PathLike[str], tree: GameTree, algorithms: Mapping[str, Any]
) -> tuple[Any, list[tuple[int, float]]]:
    """A solver as it was when the checkpoint was written, and the history until then.

    Args:
        path: the file.
        tree: the game.
        algorithms: classes by name, see `solve.ALGORITHMS`.

    Raises:
        CheckpointError: the file is missing, damaged, or of another game or algorithm.
    """
    facts, arrays = KIND.read(path)
    try:
        name, game = facts["algorithm"], facts["game"]
        if facts["tree"] != fingerprint(tree):
            if game == tree.game_string:
                raise CheckpointError(
                    f"{path} is a checkpoint of {game} with chances or payoffs that differ, if "
                    "only by rounding; give the same merge, or name another file"
                )
            raise CheckpointError(
                f"{path} is a checkpoint of {game}, not of {tree.game_string}; name another file"
            )
        if name not in algorithms:
            raise CheckpointError(f"{path} is a checkpoint of the unknown algorithm {name!r}")
        solver = algorithms[name].resume(tree, facts["settings"], int(facts["iteration"]), arrays)
        history = [(int(t), float(x)) for t, x in facts["history"]]
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(
            f"{path} lacks parts or has broken ones ({error}); start anew with another file"
        ) from error
    return solver, history


def fingerprint(tree: GameTree) -> str:
    """SHA-256 of all that numeric solvers read of a game, in hexadecimal."""
    digest = hashlib.sha256("\0".join(tree.keys).encode())
    for array in tree.sequence_form:
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def restore(own: Mapping[str, NDArray[Any]], state: Mapping[str, NDArray[Any]]) -> None:
    """Copies a state into a solver's own arrays, if it has their names, shapes and types.

    Raises:
        CheckpointError: the state does not fit; nothing was copied.
    """
    if set(state) != set(own):
        raise CheckpointError(
            f"the checkpoint holds {sorted(state)} instead of {sorted(own)}; start anew"
        )
    for name, array in own.items():
        found = state[name]
        if (found.shape, found.dtype) != (array.shape, array.dtype):
            raise CheckpointError(
                f"in the checkpoint {name} is {found.dtype} {found.shape} instead of "
                f"{array.dtype} {array.shape}; start anew"
            )
    for name, array in own.items():
        array[...] = state[name]
