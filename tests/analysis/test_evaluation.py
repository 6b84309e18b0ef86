"""NashConv reports: equal to OpenSpiel's, whatever form game and policy come in."""

import dataclasses
import html
import json
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as openspiel
from open_spiel.python.algorithms import expected_game_score, exploitability

from crywolf.analysis import nash_conv
from crywolf.analysis.draws import Draws
from crywolf.analysis.elicited import ElicitationRecord
from crywolf.analysis.policies import RandomPolicy
from crywolf.analysis.report import KEPT, Report
from crywolf.games import Onuw, as_openspiel, load_game
from crywolf.games.errors import (
    LowerBoundOnly,
    ParameterError,
    PolicyError,
    TreeTooLarge,
    UnknownGame,
    UnsupportedGame,
)
from crywolf.games.extensive import ExtensiveGame, decision, leaf
from crywolf.solvers import GameTree, Profile

EXACT_KEYS = {
    "game", "policy", "kind", "nash_conv", "gains", "values", "best_response_values",
}  # fmt: skip
GAMES = [
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "leduc_poker",
    "onuw_robber3",
    "onuw_robber3_official",
    "onuw_robber3_talk",
]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", [0, 1])
def test_equals_openspiel(name: str, seed: int):
    game = load_game(name)
    policy = RandomPolicy(game, seed)
    report = nash_conv(name, policy)
    assert report.kind == "exact"
    # OpenSpiel's Python code: independent, for n players and general sum.
    everyone = [policy] * game.num_players()
    values = expected_game_score.policy_value(game.new_initial_state(), everyone)
    assert report.values == pytest.approx(values, abs=1e-9)
    theirs: Any = exploitability.nash_conv(game, policy, return_only_nash_conv=False)
    assert report.nash_conv == pytest.approx(theirs.nash_conv, abs=1e-9)
    assert report.gains == pytest.approx(theirs.player_improvements, abs=1e-9)
    assert report.best_response_values == pytest.approx(
        np.add(report.values, report.gains), abs=1e-12
    )


def test_same_answer_for_every_form_of_the_policy():
    game = pyspiel.load_game("leduc_poker")
    tree = GameTree.compile(game)
    profile = Profile.random(tree, np.random.default_rng(5))
    forms = [profile, profile.to_policy(), profile.to_tabular(), profile.to_pyspiel()]
    results = [nash_conv(game, form).nash_conv for form in forms]
    assert results == pytest.approx([results[0]] * len(forms), abs=1e-12)


def test_same_answer_for_every_form_of_the_game():
    name = "onuw_robber3"
    game = load_game(name)
    rules = Onuw(players=3, centre=0, roles="2werewolf+robber", deal="fixed", resolution="paper")
    for form in (name, game, rules, GameTree.compile(game), GameTree.compile(rules)):
        report = nash_conv(form, "uniform")
        assert report.nash_conv == pytest.approx(1 / 3, abs=1e-12)
        assert report.values == pytest.approx([-1 / 12] * 3, abs=1e-12)
    profile = Profile.uniform(GameTree.compile(rules))
    assert nash_conv(name, profile).nash_conv == pytest.approx(1 / 3, abs=1e-12)


def test_shares_add_up_to_the_gains_and_name_the_better_action():
    report = nash_conv("onuw_robber3", "uniform")
    assert sum(place.gain for place in report.information_sets) == pytest.approx(1 / 3)
    best = {place.information_set: place.action for place in report.information_sets}
    assert best == {
        "P3: dealt Robber; S1; now Werewolf": "vote P1",
        "P3: dealt Robber; S2; now Werewolf": "vote P2",
    }
    report = nash_conv("kuhn_poker", "uniform")
    assert len(report.information_sets) < KEPT  # all of them
    for player, gain in enumerate(report.gains):
        own = [place.gain for place in report.information_sets if place.player == player]
        assert sum(own) == pytest.approx(gain)


def test_json_is_what_the_command_line_promises():
    document = nash_conv("kuhn_poker", "uniform").to_json()
    assert set(document) == EXACT_KEYS
    assert json.loads(json.dumps(document)) == document
    assert document["nash_conv"] == pytest.approx(11 / 12)
    document = nash_conv("kuhn_poker", "uniform", method="sampled", samples=500).to_json()
    assert set(document) == EXACT_KEYS | {"lower_bound", "confidence", "interval"}
    assert document["nash_conv"] is None
    assert document["interval"][0] == document["lower_bound"]


def test_a_lower_bound_has_no_nash_conv():
    report = nash_conv("kuhn_poker", "uniform", max_nodes=10, samples=500)
    assert report.kind == "lower_bound"
    with pytest.raises(LowerBoundOnly, match=r"use \.lower_bound"):
        _ = report.nash_conv
    assert nash_conv("kuhn_poker", "uniform").lower_bound == pytest.approx(11 / 12)


def test_an_estimate_shows_its_interval():
    report = Report(
        "g", "p", "estimate", (0.25, 0.0), (0.0, 0.0), (0.25, 0.0), confidence=0.9,
        interval=(0.125, 0.5),
    )  # fmt: skip
    assert (report.nash_conv, report.lower_bound) == (0.25, 0.125)
    assert report.to_json()["nash_conv"] == 0.25
    assert "0.125 to 0.5" in str(report)


