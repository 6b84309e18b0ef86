"""What a derivation hands out: names, texts, mirror images, JSON and back."""

import copy
import json
from typing import Any

import numpy as np
import pytest
import sympy

from crywolf.games import textbook
from crywolf.games.errors import AssessmentError, EquilibriaFileError, OutputError, ParameterError
from crywolf.games.extensive import ExtensiveGame, decision, leaf
from crywolf.solvers.pbe import Assessment, derive_equilibria, verify
from crywolf.solvers.pbe.equilibria import Equilibria
from crywolf.solvers.pbe.orbits import cycle_words, renaming
from crywolf.solvers.pbe.symmetry import apply

from .latex_check import problems

sp: Any = sympy  # its relations have no useful types
Rational = sp.Rational
GAMES = [
    ("beer_quiche", "weak-pbe"),
    ("selten_horse", "sequential"),
    ("bos_outside", "weak-pbe"),
    ("chicken", "nash"),
    ("cheap_talk", "pbe"),
    ("kuhn_poker", "sequential"),
    ("onuw_robber3_official", "sequential"),
]


@pytest.fixture(scope="module")
def derived():
    """Each game is derived once."""
    known: dict[tuple[str, str], Equilibria] = {}

    def find(game: str, concept: str) -> Equilibria:
        if (game, concept) not in known:
            known[game, concept] = derive_equilibria(game, concept)
        return known[game, concept]

    return find


def same(one: Equilibria, other: Equilibria) -> bool:
    """Whether two lists have the same families, by mutual containment."""
    return len(one.families) == len(other.families) and all(
        a.contains(b.assessment) and b.contains(a.assessment)
        for a, b in zip(one.families, other.families, strict=True)
    )


# --------------------------------------------------------------------------------- names and texts


def test_families_have_names(derived):
    names = [family.name for family in derived("beer_quiche", "weak-pbe").families]
    assert sorted(names) == [
        "pooling on beer; P2: retreat", "pooling on beer; P2: retreat",
        "pooling on quiche; P2: retreat", "pooling on quiche; P2: retreat",
    ]  # fmt: skip
    assert "completely mixed" in [f.name.split(";")[0] for f in derived("chicken", "nash").families]


def test_a_family_is_told(derived):
    found = derived("selten_horse", "sequential")
    family = next(f for f in found.families if f.beliefs["P3: 3"][0] == Rational(1, 3))
    text = family.markdown()
    assert text.startswith("## Sequential equilibria of selten\\_horse: pure on the path; P1: R")
    assert r"Dimension 1, for all $\frac{3}{4} \le p_{3} \le 1$." in text
    assert r"Payoffs $\left(1,\ 1,\ 1\right)$." in text
    assert (
        r"| P3 | L: $p_{3}$, R: $1 - p_{3}$ | (L): $\frac{1}{3}$, (R, L): $\frac{2}{3}$ |" in text
    )
    assert family._repr_markdown_() == text
    assert problems(family.latex()) == []


@pytest.mark.parametrize(("game", "concept"), GAMES)
def test_all_families_are_told(derived, game, concept):
    found = derived(game, concept)
    text = found.markdown()
    assert text.count("\n### ") == len(found.families)
    assert f"These {len(found.families)} families are all" in text
    assert text.count("Mirror image of") == len(found.families) - len(found.orbits)
    assert text.count("| Set | Strategy |") == len(found.orbits)
    assert found.markdown(full=True).count("| Set | Strategy |") == len(found.families)
    for family in found.families:
        if not family.parameters:
            assert "One equilibrium." in text
    assert ("floats" in text) == (game == "kuhn_poker")
    assert found._repr_markdown_() == text
    assert problems(found.latex()) == problems(found.latex(full=True)) == []
    assert problems(found.document("latex")) == []
    assert found.document("markdown").startswith("# ")


def test_long_names_are_explained_and_always_known_beliefs_told_briefly(derived):
    text = derived("onuw_robber3_official", "sequential").markdown()
    assert "| P3: S1 | dealt Robber; S1; now Werewolf |" in text
    assert "(NS): $p_{3}$, (S1): $p_{4}$, (S2): $1 - p_{3} - p_{4}$ |" in text


