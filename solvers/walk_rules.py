"""The walk over a rules object: the fast path, with no OpenSpiel in the loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..games.errors import BadChance, GameError
from ..games.rules import CHANCE, TERMINAL, Cursor, Exact, Rules, advance, start
from .tree_size import HUGE, Pauses, Progress
from .walk import Walk, check_chance, check_legal, check_payoff, raise_unequal

PLACES = 50_000
"""Positions remembered at a time; depth first, equal positions are met close together."""
CONTRACT = (
    TypeError,
    ValueError,
    LookupError,
    AttributeError,
    ArithmeticError,
    NotImplementedError,
)
"""What Python raises when a method of some rules returns something else than it should."""
IDENTITIES = 10_000
"""Payoff vectors, and chance distributions, remembered by the identities of their numbers."""


def walk_rules(rules: Rules[Any], max_nodes: int, progress: Progress | None = None) -> Walk:
    """Walks a rules object: the fast path, with no OpenSpiel in the loop.

    Views are interned: a view is the number of a node in a trie of (view, new entry), so extending
    and comparing views costs one look-up whatever their length. Rules are pure functions of the
    position, so a position that several histories reach is worked out once.

    Raises:
        GameError: the rules break their contract, whatever Python makes of it.
    """
    try:
        return _walk(rules, max_nodes, progress)
    except CONTRACT as error:
        raise GameError(
            f"{rules.name}: the rules break their contract ({type(error).__name__}: {error}); see "
            "crywolf.Rules for what each method returns"
        ) from error


def _walk(rules: Rules[Any], max_nodes: int, progress: Progress | None) -> Walk:
    record = Walk(rules.num_players)
    views_of_sets: list[int] = []
    trie = _Trie(rules.num_players)
    next_view, extend = trie.children.get, trie.extend
    add_parent, add_action, add_player = (
        record.parent.append, record.action.append, record.player.append,
    )  # fmt: skip
    add_infoset, add_payoff = record.infoset.append, record.payoff.append
    extend_parent, extend_action, extend_player, extend_payoff = (
        record.parent.extend, record.action.extend, record.player.extend, record.payoff.extend,
    )  # fmt: skip
    add_probabilities = record.probability.extend
    legals = record.legal
    places: dict[Any, _Place] = {}
    known_place, explore = places.get, _explorer(rules, record)
    set_of_view: dict[int, int] = {}
    position, observations = rules.initial()
    views = tuple(extend(p, seen) for p, seen in enumerate(observations))
    stack: list[tuple[Any, int, int, tuple[int, ...]]] = [(position, -1, -1, views)]
    push, pop = stack.append, stack.pop
    pauses = Pauses(rules.name, max_nodes, lambda rng: _probe(rules, rng), progress)
    count, mark = 0, pauses.first
    while stack:
        position, parent, action, views = pop()
        node = count
        count += 1
        if count > mark:
            mark = pauses.pause(count)
        add_parent(parent)
        add_action(action)
        place = known_place(position)
        if place is None:
            if len(places) >= PLACES:
                places.clear()
            place = places[position] = explore(position, node)
        mover, content, steps, ends = place
        add_player(mover)
        if mover == TERMINAL:
            add_payoff(content)
            continue
        if mover == CHANCE:
            add_probabilities(content)
            for move, child, seen in steps:
                push((child, node, move, _told(views, seen, extend) if seen else views))
            continue
        view = views[mover]
        infoset = set_of_view.get(view)
        if infoset is None:
            infoset = set_of_view[view] = len(views_of_sets)
            views_of_sets.append(view)
            record.owners.append(mover)
            legals.append(content)
        elif legals[infoset] != content:
            raise_unequal(record, infoset, node, content, lambda h: _words(rules, h))
        add_infoset(infoset)
        if ends is not None:  # the last move: its leaves follow at once
            moves, payoffs = ends
            number = len(moves)
            extend_parent([node] * number)
            extend_action(moves)
            extend_player([TERMINAL] * number)
            extend_payoff(payoffs)
            count += number
            continue
        before, behind = views[:mover], views[mover + 1 :]
        for move, child, seen in steps:
            own = next_view((view, move))
            if own is None:
                own = extend(view, (move,))
            after = (*before, own, *behind)
            push((child, node, move, _told(after, seen, extend) if seen else after))
    for view, owner in zip(trie.views(views_of_sets, record.owners), record.owners):
        record.keys.append(rules.information_state_string(owner, view))
    pauses.finish(count)
    return record


class _Place(NamedTuple):
    """What the rules say of a position.

    Attributes:
        mover: a player, `CHANCE` or `TERMINAL`.
        content: the legal actions; the outcomes' probability indices; the payoff index.
        steps: (action, position, what each player sees or None) of each move, last one first.
        ends: where every legal action ends the game: (actions, payoff indices), else None.
    """

    mover: int
    content: Any
    steps: tuple[tuple[int, Any, Any], ...]
    ends: tuple[tuple[int, ...], tuple[int, ...]] | None = None


def _explorer(rules: Rules[Any], record: Walk) -> Callable[[Any, int], _Place]:
    """A function that asks the rules everything about a position, met first at a node."""
    index_of_payoffs = _payoff_indices(record, rules.name)
    indices_of_chance = _chance_indices(record, rules)
    mover_of, play, payoffs = rules.mover, rules.play, rules.payoffs
    players = rules.num_players

    def explore(position: Any, node: int) -> _Place:
        mover = mover_of(position)
        if mover == TERMINAL:
            return _Place(mover, index_of_payoffs(payoffs(position)), ())
        if mover == CHANCE:
            outcomes = rules.chance_outcomes(position)
            actions = tuple([action for action, _ in outcomes])
            content = indices_of_chance(outcomes, node)
        else:
            if not 0 <= mover < players:
                raise GameError(
                    f"{rules.name}: the mover after {_words(rules, record.history(node))} is "
                    f"{mover!r}; give a player from 0 to {players - 1}, CHANCE or TERMINAL"
                )
            content = actions = tuple(rules.legal_actions(position))
            check_legal(actions, lambda: _words(rules, record.history(node)))
            if not (min(actions) >= 0 and max(actions) < rules.num_distinct_actions):
                raise GameError(
                    f"{rules.name}: actions {actions} after "
                    f"{_words(rules, record.history(node))} are not all below "
                    f"num_distinct_actions={rules.num_distinct_actions}"
                )
        steps, final = [], mover != CHANCE
        for action in actions[::-1]:
            child, seen = play(position, action)
            ends = mover_of(child) == TERMINAL  # then nobody needs to know any more
            steps.append((action, child, None if ends or not any(seen) else seen))
            final = final and ends
        if not final:
            return _Place(mover, content, tuple(steps))
        indices = tuple([index_of_payoffs(payoffs(child)) for _, child, _ in reversed(steps)])
        return _Place(mover, content, (), (actions, indices))

    return explore


class _Trie:
    """Views as numbers; ``0 .. n-1`` are the players' empty views."""

    def __init__(self, players: int):
        self.players = players
        self.children: dict[tuple[int, Any], int] = {}
        self.parents = [-1] * players
        self.entries: list[Any] = [None] * players

    def extend(self, view: int, entries: Sequence[Any]) -> int:
        """The view that follows ``view`` after new entries."""
        for entry in entries:
            known = self.children.get((view, entry))
            if known is None:
                known = self.children[view, entry] = len(self.parents)
                self.parents.append(view)
                self.entries.append(entry)
            view = known
        return view

    def views(self, numbers: Sequence[int], owners: Sequence[int]) -> Iterator[tuple[Any, ...]]:
        """The entries of views, each in order; what the owner's last view has is not sought anew.

        In the order of a walk all views together thus cost a step up for each of their entries,
        however long they are, and a copy each.
        """
        paths = [_Path() for _ in range(self.players)]
        for number, owner in zip(numbers, owners, strict=True):
            path, missing = paths[owner], []
            while number != owner and number not in path.place:
                missing.append(number)
                number = self.parents[number]
            path.cut(path.place.get(number, -1) + 1)
            for known in reversed(missing):
                path.add(known, self.entries[known])
            yield tuple(path.entries)


