"""Written proofs: what they say is right, checked by hand, and what they are made of is valid."""

import re
import shutil
import subprocess
from fractions import Fraction as F
from typing import Any, cast

import pytest
import sympy as sp

from crywolf.games import textbook
from crywolf.games.errors import OutputError, ParameterError
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.solvers.pbe import Assessment, verify
from crywolf.solvers.pbe.conditions import CONCEPTS
from crywolf.solvers.pbe.letters import lettered
from crywolf.solvers.pbe.markup import Display, Item, Math, Paragraph, Table, render
from crywolf.solvers.pbe.set_names import set_names
from crywolf.solvers.pbe.shares import shares

from .conftest import compiled
from .latex_check import problems

m, p, r, t = sp.symbols("m p r t", real=True)
HALF = F(1, 2)

HORSE = Assessment(
    {"P1: 1": {"R": 1}, "P2: 2": {"R": 1}, "P3: 3": {"R": r, "L": 1 - r}},
    {"P3: 3": (F(1, 3), F(2, 3))},
    [r >= 0, r <= F(1, 4)],
)
BEER = Assessment(
    {
        "P1: weak": {"beer": 1},
        "P1: strong": {"beer": 1},
        "P2: beer": {"retreat": 1},
        "P2: quiche": {"fight": 1},
    },
    {"P2: quiche": (m, 1 - m)},
    [m >= HALF, m <= 1],
)
SEMI_SEPARATING = Assessment(
    {
        "P1: weak": {"beer": (1 - p) / p, "quiche": 1 - (1 - p) / p},
        "P1: strong": {"beer": 1},
        "P2: beer": {"fight": HALF, "retreat": HALF},
        "P2: quiche": {"fight": 1},
    },
    {},
    [p > HALF, p < 1],
)


def horse(concept="sequential", assessment=HORSE):
    return verify(textbook.selten_horse(), assessment, concept)


def part(text, start, end):
    return text.split(start)[1].split(end)[0].strip()


HORSE_REPLIES = r"""
### P1

$$
\begin{aligned}
u(\text{L}) &= r \cdot 3 = 3 r \\
u(\text{R}) &= 1 \\
u(\text{R}) - u(\text{L}) &= 1 - 3 r > 0 \quad \text{since } r \le \frac{1}{4}
\end{aligned}
$$

### P2

$$
\begin{aligned}
u(\text{L}) &= r \cdot 4 = 4 r \\
u(\text{R}) &= 1 \\
u(\text{R}) - u(\text{L}) &= 1 - 4 r \ge 0 \quad \text{since } r \le \frac{1}{4}
\end{aligned}
$$

### P3

Off the path: Bayes' rule does not bind the belief here.

$$
\begin{aligned}
u(\text{L}) &= \frac{1}{3} \cdot 0 + \frac{2}{3} \cdot 1 = \frac{2}{3} \\
u(\text{R}) &= \frac{1}{3} \cdot 2 + \frac{2}{3} \cdot 0 = \frac{2}{3}
\end{aligned}
$$

P3 is indifferent between L and R.
"""
HORSE_TREMBLES = r"""
| Set | Action | Probability |
| --- | --- | --- |
| P1 | L | $\varepsilon$ |
| P2 | L | $2 \, \varepsilon$ |

Leading terms of the probabilities, and the limits of the beliefs:

$$
\begin{aligned}
\Pr(\text{L}) &\sim \varepsilon, & \mu(\text{L}) &\to \frac{1}{3} \\
\Pr(\text{R, L}) &\sim 2 \, \varepsilon, & \mu(\text{R, L}) &\to \frac{2}{3}
\end{aligned}
$$
"""


def test_seltens_horse_by_hand():
    """Against L, player 1 gets 3 and player 2 gets 4, each with r; player 3 2/3 either way."""
    text = horse().document("markdown")
    assert part(text, "## Beliefs and best replies", "## Cons") == HORSE_REPLIES.strip()
    assert part(text, "in proportion.", "## Conclusion") == HORSE_TREMBLES.strip()
    assert text.endswith(
        "All 16 conditions are proved: the assessment is a sequential equilibrium for all values "
        "that the assumptions allow.\n"
    )
    assert "z3" not in text


