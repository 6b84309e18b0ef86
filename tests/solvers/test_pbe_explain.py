"""The account of a verification says what was computed, in Markdown and in LaTeX."""

import re
from fractions import Fraction as F

import pytest
import sympy as sp

from crywolf.games import textbook
from crywolf.games.extensive import ExtensiveGame, decision, leaf
from crywolf.solvers.pbe import Assessment, verify
from crywolf.solvers.pbe.conditions import CONCEPTS

r = sp.Symbol("r")
HORSE = Assessment(
    {"P1: 1": {"R": 1}, "P2: 2": {"R": 1}, "P3: 3": {"R": r, "L": 1 - r}},
    {"P3: 3": (F(1, 3), F(2, 3))},
    [r >= 0, r <= F(1, 4)],
)

MARKDOWN = r"""
## selten\_horse: is this assessment a sequential equilibrium? Yes.

For all $r \geq 0$, $r \leq \frac{1}{4}$.

Expected payoffs: $\left(1,\ 1,\ 1\right)$.

#### P1: 1

- Plays R: $1$.
- Expected utilities: L: $3 r$, R: $1$.
- Best reply: $u(\mbox{R}) - u(\mbox{L}) = 1 - 3 r \ge 0$.

#### P2: 2

- Plays R: $1$.
- Expected utilities: L: $4 r$, R: $1$.
- Best reply: $u(\mbox{R}) - u(\mbox{L}) = 1 - 4 r \ge 0$.

#### P3: 3

- Plays L: $1 - r$, R: $r$.
- Believes (L): $\frac{1}{3}$, (R, L): $\frac{2}{3}$.
- Expected utilities: L: $\frac{2}{3}$, R: $\frac{2}{3}$.
- Best reply: $u(\mbox{L}) - u(\mbox{R}) = 0 \ge 0$; $u(\mbox{R}) - u(\mbox{L}) = 0 \ge 0$.

#### Consistency of the beliefs

- Bayes' rule gives the beliefs in the limit, when the unplayed actions get probabilities of order 'L' at 'P1: 1': $\varepsilon^{1}$, 'L' at 'P2: 2': $\varepsilon^{1}$.

#### Conclusion

All 16 conditions hold: a sequential equilibrium.
"""


def test_markdown_of_seltens_horse():
    """Checked by hand: u1(L) = 3r, u2(L) = 4r, u3(L) = 2/3 * 1, u3(R) = 1/3 * 2."""
    assert verify(textbook.selten_horse(), HORSE, "sequential").markdown() == MARKDOWN.lstrip()


def test_jupyter_shows_the_markdown():
    verdict = verify(textbook.selten_horse(), HORSE, "pbe")
    assert verdict._repr_markdown_() == verdict.markdown()


def test_a_refutation_names_set_deviation_and_gain():
    wrong = HORSE.replace_belief("P3: 3", (F(1, 2), F(1, 2)))
    text = verify(textbook.selten_horse(), wrong, "pbe").markdown()
    assert "perfect Bayesian equilibrium? No." in text
    assert r"u(\mbox{L}) - u(\mbox{R}) = - \frac{1}{2} \ge 0$ (fails)" in text
    assert "P3 plays 'L' at 'P3: 3', but 'R' yields 1/2 more" in text
    assert "So the assessment is not a perfect Bayesian equilibrium." in text


def test_nash_shows_plans_and_no_beliefs():
    text = verify(textbook.selten_horse(), HORSE, "nash").markdown()
    assert "Believes" not in text
    assert "No better plan: against 'L' $1 - 3 r \\ge 0$" in text


def test_fixed_beliefs_and_declared_symbols_are_told():
    q = sp.Symbol("q", nonnegative=True)
    strategies = {"P1: 1": {"R": 1}, "P2: 2": {"R": 1}, "P3: 3": {"R": q, "L": 1 - q}}
    verdict = verify(
        textbook.selten_horse(),
        Assessment(strategies, {}, [q <= F(1, 4)]),
        "sequential",
        fixed_beliefs={"P3: 3": (F(1, 3), F(2, 3))},
    )
    assert verdict.holds
    assert "given from outside" in verdict.markdown()
    assert r"For all $q \geq 0$, $q \leq \frac{1}{4}$." in verdict.markdown()


def test_patterns_say_where_they_apply():
    text = verify(textbook.gibbons_4_1_1(), Assessment(
        {"P1: 1": {"L": 1 - r, "M": r}, "P2: 2": {"L'": 1}}, {"P2: 2": (1 - r, r)}, [r >= 0, r <= 1]
    ), "sequential").markdown()  # fmt: skip
    assert "- Where $r = 0$: Bayes' rule gives the beliefs in the limit" in text
    assert "- Elsewhere: Bayes' rule gives the beliefs: all that matters is played." in text


SPECIAL = "a_b %$#&{}~^\\ <|*`\"'"


@pytest.mark.parametrize("concept", CONCEPTS)
def test_special_characters_are_escaped(concept):
    game = ExtensiveGame("odd_game", decision(0, SPECIAL, {SPECIAL: leaf(1), "b": leaf(0)}))
    verdict = verify(game, Assessment({f"P1: {SPECIAL}": {SPECIAL: 1}}), concept)
    assert verdict.holds
    latex = verdict.latex()
    for command in re.findall(r"\\[a-zA-Z]+", latex):  # only what plain LaTeX knows
        assert command in {
            r"\section", r"\subsubsection", r"\begin", r"\end", r"\item", r"\textbackslash",
            r"\textasciitilde", r"\textasciicircum", r"\textless", r"\textgreater", r"\left",
            r"\right", r"\mbox", r"\ge", r"\frac", r"\varepsilon",
        }, command  # fmt: skip
    plain = re.sub(r"\\.", "", re.sub(r"\$[^$]*\$", "", re.sub(r"\\[%$#&_{}]", "", latex)))
    assert not set("%$#&_~^") & set(plain)
    assert latex.count(r"\begin{itemize}") == latex.count(r"\end{itemize}")
    assert r"\_" in verdict.markdown()
