"""Lists of all equilibria are complete, says cvc5: the search's last question, and another one."""

from dataclasses import replace

import pytest

from crywolf.games import textbook
from crywolf.solvers.pbe import derive_equilibria, verify

pytest.importorskip("cvc5", reason="run `make peers` to install cvc5")

GAMES = [
    "beer_quiche",
    "bos_outside",
    "chain_store",
    "cheap_talk",
    "gibbons_4_1_3",
    "selten_horse",
    "spence",
]


@pytest.mark.parametrize("name", GAMES)
def test_textbook_games(name):
    for concept in ("nash", "weak-pbe", "sequential"):
        found = derive_equilibria(getattr(textbook, name)(), concept)
        assert found.complete
        for formulation in ("certificate", "families"):
            again = found.recheck("cvc5", formulation)
            assert again.answer == "unsat", (concept, formulation)
            assert again.solver.startswith("cvc5 ")


@pytest.mark.parametrize("concept", ["weak-pbe", "sequential"])
def test_kuhn_poker(concept):
    found = derive_equilibria("kuhn_poker", concept)
    assert found.recheck("cvc5", "certificate").answer == "unsat"
    assert found.recheck().answer == "unsat"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["onuw_robber3_official", "onuw_robber3"])
def test_the_robber_and_the_werewolves(name):
    found = derive_equilibria(name, "weak-pbe")
    assert found.recheck("cvc5", "certificate").answer == "unsat"
    assert found.recheck("cvc5", time_limit=300).answer == "unsat"


def test_a_family_left_out_is_found():
    game = textbook.beer_quiche()
    found = derive_equilibria(game, "sequential")
    for index in range(len(found.families)):
        families = found.families[:index] + found.families[index + 1 :]
        wrong = replace(found, families=families).recheck("cvc5")
        assert wrong.answer == "sat"
        assert wrong.missing is not None
        assert verify(game, wrong.missing, "sequential").holds


def test_an_unfinished_search_has_more_to_find():
    found = derive_equilibria("kuhn_poker", "sequential", time_limit=1e-6)
    assert not found.complete
    assert found.recheck("cvc5", "certificate").answer == "sat"
