"""Policies in the ways a user has them: by name, from a file, from code, or as an object."""

from __future__ import annotations

import hashlib
import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python import policy as openspiel_policy

from ..games.errors import CrywolfError, PolicyError
from ..solvers.profile import Profile
from ..solvers.tree import GameTree
from .draws import Draws

MAX_SEED_DIGITS = 100
"""Digits of a seed; Python refuses to read numbers of thousands."""
FORMS = (
    "write uniform; random:SEED with a whole number, such as random:7; agent:NAME or a cast such "
    "as agent:town=honest+wolves=deceive; the path of a policy file that ends in .npz; "
    "package.module:function, where function(game) returns an OpenSpiel policy or a Profile; or, "
    "for a language model, llm:local, llm:http://HOST:PORT/v1#MODEL or llm:replay:FILE"
)
PLUG_INS = "crywolf.policies"
"""Group of the entry points that read policy specifications ``SCHEME:...``, named by scheme."""


@dataclass(frozen=True, slots=True)
class NamedPolicy:
    """A policy and what to call it.

    Attributes:
        policy: a `Profile`, or an OpenSpiel policy (Python or C++).
        label: how reports name it.
    """

    policy: Any
    label: str


def is_policy(value: Any) -> bool:
    """Whether ``value`` is an OpenSpiel policy, Python or C++, a `Profile`, or `Draws`."""
    return isinstance(value, Profile | Draws | openspiel_policy.Policy | pyspiel.Policy)


def resolve_policy(
    policy: Any, game: pyspiel.Game | None, tree: GameTree | None = None
) -> NamedPolicy:
    """The policy that a specification or an object stands for.

    Args:
        policy: a `Profile` or OpenSpiel policy, which is returned as it is; or a string:
            ``uniform``; ``random:SEED``, the `RandomPolicy` of that seed; ``agent:CAST``, an
            `AgentPolicy` (see `agents`); ``PATH.npz``, a saved `Profile`; ``SCHEME:...``, read by
            the entry point of that name in the group `PLUG_INS` (``llm`` is ours); or
            ``package.module:function``, which is imported and called with the game.
        game: the game that it is for; None to load it from ``tree``, if the policy needs it.
        tree: the compiled game; policy files need it. It is all that ``uniform``, ``random:SEED``
            and policy files need.

    Raises:
        PolicyError: the string has none of these forms, the code fails or returns something
            else, the seed is no whole number, or a policy file comes without a tree.
        PolicyFileError: the file is missing, damaged, or of another format.
        TreeFileError: the policy needs the game, and the tree does not know its rules.
    """
    if is_policy(policy):
        return NamedPolicy(policy, _label(policy))
    if not isinstance(policy, str):
        raise PolicyError(f"{type(policy).__name__} is not a policy or the name of one; {FORMS}")
    text = policy.strip()
    if text == "uniform":
        if tree is not None:
            return NamedPolicy(Profile.uniform(tree), text)
        return NamedPolicy(openspiel_policy.UniformRandomPolicy(game), text)
    head, colon, tail = text.partition(":")
    if colon and head == "random":
        if not (tail.isascii() and tail.isdigit() and len(tail) <= MAX_SEED_DIGITS):
            raise PolicyError(
                f"policy {text!r}: the seed {tail!r} is no whole number >= 0; {FORMS}"
            )
        if tree is not None:
            return NamedPolicy(RandomPolicy.profile(tree, int(tail)), text)
        return NamedPolicy(RandomPolicy(game, int(tail)), text)
    if text.endswith(".npz"):
        if tree is None:
            raise PolicyError(
                f"policy {text!r}: a policy file belongs to a compiled tree, and {game} was not "
                "compiled; pass a larger max_nodes"
            )
        return NamedPolicy(Profile.load(Path(policy), tree), text)
    if game is None and tree is not None:
        game = tree.game
    if colon and head == "agent":
        from .agents import policy_from_text  # only for those who cast agents

        assert game is not None
        return NamedPolicy(policy_from_text(tail, game), text)
    plug_in = _plug_in(head) if colon else None
    if plug_in is not None:
        planned = plug_in(tail, game)
        return NamedPolicy(planned, _label(planned))
    parts = head.split(".")
    if colon and tail.isidentifier() and all(part.isidentifier() for part in parts):
        return NamedPolicy(_from_code(text, head, tail, game), text)
    raise PolicyError(f"policy {text!r} is of no known form; {FORMS}")


class RandomPolicy(openspiel_policy.Policy):
    """A policy drawn uniformly from all policies, the same wherever it is asked for.

    The distribution at an information set is uniform on the simplex of its legal actions. Its
    randomness comes from the seed and the information-state string alone, so it depends neither on
    the order of questions nor on the rest of the tree, and it exists for games of any size.

    Args:
        game: the game.
        seed: a whole number.
    """

    def __init__(self, game: pyspiel.Game, seed: int):
        super().__init__(game, list(range(game.num_players())))
        self.seed = seed

    def action_probabilities(
        self, state: pyspiel.State, player_id: int | None = None
    ) -> dict[int, float]:
        """See ``open_spiel.python.policy.Policy``."""
        player = state.current_player() if player_id is None else player_id
        actions = state.legal_actions(player)
        drawn = _drawn(self.seed, player, state.information_state_string(player), len(actions))
        return dict(zip(actions, drawn, strict=True))

    @staticmethod
    def profile(tree: GameTree, seed: int) -> Profile:
        """The policy of that seed on a compiled tree, which need not know its rules."""
        return Profile.from_dict(
            tree,
            {
                key: dict(zip(legal, _drawn(seed, int(owner), key, len(legal)), strict=True))
                for key, owner, legal in zip(tree.keys, tree.owner, tree.legal, strict=True)
            },
        )


def _drawn(seed: int, player: int, key: str, count: int) -> list[float]:
    """The distribution over the actions of an information set."""
    digest = hashlib.sha256(f"{seed}\n{player}\n{key}".encode()).digest()
    rng = np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "big")))
    return rng.dirichlet(np.ones(count)).tolist()


def _plug_in(scheme: str) -> Callable[[str, pyspiel.Game], Any] | None:
    """What reads specifications of a scheme, if anything does."""
    if not re.fullmatch(r"[a-z]+", scheme):
        return None
    for entry in entry_points(group=PLUG_INS, name=scheme):
        return entry.load()
    return None


def _label(policy: Any) -> str:
    name = getattr(policy, "name", None)
    return name if isinstance(name, str) and name else type(policy).__name__


def _from_code(text: str, module: str, function: str, game: pyspiel.Game) -> Any:
    try:
        build = getattr(importlib.import_module(module), function)
        built = build(game)
    except CrywolfError:
        raise
    except Exception as error:  # the user's code may raise anything
        raise PolicyError(f"policy {text!r}: {_failure(error, module, function)}") from error
    if not is_policy(built):
        raise PolicyError(
            f"policy {text!r}: {function}(game) returned {type(built).__name__}, not an OpenSpiel "
            "policy or a Profile"
        )
    return built


def _failure(error: Exception, module: str, function: str) -> str:
    """What went wrong in loading and calling a function, with the cure where there is one."""
    if isinstance(error, ModuleNotFoundError) and (module + ".").startswith(f"{error.name}."):
        return (
            f"there is no module {error.name}; run where it can be imported (the command line "
            "finds modules in the current directory)"
        )
    if isinstance(error, AttributeError) and error.name == function:
        return f"module {module} has no function {function}"
    return f"{type(error).__name__}: {error}"