def test_symbols_of_the_game_are_told():
    p = sp.Symbol("p")
    half = Rational(1, 2)
    found = derive_equilibria(textbook.beer_quiche(p), "weak-pbe", assumptions=[p > half])
    text = found.markdown()
    assert r"Throughout, $\frac{1}{2} < p < 1$." in text
    assert text.startswith("## Weak perfect Bayesian equilibria of beer\\_quiche")
    assert "This family is all" in text


def test_nothing_found_is_told():
    found = derive_equilibria("kuhn_poker", "sequential", time_limit=1e-6)
    assert "INCOMPLETE: 0 families were found" in found.markdown()
    assert found.orbits == ()


def test_beliefs_from_outside_are_told():
    x = sp.Symbol("x", real=True)
    answer = {"low": leaf(0, 1), "high": leaf(0, 2 * x)}
    moves = {"a": decision(1, "2", answer), "b": decision(1, "2", answer)}
    game = ExtensiveGame("told", decision(0, "1", moves))
    found = derive_equilibria(
        game, "weak-pbe", assumptions=[x >= 0], fixed_beliefs={"P2: 2": (Rational(1, 2),) * 2}
    )
    assert "At P2 the belief is given from outside." in found.markdown()
    again = Equilibria.from_json(json.loads(json.dumps(found.to_json())), game)
    assert again.families[0].fixed_beliefs == {"P2: 2": (Rational(1, 2),) * 2}
    assert same(found, again)


def test_a_family_is_proved_in_writing(derived):
    text = derived("selten_horse", "sequential").families[0].proof("markdown")
    assert "We show that the assessment below is a sequential equilibrium" in text


def test_files_are_written(derived, tmp_path):
    found = derived("chicken", "nash")
    for name in ("a.md", "a.tex", "a.json"):
        found.save(tmp_path / name)
    assert (tmp_path / "a.md").read_text() == found.document("markdown")
    assert (tmp_path / "a.tex").read_text() == found.document("latex")
    assert same(Equilibria.load(tmp_path / "a.json"), found)
    with pytest.raises(ParameterError, match=r"\.json, \.tex or \.md"):
        found.save(tmp_path / "a.pdf")
    with pytest.raises(OutputError):
        found.save(tmp_path / "none" / "a.json")
    with pytest.raises(EquilibriaFileError, match="cannot be read"):
        Equilibria.load(tmp_path / "none.json")
    (tmp_path / "a.json").write_text("{")
    with pytest.raises(EquilibriaFileError, match="cannot be read"):
        Equilibria.load(tmp_path / "a.json")


# ----------------------------------------------------------------------------------- mirror images


def test_orbits(derived):
    assert derived("beer_quiche", "weak-pbe").orbits == ((0,), (1,), (2,), (3,))
    for game, concept in GAMES:
        found = derived(game, concept)
        assert sorted(i for orbit in found.orbits for i in orbit) == [*range(len(found.families))]


def test_the_official_game_has_three_pairs_of_mirror_images(derived):
    found = derived("onuw_robber3_official", "sequential")
    assert sorted(map(len, found.orbits)) == [1, 1, 1, 2, 2, 2]
    for one, other in (orbit for orbit in found.orbits if len(orbit) == 2):
        image = found.images[other]
        assert image.of == one
        words = renaming(image.automorphism, found.families[0].tree)
        assert words == [("P1", "P2"), ("S1", "S2"), ("vote P1", "vote P2")]
        rng = np.random.default_rng(0)
        for _ in range(3):  # members go to members, and nowhere else
            member = found.families[one].sample(rng)
            tree = found.families[one].tree
            moved = Assessment(*apply(image.automorphism, tree, member.strategies, member.beliefs))
            assert found.families[other].contains(moved)
            assert verify(tree, moved, "sequential").holds


def test_symmetric_games():
    """Two players who want to do the same: each other's mirror images by players and by actions."""
    meet = {"a": {"a": (1, 1), "b": (0, 0)}, "b": {"a": (0, 0), "b": (1, 1)}}
    rows = {m: decision(1, "2", {n: leaf(*u) for n, u in row.items()}) for m, row in meet.items()}
    found = derive_equilibria(ExtensiveGame("meet", decision(0, "1", rows)), "nash")
    assert sorted(map(len, found.orbits)) == [1, 2]
    assert "a ↔ b" in [
        " ".join(cycle_words(cycle))
        for image in found.images.values()
        for cycle in renaming(image.automorphism, found.families[0].tree)
    ]


