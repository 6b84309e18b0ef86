"""Every role's night and death, by hand-worked plays."""

from fractions import Fraction as F

import pytest

from crywolf.games import start

from .werewolf_plays import fixed, go, knows, living, news, offers, outcomes, play

# -------------------------------------------------------------------------- who knows whom


def test_what_everybody_is_told_of_the_deal():
    game = fixed("werewolf+godfather+minion+possessed+mason+mason+3villager+seer")
    before = start(game)
    assert knows(game, before, 0) == "P1: dealt Werewolf; wolves: P1 P2"
    assert knows(game, before, 1) == "P2: dealt Godfather; wolves: P1 P2"
    assert knows(game, before, 2) == "P3: dealt Minion; wolves: P1 P2"
    assert knows(game, before, 3) == "P4: dealt Possessed"
    assert knows(game, before, 4) == "P5: dealt Mason; masons: P5 P6"
    assert knows(game, before, 9) == "P10: dealt Seer"


def test_minion_and_possessed_win_with_the_wolves_but_are_none():
    game = fixed("werewolf+minion+possessed+4villager", elimination="random", first="night")
    cursor = start(game)
    assert "kill P2" in offers(game, cursor)  # the wolf may hit its friends
    over = go(game, cursor, "kill P7", "P6", "kill P5")
    assert not over.position.winner  # three others live
    over = go(game, over, "P4", "kill P2")
    assert game.payoffs(over.position) == (1, 1, 1, -1, -1, -1, -1)
    town = go(game, cursor, "kill P7", "P1")
    assert game.payoffs(town.position) == (-1, -1, -1, 1, 1, 1, 1)


# --------------------------------------------------------------------------------- the wolves


def test_the_lowest_wolf_chooses_for_all_and_the_others_learn_it():
    game = fixed("villager+2werewolf+4villager", first="night")
    cursor = start(game)
    assert game.mover(cursor.position) == 1
    assert offers(game, cursor) == [f"kill P{seat}" for seat in (1, 4, 5, 6, 7)]
    cursor = go(game, cursor, "kill P4")
    assert news(game, cursor, 2) == ["the wolves attack P4", "dawn, dead: P4"]
    assert news(game, cursor, 0) == ["dawn, dead: P4"]


def test_wolves_may_be_allowed_to_kill_wolves_or_nobody():
    game = fixed("2werewolf+4villager", first="night", kill_own=True, no_kill=True)
    cursor = start(game)
    assert offers(game, cursor) == ["kill nobody", *(f"kill P{seat}" for seat in range(1, 7))]
    assert living(go(game, cursor, "kill nobody")) == "123456"
    assert living(go(game, cursor, "kill P1")) == "23456"


def test_a_wolf_drawn_by_chance_chooses():
    game = fixed("2werewolf+4villager", first="night", night_kill="random")
    cursor = start(game)
    assert offers(game, cursor) == ["P1", "P2"]
    cursor = go(game, cursor, "P2")
    assert game.mover(cursor.position) == 1
    assert news(game, cursor, 0) == ["P2 chooses for the wolves"]
    assert not news(game, cursor, 2)


def test_wolves_vote_and_chance_breaks_their_ties():
    game = fixed("3werewolf+5villager", first="night", night_kill="vote")
    cursor = play(game, "kill P4", "kill P5")
    assert not news(game, cursor, 0)  # not before all have voted
    agreed = go(game, cursor, "kill P5")
    assert news(game, agreed, 0) == [
        "pack votes: P1 kill P4, P2 kill P5, P3 kill P5",
        "the wolves attack P5",
        "dawn, dead: P5",
    ]
    tied = go(game, cursor, "kill P6")
    assert offers(game, tied) == ["P4", "P5", "P6"]
    assert [p for _, p in game.chance_outcomes(tied.position)] == [F(1, 3)] * 3
    assert living(go(game, tied, "P6")) == "1234578"


def test_quiet_nights_have_no_kill_but_all_others_act():
    game = fixed("werewolf+seer+witch+2villager", first="night", quiet_nights=1)
    cursor = start(game)
    assert knows(game, cursor, 2).endswith("the wolves' victim: nobody")
    assert offers(game, cursor) == ["no potion", *(f"poison P{seat}" for seat in (1, 2, 4, 5))]
    cursor = go(game, cursor, "no potion", "check P1")
    assert knows(game, cursor, 1) == "P2: dealt Seer; check P1; dawn, dead: nobody; P1 is a wolf"
    assert knows(game, cursor, 0) == "P1: dealt Werewolf; wolves: P1; dawn, dead: nobody"
    later = go(game, cursor, *["vote P4"] * 3, "vote P5", "vote P4")
    assert game.mover(later.position) == 0


# ------------------------------------------------------------------------------- the Seer


