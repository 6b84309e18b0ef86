"""Pictures of trees: what is on them."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from crywolf.analysis import plots
from crywolf.analysis.drawing import draw_tree
from crywolf.analysis.picture import Picture
from crywolf.games import textbook
from crywolf.games.errors import AssessmentError, TreeTooLarge
from crywolf.games.extensive import ExtensiveGame, decision, leaf
from crywolf.solvers.tree import GameTree, compile_tree


def labels(ax) -> list[str]:
    return [text.get_text() for text in ax.texts]


def joined(ax) -> tuple[int, int]:
    """The numbers of bands and of arcs."""
    bands = sum(isinstance(patch, FancyBboxPatch) for patch in ax.patches)
    return bands, sum(isinstance(patch, FancyArrowPatch) for patch in ax.patches)


@pytest.mark.parametrize("name", ["kuhn_poker", "onuw_robber3"])
def test_every_edge_and_leaf_is_labelled(name: str):
    tree = compile_tree(name)
    ax = draw_tree(tree)
    assert isinstance(ax.figure, Picture)
    assert ax.figure._repr_png_().startswith(b"\x89PNG\r\n")
    texts = labels(ax)
    assert len(texts) == tree.num_nodes - 1 + len(tree.leaves)
    for node in range(1, tree.num_nodes):
        assert any(text.startswith(tree.edge_name(node)) for text in texts)
    for node in tree.leaves.tolist():
        assert f"({', '.join(map(str, tree.payoffs[tree.payoff[node]]))})" in texts


def test_information_sets_are_joined_by_bands_or_by_arcs_past_other_nodes():
    # Kuhn poker has 12 information sets of two nodes; 3 have nothing between them.
    assert joined(draw_tree(compile_tree("kuhn_poker"))) == (3, 9)
    # The theory game has two of several nodes, the Werewolves'; each fills its column.
    assert joined(draw_tree(compile_tree("onuw_robber3"))) == (2, 0)


def test_strategies_label_the_edges_and_fade_what_is_not_played():
    root = decision(0, "1", {"L": leaf(1), "R": leaf(0)})
    ax = draw_tree(GameTree.compile(ExtensiveGame("g", root)), {"P1: 1": {"L": 1}})
    assert {"L: 1", "R: 0"} <= set(labels(ax))
    faded = {text.get_text(): text.get_alpha() or 1.0 for text in ax.texts}
    assert faded["R: 0"] < faded["L: 1"]


def test_draws_where_it_is_told_to():
    ax = Figure().add_subplot()
    assert draw_tree(compile_tree("onuw_robber3"), ax=ax) is ax


def test_large_trees_are_refused_by_name():
    with pytest.raises(TreeTooLarge, match=r"leduc_poker has 5,520 leaves.* at most 120"):
        draw_tree(compile_tree("leduc_poker"))


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


def test_a_set_that_reaches_over_several_depths_is_joined():
    """Selten's horse: P3's nodes lie at depths 1 and 2, and are one information set."""
    ax = draw_tree(textbook.selten_horse())
    arcs = [patch for patch in ax.patches if isinstance(patch, FancyArrowPatch)]
    assert len(arcs) == 1
    assert arcs[0].get_linestyle() in ("--", "dashed")


def test_strategies_of_another_game_are_refused():
    with pytest.raises(AssessmentError, match="no information set"):
        draw_tree("kuhn_poker", {"nowhere": {"Pass": 1}})
    with pytest.raises(AssessmentError, match="no information set"):
        draw_tree(textbook.selten_horse(), {"P1: 1": {"up": 1}})
