"""Pictures of trees: what is on them, and that it can be read."""

import errno
import re
import xml.etree.ElementTree as ET
from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import sympy
from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Circle, PathPatch, Polygon

from crywolf.analysis import plots
from crywolf.analysis.drawing import draw_tree
from crywolf.analysis.lettering import (
    SMALL,
    boxes_for_lacking_characters,
    key_words,
    name_words,
    number_words,
    probability_words,
    text_width,
    wrapped,
)
from crywolf.analysis.picture import AS_MEASURED, Picture, picture_format, save_picture
from crywolf.analysis.tree_scene import OFF_PATH, colour_of
from crywolf.games import textbook
from crywolf.games.errors import (
    AssessmentError,
    OutputError,
    ParameterError,
    PolicyError,
    TreeTooLarge,
)
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.games.rules import CHANCE, TERMINAL
from crywolf.solvers.best_response import expected_values
from crywolf.solvers.exact import evaluate_exact, exact_profile
from crywolf.solvers.pbe.assessment import Assessment
from crywolf.solvers.profile import Profile
from crywolf.solvers.tree import compile_tree

EFG = Path(__file__).parents[1] / "games" / "efg"
TEXTBOOK = [
    textbook.selten_horse, textbook.gibbons_4_1_1, textbook.gibbons_4_1_3, textbook.beer_quiche,
    textbook.entry, textbook.bos_outside, textbook.stripped_poker,
    textbook.disagreeing_beliefs,
]  # fmt: skip
PRESETS = ["onuw_robber3", "onuw_robber3_official", "onuw_robber3_talk", "onuw"]
SMALL_GAMES = [
    *(game() for game in TEXTBOOK), *PRESETS[:3], "kuhn_poker", str(EFG / "numbers.efg"),
]  # fmt: skip
GAMES = [*SMALL_GAMES, PRESETS[3]]
HALF = Fraction(1, 2)
SVG = "{http://www.w3.org/2000/svg}"
POOLING = {
    "P1: weak": {"beer": 1},
    "P1: strong": {"beer": 1},
    "P2: beer": {"retreat": 1},
    "P2: quiche": {"fight": HALF, "retreat": HALF},
}


def named(game) -> str:
    return game if isinstance(game, str) else game.name


def uniform(tree) -> dict:
    """The exact twin of ``Profile.uniform``."""
    return {
        tree.keys[h]: {name: Fraction(1, len(tree.legal[h])) for name in tree.action_names(h)}
        for h in range(tree.num_infosets)
    }


def words(picture) -> Counter[str]:
    return Counter(text.get_text() for text in picture.axes[0].texts)


def in_file(picture, tmp_path: Path) -> Counter[str]:
    """The texts of the SVG file, without the notes."""
    path = tmp_path / "tree.svg"
    save_picture(picture, path)
    root = ET.fromstring(path.read_bytes())
    groups = [g for g in root.iter(f"{SVG}g") if not g.get("id", "").startswith("note")]
    return Counter("".join(text.itertext()) for g in groups for text in g.findall(f"{SVG}text"))


def letter(tree, h: int) -> str:
    """a, b, c ... for the sets of several nodes of a player who has more than one of them."""
    owners = tree.owner.tolist()
    mine = [k for k, p in enumerate(owners) if p == owners[h] and len(tree.nodes_of(k)) > 1]
    return "abcdefghijklmnopqrstuvwxyz"[mine.index(h)] if h in mine and len(mine) > 1 else ""


def expected_words(tree, play=None) -> Counter[str]:
    """What must be written: from the tree alone, by another way than the drawing's."""
    found: Counter[str] = Counter()
    probabilities, payoffs = tree.exact_tables
    for node in range(tree.num_nodes):
        player = int(tree.player[node])
        if player >= 0:
            h = int(tree.node_infoset[node])
            found[f"P{player + 1}{letter(tree, h)}"] += 1
        elif player == TERMINAL:
            found.update(number_words(u) for u in payoffs[tree.payoff[node]])
        if node:
            found[name_words(tree.edge_name(node))] += 1
            above = int(tree.parent[node])
            if tree.player[above] == CHANCE:
                found[number_words(probabilities[tree.probability[node]])] += 1
            elif play is not None:
                h = int(tree.node_infoset[above])
                found[number_words(play[tree.keys[h]].get(tree.edge_name(node), 0))] += 1
    return found


