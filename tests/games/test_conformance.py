"""The conformance checks: sound games pass, every kind of defect is caught by its name."""

from fractions import Fraction
from typing import Any, ClassVar

import pyspiel
import pytest

from crywolf.games import (
    CHANCE,
    TERMINAL,
    ConformanceReport,
    Rules,
    Step,
    check_game,
)
from crywolf.games.errors import NotConforming, ParameterError, UnknownGame, UnsupportedGame
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf

# ------------------------------------------------------------------------------------ sound games


def test_onuw_conforms(onuw_game: str):
    report = check_game(onuw_game)
    report.raise_if_failed()
    assert report.exhaustive
    assert [check.name for check in report.checks if check.skipped] == ["seat-symmetry"]


@pytest.mark.parametrize(
    ("name", "nodes"),
    # Numbers of chance nodes, decisions and leaves in OpenSpiel's own api_test.
    [("kuhn_poker", 4 + 24 + 30), ("leduc_poker", 157 + 3780 + 5520), ("tiny_hanabi", 3 + 16 + 36)],
)
def test_sound_games_of_openspiel_conform(name: str, nodes: int):
    report = check_game(name)
    report.raise_if_failed()
    assert (report.nodes, report.exhaustive) == (nodes, True)
    assert not report["no-leak"].skipped


@pytest.mark.parametrize("name", ["tic_tac_toe", "liars_dice", "kuhn_poker(players=6)"])
def test_large_games_are_sampled(name: str):
    report = check_game(name, max_nodes=3_000)
    report.raise_if_failed()
    assert not report.exhaustive
    assert report.nodes > 6_000
    assert report["reach-sums-to-one"].skipped
    assert report == check_game(name, max_nodes=3_000)


@pytest.mark.slow
def test_liars_dice_conforms_completely():
    report = check_game("liars_dice", max_nodes=300_000)
    report.raise_if_failed()
    # Numbers of api_test, where they are states; all have one history each.
    assert (report.nodes, report.exhaustive) == (7 + 147_456 + 147_420, True)
    assert report["no-leak"].detail == "the game has no observation strings"


def test_a_limit_of_exactly_the_tree_is_enough():
    assert check_game("kuhn_poker", max_nodes=58).exhaustive
    assert not check_game("kuhn_poker", max_nodes=57).exhaustive


def test_an_explicit_tree_conforms():
    moves = {"L": leaf(1, 2), "R": leaf(0, 0)}
    tree = chance({"a": ("1/3", decision(0, "x", moves)), "b": ("2/3", decision(0, "x", moves))})
    assert check_game(ExtensiveGame("an_explicit_tree", tree)).ok


# ------------------------------------------------------------------- games of OpenSpiel that do not


@pytest.mark.parametrize("name", ["liars_dice_ir", "phantom_ttt_ir", "dark_hex_ir(board_size=2)"])
def test_openspiels_games_of_imperfect_recall_are_caught(name: str):
    report = check_game(name, max_nodes=20_000)
    assert report.failed == ("perfect-recall",)
    first, second = report["perfect-recall"].histories[0]
    assert first != second


def test_dark_hex_forgets_what_it_tells():
    # Its information states hold the number of all moves so far, the opponent's failed ones
    # included, but not the numbers that they held at the player's earlier turns.
    report = check_game("dark_hex(board_size=3)", max_nodes=3_000)
    assert report.failed == ("perfect-recall",)


@pytest.mark.parametrize(
    ("name", "check", "complaint"),
    [
        # A short horizon ends the game sooner than the declared utilities allow for.
        ("cliff_walking(horizon=4)", "payoffs", "[-4.0] are outside [-103.0, -9.0]"),
        # Three players draw three cards, and a fourth is dealt in public.
        ("leduc_poker(players=3)", "lengths", "4 chance moves, declared at most 3"),
    ],
)
def test_wrong_declarations_in_openspiel_are_found(name: str, check: str, complaint: str):
    report = check_game(name, max_nodes=3_000)
    assert report.failed == (check,)
    assert complaint in report[check].detail


# ------------------------------------------------------------------------- games with one defect


