"""Gambit files: what they say, what is refused and where, and that what is written reads the same."""

import pickle
from dataclasses import replace
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from open_spiel.python.algorithms.gambit import export_gambit

import crywolf
from crywolf.games import load_game, rules_of, textbook
from crywolf.games.efg import (
    EfgFile,
    format_efg,
    parse_efg,
    read_efg,
    tree_to_efg,
    write_efg,
)
from crywolf.games.efg_file import WHOLE_KEYS
from crywolf.games.errors import (
    BadChance,
    CrywolfError,
    EfgError,
    ImperfectRecall,
    InexactError,
    OutputError,
    ParameterError,
    PolicyError,
)
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.solvers import GameTree, Profile, nash_conv
from crywolf.solvers.efg_export import export_efg, to_efg
from crywolf.solvers.tree import compile_tree

FOLDER = Path(__file__).parent / "efg"
FILES = sorted(FOLDER.glob("*.efg"))
HEADER = 'EFG 2 R "t" { "1" "2" }\n'


def read(name: str) -> EfgFile:
    return read_efg(FOLDER / f"{name}.efg")


def compiled(name: str) -> GameTree:
    return GameTree.compile(read(name).game())


def leaf_payoffs(tree: GameTree) -> list[tuple[Any, ...]]:
    """The payoffs of all leaves, in depth-first order."""
    return [tree.payoffs[i] for i in tree.payoff[tree.leaves]]


def actions(tree: GameTree) -> dict[str, tuple[str, ...]]:
    return {key: tree.action_names(h) for h, key in enumerate(tree.keys)}


# ---------------------------------------------------------------------------- what files say


def test_payoffs_on_the_way_add_up():
    """By hand: fee (-1, 0), prize (2, 1/2), both (10, 5); the prize comes twice after 'cheap'."""
    tree = compiled("stages")
    assert leaf_payoffs(tree) == [(11, F(11, 2)), (3, 1), (0, F(1, 2)), (1, F(1, 2)), (-1, 0)]
    assert actions(tree) == {"P1: enter": ("in", "out"), "P2: price": ("dear", "cheap")}
    assert tree.nodes_of(1) == [2, 5]  # described at its first node only
    assert [tree.probabilities[i] for i in tree.probability if i >= 0] == [F(2, 3), F(1, 3)]


def test_what_the_rules_do_not_keep_is_in_the_file():
    file = read("stages")
    assert file.players == ("Ann", "Bob")
    assert file.title == "Two stages, paid on the way"
    assert file.comment.startswith("Payoffs add up")
    assert [node.name for node in file.nodes][:4] == ["first", "", "", "dear, high"]
    assert [s.number for s in file.sets] == [1, 1, 4]
    assert [(o.number, o.name) for o in file.outcomes] == [(9, "fee"), (7, "prize"), (3, "both")]
    assert file.game().title == "Two stages, paid on the way"
    assert file.game("stages").name == "stages"


def test_numbers_are_read_exactly():
    tree = compiled("numbers")
    assert leaf_payoffs(tree) == [(12,), (F(-1, 10),), (F(7, 3),), (150,), (F(-3, 2),)]
    probabilities = [tree.probabilities[i] for i in tree.probability if i >= 0]
    expected = [F(1667, 10000), F(3333, 10000), F(1, 4), F(1, 4), F(1, 2), F(1, 2), F(1)]
    assert sorted(probabilities) == sorted(expected)


def test_names_become_distinct():
    file = read("names")
    assert file.title == 'Say "hi"  to\ntwo lines, a \\backslash and ü'
    assert file.game().name == 'Say "hi" to two lines, a \\backslash and ü'
    assert file.players == ("", "")
    assert actions(compiled("names")) == {
        "P1: 1": ("_2", "_3", "x", "_1"),
        "P2: 1 (1)": ("a_1", "a_3", "a_2"),
        "P2: same (5)": ('"', "}"),
        "P2: same (6)": ("{", "ω"),
        "P2: 1 (7)": ("go",),
    }


def test_players_may_use_the_same_names():
    rows = 'p "" 1 1 "s" { "L" "R" } 0\np "" 2 1 "s" { "l" } 0\nt "" 0\nt "" 0'
    tree = GameTree.compile(parse_efg(HEADER + rows).game())
    assert tree.keys == ("P1: s", "P2: s")