def test_bayes_rule_with_symbols():
    """Weak types are p of all and drink beer with (1 - p)/p, so beer has 2 (1 - p), half weak."""
    text = verify(textbook.beer_quiche(p), SEMI_SEPARATING, "pbe").markdown("proof")
    whole = r"2 \left(1 - p\right)"
    assert rf"\Pr(\text{{P2: beer}}) &= 1 - p + 1 - p = {whole} \\" in text
    top = r"p \cdot \frac{1 - p}{p}"
    assert rf"\mu(\text{{weak, beer}}) &= \frac{{{top}}}{{{whole}}} = \frac{{1}}{{2}} \\" in text
    assert "P1 is indifferent between beer and quiche." in text


def test_cases_of_the_domain():
    """At belief 1 the strong type trembles less; else the sizes are as 1 to (1 - m)/(9 m)."""
    text = verify(textbook.beer_quiche(), BEER, "sequential").document("markdown")
    certain, inside = text.split("### Where $m = 1$")[1].split("### Elsewhere")
    assert r"| P1: strong | quiche | $\varepsilon^{2}$ |" in certain
    assert r"\mu(\text{strong, quiche}) &\to 0" in certain
    assert r"| P1: strong | quiche | $\frac{1 - m}{9 m} \, \varepsilon$ |" in inside
    assert r"\Pr(\text{strong, quiche}) &\sim \frac{1 - m}{10 m} \, \varepsilon" in inside


def test_sets_that_are_reached_need_no_trembles():
    text = verify(textbook.beer_quiche(p), SEMI_SEPARATING, "sequential").document("markdown")
    assert "P2: beer and P2: quiche, are reached with positive probability" in text
    assert "varepsilon" not in text


def test_a_failure_is_told_with_its_point():
    wrong = Assessment(HORSE.strategies, HORSE.beliefs, [r >= 0, r <= 1])
    text = horse("pbe", wrong).document("markdown")
    assert "It is not true that the assessment below is a perfect Bayesian equilibrium" in text
    assert re.search(
        r"u\(\\text\{R\}\) - u\(\\text\{L\}\) &= 1 - 3 r .*\\text\{fails at \}r = ", text
    )
    assert "So the assessment is not a perfect Bayesian equilibrium." in text
    assert "is a perfect Bayesian equilibrium for all" not in text


def test_a_wrong_belief_on_the_path():
    wrong = BEER.replace_belief("P2: beer", (HALF, HALF))
    text = verify(textbook.beer_quiche(), wrong, "weak-pbe").document("markdown")
    assert r"\mu(\text{weak, beer}) &= \frac{1/10}{1} = \frac{1}{10}" in text  # what it should be
    assert text.count("- Bayes' rule: P2's belief on 'weak, beer' at 'P2: beer' is its share") == 1
    assert r"The difference is $\frac{2}{5} > 0$ (fails)" in text


def test_beliefs_without_trembles_are_not_explained():
    """Player 2 plays L, so no trembles make player 3 believe in R (Gibbons, Fig. 4.1.3)."""
    strategies = {"P1: 1": {"A": 1}, "P2: 2": {"L": 1}, "P3: 3": {"L'": 1}}
    beliefs = {"P3: 3": (F(1, 4), F(3, 4))}
    verdict = verify(textbook.gibbons_4_1_3(), Assessment(strategies, beliefs), "sequential")
    text = verdict.document("markdown")
    assert r"\to" not in text
    assert "no trembles make exactly the believed histories at 'P3: 3' the likeliest ones" in text


def test_whole_plans_are_told():
    """Myerson's example: either move alone is right, both together gain 2."""
    game = textbook.disagreeing_beliefs()
    strategies = {"P1: first": {"stop": 1}, "P1: second": {"r": 1}, "P2: 2": {"out": 1}}
    beliefs = {"P1: first": (1, 0), "P1: second": (0, 1)}
    text = verify(game, Assessment(strategies, beliefs), "weak-pbe").document("markdown")
    assert "the strategy itself earns $1$" in text
    assert "| go; l at P1: second | $3$ | $-2 < 0$ (fails) |" in text


def test_nash_has_plans_and_no_beliefs():
    text = horse("nash").document("markdown")
    assert "Belief" not in text
    assert "| L | $3 r$ | $1 - 3 r > 0$ since $r \\le \\frac{1}{4}$ |" in text


