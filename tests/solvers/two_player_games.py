"""Two-player games for the tests of linear programs and Lemke's algorithm, and brute force."""

from fractions import Fraction
from itertools import product

import numpy as np
from scipy.optimize import linprog

from crywolf.games.extensive import Chance, Decision, ExtensiveGame, Leaf, chance, decision, leaf
from crywolf.games.nodes import Node
from crywolf.solvers import GameTree

TURNS = "turn_based_simultaneous_game(game={})"
GOOFSPIEL = TURNS.format("goofspiel(imp_info=true,num_cards={},points_order=descending{})")

ZERO_SUM = {
    "kuhn_poker": Fraction(-1, 18),
    "leduc_poker": Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930),
    "liars_dice(players=2,numdice=1,dice_sides=2)": Fraction(1, 2),
    "liars_dice(players=2,numdice=1,dice_sides=3)": Fraction(1, 9),
    "liars_dice(players=2,numdice=1,dice_sides=4)": Fraction(1, 16),
    GOOFSPIEL.format(3, ""): Fraction(0),
    GOOFSPIEL.format(4, ",returns_type=point_difference"): Fraction(0),
    "battleship(board_width=2,board_height=2,ship_sizes=[1],ship_values=[1],num_shots=2)": Fraction(
        1, 8
    ),
    "dark_hex(board_size=2)": Fraction(1),
    TURNS.format("oshi_zumo(coins=4,size=1,horizon=4)"): Fraction(0),
    TURNS.format("matrix_rps()"): Fraction(0),
    TURNS.format("blotto(coins=3,fields=2)"): Fraction(0),
}
"""Zero-sum games of OpenSpiel with their values to P1."""


def random_game(seed: int, zero_sum: bool, largest: int = 3, depth: int = 4) -> ExtensiveGame:
    """A random game of perfect recall: before each of its moves a player sees one of two signals."""
    rng = np.random.default_rng(seed)
    menus: dict[str, int] = {}

    def payoff() -> int:
        return int(rng.integers(-largest, largest + 1))

    def grow(left: int, seen: tuple[str, str]):
        kind = int(rng.integers(0, 8))
        if left == 0 or (kind == 0 and left < depth):
            one = payoff()
            return leaf(one, -one if zero_sum else payoff())
        if kind <= 2:
            weights = rng.integers(1, 4, int(rng.integers(2, 4))).tolist()
            return chance(
                {
                    str(i): (Fraction(w, sum(weights)), grow(left - 1, seen))
                    for i, w in enumerate(weights)
                }
            )
        player = kind % 2
        label = f"{seen[player]}{'aaab'[int(rng.integers(0, 4))]}"
        name = f"{player + 1}{label}"
        moves = {}
        for i in range(menus.setdefault(name, int(rng.integers(2, 4)))):
            after = f"{label}{i}"
            moves[str(i)] = grow(left - 1, (after, seen[1]) if player == 0 else (seen[0], after))
        return decision(player, name, moves)

    return ExtensiveGame(f"random_{seed}", grow(depth, ("", "")))


def seats_exchanged(game: ExtensiveGame) -> ExtensiveGame:
    """The same game with P1 and P2 renamed."""

    def copy(node: Node) -> Node:
        match node:
            case Leaf(payoffs):
                return leaf(*payoffs[::-1])
            case Chance(outcomes):
                return chance({label: (p, copy(child)) for label, p, child in outcomes})
            case Decision(player, label, moves):
                return decision(1 - player, label, {a: copy(child) for a, child in moves})

    return ExtensiveGame(f"{game.name}_exchanged", copy(game.root))


def matrix_game(rows, columns=None) -> ExtensiveGame:
    """A game in strategic form, from P1's payoffs, and P2's if it is not zero-sum."""
    columns = columns or [[-u for u in row] for row in rows]

    def second(i):
        return decision(1, "2", {str(j): leaf(u, columns[i][j]) for j, u in enumerate(rows[i])})

    return ExtensiveGame("matrix", decision(0, "1", {str(i): second(i) for i in range(len(rows))}))


def num_plans(tree: GameTree, player: int) -> int:
    mine = slice(*tree.blocks[player : player + 2].tolist())
    return int(np.prod(tree.num_actions[mine], dtype=float))


def value_by_brute_force(tree: GameTree) -> float:
    """P1's value from the matrix of all pure strategies: no sequence form."""
    sets = [range(*tree.blocks[p : p + 2].tolist()) for p in range(2)]
    choices = [list(product(*(range(int(tree.num_actions[h])) for h in own))) for own in sets]
    matrix = np.zeros([len(c) for c in choices])
    for node in tree.leaves.tolist():
        agree = [np.ones(len(c), bool) for c in choices]
        reach, at = 1.0, node
        while at > 0:
            above = int(tree.parent[at])
            h = int(tree.node_infoset[above])
            if h >= 0:
                p = int(tree.owner[h])
                own = np.array(choices[p])[:, h - sets[p].start]
                agree[p] &= own == tree.branch[at]
            else:
                reach *= float(tree.probabilities[tree.probability[at]])
            at = above
        matrix += reach * float(tree.payoffs[tree.payoff[node]][0]) * np.outer(*agree)
    n, m = matrix.shape
    found = linprog(
        np.r_[np.zeros(m), 1.0],
        A_ub=np.c_[matrix, -np.ones(n)],
        b_ub=np.zeros(n),
        A_eq=np.r_[np.ones(m), 0.0][None],
        b_eq=[1.0],
        bounds=[(0, None)] * m + [(None, None)],
    )
    return float(found.fun)
