"""Verification against second methods, and what it says when it fails."""

import itertools
from fractions import Fraction as F

import pytest
import sympy as sp
from hypothesis import assume, given
from hypothesis import strategies as st

from crywolf.games import textbook
from crywolf.games.errors import AssessmentError, InexactError, Undecided, UnknownConcept
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.games.rules import CHANCE
from crywolf.solvers.exact import evaluate_exact, exact_profile
from crywolf.solvers.pbe import Assessment, verify
from crywolf.solvers.pbe.conditions import single_deviations
from crywolf.solvers.tree import GameTree

# ------------------------------------------------------------------------------ random small games


@st.composite
def staged_games(draw):
    """Three or four moves in a row, each seeing a part of the moves before it (perfect recall)."""
    stages = draw(st.integers(3, 4))
    movers = [draw(st.sampled_from([CHANCE, 0, 1])) for _ in range(stages)]
    assume(0 in movers or 1 in movers)
    seen: list[set[int]] = []
    for t, mover in enumerate(movers):
        mine = {s for s in range(t) if movers[s] == mover}
        known = {s for s in range(t) if draw(st.booleans())} | mine
        for s in mine:
            known |= seen[s]
        seen.append(known)

    def build(history):
        t = len(history)
        if t == stages:
            return leaf(draw(st.integers(-2, 2)), draw(st.integers(-2, 2)))
        children = {f"{t}{x}": build((*history, x)) for x in "ab"}
        if movers[t] == CHANCE:
            x = draw(st.integers(1, 3))
            weights = (F(x, 4), F(4 - x, 4))
            return chance({k: (w, c) for w, (k, c) in zip(weights, children.items(), strict=True)})
        label = f"{t}:" + "".join(history[s] for s in sorted(seen[t]))
        return decision(movers[t], label, children)

    return ExtensiveGame("staged", build(()))


def mixes(tree):
    """Strategies with many zeros, so that sets are often off the path."""
    ends = st.sampled_from([F(0), F(0), F(1, 2), F(1), F(1)])
    return st.lists(ends, min_size=tree.num_infosets, max_size=tree.num_infosets)


def as_strategies(tree, numbers):
    return {
        key: dict(zip(tree.action_names(h), (x, 1 - x), strict=True))
        for (h, key), x in zip(enumerate(tree.keys), numbers, strict=True)
    }


@given(st.data())
def test_nash_agrees_with_nash_conv(data):
    tree = GameTree.compile(data.draw(staged_games()))
    strategies = as_strategies(tree, data.draw(mixes(tree)))
    found = evaluate_exact(tree, exact_profile(tree, strategies))
    verdict = verify(tree, Assessment(strategies), "nash")
    assert verdict.holds == (found.nash_conv == 0)
    assert verdict.values == tuple(found.values)
    gains = {p: F(0) for p in range(2)}
    for violation in verdict.violations:
        gains[violation.player] += violation.amount
    assert tuple(gains.values()) == tuple(found.gains)


def tremble_beliefs(tree, strategies, orders, sizes):
    """Limit beliefs of sigma + size * eps ** order, from leading terms."""
    numbers = {}
    for h, key in enumerate(tree.keys):
        for a, name in enumerate(tree.action_names(h)):
            x = strategies[key][name]
            numbers[h, a] = (0, x) if x else (orders[h, a], sizes[h, a])
    beliefs = {}
    for h, key in enumerate(tree.keys):
        terms = []
        for node in tree.nodes_of(h):
            order, size = 0, F(1)
            while node > 0:
                above = int(tree.parent[node])
                if tree.player[above] == CHANCE:
                    size *= tree.probabilities[tree.probability[node]]
                else:
                    k, x = numbers[int(tree.node_infoset[above]), int(tree.branch[node])]
                    order, size = order + k, size * x
                node = above
            terms.append((order, size))
        low = min(order for order, _ in terms)
        total = sum(size for order, size in terms if order == low)
        beliefs[key] = tuple(size / total if order == low else F(0) for order, size in terms)
    return beliefs


@st.composite
def trembled_games(draw):
    """A staged game, strategies, and beliefs that some trembles make."""
    tree = GameTree.compile(draw(staged_games()))
    strategies = as_strategies(tree, draw(mixes(tree)))
    actions = [(h, a) for h in range(tree.num_infosets) for a in range(2)]
    orders = {key: draw(st.integers(1, 3)) for key in actions}
    sizes = {key: F(draw(st.integers(1, 4))) for key in actions}
    beliefs = tremble_beliefs(tree, strategies, orders, sizes)
    return tree, strategies, beliefs


