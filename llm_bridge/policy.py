"""A language model as an OpenSpiel policy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import numpy as np
import pyspiel
from open_spiel.python import policy as openspiel_policy

from ..analysis.draws import Draws
from ..analysis.elicited import ElicitationRecord
from ..games.errors import ParameterError, PolicyError
from ..games.loading import game_name, load_game
from ..games.rules import Rules
from ..solvers.profile import Profile, states_at
from ..solvers.tree import GameTree
from .backends.base import Backend
from .client import Client
from .elicitation import Asking, Elicitation, Elicited, elicitation_from_spec
from .failures import FailurePolicy
from .prompts import Brief
from .views import PlayerView, observe


class LLMPolicy(openspiel_policy.Policy):
    """What a language model plays, at every information state of a game.

    The model is told the rules, the player's own view and the options, and nothing else; it is
    asked once at each information set. So the policy is a behaviour strategy: a function of the
    information state. Its distribution depends on the elicitation (see `elicitation`).

    Args:
        game: the game, or its name.
        model: a backend, or a client if calls are to be stored, budgeted or paced.
        elicitation: ``labels``, ``samples:N``, ``stated``, or an `Elicitation`.
        rules: the rules in words; by default those that the game tells (see `Brief.of`).
        on_failure: what happens when an answer names no move; by default one reminder, then
            `ElicitationFailed`.
        workers: calls made at the same time in `tabulate`; results do not depend on it.
    """

    def __init__(
        self,
        game: pyspiel.Game | Rules | str,
        model: Backend | Client,
        elicitation: str | Elicitation = "labels",
        *,
        rules: str | None = None,
        on_failure: FailurePolicy | None = None,
        workers: int = 1,
    ):
        if on_failure is not None and not isinstance(on_failure, FailurePolicy):
            raise ParameterError(
                f"on_failure={on_failure!r}: give a FailurePolicy, such as "
                "FailurePolicy(retries=1, then='uniform')"
            )
        if workers < 1:
            raise ParameterError(f"workers={workers}: take at least 1")
        loaded = load_game(game)
        super().__init__(loaded, list(range(loaded.num_players())))
        self.client = model if isinstance(model, Client) else Client(model)
        if isinstance(elicitation, str):
            elicitation = elicitation_from_spec(elicitation)
        self.elicitation = elicitation
        self.workers = workers
        self._asking = Asking(
            self.client, Brief.of(loaded, rules), on_failure or FailurePolicy(), self._told
        )
        self._known: dict[PlayerView, Elicited] = {}
        self._lock = Lock()
        self._progress: Callable[[int, int], None] | None = None
        self._answered, self._planned = 0, 0

    @property
    def name(self) -> str:
        """``llm:`` and the declared name of the model."""
        return f"llm:{self.client.backend.model}"

    @property
    def draws_only(self) -> bool:
        """Whether only draws are known, no probabilities."""
        return self.elicitation.draws_only

    def action_probabilities(
        self, state: pyspiel.State, player_id: int | None = None
    ) -> dict[int, float]:
        """See ``open_spiel.python.policy.Policy``. Of an elicitation by samples: frequencies.

        Raises:
            ElicitationFailed, UnsupportedElicitation, CallFailed, BudgetExhausted, StoreError: see
                there.
        """
        player = state.current_player() if player_id is None else player_id
        view = observe(state, player)
        return dict(zip(view.actions, self._elicited(view).probabilities, strict=True))

    def tabulate(
        self, tree: GameTree, progress: Callable[[int, int], None] | None = None
    ) -> Profile | Draws:
        """Asks at every information set of a compiled game.

        Args:
            tree: the compiled game.
            progress: called with the calls answered, and how many there are.

        Returns:
            The profile; or, of an elicitation by samples, the draws.

        Raises:
            PolicyError: the policy is for another game, or two histories of an information set
                look different to their player.
            ElicitationFailed, UnsupportedElicitation, CallFailed, BudgetExhausted, StoreError: see
                there.
        """
        if Brief.of(tree.game) != Brief.of(self.game):
            raise PolicyError(
                f"the policy was made for {game_name(self.game)}, whose rules its prompts tell, "
                f"not for {tree.name}; make an LLMPolicy of the game that you ask about"
            )
        views = _views(tree)
        self._progress, self._answered = progress, 0
        self._planned = sum(self.elicitation.calls(len(view.options)) for view in views)
        try:
            found = list(self._all(views))
        finally:
            self._progress = None
        if self.draws_only:
            return Draws.from_lists(
                tree,
                {
                    view.information_state: [view.actions[place] for place in elicited.draws or ()]
                    for view, elicited in zip(views, found, strict=True)
                },
            )
        probabilities = np.ones(tree.num_sequences)
        for h, elicited in enumerate(found):
            probabilities[tree.slice(h)] = elicited.probabilities
        return Profile(tree, probabilities)

    def record(self) -> ElicitationRecord:
        """How the policy was obtained, so far."""
        with self._lock:
            known = list(self._known.values())
        masses = [mass for elicited in known for mass in elicited.legal_mass]
        sums = [total for elicited in known for total in elicited.stated_sums]
        unlisted = [bound for elicited in known for bound in elicited.unlisted]
        tally = self.client.tally
        return ElicitationRecord(
            model=self.client.backend.model,
            elicitation=str(self.elicitation),
            legal_mass=math.fsum(masses) / len(masses) if masses else None,
            lowest_legal_mass=min(masses) if masses and not self.draws_only else None,
            stated_sums=(min(sums), max(sums)) if sums else None,
            calls=tally.calls,
            new_calls=tally.new_calls,
            tokens={"prompt": tally.prompt_tokens, "completion": tally.completion_tokens},
            failures=dict(sorted(tally.failures.items())),
            substituted=sum(elicited.substituted for elicited in known),
            unlisted=len(unlisted),
            unlisted_bound=max(unlisted, default=0.0),
        )

    def close(self) -> None:
        """Closes the client with its backend and store."""
        self.client.close()

    def _all(self, views: list[PlayerView]) -> Iterator[Elicited]:
        if self.workers == 1:
            return map(self._elicited, views)
        pool = ThreadPoolExecutor(self.workers)
        try:
            return iter(list(pool.map(self._elicited, views)))
        finally:
            # After a failure, what has not begun is not begun; what has is in the store.
            pool.shutdown(cancel_futures=True)

    def _elicited(self, view: PlayerView) -> Elicited:
        with self._lock:
            known = self._known.get(view)
        if known is None:
            known = self.elicitation.elicit(self._asking, view)
            if self.client.store is not None:
                self.client.store.note_elicitation(self.client.backend.model, str(self.elicitation))
            with self._lock:
                known = self._known.setdefault(view, known)
        return known

    def _told(self) -> None:
        with self._lock:
            self._answered += 1
            if self._progress is not None:
                self._progress(self._answered, self._planned)


def _views(tree: GameTree) -> list[PlayerView]:
    """The view at each information set, seen from its first and its last history."""
    views: dict[int, PlayerView] = {}
    for nodes in (tree.first_node, tree.last_node):
        for h, state in states_at(tree, nodes):
            view = observe(state, int(tree.owner[h]))
            if views.setdefault(h, view) != view:
                raise PolicyError(
                    f"{tree.name}: information set {tree.keys[h]!r} shows its player {views[h]} "
                    f"and {view}; a prompt may depend only on the information state"
                )
    return [views[h] for h in range(tree.num_infosets)]