def bare(found: Counter[str]) -> Counter[str]:
    """Without the commas between payoffs and without beliefs."""
    bare: Counter[str] = Counter()
    for text, count in found.items():
        if not text.startswith(("[", OFF_PATH)):
            bare[text.rstrip(",")] += count
    return bare


# --------------------------------------------------------------------------------- what is there


@pytest.mark.parametrize("game", SMALL_GAMES, ids=named)
def test_every_move_and_payoff_is_in_the_file(game, tmp_path: Path):
    tree = compile_tree(game)
    picture = draw_tree(tree, max_drawn=tree.num_nodes)
    assert bare(in_file(picture, tmp_path)) == expected_words(tree)


@pytest.mark.parametrize("game", SMALL_GAMES[:-1], ids=named)
def test_every_probability_of_a_profile_is_in_the_file(game, tmp_path: Path):
    tree = compile_tree(game)
    strategies = uniform(tree)
    written = in_file(draw_tree(tree, strategies), tmp_path)
    assert bare(written) == expected_words(tree, strategies)


@pytest.mark.parametrize("game", GAMES, ids=named)
@pytest.mark.parametrize("orientation", ["auto", "down", "right"])
@pytest.mark.parametrize("with_profile", [False, True])
def test_no_two_words_meet(game, orientation, with_profile: bool):
    tree = compile_tree(game)
    profile = Profile.random(tree, np.random.default_rng(3)) if with_profile else None
    legible(draw_tree(tree, profile, orientation=orientation, max_drawn=120, title="A title"))


def test_no_two_words_of_folded_trees_meet():
    tree = compile_tree("leduc_poker")
    legible(draw_tree(tree, max_drawn=100))
    legible(draw_tree(tree, Profile.uniform(tree), max_drawn=100))
    legible(draw_tree(tree, Profile.uniform(tree), max_drawn=30, orientation="down"))
    moves = {f"a very long name of a move {k}": ("1/300", leaf(k, -k)) for k in range(300)}
    wide = compile_tree(ExtensiveGame("wide", chance(moves)))
    for orientation in ("down", "right"):
        legible(draw_tree(wide, max_drawn=30, orientation=orientation))


def legible(picture: Picture) -> None:
    """No text meets another, or the node of another; all are on the page and large enough."""
    renderer = FigureCanvasAgg(picture).get_renderer()
    axes = picture.axes[0]
    with rc_context(AS_MEASURED), boxes_for_lacking_characters():  # as files are written
        boxes = [(text, text.get_window_extent(renderer)) for text in axes.texts]
    page = picture.bbox
    for text, box in boxes:
        assert float(text.get_fontsize()) >= SMALL > 6
        assert page.x0 <= box.x0 < box.x1 <= page.x1, text
        assert page.y0 <= box.y0 < box.y1 <= page.y1, text
    for (one, a), (other, b) in combinations(boxes, 2):
        across = min(a.x1, b.x1) - max(a.x0, b.x0)
        along = min(a.y1, b.y1) - max(a.y0, b.y0)
        assert min(across, along) < 1.0, f"{one} meets {other} in {across:.2f}, {along:.2f} pixels"
    for patch in axes.patches:
        if isinstance(patch, Circle | Polygon) or (
            isinstance(patch, PathPatch) and patch.get_fill()
        ):
            a = patch.get_window_extent(renderer)
            for text, b in boxes:
                across = min(a.x1, b.x1) - max(a.x0, b.x0)
                along = min(a.y1, b.y1) - max(a.y0, b.y0)
                inside = a.x0 <= (b.x0 + b.x1) / 2 <= a.x1 and a.y0 <= (b.y0 + b.y1) / 2 <= a.y1
                assert min(across, along) < 1.0 or inside, f"{text} meets a node"