class Signal(pyspiel.Game):
    """A sound game that a defect, given by name, makes unsound.

    Chance deals P1 one of two cards; P1 makes two moves, of which P2 sees the first; P2 moves.
    """

    def __init__(self, defect: str = ""):
        kinds = pyspiel.GameType
        self.defect = defect
        zero_sum = defect == "not zero-sum"
        kind = kinds(
            short_name="signal",
            long_name=f"Signal ({defect or 'sound'})",
            dynamics=kinds.Dynamics.SEQUENTIAL,
            chance_mode=(
                kinds.ChanceMode.DETERMINISTIC
                if defect == "undeclared chance"
                else kinds.ChanceMode.EXPLICIT_STOCHASTIC
            ),
            information=kinds.Information.IMPERFECT_INFORMATION,
            utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
            reward_model=kinds.RewardModel.TERMINAL,
            max_num_players=2,
            min_num_players=2,
            provides_information_state_string=defect != "no keys",
            provides_information_state_tensor=False,
            provides_observation_string=defect != "no observations",
            provides_observation_tensor=False,
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=2 if defect == "action number" else 3,
            max_chance_outcomes=1 if defect == "outcome number" else 3,
            num_players=2,
            min_utility=-2.0,
            max_utility=2.0,
            max_game_length=2 if defect == "long play" else 3,
            **({"utility_sum": 0.0} if zero_sum else {}),
        )
        super().__init__(kind, info, {})

    def new_initial_state(self) -> "SignalState":
        return SignalState(self)

    def max_chance_nodes_in_history(self) -> int:
        return 0 if self.defect in ("undeclared chance", "many draws") else 1

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "SignalObserver":
        return SignalObserver(self.defect, bool(iig_obs_type and iig_obs_type.perfect_recall))


class SignalState(pyspiel.State):
    def __init__(self, game: Signal):
        super().__init__(game)
        self.defect = game.defect
        self.past: list[int] = []  # the card, P1's moves, P2's move

    def current_player(self) -> int:
        return [CHANCE, 0, 0, 1, TERMINAL][len(self.past)]

    def is_terminal(self) -> bool:
        return len(self.past) == 4

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return {
            "probabilities": [(0, 0.5), (1, 0.6)],
            "impossible outcome": [(0, 0.5), (1, 0.5), (2, 0.0)],
            "negative probability": [(0, 0.75), (1, 0.75), (2, -0.5)],
            "no outcome": [],
            "twice the same outcome": [(0, 0.5), (0, 0.5)],
        }.get(self.defect, [(0, 0.5), (1, 0.5)])

    def _legal_actions(self, player: int) -> list[int]:
        match self.defect:
            case "unequal actions" if player == 1:
                return [0, 1, 2][: 2 + self.past[0]]
            case "action number" if player == 1:
                return [0, 1, 2]
            case "descending actions" if player == 1:
                return [1, 0]
            case "no actions" if player == 1:
                return []
        return [0, 1]

    def _apply_action(self, action: int) -> None:
        self.past = [*self.past, action]

    def _action_to_string(self, player: int, action: int) -> str:
        return "move" if self.defect == "equal names" else f"move {action}"

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0, 0.0]
        card, first, second, reply = self.past
        match self.defect:
            case "not zero-sum" if (card, first, second, reply) != (1, 1, 1, 1):
                return [1.0, -1.0]
            case "constant sum":
                return [1.0 + reply, 1.0 - reply]
            case "out of bounds" if reply:
                return [3.0, 0.0]
            case "not finite" if reply:
                return [float("nan"), 0.0]
        return [float(card == reply), float(first == second) - 1.0]

    def __str__(self) -> str:
        return str(self.past)


class SignalObserver:
    tensor = None
    dict: ClassVar = {}

    def __init__(self, defect: str, all_past: bool):
        self.defect = defect
        self.all_past = all_past

    def set_from(self, state: SignalState, player: int) -> None:
        pass

    def string_from(self, state: SignalState, player: int) -> str:
        card, own, _, _ = [str(x) for x in state.past] + ["-"] * (4 - len(state.past))
        if player == 0:
            if not self.all_past:
                return f"card {card}"
            if self.defect == "forgetting" and len(state.past) == 2:
                return f"P1 {card}, second move"
            if self.defect == "shared key" and len(state.past) == 1:
                return card
            return "P1 " + ", ".join(map(str, state.past))
        if not self.all_past:
            return f"sees {own}"
        if self.defect == "shared key":
            return own
        leak = f" and {card}" if self.defect == "leaking" else ""
        return f"P2 sees {own}{leak}"