class _Path:
    """The way to a view, its empty one left out.

    Attributes:
        views: the numbers of the views on the way.
        entries: the last entry of each.
        place: of each view among them.
    """

    def __init__(self) -> None:
        self.views: list[int] = []
        self.entries: list[Any] = []
        self.place: dict[int, int] = {}

    def cut(self, length: int) -> None:
        for gone in self.views[length:]:
            del self.place[gone]
        del self.views[length:], self.entries[length:]

    def add(self, view: int, entry: Any) -> None:
        self.place[view] = len(self.views)
        self.views.append(view)
        self.entries.append(entry)


def _payoff_indices(record: Walk, name: str) -> Callable[[Sequence[Exact]], int]:
    """Finds payoff vectors by the identities of their numbers: hashing a `Fraction` is slow.

    Rules usually give the same few objects again and again. The cache is bounded, for those that
    make new ones; it keeps what it has seen alive, so that an identity stays taken.
    """
    known: dict[tuple[int, ...], tuple[int, Sequence[Exact]]] = {}
    payoffs, players = record.payoffs, record.num_players

    def index_of(payoff: Sequence[Exact]) -> int:
        identity = (*map(id, payoff),)
        found = known.get(identity)
        if found is not None:
            return found[0]
        values = tuple(payoff)
        index = payoffs.setdefault(values, len(payoffs))
        if index == len(payoffs) - 1:
            check_payoff(values, players, name)
        if len(known) < IDENTITIES:
            known[identity] = index, values
        return index

    return index_of