def test_payoffs_and_moves_have_the_colours_of_their_players():
    picture = draw_tree(textbook.selten_horse())
    texts = picture.axes[0].texts
    assert {t.get_color() for t in texts if t.get_text() in ("3", "P1")} == {"white", colour_of(0)}
    assert len({t.get_color() for t in texts if t.get_text() == "1"}) == 3
    patches = [p for p in picture.axes[0].patches if isinstance(p, PathPatch) and p.get_fill()]
    assert len(patches) == 4
    assert len({patch.get_facecolor() for patch in patches}) == 3


# ------------------------------------------------------------------------------ information sets


def dashed(picture) -> list[PathPatch]:
    patches = [p for p in picture.axes[0].patches if isinstance(p, PathPatch)]
    return [p for p in patches if p.get_linestyle() != "solid"]


def corners(patch: PathPatch) -> list[list[float]]:
    return np.asarray(patch.get_path().vertices).tolist()


def test_links_join_the_nodes_of_each_set():
    """One link fewer than nodes in each set; straight ones where nothing is between."""
    tree = compile_tree("kuhn_poker")
    links = dashed(draw_tree(tree))
    assert len(links) == sum(len(tree.nodes_of(h)) - 1 for h in range(tree.num_infosets)) == 12
    assert sum(len(corners(link)) == 2 for link in links) == 3
    straight = dashed(draw_tree("onuw_robber3"))
    assert {len(corners(link)) for link in straight} == {2}


def test_sets_are_told_apart_by_letters():
    """The same letter at both ends of each dashed line, and a key to it under the picture."""
    tree = compile_tree("kuhn_poker")
    picture = draw_tree(tree, orientation="down")
    names = [text for text in picture.axes[0].texts if re.fullmatch(r"P\d[a-z]", text.get_text())]
    assert Counter(text.get_text() for text in names) == {
        f"P{p}{x}": 2 for p in (1, 2) for x in "abcdef"
    }
    where = {}
    for text in names:
        size = text_width(text.get_text(), SMALL, bold=True)
        where[round(text.get_position()[0] + size / 2, 3)] = text.get_text()
    for link in dashed(picture):
        ends = [corners(link)[0][0], corners(link)[-1][0]]
        joined = [where[min(where, key=lambda x: abs(x - end))] for end in ends]
        assert joined[0] == joined[1]
    legend = " ".join(text.get_text() for text in picture.axes[0].texts if text.get_gid())
    legend = legend.replace("\xa0", " ")
    for h, key in enumerate(tree.keys):
        assert f"P{tree.owner[h] + 1}{letter(tree, h)} “{key}”" in legend


def test_one_set_of_a_player_needs_no_letter():
    written = words(draw_tree(textbook.selten_horse()))
    assert written["P3"] == 2
    assert not any(text.startswith("Information sets") for text in written)


def test_lanes_of_sets_that_overlap_are_at_heights_of_their_own():
    lanes = [
        (corners(link)[2][1], *sorted((corners(link)[0][0], corners(link)[-1][0])))
        for link in dashed(draw_tree("kuhn_poker", orientation="down"))
        if len(corners(link)) > 2
    ]
    assert len(lanes) == 9
    for (y, low, high), (other_y, other_low, other_high) in combinations(lanes, 2):
        assert abs(y - other_y) > 3 or high <= other_low or other_high <= low


def test_nodes_of_a_set_stand_on_one_level_where_they_can():
    """Selten's horse: P3's nodes lie at depths 1 and 2, and are one information set."""
    (link,) = dashed(draw_tree(textbook.selten_horse()))
    (_, y0), (_, y1) = corners(link)
    assert y0 == y1


def test_sets_that_cross_are_joined_over_levels():
    def first(other):
        return decision(0, "a", {"l": other, "r": leaf(0, 0)})

    def second(other):
        return decision(1, "b", {"l": other, "r": leaf(0, 0)})

    root = chance(
        {"one": ("1/2", first(second(leaf(1, 1)))), "two": ("1/2", second(first(leaf(1, 1))))}
    )
    picture = draw_tree(ExtensiveGame("crossed", root))
    assert len(dashed(picture)) == 2
    legible(picture)


