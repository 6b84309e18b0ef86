"""Games that several tests run on."""

import pytest

PRESETS = ("onuw", "onuw_robber3", "onuw_robber3_official", "onuw_robber3_talk")

# Three and four players, no to three centre cards, both deals, resolutions and vote orders, talk,
# a lone Werewolf that looks, several holders of one role, no Werewolf, constant and general sum,
# a laid-down night, and every role.
ONUW_GAMES = (
    *PRESETS,
    "onuw_robber3(vote_order=seat)",
    "onuw_robber3_talk(vote_order=seat,resolution=official)",
    "onuw(centre=0,roles=werewolf+seer+robber)",
    "onuw(centre=0,roles=werewolf+2villager,deal=fixed)",
    "onuw(centre=1,roles=2werewolf+seer+robber,resolution=paper)",
    "onuw(centre=2,roles=werewolf+2seer+robber+villager,lone_wolf_looks=True)",
    "onuw(centre=2,roles=werewolf+seer+robber+werewolf+villager,deal=fixed,vote_order=seat)",
    "onuw(centre=0,roles=3robber,deal=fixed,talk=robber)",
    "onuw(centre=0,roles=2robber+werewolf,resolution=paper,vote_order=seat)",
    "onuw(players=4,centre=0,roles=2werewolf+seer+robber,deal=fixed)",
    "onuw(players=4,centre=0,roles=2werewolf+2villager,vote_order=seat)",
    "onuw(players=4,centre=1,roles=werewolf+seer+robber+villager+werewolf,deal=fixed,"
    "resolution=paper,lone_wolf_looks=True)",
    "onuw(players=4,centre=3,roles=werewolf+robber+2villager+werewolf+seer+villager,deal=fixed,"
    "talk=robber,lone_wolf_looks=True)",
    "onuw5_easy",
    "onuw(centre=1,roles=drunk+werewolf+insomniac+mason)",
    "onuw(centre=0,roles=minion+werewolf+tanner,deal=fixed,talk=accuse)",
    "onuw(centre=0,roles=troublemaker+hunter+werewolf,deal=stacked,talk=night)",
    "onuw(centre=2,roles=seer+robber+drunk+werewolf+villager,deal=fixed,night=seer:P2+drunk:C1,"
    "talk=accuse)",
)


@pytest.fixture(params=PRESETS)
def preset(request: pytest.FixtureRequest) -> str:
    """The name of a preset."""
    return request.param


@pytest.fixture(params=ONUW_GAMES)
def onuw_game(request: pytest.FixtureRequest) -> str:
    """An ONUW game string."""
    return request.param