@given(st.data())
def test_beliefs_made_by_trembles_are_consistent(data):
    tree, strategies, beliefs = data.draw(trembled_games())
    verdict = verify(tree, Assessment(strategies, beliefs), "sequential")
    assert {v.kind for v in verdict.violations} <= {"rationality"}
    # consistent beliefs are updated by Bayes' rule, and then single moves decide about plans
    pbe = verify(tree, Assessment(strategies, beliefs), "pbe")
    assert {v.kind for v in pbe.violations} <= {"rationality", "plan"}
    assert pbe.holds == verdict.holds


@given(st.data())
def test_weak_pbe_agrees_with_brute_force(data):
    tree = GameTree.compile(data.draw(staged_games()))
    strategies = as_strategies(tree, data.draw(mixes(tree)))
    beliefs = {}
    for h, key in enumerate(tree.keys):
        weights = [F(data.draw(st.integers(0, 2))) for _ in tree.nodes_of(h)]
        total = sum(weights)
        beliefs[key] = tuple(w / total if total else F(1, len(weights)) for w in weights)
    candidate = Assessment(strategies, beliefs)
    assert verify(tree, candidate, "weak-pbe").holds == weak_pbe_by_hand(tree, strategies, beliefs)


def weak_pbe_by_hand(tree, strategies, beliefs):
    """The definition, word by word: every pure plan at every set; Bayes' rule where reached."""
    children = {n: [] for n in range(tree.num_nodes)}
    for node in range(1, tree.num_nodes):
        children[int(tree.parent[node])].append(node)

    def probability(node, plan=None):
        above = int(tree.parent[node])
        if tree.player[above] == CHANCE:
            return tree.probabilities[tree.probability[node]]
        h, a = int(tree.node_infoset[above]), int(tree.branch[node])
        if plan and h in plan:
            return F(plan[h] == a)
        return strategies[tree.keys[h]][tree.action_names(h)[a]]

    def value(node, player, plan=None):
        if not children[node]:
            return tree.payoffs[tree.payoff[node]][player]
        return sum(probability(c, plan) * value(c, player, plan) for c in children[node])

    def reach(node):
        return F(1) if node == 0 else probability(node) * reach(int(tree.parent[node]))

    for h, key in enumerate(tree.keys):
        nodes, player = tree.nodes_of(h), int(tree.owner[h])
        total = sum(map(reach, nodes))
        if total and any(mu * total != reach(n) for mu, n in zip(beliefs[key], nodes, strict=True)):
            return False
        own = [k for k in range(tree.num_infosets) if tree.owner[k] == player]
        now = sum(mu * value(n, player) for mu, n in zip(beliefs[key], nodes, strict=True))
        for choice in itertools.product(range(2), repeat=len(own)):
            plan = dict(zip(own, choice, strict=True))
            if (
                sum(mu * value(n, player, plan) for mu, n in zip(beliefs[key], nodes, strict=True))
                > now
            ):
                return False
    return True


def random_belief(data, nodes):
    weights = [F(data.draw(st.integers(0, 2))) for _ in nodes]
    total = sum(weights)
    return tuple(w / total if total else F(1, len(weights)) for w in weights)


@given(st.data())
def test_concepts_are_nested_also_with_beliefs_from_outside(data):
    """A sequential equilibrium is a pbe, that a weak one; without outside beliefs, all are Nash."""
    tree = GameTree.compile(data.draw(staged_games()))
    strategies = as_strategies(tree, data.draw(mixes(tree)))
    beliefs = {key: random_belief(data, tree.nodes_of(h)) for h, key in enumerate(tree.keys)}
    fixed = {key: beliefs.pop(key) for key in tree.keys if data.draw(st.booleans())}
    candidate = Assessment(strategies, beliefs)
    holds = [
        verify(tree, candidate, concept, fixed_beliefs=fixed).holds
        for concept in ("sequential", "pbe", "weak-pbe")
    ]
    assert holds == sorted(holds)
    if not fixed and holds[-1]:
        assert verify(tree, candidate, "nash").holds


