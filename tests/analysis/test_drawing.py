"""Pictures of trees: what is on them, and that it can be read."""

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
from crywolf.analysis.lettering import SMALL, name_words, number_words, probability_words
from crywolf.analysis.picture import Picture, picture_format, save_picture
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


def expected_words(tree, play=None) -> Counter[str]:
    """What must be written: from the tree alone, by another way than the drawing's."""
    found: Counter[str] = Counter()
    probabilities, payoffs = tree.exact_tables
    for node in range(tree.num_nodes):
        player = int(tree.player[node])
        if player >= 0:
            found[f"P{player + 1}"] += 1
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
        if isinstance(patch, Circle | Polygon):
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
    circles = [p for p in picture.axes[0].patches if isinstance(p, Circle) and p.radius > 3]
    assert len({circle.get_facecolor() for circle in circles}) == 3


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
    assert f"{len(tree.leaves):,} leaves" in written


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
    assert note == "Triangles: 60 folded subtrees with 9,420 of the 9,457 nodes."
    assert "the rest is folded" in picture.words
    assert not any(text.startswith("Triangles") for text in words(draw_tree("kuhn_poker")))


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
