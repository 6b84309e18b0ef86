"""Written-out trembles: small numbers put into them give the beliefs, by Bayes' rule itself."""

from fractions import Fraction as F

import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from crywolf.games import textbook
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.games.rules import CHANCE
from crywolf.solvers.pbe import Assessment, verify
from crywolf.solvers.pbe.tremble_sequence import tremble_sequence

from .test_pbe_verify import trembled_games


def trembling(model, sequence, eps):
    """The completely mixed strategies that the sequence describes, at one epsilon."""
    number = model.field.number
    mixes = []
    for h, elements in enumerate(model.strategy):
        row, new = list(map(number, elements)), []
        for a, s in enumerate(row):
            size = sequence.sizes.get((h, a))
            if s != 0:
                new.append(s)
            elif size is None:
                new.append(eps)
            else:
                new.append(number(size.value) * eps ** sequence.orders[h, a])
        tremble = sum(x for x, s in zip(new, row, strict=True) if s == 0)
        mixes.append([x if s == 0 else s * (1 - tremble) for x, s in zip(new, row, strict=True)])
    return mixes


def bayes(model, strategy, h):
    """The belief at a set of completely mixed strategies."""

    def reach(node):
        product = F(1)
        while node > 0:
            above = model.parent[node]
            if model.player[above] == CHANCE:
                product *= model.field.number(model.edge[node])
            else:
                product *= strategy[model.infoset[above]][model.branch[node]]
            node = above
        return product

    reaches = [reach(node) for node in model.nodes[h]]
    return [r / sum(reaches) for r in reaches]


@settings(max_examples=40)
@given(st.data())
def test_small_trembles_give_nearly_the_beliefs(data):
    tree, strategies, beliefs = data.draw(trembled_games())
    verdict = verify(tree, Assessment(strategies, beliefs), "sequential")
    for found in verdict.trembles:
        sequence = tremble_sequence(verdict.model, found)
        roots = any(size.value is None for size in sequence.sizes.values())
        assert sequence.limits == ("undecided" if roots else "proved")
        if roots:
            continue
        for eps in (F(1, 10**6), F(1, 10**9)):
            strategy = trembling(verdict.model, sequence, eps)
            assert all(x > 0 for row in strategy for x in row)
            for h, key in enumerate(tree.keys):
                near = bayes(verdict.model, strategy, h)
                for x, mu in zip(near, beliefs[key], strict=True):
                    assert abs(x - mu) < 10**5 * eps


def test_seltens_horse_by_hand():
    """L of player 1 and of player 2 must tremble like 1 to 2 for the belief (1/3, 2/3)."""
    horse = Assessment(
        {"P1: 1": {"R": 1}, "P2: 2": {"R": 1}, "P3: 3": {"L": 1}}, {"P3: 3": (F(1, 3), F(2, 3))}
    )
    verdict = verify(textbook.selten_horse(), horse, "sequential")
    (found,) = verdict.trembles
    sequence = tremble_sequence(verdict.model, found)
    tree = verdict.model.tree
    assert [tree.keys[h] for h in sequence.unreached] == ["P3: 3"]
    first, second = (tree.infoset_of_key[key] for key in ("P1: 1", "P2: 2"))
    assert sequence.orders[first, 0] == sequence.orders[second, 0]
    assert (sequence.sizes[first, 0].value, sequence.sizes[second, 0].value) == (1, 2)


def crossing() -> ExtensiveGame:
    """Chance picks who may go first and second; two sets see only that both went.

    What reaches ``x`` is a and b, or c and d; what reaches ``y`` is a and c, or b and d.
    """

    def pair(one, two, end):
        (i, who), (j, other) = one, two
        last = decision(4, end, {"ok": leaf(0, 0, 0, 0, 0), "no": leaf(0, 0, 0, 0, 0)})
        second = decision(j, other, {"stay": leaf(0, 0, 0, 0, 0), "go": last})
        return decision(i, who, {"stay": leaf(0, 0, 0, 0, 0), "go": second})

    a, b, c, d = ((i, name) for i, name in enumerate("abcd"))
    ways = {"ab": (a, b, "x"), "cd": (c, d, "x"), "ac": (a, c, "y"), "bd": (b, d, "y")}
    return ExtensiveGame("crossing", chance({k: (F(1, 4), pair(*way)) for k, way in ways.items()}))


def test_sizes_that_are_roots():
    """ab/cd = 1/2 and ac/bd = 1 make (a/d)^2 = 1/2: no rational sizes, but real ones."""
    stay = {f"P{i + 1}: {name}": {"stay": 1} for i, name in enumerate("abcd")}
    assessment = Assessment(
        {**stay, "P5: x": {"ok": 1}, "P5: y": {"ok": 1}},
        {
            "P2: b": {"ab, go": 0, "bd": 1},
            "P3: c": {"cd": 1, "ac, go": 0},
            "P5: x": (F(1, 3), F(2, 3)),
            "P5: y": (F(1, 2), F(1, 2)),
        },
    )
    outside = {"P4: d": (F(1, 2), F(1, 2))}
    verdict = verify(crossing(), assessment, "sequential", fixed_beliefs=outside)
    assert verdict.holds
    (found,) = verdict.trembles
    sequence = tremble_sequence(verdict.model, found)
    tree = verdict.model.tree
    size = {}
    for (h, a), its in sequence.sizes.items():
        factors = [
            (sp.Rational(t.numerator, t.denominator) / sp.Rational(b.numerator, b.denominator))
            ** sp.Rational(c.numerator, c.denominator)
            for t, b, c in its.factors
        ]
        assert tree.action_names(h)[a] == "go"
        size[tree.keys[h][-1]] = sp.prod(factors)
    assert sp.simplify(size["a"] * size["b"] / (size["c"] * size["d"])) == sp.Rational(1, 2)
    assert sp.simplify(size["a"] * size["c"] / (size["b"] * size["d"])) == 1
    text = verdict.document("markdown")
    assert "were proved to agree" in text
    assert r"^{1/2}" in text or r"^{-1/2}" in text
