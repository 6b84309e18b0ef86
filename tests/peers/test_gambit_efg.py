"""Gambit as a second opinion on .efg files: its catalogue, and what we write."""

import io
from fractions import Fraction as F
from pathlib import Path

import numpy as np
import pytest

from crywolf.games import load_game, textbook
from crywolf.games.efg import EfgFile, format_efg, parse_efg, read_efg, tree_to_efg
from crywolf.games.errors import BadChance, CrywolfError, ImperfectRecall
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.games.rules import CHANCE
from crywolf.solvers.efg_export import to_efg
from crywolf.solvers.exact import evaluate_exact, exact_profile
from crywolf.solvers.tree import GameTree

pygambit = pytest.importorskip("pygambit", reason="run `make peers` to install pygambit")

CATALOGUE = Path(pygambit.__file__).parent / "catalog_data"
SLUGS = sorted(str(p.relative_to(CATALOGUE).with_suffix("")) for p in CATALOGUE.rglob("*.efg"))
FORGETFUL = {"fig5_12", "fig10.7", "gilboa1997/fig1", "gilboa1997/fig2", "wichardt2008"}
HAND_MADE = Path(__file__).parent.parent / "games" / "efg"


def in_gambit(file: EfgFile):
    return pygambit.read_efg(io.BytesIO(format_efg(file).encode()))


def number(x) -> F:
    return F(str(x))


def assert_same_tree(file: EfgFile, game) -> None:
    """Gambit's tree is the file's: nodes, movers, sets, chance, and payoffs collected on the way."""
    assert len(game.players) == len(file.players)
    set_of: dict[int, int] = {}
    stack = [(game.root, (F(0),) * len(file.players))]
    for _, infoset, outcome in file.nodes:
        node, above = stack.pop()
        own = (
            [number(node.outcome[p]) for p in game.players] if node.outcome else [F(0)] * len(above)
        )
        total = tuple(map(sum, zip(above, own, strict=True)))
        ours = file.outcomes[outcome].payoffs if outcome >= 0 else (F(0),) * len(above)
        assert tuple(own) == ours
        assert bool(node.is_terminal) == (infoset < 0)
        if infoset < 0:
            continue
        row, theirs = file.sets[infoset], node.infoset
        assert theirs.is_chance == (row.player == CHANCE)
        assert len(theirs.actions) == len(row.actions)
        if row.player == CHANCE:
            assert tuple(number(a.prob) for a in theirs.actions) == row.probabilities
        else:
            assert theirs.player.number == row.player
            assert set_of.setdefault(infoset, theirs.number) == theirs.number
        stack += [(child, total) for child in reversed(list(node.children))]
    assert not stack
    players = [s for s in file.sets if s.player != CHANCE]
    assert len(game.infosets) == len(players)


def random_mixes(file: EfgFile, rng: np.random.Generator) -> list[list[F]]:
    """A behaviour strategy for each set, chance's own probabilities for chance."""
    mixes = []
    for row in file.sets:
        weights = [F(int(w)) for w in rng.integers(0, 4, len(row.actions))]
        weights[0] += not sum(weights)
        uniform = [w / sum(weights) for w in weights]
        mixes.append(list(row.probabilities) if row.player == CHANCE else uniform)
    return mixes


def file_values(file: EfgFile, mixes: list[list[F]]) -> list[F]:
    """Expected payoffs straight from the rows: an outcome counts as often as its node is reached."""
    values = [F(0)] * len(file.players)
    stack = [F(1)]
    for _, infoset, outcome in file.nodes:
        reach = stack.pop()
        if outcome >= 0:
            values = [
                v + reach * u for v, u in zip(values, file.outcomes[outcome].payoffs, strict=True)
            ]
        if infoset >= 0:
            stack += [reach * p for p in reversed(mixes[infoset])]
    return values