@given(st.data())
def test_symbolic_verdicts_agree_with_numbers(data):
    """Where a family holds every member does; where it fails, the point shown fails."""
    tree = GameTree.compile(data.draw(staged_games()))
    x = sp.Symbol("x")
    forms = [F(0), F(1), F(1, 2), x, 1 - x, x**2, x / (1 + x)]
    numbers = [data.draw(st.sampled_from(forms)) for _ in range(tree.num_infosets)]
    low, high = data.draw(st.sampled_from([(F(0), F(1)), (F(0), F(1, 2)), (F(1, 3), F(1, 3))]))
    strategies = as_strategies(tree, numbers)
    family = Assessment(strategies, {}, [x >= low, x <= high])
    verdict = verify(tree, family, "nash")

    def member(value):
        return {
            key: {
                name: F(str(sp.sympify(q).subs(x, sp.Rational(str(value)))))
                for name, q in mix.items()
            }
            for key, mix in strategies.items()
        }

    samples = [low, high, (low + high) / 2, low + (high - low) / 7]
    if verdict.holds:
        for value in samples:
            assert verify(tree, Assessment(member(value)), "nash").holds
    for violation in verdict.violations:
        value = violation.at.get(x, low)
        if isinstance(value, F):
            assert low <= value <= high
            assert not verify(tree, Assessment(member(value)), "nash").holds


# ------------------------------------------------------------------------------------ the details


def test_whole_plans_are_tested_where_single_moves_prove_nothing():
    game = textbook.disagreeing_beliefs()
    candidate = Assessment(
        {"P2: 2": {"out": 1}, "P1: first": {"stop": 1}, "P1: second": {"r": 1}},
        {"P1: first": (1, 0), "P1: second": (0, 1)},
    )
    verdict = verify(game, candidate, "weak-pbe")
    assert all(
        verdict.model.prover.always(c.element, c.sense).answer == "proved"
        for c in single_deviations(verdict.model)
    )
    (violation,) = verdict.violations
    assert violation.kind == "plan"
    assert violation.deviation == {"P1: first": "go", "P1: second": "l"}
    assert violation.amount == 2
    assert "P1 gains 2" in violation.text


def test_updating_consistency_separates_pbe_from_weak_pbe():
    """P1 moves twice off the path, surely goes on, and changes its mind about P2 in between."""
    again = lambda x: decision(0, "second", {"l": leaf(x, 0), "r": leaf(x, 0)})  # noqa: E731
    first = lambda x: decision(0, "first", {"stop": leaf(0, 0), "go": again(x)})  # noqa: E731
    game = ExtensiveGame(
        "change_of_mind", decision(1, "2", {"out": leaf(0, 1), "a": first(1), "b": first(1)})
    )
    candidate = Assessment(
        {"P2: 2": {"out": 1}, "P1: first": {"go": 1}, "P1: second": {"l": 1}},
        {"P1: first": (1, 0), "P1: second": (0, 1)},
    )
    assert verify(game, candidate, "weak-pbe").holds
    verdict = verify(game, candidate, "pbe")
    assert {v.kind for v in verdict.violations} == {"updating"}
    assert verdict.violations[0].information_set == "P1: second"
    assert verify(game, candidate.replace_belief("P1: second", (1, 0)), "pbe").holds


def test_updating_is_not_asked_after_an_own_move_of_probability_0():
    """P1 stops for sure, so its beliefs at the set that it gives up may be anything."""
    again = lambda: decision(0, "second", {"l": leaf(0, 0), "r": leaf(0, 0)})  # noqa: E731
    first = lambda: decision(0, "first", {"stop": leaf(1, 0), "go": again()})  # noqa: E731
    game = ExtensiveGame(
        "given_up", decision(1, "2", {"out": leaf(0, 1), "a": first(), "b": first()})
    )
    beliefs = {"P1: first": (1, 0), "P1: second": (0, 1)}
    stops = Assessment(
        {"P2: 2": {"out": 1}, "P1: first": {"stop": 1}, "P1: second": {"l": 1}}, beliefs
    )
    assert verify(game, stops, "pbe").holds
    mixes_ = stops.replace_strategy("P1: first", {"stop": F(1, 2), "go": F(1, 2)})
    kinds = {v.kind for v in verify(game, mixes_, "pbe").violations}
    assert "updating" in kinds