def test_z3_is_named_only_where_it_is_needed():
    """If x + y = 1 then x^4 + y^4 >= 1/8 > 1/16, but that is no sum of these assumptions."""
    x, y = sp.symbols("x y", real=True)
    game = ExtensiveGame(
        "squares", decision(0, "a", {"in": leaf(x**4 + y**4), "out": leaf(HALF / 8)})
    )
    facts = [sp.Eq(x + y, 1), x * y <= F(1, 4), x >= 0, y >= 0]
    text = verify(game, Assessment({"P1: a": {"in": 1}}, {}, facts), "nash").document("markdown")
    assert "(z3)" in text
    assert "quantifier-free nonlinear real arithmetic" in text


def test_fixed_beliefs_are_told():
    outside = Assessment(HORSE.strategies, {}, HORSE.assumptions)
    verdict = verify(
        textbook.selten_horse(), outside, "sequential",
        fixed_beliefs={"P3: 3": (F(1, 3), F(2, 3))},
    )  # fmt: skip
    text = verdict.document("markdown")
    assert "The beliefs at P3 are given from outside" in text
    assert "There is no other set with more than one history" in text
    assert "varepsilon" not in text


# ------------------------------------------------------------------------------- letters and names


def test_letters_stand_for_what_they_say(robber3):
    q = (1 - 2 * t) / (2 * t)
    werewolf = "dealt Werewolf; Werewolves P1 P2"
    strategies = {
        "P3: dealt Robber": {"NS": t, "S1": (1 - t) / 2, "S2": (1 - t) / 2},
        "P3: dealt Robber; NS": {"vote P1": HALF, "vote P2": HALF},
        "P3: dealt Robber; S1; now Werewolf": {"vote P1": 1},
        "P3: dealt Robber; S2; now Werewolf": {"vote P2": 1},
        f"P1: {werewolf}": {"vote P2": 1 - q, "vote P3": q},
        f"P2: {werewolf}": {"vote P1": 1 - q, "vote P3": q},
    }
    verdict = verify(robber3, Assessment(strategies, {}, [t >= F(1, 4), t <= HALF]), "pbe")
    assert verdict.holds
    found = lettered(verdict.model)
    assert [str(letter) for letter in found.letters] == ["q"]
    back = dict(found.letters)
    for h in range(robber3.num_infosets):
        pairs = zip(found.model.action_values(h), verdict.model.action_values(h), strict=True)
        for short, full in pairs:
            difference = sp.sympify(found.model.show(short)).subs(back) - verdict.model.show(full)
            assert sp.simplify(difference) == 0


def test_short_names(robber3):
    assert set_names(robber3) == ["P1", "P2", "P3: dealt Robber", "P3: NS", "P3: S1", "P3: S2"]
    kuhn = set_names(compiled("kuhn_poker"))
    assert kuhn[:3] == ["P1: 0", "P1: 0pb", "P1: 1"]
    long = set_names(compiled("leduc_poker"))
    assert len(set(long)) == len(long)
    assert max(map(len, long)) < 40


def test_beliefs_are_told_over_few_histories(robber3):
    """Twelve histories lead to P2, but its belief is one over the night moves."""
    uniform = {
        key: dict.fromkeys(robber3.action_names(h), F(1, len(robber3.action_names(h))))
        for h, key in enumerate(robber3.keys)
    }
    model = verify(robber3, Assessment(uniform), "weak-pbe").model
    told = shares(model, robber3.infoset_of_key[robber3.keys[1]])
    assert [model.history(share.history) for share in told] == ["NS", "S1", "S2"]
    assert [model.show(share.belief) for share in told] == [F(1, 3)] * 3


# ------------------------------------------------------------------------------------------ markup

SPECIAL = "a_b %$#&{}~^\\ <|*`\"'["
VERDICTS = {
    "horse": lambda: horse(),
    "horse, nash": lambda: horse("nash"),
    "horse, wrong": lambda: horse("pbe", HORSE.replace_belief("P3: 3", (HALF, HALF))),
    "beer": lambda: verify(textbook.beer_quiche(), BEER, "sequential"),
    "semi-separating": lambda: verify(textbook.beer_quiche(p), SEMI_SEPARATING, "pbe"),
    **{concept: (lambda c=concept: verify(odd_game(), ODD, c)) for concept in CONCEPTS},
}