# ------------------------------------------------------------------------------------- profiles


def test_beliefs_are_those_of_bayes():
    written = words(draw_tree(textbook.beer_quiche(), POOLING))
    assert (written["[1/10]"], written["[9/10]"], written[OFF_PATH]) == (1, 1, 2)
    assert written["1/2"] == 4
    assert any(text.startswith("off path: never reached") for text in written)
    # The strong get 3, the weak 2; the sender's type is guessed right 9 times in 10.
    assert written["Expected payoffs: P1 29/10, P2 9/10."] == 1


def test_beliefs_by_hand():
    """Weak (1/10) have beer half of the time, strong (9/10) a third of it.

    Beer: 1/20 against 3/10, so 1/7 and 6/7. Quiche: 1/20 against 6/10, so 1/13 and 12/13.
    """
    strategies = {
        "P1: weak": {"beer": HALF, "quiche": HALF},
        "P1: strong": {"beer": Fraction(1, 3), "quiche": Fraction(2, 3)},
        "P2: beer": {"retreat": 1},
        "P2: quiche": {"fight": 1},
    }
    written = words(draw_tree(textbook.beer_quiche(), strategies))
    assert [written[f"[{x}]"] for x in ("1/7", "6/7", "1/13", "12/13")] == [1, 1, 1, 1]
    tree = compile_tree(textbook.beer_quiche())
    floats = {k: {a: float(p) for a, p in row.items()} for k, row in strategies.items()}
    written = words(draw_tree(tree, Profile.from_dict(tree, floats)))
    assert [written[f"[{x}]"] for x in ("0.143", "0.857", "0.077", "0.923")] == [1, 1, 1, 1]


@pytest.mark.parametrize("name", ["kuhn_poker", "onuw_robber3", "leduc_poker"])
def test_what_each_player_expects_is_under_the_picture(name: str):
    tree = compile_tree(name)
    profile = Profile.random(tree, np.random.default_rng(2))
    values = [
        f"P{p + 1} {number_words(v)}" for p, v in enumerate(expected_values(profile).tolist())
    ]
    wanted = f"Expected payoffs: {', '.join(values)}."
    assert words(draw_tree(tree, profile, max_drawn=60))[wanted] == 1
    assert not any(text.startswith("Expected") for text in words(draw_tree(tree, max_drawn=60)))


def test_expected_payoffs_of_0_are_0():
    """Leduc poker where all always call: floats sum to some 1e-17."""
    tree = compile_tree("leduc_poker")
    calls = {k: {"Call": 1.0} for k in tree.keys}
    written = words(draw_tree(tree, Profile.from_dict(tree, calls), max_drawn=60))
    assert written["Expected payoffs: P1 0, P2 0."] == 1


def test_beliefs_of_an_assessment_and_symbols():
    x, p = sympy.symbols("x alpha", positive=True)
    game = textbook.beer_quiche(p)
    assessment = Assessment(
        {**POOLING, "P2: quiche": {"fight": x, "retreat": 1 - x}},
        {"P2: quiche": {"weak, quiche": HALF, "strong, quiche": HALF}},
        [x <= 1],
    )
    written = words(draw_tree(game, assessment))
    assert written["[1/2]"] == 2
    assert not written[OFF_PATH]
    assert written["[α]"] == written["[1 − α]"] == 1
    assert written["x"] == written["1 − x"] == 2


def test_moves_that_are_not_played_fade():
    texts = draw_tree(textbook.beer_quiche(), POOLING).axes[0].texts
    colour = {text.get_text(): text.get_color() for text in texts}
    assert colour["quiche"] != colour["beer"]


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "onuw_robber3"])
def test_triangles_tell_what_is_expected(name: str):
    tree = compile_tree(name)
    profile = Profile.random(tree, np.random.default_rng(7))
    written = words(draw_tree(tree, profile, max_drawn=1))
    assert all(
        written[number_words(v)] + written[number_words(v) + ","]
        for v in expected_values(profile).tolist()
    )
    assert f"{tree.num_nodes:,} nodes," in written
    assert "reach 1," in written
    assert f"{len(tree.leaves):,} leaves" in words(draw_tree(tree, max_drawn=1))