def test_a_family_with_other_parameters_is_compared_all_at_once():
    """Coordinates of one family stand where others do in another: no chains of substitutions."""
    same_for_all = {"x": leaf(0, 0), "y": leaf(0, 0)}
    game = ExtensiveGame(
        "idle",
        decision(
            0, "1", {"a": decision(1, "2", same_for_all), "b": decision(1, "3", same_for_all)}
        ),
    )
    (family,) = derive_equilibria(game, "nash").families
    first, second, third = family.parameters
    turned = {first: second, second: third, third: first}
    moved = Assessment(
        {
            k: {a: sp.sympify(p).xreplace(turned) for a, p in m.items()}
            for k, m in family.strategies.items()
        },
        {},
        [c.xreplace(turned) for c in family.conditions],
    )
    assert family.contains(moved)


# ------------------------------------------------------------------------------------ JSON and back

ISSUE_KEYS = ["game", "concept", "complete", "seconds", "families"]
FAMILY_KEYS = ["strategies", "beliefs", "parameters", "conditions", "payoffs", "dimension"]


@pytest.mark.parametrize(("game", "concept"), GAMES)
def test_json_there_and_back(derived, game, concept):
    found = derived(game, concept)
    data = json.loads(json.dumps(found.to_json()))
    assert [key for key in data if key in ISSUE_KEYS] == ISSUE_KEYS
    again = Equilibria.from_json(data)
    assert same(found, again)
    assert again.to_json() == found.to_json()
    assert str(again) == str(found)
    assert again.markdown() == found.markdown()
    assert again.certificate == found.certificate
    rng = np.random.default_rng(0)
    for family in again.families[:3]:
        assert family.verify().holds
        assert found.contains(family.sample(rng))


def test_json_is_read_by_sympy(derived):
    found = derived("kuhn_poker", "sequential")
    for family, told in zip(found.families, found.to_json()["families"], strict=True):
        assert [key for key in told if key in FAMILY_KEYS] == FAMILY_KEYS
        assert told["name"] == family.name
        assert [sp.sympify(x) for x in told["payoffs"]] == list(family.payoffs)
        assert set(map(sp.sympify, told["conditions"])) == set(family.conditions)
        assert told["parameters"] == list(map(str, family.parameters))
        for key, mix in told["strategies"].items():
            for name, text in mix.items():
                assert sp.simplify(sp.sympify(text) - family.strategies[key][name]) == 0
        for key, belief in told["beliefs"].items():
            for text, value in zip(belief, family.beliefs[key], strict=True):
                assert sp.simplify(sp.sympify(text) - value) == 0


def test_json_of_a_game_with_symbols():
    """Symbols keep what they declare, whatever they are called."""
    e = sp.Symbol("E", positive=True)
    game = ExtensiveGame("gift", decision(0, "1", {"take": leaf(e), "leave": leaf(sp.sqrt(2))}))
    found = derive_equilibria(game, "nash", assumptions=[sp.Or(e < 1, e > 2)])
    data = json.loads(json.dumps(found.to_json()))
    again = Equilibria.from_json(data, game)
    assert again.assumptions == found.assumptions
    assert same(found, again)
    with pytest.raises(EquilibriaFileError, match="give it as game="):
        Equilibria.from_json(data)
    other = ExtensiveGame("gift", decision(0, "1", {"take": leaf(2), "leave": leaf(1)}))
    with pytest.raises(EquilibriaFileError, match="differs"):
        Equilibria.from_json(data, other)


def test_a_registered_name_can_hide_another_game():
    p = sp.Symbol("p")
    found = derive_equilibria(textbook.beer_quiche(p), "weak-pbe", assumptions=[p > Rational(1, 2)])
    with pytest.raises(EquilibriaFileError, match="differs"):
        Equilibria.from_json(found.to_json())


def test_an_incomplete_list_there_and_back():
    found = derive_equilibria("kuhn_poker", "sequential", time_limit=1e-6)
    again = Equilibria.from_json(json.loads(json.dumps(found.to_json())))
    assert (again.complete, again.families) == (False, ())


