"""The walk over any OpenSpiel game."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyspiel

from ..games.errors import BadPayoff, ForeignInformationSet, UnsupportedGame
from ..games.rules import CHANCE, TERMINAL
from .tree_size import HUGE, Pauses, Progress
from .walk import Walk, check_chance, check_legal, raise_unequal


def walk_pyspiel(game: pyspiel.Game, max_nodes: int, progress: Progress | None = None) -> Walk:
    """Walks any sequential OpenSpiel game with explicit chance and information-state strings."""
    kind = game.get_type()
    name = str(game)
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        raise UnsupportedGame(f"{name} is a mean-field game; a tree needs finitely many players")
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise UnsupportedGame(
            f"{name} has simultaneous moves; convert it with pyspiel.convert_to_turn_based(game), "
            f"or load turn_based_simultaneous_game(game={name})"
        )
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise UnsupportedGame(f"{name} samples its chance moves; a tree needs them explicit")
    if not kind.provides_information_state_string:
        raise UnsupportedGame(f"{name} has no information-state strings; a tree needs them")
    record = Walk(game.num_players())
    set_of_key: dict[str, int] = {}
    menus: dict[tuple[int, ...], tuple[int, ...]] = {}  # millions of sets share a few
    keys, owners, legals, payoffs = record.keys, record.owners, record.legal, record.payoffs
    add_parent, add_action, add_player = (
        record.parent.append, record.action.append, record.player.append,
    )  # fmt: skip
    add_infoset, add_payoff = record.infoset.append, record.payoff.append
    stack: list[tuple[Any, int, int]] = [(game.new_initial_state(), -1, -1)]
    push, pop = stack.append, stack.pop
    pauses = Pauses(name, max_nodes, lambda rng: _probe(game, rng), progress)
    count, mark = 0, pauses.first
    while stack:
        state, parent, action = pop()
        node = count
        count += 1
        if count > mark:
            mark = pauses.pause(count)
        mover = state.current_player()
        add_parent(parent)
        add_action(action)
        add_player(mover)
        if mover == TERMINAL:
            payoff = tuple(state.returns())
            index = payoffs.get(payoff)
            if index is None:
                if not all(map(math.isfinite, payoff)):
                    raise BadPayoff(
                        f"{name}: payoffs {payoff} after {state.history()} are not finite"
                    )
                index = payoffs[payoff] = len(payoffs)
            add_payoff(index)
            continue
        if mover == CHANCE:
            outcomes = state.chance_outcomes()
            check_chance(outcomes, lambda s=state: str(s.history()))
            record.probability.extend(record.probability_index(p) for _, p in outcomes)
            moves = [move for move, _ in outcomes]
        else:
            key = state.information_state_string()
            moves = state.legal_actions()
            menu = tuple(moves)
            infoset = set_of_key.get(key)
            if infoset is None:
                infoset = set_of_key[key] = len(keys)
                keys.append(key)
                owners.append(mover)
                legals.append(menus.setdefault(menu, menu))
                check_legal(moves, lambda s=state: str(s.history()))
            elif owners[infoset] != mover:
                raise ForeignInformationSet(
                    f"{name}: P{owners[infoset] + 1} and P{mover + 1} share the information-state "
                    f"string {key!r}; strings must start with the player"
                )
            elif legals[infoset] != menu:
                raise_unequal(record, infoset, node, moves, lambda h: _words(game, h))
            add_infoset(infoset)
        for move in moves[:0:-1]:
            push((state.child(move), node, move))
        state.apply_action(moves[0])  # the parent's state is not needed again: no copy
        push((state, node, moves[0]))
    pauses.finish(count)
    return record


def _probe(game: pyspiel.Game, rng: np.random.Generator) -> float:
    state, size, weight = game.new_initial_state(), 1.0, 1.0
    while not state.is_terminal() and size < HUGE:
        actions = state.legal_actions()
        weight *= len(actions)
        size += weight
        state.apply_action(actions[rng.integers(len(actions))])
    return size


def action_names_along(game: pyspiel.Game, history: Sequence[int]) -> list[str]:
    """The names of the actions of a history."""
    state = game.new_initial_state()
    names = []
    for action in history:
        names.append(state.action_to_string(state.current_player(), action))
        state.apply_action(action)
    return names


def _words(game: pyspiel.Game, history: Sequence[int]) -> str:
    """A history in words."""
    return "(" + ", ".join(action_names_along(game, history)) + ")"