def _chance_indices(
    record: Walk, rules: Rules[Any]
) -> Callable[[Sequence[tuple[int, Exact]], int], tuple[int, ...]]:
    """Finds the probabilities of a chance node, as `_payoff_indices` finds payoffs; checks them."""
    known: dict[tuple[int, ...], tuple[tuple[int, ...], Sequence[Exact]]] = {}

    def indices_of(outcomes: Sequence[tuple[int, Exact]], node: int) -> tuple[int, ...]:
        identity = tuple([id(p) for _, p in outcomes])
        found = known.get(identity)
        if found is not None:
            return found[0]
        check_chance(outcomes, lambda: _words(rules, record.history(node)))
        if any(isinstance(p, float) for _, p in outcomes):
            raise BadChance(
                f"{rules.name}: the chance node after {_words(rules, record.history(node))} has "
                "floating-point probabilities; rules give Fraction"
            )
        probabilities = tuple([p for _, p in outcomes])
        indices = tuple(map(record.probability_index, probabilities))
        if len(known) < IDENTITIES:
            known[identity] = indices, probabilities
        return indices

    return indices_of


def _told(
    views: tuple[int, ...],
    seen: Sequence[Sequence[Any]],
    extend: Callable[[int, Sequence[Any]], int],
) -> tuple[int, ...]:
    """The views after everybody was told what they see."""
    return tuple([extend(v, s) if s else v for v, s in zip(views, seen, strict=True)])


def _probe(rules: Rules[Any], rng: np.random.Generator) -> float:
    step, size, weight = rules.initial(), 1.0, 1.0
    while rules.mover(step.position) != TERMINAL and size < HUGE:
        actions = rules.actions(step.position)
        weight *= len(actions)
        size += weight
        step = rules.play(step.position, actions[rng.integers(len(actions))])
    return size


def _words(rules: Rules[Any], history: Sequence[int]) -> str:
    cursor: Cursor = start(rules)
    words = []
    for action in history:
        words.append(rules.action_name(rules.mover(cursor.position), action))
        cursor = advance(rules, cursor, action)
    return "(" + ", ".join(words) + ")"