def odd_game():
    second = decision(1, SPECIAL, {SPECIAL: leaf(0, 1), "c": leaf(0, 0)})
    start = chance({SPECIAL: (HALF, second), "x": (HALF, second)})
    return ExtensiveGame("odd_game", decision(0, "a", {SPECIAL: leaf(1, 1), "b": start}))


ODD = Assessment(
    {"P1: a": {SPECIAL: 1}, f"P2: {SPECIAL}": {SPECIAL: 1}}, {f"P2: {SPECIAL}": (HALF, HALF)}
)


@pytest.mark.parametrize("name", VERDICTS)
def test_latex_is_sound(name):
    verdict = VERDICTS[name]()
    assert problems(verdict.document("latex", f"On {SPECIAL}")) == []
    assert problems(verdict.latex("proof")) == []
    assert problems(verdict.latex()) == []


def test_the_latex_check_sees_mistakes():
    good = horse().document("latex")
    for old, new in [
        ("{longtable}[l]", "{table}[l]"), (r"\end{align*}", ""), (r"\frac{1}", r"\frac{1"),
        ("P3 is", "P_3 is"), ("$", ""), (r"\cdot", r"\cdott"), ("Off the", "Off & the"),
    ]:  # fmt: skip
        assert problems(good.replace(old, new, 1)), (old, new)


@pytest.mark.skipif(
    shutil.which("pdflatex") is None,
    reason="pdflatex is not installed; the strict check of the source runs instead",
)
@pytest.mark.parametrize("name", ["horse", "beer", "horse, wrong", "nash"])
def test_latex_compiles(name, tmp_path):
    VERDICTS[name]().save_document(tmp_path / "proof.tex", SPECIAL)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "proof.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-2000:]
    assert (tmp_path / "proof.pdf").stat().st_size > 1000


@pytest.mark.parametrize("name", VERDICTS)
def test_markdown_is_sound(name):
    text = VERDICTS[name]().document("markdown", SPECIAL)
    outside = "".join(text.split("$$")[::2])
    assert text.count("$$") % 2 == 0
    columns = 0
    for line in outside.splitlines():
        bare = re.sub(r"\\.", "", re.sub(r"(?<!\\)\$.*?(?<!\\)\$", "", line))
        assert "$" not in bare
        if line.startswith("|"):
            columns = bare.count("|")
        assert not bare.startswith("|") or bare.count("|") == columns
        assert not bare.startswith("|") or set(bare) & set("`*_<>#") == set()


def test_render_keeps_blocks_apart():
    blocks = [
        Paragraph(("a & b",)),
        Display(("x &= 1 && \\text{yes}",)),
        Item(("one",)),
        Item(("two ", Math("x_1"))),
        Table((("h|",), ("k",)), ((("[1]",), (Math("2"),)),)),
    ]
    assert render(blocks, "markdown") == (
        "a & b\n\n$$\nx = 1 \\qquad \\text{yes}\n$$\n\n- one\n- two $x_1$\n\n"
        "| h\\| | k |\n| --- | --- |\n| \\[1\\] | $2$ |\n"
    )
    assert problems(render(blocks, "latex")) == []


def test_save_document(tmp_path):
    verdict = horse()
    title = "Selten's horse"
    verdict.save_document(tmp_path / "proof.md", title)
    assert (tmp_path / "proof.md").read_text() == verdict.document("markdown", title)
    verdict.save_document(tmp_path / "proof.TEX", title)
    assert (tmp_path / "proof.TEX").read_text() == verdict.document("latex", title)
    with pytest.raises(ParameterError, match=r"ends in \.tex or \.md"):
        verdict.save_document(tmp_path / "proof.pdf")
    with pytest.raises(OutputError, match="choose another path"):
        verdict.save_document(tmp_path / "missing" / "proof.tex")
    with pytest.raises(ParameterError, match="'markdown' or 'latex'"):
        verdict.document(cast(Any, "html"))
    with pytest.raises(ParameterError, match="'summary' or 'proof'"):
        verdict.markdown(cast(Any, "all"))