def test_triangles_tell_exactly_what_is_expected():
    tree = compile_tree("kuhn_poker")
    strategies = uniform(tree)
    values = evaluate_exact(tree, exact_profile(tree, strategies)).values
    written = words(draw_tree(tree, strategies, depth=0))
    assert written[f"{number_words(values[0])},"] == 1
    assert written[number_words(values[1])] == 1


def test_what_is_folded_is_said():
    tree = compile_tree("leduc_poker")
    picture = draw_tree(tree, max_drawn=100)
    (note,) = [text for text in words(picture) if text.startswith("Triangles")]
    tails = [text for text in picture.axes[0].texts if text.get_text().endswith(" nodes,")]
    hidden = sum(int(text.get_text().split()[0].replace(",", "")) for text in tails)
    assert note.endswith(f"with {hidden:,} of the 9,457 nodes.")
    assert "the rest is folded" in picture.words
    assert not any(text.startswith("Triangles") for text in words(draw_tree("kuhn_poker")))


def test_large_trees_show_some_play_to_its_end():
    """Leduc poker in 60: both players, all kinds of moves, links, and leaves."""
    for profile in (None, Profile.uniform(compile_tree("leduc_poker"))):
        picture = draw_tree("leduc_poker", profile, max_drawn=60)
        written = words(picture)
        assert {"Fold", "Call", "Raise", "4 more outcomes:"} <= set(written)
        assert sum(written[f"P1{x}"] for x in "abcdefgh") > 3
        assert sum(written[f"P2{x}"] for x in "abcdefgh") > 3
        assert dashed(picture)
        leaves = [p for p in picture.axes[0].patches if isinstance(p, Circle)]
        assert leaves


def test_triangles_tell_how_often_they_are_reached():
    """Kuhn poker after the deals: by hand, 6 deals of 1/6 and half of each passes first."""
    tree = compile_tree("kuhn_poker")
    for profile, sixth, twelfth in (
        (Profile.uniform(tree), "0.167", "0.0833"), (uniform(tree), "1/6", "1/12"),
    ):  # fmt: skip
        assert words(draw_tree(tree, profile, depth=2))[f"reach {sixth},"] == 6
        assert words(draw_tree(tree, profile, depth=3))[f"reach {twelfth},"] == 12


def test_what_is_never_reached_has_reach_and_payoffs():
    tree = compile_tree("kuhn_poker")
    passing = {k: {"Pass": 1} for k in tree.keys}
    written = words(draw_tree(tree, passing, depth=3))
    assert written["reach 1/6,"] == written["reach 0,"] == 6
    assert written["expected"] == 12


# ------------------------------------------------------------------------------- shape and files


def test_wide_trees_lie_on_their_side():
    assert draw_tree(textbook.beer_quiche()).get_size_inches()[0] < 6.8
    down, right = (draw_tree("kuhn_poker", orientation=o) for o in ("down", "right"))
    assert down.get_size_inches()[0] > 6.5 > right.get_size_inches()[0] * 0.9
    assert draw_tree("kuhn_poker").get_size_inches() == pytest.approx(right.get_size_inches())


def test_notebooks_show_the_picture():
    picture = draw_tree("onuw_robber3")
    assert isinstance(picture, Picture)
    assert isinstance(picture, Figure)
    assert picture._repr_png_().startswith(b"\x89PNG\r\n")


@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_files_are_the_same_every_time(ending: str, tmp_path: Path):
    one, other = tmp_path / f"one.{ending}", tmp_path / f"other.{ending}"
    save_picture(draw_tree("kuhn_poker", title="A & B"), one)
    with rc_context({"font.family": "serif", "svg.fonttype": "path", "savefig.dpi": 30}):
        save_picture(draw_tree("kuhn_poker", title="A & B"), other)
    assert one.read_bytes() == other.read_bytes()
    assert sorted(tmp_path.iterdir()) == [one, other]