def test_a_rounding_error_is_shown_as_0_and_kept_in_json():
    numbers: Any = {"values": (-1 / 18, 1 / 18), "best_response_values": (-1 / 18, 1 / 18)}
    report = Report("g", "p", "exact", (2.8e-17, -1e-17), **numbers)
    assert report.headline == "NashConv = 0 (exact, up to rounding)"
    assert "e-17" not in str(report)
    assert report.to_json()["nash_conv"] == pytest.approx(1.8e-17)
    assert Report("g", "p", "exact", (0.0, 0.0), **numbers).headline == "NashConv = 0 (exact)"
    small = Report("g", "p", "exact", (3e-9, 0.0), **numbers)
    assert small.headline == "NashConv = 3e-09 (exact)"
    large: Any = {"values": (1e6, -1e6), "best_response_values": (1e6, -1e6)}
    assert Report("g", "p", "exact", (1e-9, 0.0), **large).headline.startswith("NashConv = 0 ")
    assert "-0.000000" not in str(Report("g", "p", "exact", (0.0,), (-1e-18,), (0.0,)))


RECORD = ElicitationRecord(
    model="m", elicitation="labels", legal_mass=0.9, lowest_legal_mass=0.8, stated_sums=None,
    calls=24, new_calls=24, tokens={"prompt": 3204, "completion": 13},
)  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"answers": 24}, ""),
        ({"answers": 24, "substituted": 24},
         "24 of 24 answers were substituted by uniform play: this is not the model's policy"),
        ({"answers": 24, "substituted": 3},
         "3 of 24 answers were substituted by uniform play: this is not the model's policy alone"),
        ({"substituted": 3},
         "3 answers were substituted by uniform play: this is not the model's policy"),
        ({"legal_mass": 0.12},
         "only 0.12 of the model's probability lay on the labels, on average: the policy is what is "
         "left when all else is masked"),
        ({"legal_mass": 0.12, "lowest_legal_mass": None},
         "only 0.12 of the model's first answers named a move"),
        ({"legal_mass": None, "lowest_legal_mass": None}, ""),
    ],
)  # fmt: skip
def test_the_headline_says_when_a_policy_is_hardly_the_model_s(changes: Any, said: str):
    record = dataclasses.replace(RECORD, **changes)
    report = Report("g", "p", "exact", (0.5,), (0.0,), (0.5,), elicitation=record)
    assert report.caution == said
    assert report.headline == "NashConv = 0.5 (exact)" + (f". But {said}" if said else "")
    for shown in (str(report), html.unescape(report._repr_html_())):
        assert said in shown


def test_tokens_are_said_of_what():
    assert "3,204 prompt + 13 answer tokens" in RECORD.lines()


class Asked:
    """A policy as a language model's, which plays uniformly."""

    name = "llm:m"
    draws_only = False

    def __init__(self, **record: Any):
        self.asked = 0
        self._record = record

    def tabulate(self, tree: GameTree, progress: Any = None) -> Profile:
        self.asked += 1
        return Profile.uniform(tree)

    def record(self) -> ElicitationRecord:
        return dataclasses.replace(RECORD, **self._record)

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        raise NotImplementedError


def asked(**record: Any) -> Any:
    """A policy of OpenSpiel's that is `Asked`."""
    game = pyspiel.load_game("kuhn_poker")
    policy = type("AskedPolicy", (Asked, openspiel.Policy), {})(**record)
    openspiel.Policy.__init__(policy, game, [0, 1])
    return policy


def test_a_model_without_rules_in_words_is_noted():
    untold = "The game has no rules in words"
    report = nash_conv("kuhn_poker", asked(rules_told=False))
    (note,) = (note for note in report.notes if untold in note)
    assert "rules=" in note
    assert "--rules FILE" in note
    assert report.to_json()["rules_told"] is False
    assert not any(untold in note for note in nash_conv("kuhn_poker", asked()).notes)


def test_a_confidence_is_refused_before_a_model_is_asked():
    policy = asked()
    with pytest.raises(ParameterError, match="confidence"):
        nash_conv("kuhn_poker", policy, confidence=1.0)
    assert policy.asked == 0


def test_the_policy_is_handed_out_where_the_tree_is_searched():
    kept: list[Profile] = []
    tree = GameTree.compile(pyspiel.load_game("kuhn_poker"))
    profile = Profile.random(tree, np.random.default_rng(3))
    nash_conv(tree, profile, tabulated=kept.append)
    draws = Draws.from_profile(profile, 20, np.random.default_rng(3))
    nash_conv(tree, draws, tabulated=kept.append)
    assert kept == [profile, draws.frequencies]
    nash_conv("kuhn_poker", "uniform", method="sampled", samples=100, tabulated=kept.append)
    assert len(kept) == 2