def two_moves(payoff):
    """P2 picks a or b unseen; P1 goes on or not; P2 picks again; P1 moves."""
    last = lambda x: decision(0, "second", {"l": leaf(x, 0), "r": leaf(0, 0)})  # noqa: E731
    middle = lambda x, y: decision(1, f"again {x}", {"u": last(x), "d": last(y)})  # noqa: E731
    first = lambda x, y: decision(0, "first", {"stop": leaf(0, 0), "go": middle(x, y)})  # noqa: E731
    return ExtensiveGame("two_moves", decision(1, "2", {"a": first(payoff, 0), "b": first(-3, 0)}))


def test_a_belief_over_early_histories_is_carried_on_by_the_others_moves():
    """P1's own mixing in between does not weigh; P2's does (with 1/3 and 1 up)."""
    strategies = {
        "P2: 2": {"a": F(1, 2), "b": F(1, 2)},
        "P1: first": {"stop": F(3, 4), "go": F(1, 4)},
        "P2: again 3": {"u": F(1, 3), "d": F(2, 3)},
        "P2: again -3": {"u": 1},
        "P1: second": {"r": 1},
    }
    coarse = verify(two_moves(3), Assessment(strategies, {"P1: second": {"a, go": F(1, 4), "b, go": F(3, 4)}}),
                    "weak-pbe")  # fmt: skip
    h = coarse.model.tree.infoset_of_key["P1: second"]
    assert coarse.model.beliefs[h] == [F(1, 12), F(1, 6), F(3, 4), 0]
    early = Assessment(strategies, {"P1: second": {"a": F(1, 4), "b": F(3, 4)}})
    assert verify(two_moves(3), early, "weak-pbe").model.beliefs[h] == coarse.model.beliefs[h]


def test_bayes_rule_starts_anew_from_a_belief_from_outside():
    """P1 is told at its first set that a was played; its second set follows from that."""
    strategies = {
        "P2: 2": {"b": 1},
        "P1: first": {"go": 1},
        "P2: again 3": {"u": F(1, 3), "d": F(2, 3)},
        "P2: again -3": {"u": 1},
        "P1: second": {"l": 1},
    }
    fixed = {"P1: first": (1, 0)}
    for concept in ("weak-pbe", "pbe", "sequential"):
        verdict = verify(two_moves(3), Assessment(strategies), concept, fixed_beliefs=fixed)
        h = verdict.model.tree.infoset_of_key["P1: second"]
        assert verdict.model.beliefs[h] == [F(1, 3), F(2, 3), 0, 0]
        told = Assessment(strategies, {"P1: second": (F(1, 3), F(2, 3), 0, 0)})
        other = Assessment(strategies, {"P1: second": (0, 0, 1, 0)})
        mine = verify(two_moves(3), told, concept, fixed_beliefs=fixed)
        assert {v.player for v in mine.violations} <= {1}
        assert mine.violations == verdict.violations
        wrong = verify(two_moves(3), other, concept, fixed_beliefs=fixed)
        assert "bayes" in {v.kind for v in wrong.violations}


def test_an_assumption_may_divide_by_either_sign():
    """1/x >= 1 means 0 < x <= 1."""
    x = sp.Symbol("x")
    game = ExtensiveGame("idle", decision(0, "1", {"a": leaf(0), "b": leaf(0)}))
    family = Assessment({"P1: 1": {"a": x, "b": 1 - x}}, {}, [1 / x >= 1])
    assert verify(game, family, "nash").holds
    verdict = verify(game, Assessment(family.strategies, {}, [1 / x <= 1]), "nash")
    assert not verdict.holds
    assert all(v.at[x] < 0 or v.at[x] > 1 for v in verdict.violations)


def test_what_symbols_declare_counts():
    m = sp.Symbol("m", nonnegative=True)
    strategies = {"P1: 1": {"R": 1}, "P2: 2": {"R": 1}, "P3: 3": {"L": 1}}
    family = Assessment(strategies, {"P3: 3": (m, 1 - m)}, [m <= F(1, 3)])
    assert verify(textbook.selten_horse(), family, "sequential").holds
    p = sp.Symbol("p", positive=True)
    pooling = Assessment(
        {
            "P1: weak": {"beer": 1},
            "P1: strong": {"beer": 1},
            "P2: beer": {"retreat": 1},
            "P2: quiche": {"fight": 1},
        },
        {"P2: quiche": (1, 0)},
        [p < F(1, 2)],
    )
    assert verify(textbook.beer_quiche(p), pooling, "sequential").holds
    with pytest.raises(AssessmentError, match="two symbols named 'p'"):
        verify(textbook.beer_quiche(sp.Symbol("p")), pooling, "sequential")
    n = sp.Symbol("n", integer=True)
    with pytest.raises(AssessmentError, match="integer"):
        verify(textbook.selten_horse(), Assessment(strategies, {"P3: 3": (n, 1 - n)}), "pbe")