def gambit_values(game, file: EfgFile, mixes: list[list[F]]) -> list[F]:
    profile = game.mixed_behavior_profile(rational=True)
    ours = {(s.player, s.number): mix for s, mix in zip(file.sets, mixes, strict=True)}
    numbers = {}  # Gambit numbers sets by their first nodes
    for row in file.sets:
        if row.player != CHANCE:
            numbers.setdefault(row.player, []).append(row.number)
    for infoset in game.infosets:
        p = infoset.player.number
        for action, q in zip(infoset.actions, ours[p, numbers[p][infoset.number]], strict=True):
            profile[action] = pygambit.Rational(q.numerator, q.denominator)
    return [number(profile.payoff(player)) for player in game.players]


def assert_same_payoffs(file: EfgFile, game) -> None:
    """Random profiles pay the same in Gambit, by the rows, and by the rules where there are any."""
    rng = np.random.default_rng(1)
    for _ in range(3):
        mixes = random_mixes(file, rng)
        values = file_values(file, mixes)
        assert gambit_values(game, file, mixes) == values
        try:
            tree = GameTree.compile(file.game())
        except ImperfectRecall:
            continue
        strategies = {}
        for row, mix in zip(file.sets, mixes, strict=True):
            prefix = "" if file.keys_are_names else f"P{row.player + 1}: "
            key = f"{prefix}{row.name or row.number}"
            if row.player != CHANCE and key in tree.infoset_of_key:
                names = tree.action_names(tree.infoset_of_key[key])
                strategies[key] = dict(zip(names, mix, strict=True))
        assert list(evaluate_exact(tree, exact_profile(tree, strategies)).values) == values


@pytest.mark.parametrize("slug", SLUGS)
def test_the_catalogue(slug: str):
    file = read_efg(CATALOGUE / f"{slug}.efg")
    game = pygambit.catalog.load(slug)
    assert (game.title, game.description) == (file.title, file.comment)
    assert [player.label for player in game.players] == list(file.players)
    assert_same_tree(file, game)
    assert_same_payoffs(file, game)
    assert parse_efg(format_efg(file)) == file
    again = in_gambit(file)
    assert_same_tree(file, again)
    assert_same_payoffs(file, again)
    forgets = any(slug.endswith(name) for name in FORGETFUL)
    assert forgets == (not game.is_perfect_recall)
    if forgets:
        with pytest.raises(ImperfectRecall):
            file.game()
        return
    rules = file.game()
    tree = GameTree.compile(rules)
    written = tree_to_efg(rules)
    assert GameTree.compile(parse_efg(format_efg(written)).game()).same_game(tree)
    assert_same_tree(written, in_gambit(written))
    assert_same_payoffs(written, in_gambit(written))


def test_the_catalogue_is_there():
    assert len(SLUGS) >= 32
    assert sum(any(slug.endswith(name) for name in FORGETFUL) for slug in SLUGS) == len(FORGETFUL)


def test_action_names_are_those_of_gambit():
    """Those without a name, and those that occur twice."""
    rows = 'p "" 1 1 "" { "" "" "x" "_1" "y" "y" "y_1" } 0\n' + 't "" 0\n' * 7
    text = 'EFG 2 R "t" { "1" }\n' + rows
    ours = GameTree.compile(parse_efg(text).game()).action_names(0)
    (infoset,) = pygambit.read_efg(io.BytesIO(text.encode())).infosets
    assert list(ours) == [action.label for action in infoset.actions]


@pytest.mark.parametrize("name", ["stages", "zero_chance", "absent_minded"])
def test_hand_made_files(name: str):
    file = read_efg(HAND_MADE / f"{name}.efg")
    with open(HAND_MADE / f"{name}.efg", "rb") as stream:
        assert_same_tree(file, pygambit.read_efg(stream))
    assert_same_tree(file, in_gambit(file))
    assert_same_payoffs(file, in_gambit(file))


@pytest.mark.parametrize("name", ["names", "numbers", "latin_1", "one_line"])
def test_what_gambit_does_not_take_it_takes_from_our_rules(name: str):
    """Names that are repeated or not ASCII, a plus sign, and t without a space behind it."""
    file = tree_to_efg(read_efg(HAND_MADE / f"{name}.efg").game())
    assert_same_tree(file, in_gambit(file))
    assert_same_payoffs(file, in_gambit(file))