def test_the_seer_learns_at_dawn_if_it_lives():
    game = fixed("werewolf+seer+possessed+2villager", first="night")
    cursor = play(game, "kill P4")
    assert offers(game, cursor) == ["check P1", "check P3", "check P4", "check P5"]
    seen = go(game, cursor, "check P3")
    assert news(game, seen, 1) == ["check P3", "dawn, dead: P4", "P3 is not a wolf"]
    assert news(game, go(game, cursor, "check P1"), 1)[-1] == "P1 is a wolf"
    killed = play(game, "kill P2", "check P1")
    assert news(game, killed, 1) == ["check P1", "dawn, dead: P2"]
    assert killed.position.notes == ((),) * 5


def test_the_godfather_looks_like_a_wolf():
    game = fixed("godfather+seer+3villager", first="night")
    assert news(game, play(game, "kill P3", "check P1"), 1)[-1] == "P1 is a wolf"


# ------------------------------------------------------------------------- Guard and Doctor


@pytest.mark.parametrize("name", ["guard", "doctor"])
def test_the_guard_protects_from_the_wolves_alone(name: str):
    game = fixed(f"werewolf+{name}+witch+2villager", first="night")
    saved = play(game, "kill P4", "protect P4", "no potion")
    assert living(saved) == "12345"
    assert knows(game, saved, 3).endswith("dawn, dead: nobody")
    assert living(play(game, "kill P4", "protect P5", "poison P5")) == "123"
    assert living(play(game, "kill P4", "protect P2", "save")) == "12345"


def test_the_guard_may_be_forbidden_to_repeat_and_to_protect_itself():
    options = {"first": "night", "guard_repeat": False, "elimination": "random"}
    game = fixed("werewolf+guard+5villager", **options)
    cursor = play(game, "kill P3", "protect P3", "P7", "kill P4")
    assert offers(game, cursor) == [f"protect P{seat}" for seat in (1, 2, 4, 5, 6)]
    game = fixed("werewolf+guard+5villager", guard_self=False, **options)
    assert offers(game, play(game, "kill P3")) == [f"protect P{s}" for s in (1, 3, 4, 5, 6, 7)]
    third = play(game, "kill P3", "protect P3", "P7", "kill P3", "protect P6", "P5", "kill P4")
    assert "protect P3" not in offers(game, third)  # it is dead
    assert offers(game, third) == ["protect P1", "protect P4"]


def test_a_guard_that_may_protect_nobody_protects_nobody():
    game = fixed(
        "werewolf+guard+villager",
        first="night",
        end="all_dead",
        guard_self=False,
        guard_repeat=False,
        elimination="random",
    )
    cursor = play(game, "kill P3", "protect P1")  # two are left, and an elimination
    assert offers(game, cursor) == ["P1", "P2"]
    stuck = fixed(
        "werewolf+guard+villager",
        end="all_dead",
        guard_self=False,
        guard_repeat=False,
        no_lynch="even",
        first="night",
    )
    cursor = play(stuck, "kill P3", "protect P1", "kill P2")
    assert offers(stuck, cursor) == ["protect nobody"]


# ------------------------------------------------------------------------------- the Witch


def test_the_witch_has_one_potion_of_each_kind():
    game = fixed("werewolf+witch+7villager", first="night", elimination="random")
    cursor = play(game, "kill P3")
    assert news(game, cursor, 1) == ["the wolves' victim: P3"]
    assert offers(game, cursor)[:3] == ["no potion", "save", "poison P1"]
    assert "poison P3" in offers(game, cursor)
    assert "poison P2" not in offers(game, cursor)
    saved = go(game, cursor, "save")
    assert living(saved) == "123456789"
    again = go(game, saved, "P9", "kill P3")
    assert "save" not in offers(game, again)
    assert news(game, again, 1) == ["the wolves' victim: P3"]
    both = go(game, again, "poison P4")
    assert living(both) == "125678"
    empty = go(game, both, "P8", "kill P5")  # no potion left, no turn
    assert game.mover(empty.position) == -1
    assert living(empty) == "1267"


def test_whether_the_witch_may_save_herself():
    may = fixed("werewolf+witch+3villager", first="night")
    assert "save" in offers(may, play(may, "kill P2"))
    not_ = fixed("werewolf+witch+3villager", first="night", witch_self=False)
    assert "save" not in offers(not_, play(not_, "kill P2"))
    assert "save" in offers(not_, play(not_, "kill P3"))


def test_poisoned_and_attacked_players_die_together():
    game = fixed("werewolf+witch+5villager", first="night", reveal_night="role")
    cursor = play(game, "kill P6", "poison P1")
    assert knows(game, cursor, 6).endswith("dawn, dead: P1 (werewolf) P6 (villager)")
    assert game.outcome(cursor.position) == "town"


# ----------------------------------------------------------------------------- the Hunter