def test_svg_has_a_title_and_a_description(tmp_path: Path):
    path = tmp_path / "tree.svg"
    save_picture(draw_tree("kuhn_poker", title="A & <B>"), path)
    root = ET.fromstring(path.read_bytes())
    assert root.findtext(f"{SVG}title") == "A & <B>"
    described = root.findtext(f"{SVG}desc")
    assert described == (
        "Game tree of kuhn_poker: 2 players, 58 nodes, 30 leaves, 12 information sets."
    )
    fonts = set(re.findall(r"font-family: ([^;]*);", path.read_text(encoding="utf-8")))
    assert len(fonts) == 1
    assert next(iter(fonts)).endswith("sans-serif")


def test_names_of_any_kind_are_drawn(tmp_path: Path):
    odd = ["$x$", "a\x00b", "<&>", "tab\tand\nline", "é", "x" * 200]
    root = decision(0, "1", {name: leaf(k) for k, name in enumerate(odd)})
    written = in_file(draw_tree(ExtensiveGame("odd", root)), tmp_path)
    assert {"$x$", "a\ufffdb", "<&>", "tab and line", "é", "x" * 47 + "…"} <= set(written)


ODD = [
    "$x$", "$\\frac{1}{", "a_b^c", "\\", "<&>\"'", "]]>", "é漢字🎲", "مرحبا", "\u202eabc", "\ud800",
    "\x00", "%s{}", " ", "x" * 3000, "W" * 48,
]  # fmt: skip


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_odd_names_of_moves_sets_and_titles(ending: str, tmp_path: Path):
    def sets(k):
        return decision(1, ODD[k], {"<": leaf(k, -k), "$": leaf(0, 0)})

    moves = {f"{ODD[k]}{end}": sets(k) for k in range(len(ODD)) for end in "12"}
    game = ExtensiveGame("odd $_^\\<&>", decision(0, "$", moves))
    for profile in (None, Profile.uniform(compile_tree(game))):
        picture = draw_tree(game, profile, title="$\\frac{ <&> \ud800 \x00 漢")
        legible(picture)
        save_picture(picture, tmp_path / f"tree.{ending}")
        assert words(picture)["Boxes: characters that the font lacks; SVG files keep them."] == 1
    if ending == "svg":
        ET.fromstring((tmp_path / "tree.svg").read_bytes())


def test_a_game_of_one_node(tmp_path: Path):
    game = ExtensiveGame("nothing to do", leaf(1, Fraction(-2, 3)))
    for profile in (None, {}, Profile.uniform(compile_tree(game))):
        written = in_file(draw_tree(game, profile), tmp_path)
        assert written == {"1": 1, "−2/3": 1}


@pytest.mark.parametrize("orientation", ["down", "right"])
def test_twenty_players(orientation):
    def turn(player):
        if player == 20:
            return leaf(*range(20))
        stop = leaf(*[Fraction(player, 3)] * 20)
        return decision(player, f"{player}", {"stop": stop, "go": turn(player + 1)})

    game = ExtensiveGame("twenty", turn(0))
    picture = draw_tree(game, Profile.uniform(compile_tree(game)), orientation=orientation)
    legible(picture)
    assert all(words(picture)[f"P{p + 1}"] == 1 for p in range(20))


def test_a_full_disk_and_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch):
    picture = draw_tree(textbook.selten_horse())
    path = tmp_path / "tree.svg"
    save_picture(picture, path)
    before = path.read_bytes()

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        with pytest.raises(OutputError, match="No space left"):
            save_picture(picture, path)
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == before
    with pytest.raises(OutputError, match="cannot write"):  # no files are made there, even by root
        save_picture(picture, "/proc/tree.svg")


def test_notes_are_wrapped():
    assert wrapped("a b", 1000.0) == ["a b"]
    lines = wrapped("one two " + "W" * 30 + " three", 60.0)
    assert all(text_width(line) <= 60.0 for line in lines)
    assert "".join(lines).replace(" ", "") == "onetwo" + "W" * 30 + "three"