def test_the_game_without_a_defect_conforms():
    report = check_game(Signal())
    report.raise_if_failed()
    assert report.exhaustive
    assert report.nodes == 1 + 2 + 4 + 8 + 16


@pytest.mark.parametrize(
    ("defect", "names"),
    [
        ("forgetting", {"perfect-recall"}),
        ("shared key", {"one-player-per-key"}),
        ("unequal actions", {"equal-legal-actions"}),
        ("leaking", {"no-leak"}),
        ("descending actions", {"legal-actions-ascending"}),
        ("no actions", {"legal-actions-ascending", "reach-sums-to-one"}),
        ("equal names", {"distinct-action-names"}),
        ("action number", {"declared-limits"}),
        ("outcome number", {"declared-limits"}),
        ("undeclared chance", {"declared-limits", "lengths"}),
        ("long play", {"lengths"}),
        ("many draws", {"lengths"}),
        ("probabilities", {"chance", "reach-sums-to-one"}),
        ("impossible outcome", {"chance"}),
        ("negative probability", {"chance"}),
        ("no outcome", {"chance", "reach-sums-to-one"}),
        ("twice the same outcome", {"chance"}),
        ("not zero-sum", {"payoffs"}),
        ("constant sum", {"payoffs"}),
        ("out of bounds", {"payoffs"}),
        ("not finite", {"payoffs"}),
    ],
)
def test_every_defect_is_caught_by_its_name(defect: str, names: set[str]):
    report = check_game(Signal(defect))
    assert set(report.failed) == names
    with pytest.raises(NotConforming) as caught:
        report.raise_if_failed()
    assert all(name in str(caught.value) for name in names)


def test_counter_examples_are_histories_that_show_the_defect():
    forgetting = check_game(Signal("forgetting"))["perfect-recall"]
    for first, second in forgetting.histories:
        assert first[0] == second[0]  # the same card,
        assert first[1] != second[1]  # and another first move, which was forgotten
        assert len(first) == len(second) == 2
    leaking = check_game(Signal("leaking"))["no-leak"]
    for first, second in leaking.histories:
        assert first[1] == second[1]  # P2 saw the same,
        assert first[0] != second[0]  # and its key tells the cards apart
    assert "after move 0, move 0, move 0" in leaking.detail


@pytest.mark.parametrize(
    ("defect", "skipped", "reason"),
    [
        ("no keys", "perfect-recall", "no information-state strings"),
        ("no keys", "no-leak", "no information-state strings"),
        ("no observations", "no-leak", "no observation strings"),
    ],
)
def test_a_check_that_does_not_apply_says_why(defect: str, skipped: str, reason: str):
    report = check_game(Signal(defect))
    assert report.ok
    assert report[skipped].skipped
    assert reason in report[skipped].detail


# ------------------------------------------------------------------------------ defects of rules


class Draw(Rules[tuple[int, ...]]):
    """Chance draws a card for P1, which then moves; a defect, given by name, makes it unsound."""

    name: ClassVar[str] = "test_draw"
    title: ClassVar[str] = "Draw"

    def __init__(self, defect: str = ""):
        self.defect = defect
        self.parameters = {}
        self.num_players = 2
        self.num_distinct_actions = 2
        self.max_chance_outcomes = 3
        self.max_game_length = 1
        self.max_chance_nodes = 1
        self.utility_range = (Fraction(-1, 3), Fraction(1, 3))
        self.utility_sum = Fraction(0)

    def initial(self) -> Step[tuple[int, ...]]:
        return Step((), ((), ()))

    def mover(self, position: tuple[int, ...]) -> int:
        return (CHANCE, 0, TERMINAL)[len(position)]

    def legal_actions(self, position: tuple[int, ...]) -> tuple[int, ...]:
        return (0, 1)

    def chance_outcomes(self, position: tuple[int, ...]) -> tuple[tuple[int, Fraction], ...]:
        last = Fraction(1, 3)
        if self.defect == "almost one":  # invisible in floating point
            last += Fraction(1, 10**30)
        return ((0, Fraction(1, 3)), (1, Fraction(1, 3)), (2, last))

    def play(self, position: tuple[int, ...], action: int) -> Step[tuple[int, ...]]:
        if position:
            return Step((*position, action), ((), ()))
        seen = action if self.defect == "int" else ("card", action)
        return Step((action,), ((seen,), ()))

    def payoffs(self, position: tuple[int, ...]) -> tuple[Fraction, ...]:
        gain = Fraction(1, 3) if position[0] == position[1] else Fraction(-1, 3)
        extra = Fraction(1, 10**30) if self.defect == "almost zero" else 0
        return (gain, -gain + extra)

    def action_name(self, player: int, action: int) -> str:
        return f"card {action}" if player == CHANCE else f"guess {action}"

    def observation_name(self, player: int, observation: Any) -> str:
        return "a card" if self.defect == "words" else str(observation)