def test_branches_of_probability_0_are_left_out_and_their_sets_with_them():
    tree = compiled("zero_chance")
    assert tree.keys == ("P1: both",)
    assert leaf_payoffs(tree) == [(1, 0), (2, 0), (3, 0), (5, 0)]
    assert [node for node in read("zero_chance").nodes if node.outcome == 2]  # the file has them


@pytest.mark.parametrize(("name", "where"), [("absent_minded", "junction"), ("forgetful", "again")])
def test_imperfect_recall_can_be_read_and_written_but_not_played(name: str, where: str):
    file = read(name)
    assert parse_efg(format_efg(file)) == file
    with pytest.raises(ImperfectRecall, match=where):
        file.game()
    for use in (load_game, compile_tree):
        with pytest.raises(ImperfectRecall, match=where):
            use(str(FOLDER / f"{name}.efg"))


def test_layout_means_nothing():
    file = read("one_line")
    assert [len(s.actions) for s in file.sets] == [2, 2, 1]
    assert [node.infoset for node in file.nodes] == [0, -1, 1, -1, 2, -1]


def test_old_files_are_latin_1():
    file = read("latin_1")
    assert file.title == "Précis"
    assert file.players == ("Zoë", "2")
    assert actions(compiled("latin_1")) == {"P1: début": ("à gauche", "à droite")}


@pytest.mark.parametrize("change", ["bom", "crlf", "cr"])
def test_marks_and_line_ends(tmp_path: Path, change: str):
    content = (FOLDER / "stages.efg").read_bytes()
    changed = {
        "bom": b"\xef\xbb\xbf" + content,
        "crlf": content.replace(b"\n", b"\r\n"),
        "cr": content.replace(b"\n", b"\r"),
    }[change]
    path = tmp_path / "changed.efg"
    path.write_bytes(changed)
    assert read_efg(path) == read("stages")
    path.write_bytes(changed + b"x")
    with pytest.raises(EfgError, match="the end of the file") as caught:
        read_efg(path)
    assert (caught.value.line, caught.value.column) == (13, 1)


