"""The games that are measured."""

GOOFSPIEL = (
    "turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards=5,"
    "points_order=descending))"
)
SOCIAL = "social_deduction(players=3,max_rounds=1)"
ONUW_DEALT = "onuw(players=4,centre=0,roles=2werewolf+robber+seer)"
ONUW = "onuw"
SHORT = {GOOFSPIEL: "goofspiel(num_cards=5,imp_info=True)", ONUW_DEALT: "onuw(4 dealt cards)"}
"""Names for the table."""


def short(name: str) -> str:
    """The game's name in the table."""
    return SHORT.get(name, name)
