"""AIWolf: the sentences of its protocol 3.6, and the game logs of its server.

    from crywolf.games.aiwolf import check_log, parse_sentence, read_log, replay_log

    sentence = parse_sentence("BECAUSE (DIVINED Agent[02] WEREWOLF) (VOTE Agent[02])")
    records = read_log("000.log")   # one record for each line, so that write_log gives it back
    game = check_log(records)       # who was who, what happened, who won; or a refusal
    replay = replay_log(records)    # the same as a history of the game `crywolf.games.werewolf`

Whatever is refused, is so with its column or line, the reason and the cure.
"""

from .chronicle import Chronicle, Day, Said, most_voted
from .consistency import check_log
from .log import format_log, read_log, write_log
from .parsing import parse_sentence
from .records import (
    Attack,
    AttackVote,
    Divine,
    Execute,
    Guard,
    Outcome,
    Record,
    Status,
    Talk,
    Utterance,
    Vote,
    Whisper,
    parse_record,
)
from .replay import LeftOut, MadeUp, Replay, replay_log
from .sentences import (
    Action,
    Claim,
    Compound,
    Dated,
    Opinion,
    Request,
    Result,
    Sentence,
    Silence,
    TalkNumber,
    explicit,
)
from .vocabulary import (
    ANY,
    Agent,
    Channel,
    Operator,
    Quiet,
    Role,
    Side,
    Species,
    Verb,
    agent_name,
)

__all__ = [
    "ANY",
    "Action",
    "Agent",
    "Attack",
    "AttackVote",
    "Channel",
    "Chronicle",
    "Claim",
    "Compound",
    "Dated",
    "Day",
    "Divine",
    "Execute",
    "Guard",
    "LeftOut",
    "MadeUp",
    "Operator",
    "Opinion",
    "Outcome",
    "Quiet",
    "Record",
    "Replay",
    "Request",
    "Result",
    "Role",
    "Said",
    "Sentence",
    "Side",
    "Silence",
    "Species",
    "Status",
    "Talk",
    "TalkNumber",
    "Utterance",
    "Verb",
    "Vote",
    "Whisper",
    "agent_name",
    "check_log",
    "explicit",
    "format_log",
    "most_voted",
    "parse_record",
    "parse_sentence",
    "read_log",
    "replay_log",
    "write_log",
]