def test_strings_are_numbers_and_never_run():
    strategies = {"P1: 1": {"R": "3/4", "L": "0.25"}, "P2: 2": {"R": 1}, "P3: 3": {"L": 1}}
    assert verify(textbook.selten_horse(), Assessment(strategies), "nash").values[0] == F(3, 4)
    for text in ("__import__('os').abort()", "q"):
        evil = {**strategies, "P1: 1": {"R": text}}
        with pytest.raises(InexactError, match="is not a number"):
            verify(textbook.selten_horse(), Assessment(evil), "nash")


def test_sequential_needs_no_patterns_where_no_belief_depends_on_them():
    """Twelve free probabilities in a game of perfect information: 3**12 patterns, none looked at."""
    xs = sp.symbols("x:12", real=True)

    def chain(k):
        return (
            leaf(0, 0)
            if k == 12
            else decision(k % 2, f"s{k}", {"a": chain(k + 1), "b": leaf(0, 0)})
        )

    strategies = {f"P{k % 2 + 1}: s{k}": {"a": x, "b": 1 - x} for k, x in enumerate(xs)}
    unit = [x >= 0 for x in xs] + [x <= 1 for x in xs]
    verdict = verify(
        ExtensiveGame("chain", chain(0)), Assessment(strategies, {}, unit), "sequential"
    )
    assert verdict.holds
    assert verdict.trembles == ()


def test_symbolic_failure_shows_where():
    m = sp.Symbol("m")
    game = textbook.selten_horse()
    strategies = {"P1: 1": {"R": 1}, "P2: 2": {"R": 1}, "P3: 3": {"L": 1}}
    verdict = verify(
        game, Assessment(strategies, {"P3: 3": (m, 1 - m)}, [m >= 0, m <= F(1, 2)]), "pbe"
    )
    (violation,) = verdict.violations
    assert violation.kind == "rationality"
    assert violation.information_set == "P3: 3"
    assert violation.deviation == {"P3: 3": "R"}
    assert F(1, 3) < violation.at[m] <= F(1, 2)
    assert violation.amount == 2 * violation.at[m] - (1 - violation.at[m])


def test_roots_are_exact():
    """P1 mixes with probability sqrt(2)/2 where only that makes P2's payoffs equal."""
    root = sp.sqrt(2) / 2
    second = lambda x, y: decision(1, "2", {"l": leaf(0, x), "r": leaf(0, y)})  # noqa: E731
    game = ExtensiveGame(
        "root", decision(0, "1", {"a": second(1, 0), "b": second(0, root / (1 - root))})
    )
    strategies = {
        "P1: 1": {"a": root, "b": 1 - root},
        "P2: 2": {"l": F(1, 2), "r": F(1, 2)},
    }
    assert verify(game, Assessment(strategies), "pbe").holds
    off = {**strategies, "P1: 1": {"a": F(7071, 10000), "b": F(2929, 10000)}}
    verdict = verify(game, Assessment(off), "pbe")
    assert [v.kind for v in verdict.violations] == ["rationality"]


def test_improper_probabilities_are_violations():
    game = textbook.entry()
    verdict = verify(
        game,
        Assessment(
            {"P1: entrant": {"In": 2, "Out": -1}, "P2: incumbent": {"Accommodate": F(1, 2)}}
        ),
        "nash",
    )
    texts = [v.text for v in verdict.violations if v.kind == "strategy"]
    assert len(texts) == 2
    assert "negative" in texts[0]
    assert "adds up to 1 + (-1/2)" in texts[1]