def test_long_keys_are_shortened_by_what_they_share():
    long = [
        f"[Observer: 0][Private: {k}][Money: 99 99][Round 1][Calls: 1 2][Pot: 7]" for k in (1, 2)
    ]
    assert key_words(long) == ["[Private: 1]", "[Private: 2]"]
    assert key_words(["[a][b]", "[a][c]"]) == ["[a][b]", "[a][c]"]
    (cut,) = key_words(["begin" + "x" * 100 + "end"])
    assert cut.startswith("begin")
    assert cut.endswith("end")
    assert len(cut) <= 48


def test_bad_places_are_refused_and_leave_nothing(tmp_path: Path):
    picture = draw_tree(textbook.entry())
    with pytest.raises(OutputError, match=r"ends in \.svg, \.pdf or \.png"):
        save_picture(picture, tmp_path / "tree.gif")
    with pytest.raises(OutputError, match=r"ends in"):
        picture_format(tmp_path / "svg")
    with pytest.raises(OutputError, match="no directory"):
        save_picture(picture, tmp_path / "no" / "tree.svg")
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(OutputError, match="is a directory"):
        save_picture(picture, tmp_path / "folder.svg")
    with pytest.raises(OutputError, match="choose another"):
        save_picture(picture, tmp_path / ("x" * 300 + ".svg"))
    long = draw_tree(textbook.entry())
    long.set_size_inches(400, 1)
    with pytest.raises(OutputError, match=r"write \.svg or \.pdf"):
        save_picture(long, tmp_path / "tree.png")
    assert list(tmp_path.iterdir()) == [tmp_path / "folder.svg"]


def test_numbers_in_words():
    assert [number_words(x) for x in (Fraction(-1, 3), -2, -0.0, 1234.5, 1 / 3)] == [
        "−1/3", "−2", "0", "1.23e+03", "0.333",
    ]  # fmt: skip
    assert [probability_words(x) for x in (1e-9, 1 - 1e-9, 0.0, 1.0, 0.25, Fraction(1, 7))] == [
        "<0.001", ">0.999", "0", "1", "0.25", "1/7",
    ]  # fmt: skip
    assert number_words(Fraction(10**30, 3)) == "≈3.33333e+29"
    assert number_words(sympy.Symbol("beta_1") ** 2 / 2) == "β₁^2/2"


# --------------------------------------------------------------------------------------- refusals


def test_refusals():
    with pytest.raises(TreeTooLarge, match="max_nodes"):
        draw_tree("leduc_poker", max_nodes=1000)
    with pytest.raises(ParameterError, match="auto, down or right"):
        draw_tree("kuhn_poker", orientation="up")  # type: ignore[arg-type]
    with pytest.raises(AssessmentError, match="no information set"):
        draw_tree("kuhn_poker", {"nowhere": {"Pass": 1}})
    with pytest.raises(AssessmentError, match="no action"):
        draw_tree(textbook.selten_horse(), {"P1: 1": {"up": 1}})
    with pytest.raises(PolicyError):
        draw_tree("kuhn_poker", Profile.uniform(compile_tree("leduc_poker")))


# ------------------------------------------------------------------------------------ other plots


def test_the_curve_of_theorem_4_2_is_the_formula_of_the_theorem(monkeypatch: pytest.MonkeyPatch):
    def curve():
        axes = plots.robber_payoff_figure([], [], plots.RobberEquilibrium(0, 1, 0)).axes[0]  # type: ignore[arg-type]
        return np.array(axes.lines[1].get_xydata())

    (first, *_, last) = curve()
    assert first == pytest.approx([1 / 4, -1])
    assert last == pytest.approx([1 / 2, 1])
    before = curve()
    monkeypatch.setattr(plots, "U3_4_2", plots.U3_4_2 + 1)
    assert curve()[:, 1] == pytest.approx(before[:, 1] + 1)


def test_the_figure_is_written_like_all_pictures(tmp_path: Path):
    figure = plots.robber_payoff_figure(
        [], [], plots.RobberEquilibrium(Fraction(0), Fraction(1), Fraction(0))
    )
    save_picture(figure, tmp_path / "figure.svg")
    root = ET.fromstring((tmp_path / "figure.svg").read_bytes())
    assert root.findtext(f"{SVG}title") == figure.heading
    assert root.findtext(f"{SVG}desc") == figure.words