@pytest.mark.parametrize(
    ("name", "noted"),
    [("kuhn_poker", False), ("kuhn_poker(players=3)", True), ("onuw_robber3", True)],
)
def test_says_where_nash_conv_means_less(name: str, noted: bool):
    report = nash_conv(name, "uniform")
    assert any("does not single one out" in note for note in report.notes) is noted
    assert ("does not single one out" in str(report)) is noted


def test_notebook_view_escapes_names():
    report = nash_conv("kuhn_poker", "uniform", label="<b>mine</b>")
    assert report.policy == "<b>mine</b>"
    assert "&lt;b&gt;mine&lt;/b&gt;" in report._repr_html_()
    assert "<b>mine" not in report._repr_html_()


def test_progress_counts_nodes_and_plays():
    seen = []
    nash_conv(
        "kuhn_poker", "uniform", method="sampled", samples=600,
        progress=lambda *told: seen.append(told),
    )  # fmt: skip
    assert seen[-1] == ("plays", 1200, 1200)
    nash_conv(
        load_game("liars_dice(numdice=1,dice_sides=4)"), "uniform",
        progress=lambda *told: seen.append(told),
    )  # fmt: skip
    assert seen[-1][0] in ("nodes", "plays")


class Fails(openspiel.Policy):
    def __init__(self, game, answer):
        super().__init__(game, [0, 1])
        self.answer = answer

    def action_probabilities(self, state, player_id=None):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize("method", ["exact", "sampled"])
@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ({0: 0.5}, "sums to 0.5"),
        ({0: 1.5, 1: -0.5}, "not negative"),
        ({0: float("nan"), 1: 1.0}, "finite"),
        ({0: 0.5, 7: 0.5}, r"illegal actions \[7\]"),
        ([0.5, 0.5], "no distribution"),
        ({0: "much", 1: None}, "no distribution"),
        (ZeroDivisionError("mine"), "failed: ZeroDivisionError: mine"),
    ],
)
def test_a_bad_policy_is_refused_by_name(method: Any, answer: object, text: str):
    game = pyspiel.load_game("kuhn_poker")
    with pytest.raises(PolicyError, match=text) as caught:
        nash_conv(game, Fails(game, answer), method=method, samples=100)
    assert "P1" in str(caught.value)
    if isinstance(answer, Exception):
        assert caught.value.__cause__ is answer


def test_refusals():
    with pytest.raises(UnknownGame, match="kuhn_poker"):
        nash_conv("kuhn_pokr", "uniform")
    with pytest.raises(ParameterError, match="auto, exact or sampled"):
        nash_conv("kuhn_poker", "uniform", method="guess")  # type: ignore[arg-type]
    with pytest.raises(TreeTooLarge):
        nash_conv("kuhn_poker", "uniform", method="exact", max_nodes=10)
    for method in ("exact", "sampled"):
        with pytest.raises(UnsupportedGame, match="simultaneous"):
            nash_conv("goofspiel(num_cards=3)", "uniform", method=method)
    profile = Profile.uniform(GameTree.compile(pyspiel.load_game("leduc_poker")))
    with pytest.raises(PolicyError, match="belongs to leduc_poker"):
        nash_conv("kuhn_poker", profile)
    with pytest.raises(PolicyError, match="belongs to leduc_poker"):
        nash_conv(GameTree.compile(pyspiel.load_game("kuhn_poker")), profile)
    with pytest.raises(PolicyError, match="not to chess"):  # no attempt to compile all of it
        nash_conv("chess", profile)


def dilemma(temptation: int) -> ExtensiveGame:
    """A prisoners' dilemma for a temptation above 3; always of the same name and shape."""
    both = {
        "C": decision(1, "2", {"C": leaf(3, 3), "D": leaf(0, temptation)}),
        "D": decision(1, "2", {"C": leaf(temptation, 0), "D": leaf(1, 1)}),
    }
    return ExtensiveGame("dilemma", decision(0, "1", both))


@pytest.mark.parametrize("method", ["exact", "sampled"])
def test_a_profile_of_a_game_with_other_payoffs_is_refused(method: Any):
    mild, strong = dilemma(4), dilemma(9)
    profile = Profile.uniform(GameTree.compile(mild))
    # Uniform against uniform: (3 + 0 + t + 1)/4; defecting gives (t + 1)/2.
    for same in (mild, dilemma(4), GameTree.compile(dilemma(4)), as_openspiel(dilemma(4))):
        assert nash_conv(same, profile).gains == pytest.approx([0.5, 0.5])
    for other in (strong, GameTree.compile(strong), as_openspiel(strong)):
        with pytest.raises(PolicyError, match="another game that is called dilemma, too"):
            nash_conv(other, profile, method=method, samples=100)
    assert nash_conv(strong, profile.to_policy()).gains == pytest.approx([1.75, 1.75])


def test_a_profile_of_the_same_game_through_another_door():
    game = pyspiel.load_game("leduc_poker")
    profile = Profile.uniform(GameTree.compile(game))
    value = nash_conv(game, profile).nash_conv
    for form in ("leduc_poker", "leduc_poker(players=2)", GameTree.compile(game)):
        assert nash_conv(form, profile).nash_conv == value