def _set(*path: Any, to: Any):
    def damage(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = to

    return damage


def _without(*path: Any):
    def damage(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        del data[path[-1]]

    return damage


FIRST = ("families", 0)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (_without("game"), "has no 'game'"),
        (_without("families"), "has no 'families'"),
        (_without("certificate"), "has no 'certificate'"),
        (_without(*FIRST, "payoffs"), "has no 'payoffs'"),
        (_without(*FIRST, "strategies", "P2: 2"), "information sets"),
        (_set("game", to=3), "'game' is int"),
        (_set("game", to="no_such_game"), "cannot be loaded by its name"),
        (_set("game", to="/etc/game.efg"), "cannot be loaded by its name"),
        (_set("game", to="matching_pennies"), "differs"),
        (_set("concept", to="perfect"), "perfect"),
        (_set("complete", to=1), "'complete' is int"),
        (_set("complete", to=False), "does not go with 'complete'"),
        (_set("families", to={}), "'families' is dict"),
        (_set("families", 0, to=[]), "it is list"),
        (_set("symbols", to={"x": {"silly": True}}), "declares"),
        (_set("symbols", to={"x": 1}), "declares"),
        (_set("symbols", to={"x": {"positive": True, "real": False}}), "declares"),
        (_set("assumptions", to=["x > 0"]), "unknown symbol 'x'"),
        (_set("certificate", "query", to="(check-sat)"), "digest"),
        (_set("certificate", "answer", to="sat"), "answer"),
        (_set(*FIRST, "dimension", to=2), "dimension is"),
        (_set(*FIRST, "parameters", to=["p1"]), "parameters"),
        (_set(*FIRST, "payoffs", to=["1", "1"]), "payoffs are not"),
        (_set(*FIRST, "payoffs", to=["1", 1]), "must hold texts"),
        (_set(*FIRST, "beliefs", to={"P2: 2": ["1"]}), "beliefs"),
        (_set(*FIRST, "conditions", to=["p9 > 0"]), "unknown symbol 'p9'"),
        (_set(*FIRST, "conditions", to=["p1 > 0"]), "which are no parameters"),
        (
            _set(*FIRST, "strategies", "P1: 1", "dare", to="__import__('os').getcwd()"),
            "not made of",
        ),
        (_set(*FIRST, "strategies", "P1: 1", "dare", to="0.5"), "float"),
        (_set(*FIRST, "strategies", "P1: 1", "dare", to="7/8"), "add up to 1"),
    ],
)
def test_damage_is_named(derived, damage, said):
    found = derived("chicken", "nash")
    data = copy.deepcopy(found.to_json())
    place = next(i for i, f in enumerate(found.families) if "mixed" in f.name)
    data["families"].insert(0, data["families"].pop(place))
    damage(data)
    with pytest.raises(EquilibriaFileError, match=said):
        Equilibria.from_json(data)


@pytest.mark.parametrize("data", [None, [], "text", {}])
def test_what_is_no_list_of_equilibria(data):
    with pytest.raises(EquilibriaFileError, match="derive them anew"):
        Equilibria.from_json(data)


def test_membership_needs_an_assessment_of_the_game(derived):
    with pytest.raises(AssessmentError):
        derived("chicken", "nash").contains(Assessment({"P1: 1": {"run": 1}}))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("families", []),
        ("seconds", 10**400),
        ("seconds", float("nan")),
        ("seconds", -1),
        ("seconds", "1"),
    ],
)
def test_impossible_lists_are_refused(derived, key, value):
    data = derived("chicken", "nash").to_json()
    with pytest.raises(EquilibriaFileError):
        Equilibria.from_json(data | {key: value})
    negative = data["certificate"] | {"queries": -5}
    with pytest.raises(EquilibriaFileError):
        Equilibria.from_json(data | {"certificate": negative})


@pytest.mark.parametrize("name", ["lambda", "x y", "a'b", "\u00b5", "1", "True"])
def test_names_that_no_file_can_hold(name, tmp_path):
    t = sympy.Symbol(name, positive=True)
    game = ExtensiveGame("named", decision(0, "1", {"take": leaf(t), "leave": leaf(0)}))
    found = derive_equilibria(game, "nash")
    with pytest.raises(ParameterError, match="rename"):
        found.save(tmp_path / "a.json")
    found.save(tmp_path / "a.md")
    assert not (tmp_path / "a.json").exists()