def test_a_game_without_moves():
    tree = GameTree.compile(parse_efg(HEADER + 't "" 1 "" { 1 2 }').game())
    assert leaf_payoffs(tree) == [(1, 2)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_hand_made_files_round_trip(path: Path, tmp_path: Path):
    file = read_efg(path)
    write_efg(file, tmp_path / "again.efg")
    assert read_efg(tmp_path / "again.efg") == file
    assert [p.name for p in tmp_path.iterdir()] == ["again.efg"]


# ------------------------------------------------------------------------- what is refused, where

MALFORMED = {
    "another format": ("NFG 1 R", 1, 1, "strategic form"),
    "a workbook": ("<?xml version='1.0'?>", 1, 1, "workbook"),
    "no header": ("hello", 1, 1, "the word EFG"),
    "an old version": ('EFG 1 R "t" { "1" }', 1, 5, "version 2"),
    "no precision": ('EFG 2 "t" { "1" }', 1, 7, "R or D"),
    "no title": ('EFG 2 R { "1" }', 1, 9, "the title in quotation marks"),
    "no players": ('EFG 2 R "t" "comment"', 1, 13, "names of the players"),
    "nobody": ('EFG 2 R "t" { }', 1, 15, "the name of a player"),
    "players with commas": ('EFG 2 R "t" { "1", "2" }', 1, 18, "separate names by spaces"),
    "no end of players": ('EFG 2 R "t" { "1" 2 }', 1, 19, "} after the players"),
    "no node": (HEADER, 2, 1, "found the end of the file; nodes still needed: 1,"),
    "unknown node": (HEADER + 'q "" 1', 2, 1, "found 'q'"),
    "node without name": (HEADER + "t 1", 2, 3, "the name of the node"),
    "open quotation mark": (HEADER + 't "name 1', 2, 3, "no partner"),
    "escaped quotation mark": (HEADER + 't "name\\" 1', 2, 3, "no partner"),
    "open title": ('EFG 2 R "t { 1 2 }', 1, 9, "no partner"),
    "missing node": (HEADER + 'p "" 1 1 "" { "L" "R" } 0\nt "" 0\n', 4, 1, "nodes still needed: 1,"),
    "node too many": (HEADER + 't "" 0\nt "" 0', 3, 1, "the end of the file"),
    "unknown player": (HEADER + 'p "" 3 1 "" { "L" } 0\nt "" 0', 2, 6, "no player '3'"),
    "player 0": (HEADER + 'p "" 0 1 "" { "L" } 0\nt "" 0', 2, 6, "numbered from 1"),
    "player by name": (HEADER + 'p "" "1" 1 "" { "L" } 0', 2, 6, "the player's number"),
    "no set number": (HEADER + 'p "" 1 "s" { "L" } 0', 2, 8, "number of the information set"),
    "negative number": (HEADER + 'p "" 1 -1 "s" { "L" } 0', 2, 8, "a whole number"),
    "fractional number": (HEADER + 'p "" 1 1.5 "s" { "L" } 0', 2, 8, "a whole number"),
    "endless number": (HEADER + f'p "" 1 {"1" * 5000} "s" {{ "L" }} 0', 2, 8, "a whole number"),
    "no actions": (HEADER + 'p "" 1 1 "s" { } 0', 2, 16, "an action in quotation marks"),
    "no braces": (HEADER + 'p "" 1 1 "s" "L" "R" 0', 2, 14, "{ before the actions"),
    "actions with commas": (HEADER + 'p "" 1 1 "s" { "L", "R" } 0', 2, 19, "} after the actions"),
    "no outcome": (HEADER + 'p "" 1 1 "s" { "L" }\nt "" 0', 3, 1, "number of the outcome"),
    "unknown set": (HEADER + 'p "" 1 1 0\nt "" 0', 2, 1, "set '1' of player 1 occurs here first"),
    "another player's set": (
        HEADER + 'p "" 1 1 "s" { "L" } 0\np "" 2 1 0\nt "" 0', 3, 1, "set '1' of player 2",
    ),
    "unknown event": (HEADER + 'c "" 1 0\nt "" 0', 2, 1, "event '1' of chance"),
    "other actions": (
        HEADER + 'p "" 1 1 "s" { "L" } 0\np "" 1 1 "s" { "R" } 0\nt "" 0', 3, 1, "other actions",
    ),
    "fewer actions": (
        HEADER + 'p "" 1 1 "s" { "L" "R" } 0\np "" 1 1 "s" { "L" } 0\nt "" 0\nt "" 0',
        3, 1, "other actions before",
    ),
    "other name": (
        HEADER + 'p "" 1 1 "s" { "L" } 0\np "" 1 1 "S" { "L" } 0\nt "" 0', 3, 1, "another name",
    ),
    "other probabilities": (
        HEADER + 'c "" 1 "" { "a" 1/2 "b" 1/2 } 0\nt "" 0\nc "" 1 "" { "a" 1/3 "b" 2/3 } 0',
        4, 1, "other probabilities",
    ),
    "no probability": (HEADER + 'c "" 1 "" { "a" "b" } 0', 2, 17, "the probability of"),
    "probability in words": (HEADER + 'c "" 1 "" { "a" half } 0', 2, 17, "write 1/2"),
    "unknown outcome": (HEADER + 't "" 7', 2, 6, "outcome '7' has no payoffs yet"),
    "null outcome": (HEADER + 't "" 0 "" { 1 2 }', 2, 6, "outcome 0 stands for no payoffs"),
    "payoffs without name": (HEADER + 't "" 1 { 1 2 }', 2, 6, "has no payoffs yet"),
    "too few payoffs": (HEADER + 't "" 1 "" { 1 }', 2, 15, "each of the 2 players"),
    "too many payoffs": (HEADER + 't "" 1 "" { 1 2 3 }', 2, 17, "each of the 2 players"),
    "two commas": (HEADER + 't "" 1 "" { 1,, 2 }', 2, 15, "a payoff, found ','"),
    "no braces at payoffs": (HEADER + 't "" 1 "" 1 2', 2, 11, "2 payoffs in braces"),
    "payoff in words": (HEADER + 't "" 1 "" { one 2 }', 2, 13, "found 'one'"),
    "payoff nan": (HEADER + 't "" 1 "" { nan inf }', 2, 13, "found 'nan'"),
    "half a number": (HEADER + 't "" 1 "" { 1. . }', 2, 16, "a payoff, found '.'"),
    "decimal fraction": (HEADER + 't "" 1 "" { 1.5/2 1 }', 2, 13, "found '1.5/2'"),
    "other digits": (HEADER + 't "" 1 "" { ٣ 1 }', 2, 13, "a payoff"),
    "division by 0": (HEADER + 't "" 1 "" { 1/0 1 }', 2, 13, "divides by 0"),
    "huge exponent": (HEADER + 't "" 1 "" { 1e999999999 1 }', 2, 13, "exponent beyond 1,000"),
    "tiny exponent": (HEADER + 't "" 1 "" { 1e-999999999 1 }', 2, 13, "exponent beyond 1,000"),
    "endless exponent": (HEADER + f't "" 1 "" {{ 1e{"9" * 9999} 1 }}', 2, 13, "1,000 digits"),
    "endless payoff": (HEADER + f't "" 1 "" {{ {"9" * 9999} 1 }}', 2, 13, "divide all payoffs"),
    "other payoffs": (
        HEADER + 'c "" 1 "" { "a" 1 } 1 "o" { 1 2 }\nt "" 1 "o" { 1 3 }', 3, 6, "other payoffs",
    ),
    "other outcome name": (
        HEADER + 'c "" 1 "" { "a" 1 } 1 "o" { 1 2 }\nt "" 1 "O" { 1 2 }', 3, 6, "another name",
    ),
    "NUL": (HEADER + 't "a\0b" 0', 2, 5, "NUL character"),
    "empty": ("", 1, 1, "is empty"),
    "blank": (" \n\t \n", 1, 1, "is empty"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("content", "line", "column", "words"), MALFORMED.values(), ids=MALFORMED.keys()
)
def test_malformed_files(tmp_path: Path, content: str, line: int, column: int, words: str):
    path = tmp_path / "bad.efg"
    path.write_text(content, "utf-8")
    with pytest.raises(EfgError) as caught:
        read_efg(path)
    text = str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column), text
    assert words in text
    assert str(path) in text
    assert len(text) < 400 + len(str(path))


@pytest.mark.parametrize(
    ("outcomes", "words"),
    [
        ('"a" 0.333 "b" 0.333 "c" 0.333', "sum to 0.999, not to 1"),
        (
            '"a" 0.3333333333333333 "b" 0.3333333333333333 "c" 0.3333333333333333',
            "sum to 0.9999999999999999, not to 1",
        ),
        ('"a" 1/2', "sum to 0.5, not to 1"),
        ('"a" 1/3', "sum to 1/3, not to 1"),
        ('"a" 0.' + "9" * 40, "sum to about 1,"),
        ('"a" 1/2 "b" 1', "sum to 1.5, not to 1"),
        ('"a" -1/2 "b" 3/2', "outcome 'a' of chance event 5 has a probability outside 0 to 1"),
        ('"a" 1e500 "b" 0', "outcome 'a' of chance event 5 has a probability outside 0 to 1"),
    ],
)
def test_chances_that_are_no_distribution(outcomes: str, words: str):
    with pytest.raises(BadChance, match="line 2, column 13") as caught:
        parse_efg(HEADER + f'c "" 5 "" {{ {outcomes} }} 0')
    assert words in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path):
    with pytest.raises(EfgError, match="there is no file"):
        load_game(str(tmp_path / "missing.efg"))
    folder = tmp_path / "folder.efg"
    folder.mkdir()
    for path in (folder, str(folder), "a\0b.efg", 5, None):
        with pytest.raises(EfgError, match="cannot read"):
            read_efg(path)  # type: ignore[arg-type]
    utf_16 = tmp_path / "utf_16.efg"
    utf_16.write_text((FOLDER / "stages.efg").read_text("utf-8"), "utf-16")
    with pytest.raises(EfgError, match="UTF-16"):
        read_efg(utf_16)