@pytest.mark.parametrize(
    ("defect", "names"),
    [
        ("", ()),
        ("words", ("views-have-words",)),
        ("almost one", ("chance", "reach-sums-to-one")),
        ("almost zero", ("payoffs",)),
    ],
)
def test_rules_are_checked_exactly(defect: str, names: tuple[str, ...]):
    assert check_game(Draw(defect)).failed == names


def test_an_observation_that_is_an_int_is_caught():
    class Named(Draw):
        def action_name(self, player: int, action: int) -> str:
            return f"{player} {action}"

    report = check_game(Named("int"))
    assert "observations-are-not-ints" in report.failed
    assert "P1 observes 0" in report["observations-are-not-ints"].detail


# -------------------------------------------------------------------------------------- symmetry


@pytest.mark.parametrize(
    ("game", "symmetries", "ok"),
    [
        # The two Werewolves of the theory game can change seats; neither with the Robber. (The
        # payoffs alone would not show the latter: here the Robber's information sets do.)
        ("onuw_robber3", [(1, 0, 2)], True),
        ("onuw_robber3", [(0, 2, 1)], False),
        ("onuw_robber3", [(1, 2, 0)], False),
        # A shuffled deal treats all seats alike; two Robbers act in seat order, and do not.
        ("onuw(centre=1,roles=2werewolf+seer+robber)", [(1, 0, 2), (1, 2, 0)], True),
        ("onuw(centre=0,roles=2robber+werewolf,deal=fixed)", [(1, 0, 2)], False),
        # The second player of Kuhn poker has the better seat.
        ("kuhn_poker", [(1, 0)], False),
        ("turn_based_simultaneous_game(game=matrix_rps())", [(1, 0)], True),
    ],
)
def test_seat_symmetry(game: str, symmetries: list[tuple[int, ...]], ok: bool):
    check = check_game(game, symmetries=symmetries)["seat-symmetry"]
    assert (check.ok, check.skipped) == (ok, False)


# ------------------------------------------------------------------------------ report and errors


def test_the_report_reads_well():
    report = check_game("onuw_robber3", symmetries=[(1, 0, 2)])
    assert isinstance(report, ConformanceReport)
    assert str(report).splitlines()[0] == "onuw_robber3 conforms (all 46 nodes)"
    assert "ok   perfect-recall             6 information sets" in str(report)
    assert report.game == "onuw_robber3"
    bad = check_game(Signal("leaking"))
    assert "fails no-leak" in str(bad).splitlines()[0]
    assert "FAIL no-leak" in str(bad)
    html = bad._repr_html_()
    assert html.count("<tr>") == len(bad.checks) + 1
    assert "<code>no-leak</code>" in html
    with pytest.raises(ParameterError, match="there are perfect-recall"):
        report["perfection"]


def test_games_outside_the_class_are_refused():
    with pytest.raises(UnsupportedGame, match="convert_to_turn_based"):
        check_game("goofspiel")
    with pytest.raises(UnsupportedGame, match="samples its chance moves"):
        check_game("tarok")
    with pytest.raises(UnknownGame):
        check_game("onuv")
    with pytest.raises(ParameterError, match="not a permutation"):
        check_game("kuhn_poker", symmetries=[(0, 0)])