GAMES = [
    textbook.selten_horse(),
    textbook.beer_quiche(),
    textbook.bos_outside(),
    "onuw_robber3",
    "onuw_robber3_talk",
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "liars_dice(dice_sides=2)",
    "tiny_hanabi",
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: getattr(game, "name", game))
def test_gambit_reads_what_we_write(game):
    file = to_efg(load_game(game))
    assert_same_tree(file, in_gambit(file))
    assert_same_payoffs(file, in_gambit(file))


@pytest.mark.slow
def test_gambit_reads_leduc_poker():
    file = to_efg("leduc_poker")
    assert_same_tree(file, in_gambit(file))


ODD = [
    "a",
    "b ",
    ' "',
    "\\",
    "é",
    "two\nlines",
    "u{e9}",
    "\\u{e9}",
    "  ",
    "{",
    "}",
    ",",
    "'",
    "\\n",
]


def random_game(seed: int) -> ExtensiveGame:
    rng = np.random.default_rng(seed)
    players = int(rng.integers(1, 4))

    def word() -> str:
        return "".join(rng.choice(ODD, rng.integers(1, 4)))

    def words() -> list[str]:
        return list({word(): None for _ in range(rng.integers(1, 4))})

    menus: dict[tuple, tuple[str, list[str]]] = {}

    def node(depth: int, pasts: tuple):
        kind = rng.integers(4)
        if depth == 0 or kind == 0:
            return leaf(*[F(int(rng.integers(-9, 10)), int(rng.integers(1, 9))) for _ in pasts])
        if kind == 1:
            names = words()
            return chance({name: (F(1, len(names)), node(depth - 1, pasts)) for name in names})
        player = int(rng.integers(players))
        key = (player, pasts[player], int(rng.integers(2)))
        label, menu = menus.setdefault(key, (f"{word()}{len(menus)}", words()))
        below = {}
        for action in menu:
            own = (pasts[player], label, action)
            below[action] = node(depth - 1, (*pasts[:player], own, *pasts[player + 1 :]))
        return decision(player, label, below)

    return ExtensiveGame(word(), node(5, ((),) * players))


@pytest.mark.parametrize("seed", range(20))
def test_gambit_reads_random_games_with_odd_names(seed: int):
    game = random_game(seed)
    file = tree_to_efg(game, players=[f"é {p} " for p in range(game.num_players)], comment='"\\')
    assert parse_efg(format_efg(file)) == file
    assert_same_tree(file, in_gambit(file))
    assert_same_payoffs(file, in_gambit(file))


@pytest.mark.parametrize(
    "rows",
    [
        'c "" 1 "" { "a" 0.333 "b" 0.666 } 0\nt "" 0\nt "" 0',
        'c "" 1 "" { "a" -1 "b" 2 } 0\nt "" 0\nt "" 0',
        'p "" 2 1 "" { "a" } 0\nt "" 0',
        'p "" 1 1 0\nt "" 0',
        't "" 5',
        't "" 1 "o" { 1 2 }',
        't "" 1 "o" { }',
        't "" 1 "o" { 1/0 }',
        't "" 0 "o" { 1 }',
        'p "" 1 1 "s" { "a" } 0\np "" 1 1 "s" { "b" } 0\nt "" 0',
        'p "" 1 1 "s" { "a" "b" } 0\nt "" 0',
        'q "" 0',
        't "open 0',
    ],
)
def test_what_gambit_refuses_is_refused(rows: str):
    text = 'EFG 2 R "t" { "1" }\n' + rows
    with pytest.raises(ValueError, match="Parse error"):
        pygambit.read_efg(io.BytesIO(text.encode()))
    with pytest.raises(CrywolfError) as caught:
        parse_efg(text)
    assert isinstance(caught.value, BadChance) == rows.startswith("c")