def test_errors_pickle():
    with pytest.raises(EfgError) as caught:
        parse_efg("EFG")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.line, copy.column) == (str(caught.value), 1, 4)


BASES = [path.read_text("latin-1") for path in FILES] + [pyspiel.get_kuhn_poker_efg_data()]
PIECES = [
    '"',
    "{",
    "}",
    ",",
    "\\",
    " ",
    "\n",
    "0",
    "1/0",
    "-",
    "1e9",
    "p",
    "c",
    't "" 0',
    "\0",
    "é",
]


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A good file with pieces cut out, repeated, put in or changed."""
    text = draw(st.sampled_from(BASES))
    for _ in range(draw(st.integers(1, 4))):
        a, b = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        piece = draw(st.one_of(st.just(""), st.sampled_from(PIECES), st.just(text[a:b] * 2)))
        end = draw(st.sampled_from([a, b, min(b, a + 1), len(text)]))
        text = text[:a] + piece + text[end:]
    return text.encode(draw(st.sampled_from(["utf-8", "latin-1"])), "replace")


@given(damaged())
@settings(max_examples=400)
def test_damaged_files_are_games_or_refused_by_name(content: bytes):
    try:
        file = parse_efg(content.decode("latin-1"))
        assert parse_efg(format_efg(file)) == file
        GameTree.compile(file.game(), max_nodes=1000)
    except CrywolfError:
        pass


# ------------------------------------------------------------------------------- what is written

WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
WORDS |= st.text(list(' "\\u{}ab20,\n'), max_size=8)
NAMES = WORDS.filter(bool)
NUMBERS = st.fractions(-100, 100, max_denominator=1000)


class Growth:
    """A random tree with perfect recall: a set's nodes share its owner's past and its actions."""

    def __init__(self, draw: st.DrawFn):
        self.draw = draw
        self.players = draw(st.integers(1, 3))
        self.shared = draw(st.booleans())
        self.sets: dict[tuple[object, ...], tuple[str, list[str]]] = {}
        self.left = 40

    def information_set(self, player: int, past: object) -> tuple[str, list[str]]:
        key = (player, past, self.draw(st.integers(0, 1)))
        if key not in self.sets:
            taken = {
                label for (p, *_), (label, _) in self.sets.items() if p == player or not self.shared
            }
            label = self.draw(NAMES.filter(lambda word: word not in taken))
            menu = self.draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
            self.sets[key] = label, menu
        return self.sets[key]

    def node(self, depth: int, pasts: tuple[object, ...]):
        self.left -= 1
        kind = self.draw(st.sampled_from(["leaf", "chance", "decision", "decision"]))
        if depth == 0 or self.left < 0 or kind == "leaf":
            return leaf(*[self.draw(NUMBERS) for _ in range(self.players)])
        if kind == "chance":
            weights = self.draw(st.dictionaries(NAMES, st.integers(1, 9), min_size=1, max_size=3))
            total = sum(weights.values())
            return chance(
                {a: (F(w, total), self.node(depth - 1, pasts)) for a, w in weights.items()}
            )
        player = self.draw(st.integers(0, self.players - 1))
        label, menu = self.information_set(player, pasts[player])
        moves = {}
        for action in menu:
            own = (pasts[player], label, action)
            moves[action] = self.node(depth - 1, (*pasts[:player], own, *pasts[player + 1 :]))
        return decision(player, label, moves)


@st.composite
def games(draw: st.DrawFn) -> ExtensiveGame:
    growth = Growth(draw)
    root = growth.node(4, ((),) * growth.players)
    return ExtensiveGame(draw(WORDS), root, shared_labels=growth.shared)


@given(games(), WORDS)
@settings(max_examples=150)
def test_explicit_trees_come_back_the_same(game: ExtensiveGame, comment: str):
    file = tree_to_efg(game, comment=comment)
    back = parse_efg(format_efg(file))
    assert back == file
    tree = GameTree.compile(game)
    assert GameTree.compile(back.game()).same_game(tree)
    assert to_efg(tree, comment=comment) == file


TEXTBOOK = [
    textbook.selten_horse(),
    textbook.gibbons_4_1_1(),
    textbook.gibbons_4_1_3(),
    textbook.beer_quiche(),
    textbook.bos_outside(),
    textbook.stripped_poker(),
]


@pytest.mark.parametrize("game", TEXTBOOK, ids=lambda game: game.name)
def test_textbook_games_round_trip(game: ExtensiveGame, tmp_path: Path):
    path = tmp_path / "game.efg"
    write_efg(game, path)
    back = read_efg(path).game()
    assert back.name == game.name
    assert GameTree.compile(back).same_game(GameTree.compile(game))


@pytest.mark.parametrize("name", ["onuw_robber3", "onuw_robber3_talk"])
def test_keys_of_rules_come_back(name: str):
    tree = GameTree.compile(load_game(name))
    back = GameTree.compile(parse_efg(format_efg(to_efg(tree))).game())
    assert sorted(back.keys) == sorted(tree.keys)
    assert actions(back) == actions(tree)
    assert leaf_payoffs(back) == leaf_payoffs(tree)


def test_keys_without_the_player_come_back_and_again():
    file = to_efg("kuhn_poker")
    assert file.comment == WHOLE_KEYS
    game = file.game("kuhn")
    assert (game.name, game.title) == ("kuhn", "kuhn_poker")
    assert GameTree.compile(game).keys == compile_tree("kuhn_poker").keys
    state = load_game(game).new_initial_state()
    assert state.information_state_string(1) == "P2: waiting"
    assert pickle.loads(pickle.dumps(game)).whole_keys
    assert tree_to_efg(game) == to_efg(game) == file
    # Another program may give one name to two sets: then the player is needed again.
    sets = [s if s.player < 0 else s._replace(name="one") for s in file.sets]
    shared = replace(file, sets=tuple(sets)).game("shared")
    assert all(key.startswith("P") for key in GameTree.compile(shared).keys)
    # The comment of such a file, with a game to which its sentence does not apply.
    assert not to_efg(textbook.beer_quiche(), comment=file.comment).keys_are_names


def test_a_policy_fits_the_file_that_is_written_of_its_game(tmp_path: Path):
    for name in ("kuhn_poker", "leduc_poker", "onuw_robber3_talk"):
        tree = compile_tree(name)
        profile = Profile.random(tree, np.random.default_rng(0))
        profile.save(tmp_path / "policy.npz")
        path = str(tmp_path / f"{name} of ours.efg")
        export_efg(tree, path)
        back = compile_tree(path)
        assert (back.name, back.title) == (f"{name}.efg", name)
        found = Profile.load(tmp_path / "policy.npz", back)
        assert nash_conv(found) == pytest.approx(nash_conv(profile), abs=1e-12)
        key = back.keys[-1]
        assert found.strategy(key) == profile.strategy(key)


@pytest.mark.parametrize("change", ["a payoff", "a name"])
def test_a_policy_does_not_fit_a_file_that_was_changed(tmp_path: Path, change: str):
    Profile.uniform(compile_tree("kuhn_poker")).save(tmp_path / "policy.npz")
    text = format_efg(to_efg("kuhn_poker"))
    old, new = ("{ -1, 1 }", "{ -1, 2 }") if change == "a payoff" else ('"Pass"', '"Fold"')
    assert old in text
    (tmp_path / "kuhn.efg").write_text(text.replace(old, new))
    with pytest.raises(PolicyError, match=r"for kuhn_poker\(players=2\), not for kuhn_poker\.efg"):
        Profile.load(tmp_path / "policy.npz", compile_tree(str(tmp_path / "kuhn.efg")))


OPENSPIEL = [
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "leduc_poker",
    "liars_dice(dice_sides=3)",
    "sheriff(item_penalty=2.0,item_value=1.5,max_bribe=2,max_items=2,num_rounds=1)",
]


@pytest.mark.parametrize("name", OPENSPIEL)
def test_openspiel_games_keep_their_nash_conv(name: str):
    tree = GameTree.compile(load_game(name))
    back = GameTree.compile(parse_efg(format_efg(to_efg(tree))).game())
    assert (back.num_nodes, back.num_infosets) == (tree.num_nodes, tree.num_infosets)
    rng = np.random.default_rng(1)
    ours, theirs = np.ones(tree.num_sequences), np.ones(back.num_sequences)
    for h, key in enumerate(tree.keys):
        mix = rng.dirichlet(np.ones(len(tree.legal[h])))
        ours[tree.slice(h)] = mix
        of_action = dict(zip(tree.action_names(h), mix, strict=True))
        other = back.infoset_of_key[key]
        theirs[back.slice(other)] = [of_action[a] for a in back.action_names(other)]
    expected = nash_conv(Profile(tree, ours))
    assert nash_conv(Profile(back, theirs)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "game", [textbook.selten_horse(), "kuhn_poker", "leduc_poker"], ids=["horse", "kuhn", "leduc"]
)
def test_openspiel_reads_what_we_write(game):
    """Its own reader of .efg files is a second opinion."""
    tree = crywolf.compile_tree(game)
    other = GameTree.compile(pyspiel.load_efg_game(format_efg(to_efg(tree))))
    assert other.parent.tolist() == tree.parent.tolist()
    assert other.player.tolist() == tree.player.tolist()
    assert other.payoff_table[other.payoff[other.leaves]] == pytest.approx(
        tree.payoff_table[tree.payoff[tree.leaves]]
    )
    assert other.chance_reach == pytest.approx(tree.chance_reach)
    same = {tuple(tree.nodes_of(h)) for h in range(tree.num_infosets)}
    assert {tuple(other.nodes_of(h)) for h in range(other.num_infosets)} == same


def test_openspiels_sample_reads_as_openspiel_reads_it():
    text = pyspiel.get_sample_efg_data()
    tree = GameTree.compile(parse_efg(text).game())
    other = GameTree.compile(pyspiel.load_efg_game(text))
    assert other.payoff_table[other.payoff[other.leaves]] == pytest.approx(
        tree.payoff_table[tree.payoff[tree.leaves]]
    )
    assert nash_conv(Profile.uniform(tree)) == pytest.approx(nash_conv(Profile.uniform(other)))


@pytest.mark.parametrize(
    "name", ["coordinated_mp", "tiny_hanabi", "first_sealed_auction(max_value=4,players=2)"]
)
def test_we_read_what_openspiel_writes(name: str):
    game = load_game(name)
    tree = GameTree.compile(game)
    back = GameTree.compile(parse_efg(export_gambit(game)).game())
    assert back.parent.tolist() == tree.parent.tolist()
    assert back.player.tolist() == tree.player.tolist()
    assert back.payoff_table[back.payoff[back.leaves]] == pytest.approx(
        tree.payoff_table[tree.payoff[tree.leaves]]
    )
    assert nash_conv(Profile.uniform(back)) == pytest.approx(nash_conv(Profile.uniform(tree)))


def test_openspiel_rounds_thirds():
    with pytest.raises(BadChance, match=r"sum to 0\.9999999999999999, not to 1"):
        parse_efg(export_gambit(load_game("kuhn_poker")))


def test_titles_players_and_comments_can_be_given(tmp_path: Path):
    path = tmp_path / "kuhn.efg"
    for game in ("kuhn_poker", textbook.beer_quiche()):
        export_efg(game, path, title='"K"', players=("A", 'B"'), comment="by\nhand")
        file = read_efg(path)
        assert (file.title, file.players) == ('"K"', ("A", 'B"'))
        assert file.comment.splitlines()[:2] == ["by", "hand"]
        assert file.keys_are_names == (game == "kuhn_poker")
        for players in (("A",), "AB", ()):
            with pytest.raises(ParameterError, match="names for 2 players"):
                export_efg(game, path, players=players)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("plain 'name' {1, 2}", "plain 'name' {1, 2}"),
        ('say "hi"', r"say \"hi\""),
        (r"\alpha \& c\d", r"\alpha \& c\d"),
        ("\\", r"\u{5c}"),
        (r"a\\b", r"a\u{5c}\b"),
        (r"\"", r"\u{5c}\""),
        (r"\u{e9}", r"\u{5c}u{e9}"),
        ("é ω", r"\u{e9} \u{3c9}"),
        (" a  b ", r"\u{20}a \u{20}b\u{20}"),
        ("two\nlines", r"two\u{a}lines"),
        ("", ""),
    ],
)
def test_names_are_written_as_gambit_takes_them(name: str, written: str):
    file = tree_to_efg(ExtensiveGame("g", decision(0, name, {name: leaf(1)})))
    text = format_efg(file)
    assert f'"{written}" {{ "{written}" }}' in text
    assert text.isascii()
    assert parse_efg(text) == file


def test_titles_and_comments_keep_their_lines():
    file = replace(read("stages"), title='A "title":  é', comment="one\n\ttwo\\")
    text = format_efg(file)
    assert text.startswith('EFG 2 R "A \\"title\\":  \\u{e9}"')
    assert '"one\n\ttwo\\u{5c}"' in text
    assert parse_efg(text) == file


@pytest.mark.parametrize("name", ["\0", "\ud800"])
def test_what_no_text_should_hold_is_made_visible(name: str):
    text = format_efg(tree_to_efg(ExtensiveGame("g", decision(0, "s", {name: leaf(1)}))))
    visible = parse_efg(text).sets[0].actions[0]
    assert visible == f"\\u{{{ord(name):x}}}"
    assert parse_efg(format_efg(parse_efg(text))).sets[0].actions == (visible,)


def test_a_set_may_list_its_actions_in_two_orders():
    one = decision(0, "s", {"L": leaf(1), "R": leaf(2)})
    two = decision(0, "s", {"R": leaf(3), "L": leaf(4)})
    game = ExtensiveGame("g", chance({"a": ("1/2", one), "b": ("1/2", two)}))
    back = parse_efg(format_efg(tree_to_efg(game))).game()
    assert leaf_payoffs(GameTree.compile(back)) == [(1,), (2,), (4,), (3,)]


def test_only_fractions_can_be_written(tmp_path: Path):
    t = sympy.Symbol("t")
    game = ExtensiveGame("g", decision(0, "1", {"a": leaf(t), "b": leaf(0)}))
    root = ExtensiveGame("g", decision(0, "1", {"a": leaf(sympy.sqrt(2)), "b": leaf(0)}))
    lottery = ExtensiveGame("g", chance({"a": (t, leaf(1)), "b": (1 - t, leaf(0))}))
    for inexact in (game, root, lottery, GameTree.compile(game)):
        with pytest.raises(InexactError, match=r"game\.subs"):
            export_efg(inexact, tmp_path / "g.efg")
    long = ExtensiveGame("g", leaf(10**5000))
    with pytest.raises(InexactError, match="digits"):
        write_efg(long, tmp_path / "g.efg")
    assert not list(tmp_path.iterdir())
    write_efg(game.subs({t: F(1, 3)}), tmp_path / "g.efg")
    assert read_efg(tmp_path / "g.efg").outcomes[0].payoffs == (F(1, 3),)


@pytest.mark.parametrize("path", ["missing/g.efg", "", "folder", "a\0.efg"])
def test_files_that_cannot_be_written(tmp_path: Path, path: str):
    (tmp_path / "folder").mkdir()
    target = tmp_path / path if path else Path("")
    with pytest.raises(OutputError):
        write_efg(textbook.selten_horse(), target)
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


# --------------------------------------------------------------------------- a name, a big one


def test_a_path_is_a_game(tmp_path: Path):
    path = str(FOLDER / "stages.efg")
    game = load_game(path)
    assert isinstance(game, pyspiel.Game)
    assert isinstance(rules_of(game), ExtensiveGame)
    tree = crywolf.compile_tree(path)
    assert tree.same_game(compiled("stages"))
    assert crywolf.nash_conv(path, "uniform").kind == "exact"
    assert crywolf.check_game(path).ok
    untitled = tmp_path / "poker.EFG"
    untitled.write_text('EFG 2 R " " { "1" } t "" 1 "" { 5 }')
    assert crywolf.compile_tree(str(untitled)).name == "poker.EFG"
    assert read_efg(untitled).game().name == "untitled"


def deep_file(depth: int) -> EfgFile:
    """Two players who go on, or stop, in turns."""
    moves = [f'p "" {k % 2 + 1} {k} "" {{ "go" "stop" }} 0' for k in range(depth)]
    return parse_efg(HEADER + "\n".join([*moves, 't "" 1 "" { 1 2 }', *['t "" 1'] * depth]))


@pytest.mark.slow
def test_100_000_moves_in_a_row():
    file = deep_file(100_000)
    assert len(file.nodes) == 200_001
    assert file.game().max_game_length == 100_000


def test_deep_games_are_written_pickled_and_compiled():
    """No recursion anywhere: Python's limit is 1,000."""
    file = deep_file(2_000)
    game = file.game()
    again = pickle.loads(pickle.dumps(game))
    assert parse_efg(format_efg(tree_to_efg(again))).nodes == file.nodes
    tree = GameTree.compile(again)
    assert tree.num_nodes == 4_001
    assert tree.same_game(GameTree.compile(game))
