"""A language model as an OpenSpiel policy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from threading import Event, Lock

import numpy as np
import pyspiel
from open_spiel.python import policy as openspiel_policy

from ..analysis.draws import Draws
from ..analysis.elicited import ElicitationRecord
from ..games.errors import BudgetExhausted, ParameterError, PolicyError, RunStopped
from ..games.loading import game_name, load_game
from ..games.rules import Rules
from ..solvers.profile import Profile, states_at
from ..solvers.tree import GameTree
from . import arguments
from .asking import Asking
from .backends.base import Backend, checked_backend
from .client import Client
from .elicitation import Elicitation, Elicited, checked_elicitation
from .failures import FailurePolicy
from .ledger import Ledger
from .once import Once
from .prompts import Brief
from .store_text import Run
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

    Raises:
        UnknownGame: no game of that name.
        ParameterError: an argument is of the wrong type or out of range.
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
        if rules is not None and not isinstance(rules, str):
            raise ParameterError(f"rules={arguments.shown(rules)}: give the rules in words")
        self.workers = arguments.whole("workers", workers, 1)
        self.elicitation = checked_elicitation(elicitation)
        loaded = load_game(game)
        super().__init__(loaded, list(range(loaded.num_players())))
        if not isinstance(model, Client):
            model = Client(checked_backend("model", model))
        self.client = model
        self._ledger = Ledger()
        self._asking = Asking(
            self.client,
            Brief.of(loaded, rules),
            on_failure or FailurePolicy(),
            self._told,
            self._ledger,
        )
        self._known: Once[PlayerView, Elicited] = Once()
        self._sets, self._unasked = 0, set[PlayerView]()  # information sets of the run under way
        self._like_ours: pyspiel.Game = loaded
        self._lock = Lock()
        self._run: Run | None = None  # as it was noted last
        self._progress: Callable[[int, int], None] | None = None
        self._answered, self._planned = 0, 0

    def __repr__(self) -> str:
        name = game_name(self.game)
        return f"LLMPolicy({name!r}, {self.client!r}, {str(self.elicitation)!r})"

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
            PolicyError: the state is of another game.
            ElicitationFailed, UnsupportedElicitation, CallFailed, BudgetExhausted, RunStopped,
                StoreError: see there.
        """
        game = state.get_game()
        if game is not self._like_ours:
            self._refuse_another(game)
            self._like_ours = game  # the next state is most likely of this one, too
        player = state.current_player() if player_id is None else player_id
        view = observe(state, player)
        with self._noted():
            return dict(zip(view.actions, self._elicited(view).probabilities, strict=True))

    def tabulate(
        self, tree: GameTree, progress: Callable[[int, int], None] | None = None
    ) -> Profile | Draws:
        """Asks at every information set of a compiled game.

        It ends early, with all its workers, if one of them fails or the user interrupts it: nothing
        further is asked, calls under way are cut off, and what was answered is kept.

        Args:
            tree: the compiled game.
            progress: called with the calls answered, and how many there are.

        Returns:
            The profile; or, of an elicitation by samples, the draws.

        Raises:
            PolicyError: the policy is for another game, or an information set looks different to
                its player in its first and its last history.
            ElicitationFailed, UnsupportedElicitation, CallFailed, BudgetExhausted, RunStopped,
                StoreError: see there.
        """
        self._refuse_another(tree.game)
        views = _views(tree)
        calls = [self.elicitation.calls(len(view.options)) for view in views]
        self._planned = sum(calls)
        self._answered = sum(n for n, view in zip(calls, views, strict=True) if view in self._known)
        self._progress = progress
        choices = [view for view in views if len(view.options) > 1]
        self._sets, self._unasked = len(choices), {v for v in choices if v not in self._known}
        try:
            with self._noted(f" of {self._planned}"):
                found = self._all(views)
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
        """How the policy was obtained, so far: the calls of this policy alone.

        What was wrong with answers is known of the information sets that are completely answered.
        """
        known = self._known.values()
        masses = [mass for elicited in known for mass in elicited.legal_mass]
        sums = [total for elicited in known for total in elicited.stated_sums]
        unlisted = [bound for elicited in known for bound in elicited.unlisted]
        tally = self._ledger.tally
        failures = tally.failures.copy()
        for elicited in known:
            failures.update(elicited.failures)
        return ElicitationRecord(
            model=self.client.backend.model,
            elicitation=str(self.elicitation),
            legal_mass=math.fsum(masses) / len(masses) if masses else None,
            lowest_legal_mass=min(masses) if masses and not self.draws_only else None,
            stated_sums=(min(sums), max(sums)) if sums else None,
            calls=tally.calls,
            new_calls=tally.new_calls,
            tokens={"prompt": tally.prompt_tokens, "completion": tally.completion_tokens},
            failures=dict(sorted(failures.items())),
            substituted=sum(elicited.substituted for elicited in known),
            unlisted=len(unlisted),
            unlisted_bound=max(unlisted, default=0.0),
            answers=sum(self.elicitation.calls(len(elicited.probabilities)) for elicited in known),
            rules_told=self._asking.brief.told,
        )

    def close(self) -> None:
        """Closes the client with its backend and store."""
        self.client.close()

    def _refuse_another(self, game: pyspiel.Game) -> None:
        ours, theirs = game_name(self.game), game_name(game)
        if Brief.of(game) == Brief.of(self.game):
            return
        other = theirs if theirs != ours else "another game of that name, with other rules"
        raise PolicyError(
            f"the policy was made for {ours}, whose rules its prompts tell, not for {other}; make "
            "an LLMPolicy of the game that you ask about"
        )

    def _all(self, views: list[PlayerView]) -> list[Elicited]:
        if self.workers == 1:
            return [self._elicited(view) for view in views]
        pool = ThreadPoolExecutor(self.workers)
        failed = Event()

        def unless_failed(view: PlayerView) -> Elicited | None:
            if failed.is_set():  # a worker is faster here than the cancelling of what waits
                return None
            try:
                return self._elicited(view)
            except BaseException:
                failed.set()
                raise

        try:
            asked = [pool.submit(unless_failed, view) for view in views]
            for one in as_completed(asked):
                one.result()  # whoever fails first is heard first
        except RunStopped:  # by somebody else, who allows calls again
            pool.shutdown(cancel_futures=True)
            raise
        except BaseException as error:
            # Calls within a budget are paid for: their answers are awaited.
            with self.client.halted(cut=not isinstance(error, BudgetExhausted)):
                pool.shutdown(cancel_futures=True)
            raise
        pool.shutdown()
        return [found for one in asked if (found := one.result())]

    @contextmanager
    def _noted(self, planned: str = "") -> Iterator[None]:
        """Notes on an interrupt what is kept, and how to go on."""
        try:
            yield
        except KeyboardInterrupt as interrupt:
            answered = self._answered if planned else self._ledger.tally.calls
            interrupt.add_note(f"{answered}{planned} calls {self.client.kept}")
            raise

    def _elicited(self, view: PlayerView) -> Elicited:
        found = self._known.get(view, lambda: self.elicitation.elicit(self._asking, view))
        with self._lock:
            self._unasked.discard(view)
            self._note()
        return found

    def _told(self) -> None:
        with self._lock:
            self._note()
            self._answered += 1
            if self._progress is not None:
                self._progress(self._answered, self._planned)

    def _note(self) -> None:
        """Notes how far the run has come, whenever that has changed since the first answer."""
        asked = self._sets - len(self._unasked)
        run = Run(game_name(self.game), str(self.elicitation), asked, self._sets)
        if run != self._run and self._ledger.tally.calls:
            self._run = run
            self.client.note_progress(run)


def _views(tree: GameTree) -> list[PlayerView]:
    """The view at each information set, which must be that of its first and its last history.

    Histories between these two are not looked at: each would cost a replay from the root.
    """
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