def test_the_hunter_shoots_whoever_has_killed_it():
    game = fixed("werewolf+hunter+5villager", first="night", reveal_night="team")
    cursor = play(game, "kill P2")
    assert game.mover(cursor.position) == 1
    assert offers(game, cursor) == ["shoot nobody", *(f"shoot P{s}" for s in (1, 3, 4, 5, 6, 7))]
    hit = go(game, cursor, "shoot P3")
    assert knows(game, hit, 6).endswith("dawn, dead: P2 (not wolf); P2 shoots P3 (not wolf)")
    assert living(hit) == "14567"
    missed = go(game, cursor, "shoot nobody")
    assert knows(game, missed, 6).endswith("P2 shoots nobody")
    assert game.outcome(go(game, cursor, "shoot P1").position) == "town"


def test_the_hunter_also_shoots_by_day_but_not_of_poison():
    game = fixed("werewolf+hunter+witch+4villager", first="night", elimination="random")
    assert game.mover(play(game, "kill P4", "no potion", "P2").position) == 1
    poisoned = play(game, "kill P4", "poison P2")
    assert game.mover(poisoned.position) == -1
    assert living(poisoned) == "13567"
    both = play(game, "kill P2", "poison P2")
    assert game.mover(both.position) == -1


def test_hunters_shoot_each_other_in_a_chain_before_anybody_wins():
    game = fixed("werewolf+2hunter+2villager", elimination="random")
    cursor = go(game, play(game, "P2"), "shoot P3")
    assert game.mover(cursor.position) == 2
    assert living(cursor) == "145"
    last = go(game, cursor, "shoot P4")  # one wolf, one other: the wolves have won
    assert game.outcome(last.position) == "wolves"
    assert game.outcome(go(game, cursor, "shoot P1").position) == "town"


# ------------------------------------------------------------------------------ the Medium


def test_the_medium_learns_at_dawn_of_those_voted_out():
    game = fixed("werewolf+godfather+medium+5villager", elimination="random", max_days=4)
    cursor = play(game, "P1")
    assert news(game, cursor, 2) == ["eliminated: P1"]
    dawn = go(game, cursor, "kill P8")
    assert news(game, dawn, 2) == ["dawn, dead: P8", "P1 was a wolf"]
    assert news(game, dawn, 3) == ["dawn, dead: P8"]
    dead = go(game, cursor, "kill P3")
    assert news(game, dead, 2) == ["dawn, dead: P3"]
    later = go(game, dawn, "P7", "kill P6")
    assert news(game, later, 2) == ["dawn, dead: P6", "P7 was not a wolf"]


# ---------------------------------------------------- Godfather and Vengeful, and the lovers


def test_the_godfather_loses_for_all_on_the_first_day_only():
    game = fixed("godfather+werewolf+5villager", elimination="random", nights=False)
    assert game.outcome(play(game, "P1").position) == "town"
    later = play(game, "P7", "P1")
    assert not later.position.winner


def test_a_vengeful_player_takes_somebody_along_on_the_first_day():
    game = fixed("godfather+werewolf+3vengeful", elimination="random", nights=False)
    cursor = play(game, "P3")
    assert offers(game, cursor) == ["P1", "P2", "P4", "P5"]
    assert [p for _, p in game.chance_outcomes(cursor.position)] == [F(1, 4)] * 4
    hit = go(game, cursor, "P1")
    assert not hit.position.winner  # killed, not voted out
    assert knows(game, hit, 4).endswith("eliminated: P3; P3 is avenged on P1")
    assert game.outcome(go(game, cursor, "P4").position) == "wolves"
    assert outcomes(game)["town"] == F(2, 5)


def test_lovers_die_together_at_night_by_day_and_of_a_shot():
    game = fixed("hunter+2werewolf+5villager", lovers="wolves", elimination="random")
    assert knows(game, start(game), 1).endswith("lovers: P2 P3")
    out = play(game, "P3")
    assert game.outcome(out.position) == "town"
    assert knows(game, out, 0).endswith("eliminated: P2 P3")
    shot = go(game, play(game, "P1"), "shoot P2")
    assert knows(game, shot, 4).endswith("P1 shoots P2; P3 dies of grief")
    assert game.outcome(shot.position) == "town"
    night = fixed("werewolf+4villager", lovers="random", first="night", elimination="random")
    cursor = play(night, "P4 and P5", "kill P4")
    assert knows(night, cursor, 3).startswith("P4: dealt Villager; lovers: P4 P5")
    assert "lovers" not in knows(night, cursor, 2)
    assert living(cursor) == "123"
    assert cursor.position.lovers == ()


def test_a_hunter_who_dies_of_grief_shoots_last():
    game = fixed("werewolf+hunter+4villager", lovers="random", elimination="random")
    cursor = play(game, "P2 and P6", "P6")
    assert game.mover(cursor.position) == 1
    assert living(go(game, cursor, "shoot P5")) == "134"


def test_the_value_of_nightless_lovers():
    game = fixed("2werewolf+4villager", lovers="wolves", elimination="random", nights=False)
    assert outcomes(game)["town"] == 1 - F(12, 5 * 6)