def test_division_by_zero_on_the_domain_is_a_violation():
    p = sp.Symbol("p")
    game = textbook.beer_quiche(p)
    candidate = Assessment(
        {
            "P1: weak": {"beer": p / (2 * p - 1), "quiche": (p - 1) / (2 * p - 1)},
            "P1: strong": {"beer": 1},
            "P2: beer": {"retreat": 1},
            "P2: quiche": {"fight": 1},
        },
        {"P2: beer": (p, 1 - p), "P2: quiche": (1, 0)},
    )
    verdict = verify(game, candidate, "pbe")
    assert verdict.violations[0].at[p] == F(1, 2)
    assert "divides by 0" in verdict.violations[0].text


def test_coarse_beliefs_and_histories_by_name_say_the_same():
    game = textbook.selten_horse()
    strategies = {"P1: 1": {"R": 1}, "P2: 2": {"R": 1}, "P3: 3": {"L": 1}}
    by_order = Assessment(strategies, {"P3: 3": (F(1, 4), F(3, 4))})
    by_name = Assessment(strategies, {"P3: 3": {"L": F(1, 4), "R, L": F(3, 4)}})
    one, two = (verify(game, a, "sequential") for a in (by_order, by_name))
    assert one.holds
    assert two.holds
    assert one.set_values == two.set_values


HORSE = {"P1: 1": {"R": 1}, "P2: 2": {"R": 1}, "P3: 3": {"L": 1}}


@pytest.mark.parametrize(
    ("candidate", "concept", "error", "cure"),
    [
        (Assessment({"P1: 1": {"R": 1}}), "pbe", AssessmentError, "no strategy at"),
        (Assessment({**HORSE, "P1: one": {"R": 1}}), "pbe", AssessmentError, "did you mean"),
        (Assessment({**HORSE, "P1: 1": {"up": 1}}), "pbe", AssessmentError, "it has"),
        (Assessment({**HORSE, "P1: 1": {"R": 0.5, "L": 0.5}}), "pbe", InexactError, "Fraction"),
        (Assessment(HORSE), "pbe", AssessmentError, "state one"),
        (Assessment(HORSE, {"P3: 3": (1, 0, 0)}), "pbe", AssessmentError, "3 entries"),
        (Assessment(HORSE, {"P3: 3": {"nowhere": 1}}), "pbe", AssessmentError, "names histories"),
        (Assessment(HORSE, {"P3: 3": (0, 0)}), "pbe", AssessmentError, "no weight"),
        (
            Assessment(HORSE, {"P3: 3": (1, 0)}, [sp.Symbol("m") > 1, sp.Symbol("m") < 0]),
            "pbe",
            AssessmentError,
            "contradict",
        ),
        (Assessment(HORSE, {"P3: 3": (1, 0)}), "perfect", UnknownConcept, "weak-pbe"),
    ],
)
def test_errors_name_the_cure(candidate, concept, error, cure):
    with pytest.raises(error, match=cure):
        verify(textbook.selten_horse(), candidate, concept)


def test_symbols_of_the_game_need_assumptions():
    """A chance probability that may be 0 or negative is refused, not reasoned about."""
    p = sp.Symbol("p")
    game = ExtensiveGame("coin", chance({"h": (p, leaf(1)), "t": (1 - p, leaf(0))}))
    with pytest.raises(AssessmentError, match="not positive everywhere"):
        verify(game, Assessment({}), "nash")
    assert verify(game, Assessment({}, {}, [p > 0, p < 1]), "nash").values == (p,)
    idle = ExtensiveGame("idle", decision(0, "1", {"a": leaf(1 / p), "b": leaf(0)}))
    with pytest.raises(AssessmentError, match="divide by 0"):
        verify(idle, Assessment({"P1: 1": {"a": 1}}), "nash")
    assert verify(idle, Assessment({"P1: 1": {"a": 1}}, {}, [p > 0]), "nash").holds


def test_an_undecided_condition_is_never_called_proved():
    w, x, y, z = sp.symbols("w x y z")
    # never negative, by the inequality of arithmetic and geometric means; hard for any solver
    hard = w**8 + x**8 + y**8 + z**8 - 4 * w**2 * x**2 * y**2 * z**2
    game = ExtensiveGame("idle", decision(0, "1", {"a": leaf(0), "b": leaf(0)}))
    candidate = Assessment({"P1: 1": {"a": hard / (1 + hard), "b": 1 / (1 + hard)}})
    verdict = verify(game, candidate, "nash", time_limit=0.02)
    assert verdict.status == "undecided"
    assert verdict.undecided
    with pytest.raises(Undecided, match="time_limit"):
        _ = verdict.holds
