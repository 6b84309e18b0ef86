"""Language models as policies: asked reproducibly, scored like any other policy.

    from crywolf.llm_bridge import LLMPolicy, LocalBackend

    policy = LLMPolicy("kuhn_poker", LocalBackend(), elicitation="labels")
    crywolf.nash_conv("kuhn_poker", policy)

A model is told the rules, the view of the player whose move it is, and the options, never the
state of the game (`views`, `prompts`). How its answers become a distribution over the legal actions
is the `elicitation`; where they come from is a backend (`backends`); that every call can be
replayed is the `CallStore`'s work; that each failed call is counted and made again is that of
`Client`.
"""

from typing import TYPE_CHECKING

from ..lazy import lazily

if TYPE_CHECKING:
    from .backends.http import HttpBackend
    from .backends.local import LocalBackend
    from .backends.replay import ReplayBackend
    from .backends.scripted import ScriptedBackend
    from .budget import Budget, RateGate
    from .client import Client
    from .elicitation import LabelProbabilities, Samples, StatedMix
    from .failures import Failure, FailurePolicy
    from .policy import LLMPolicy
    from .specs import Options, policy_from_spec
    from .store import CallStore

__all__ = [
    "Budget",
    "CallStore",
    "Client",
    "Failure",
    "FailurePolicy",
    "HttpBackend",
    "LLMPolicy",
    "LabelProbabilities",
    "LocalBackend",
    "Options",
    "RateGate",
    "ReplayBackend",
    "Samples",
    "ScriptedBackend",
    "StatedMix",
    "policy_from_spec",
]

__getattr__ = lazily(
    __name__,
    {
        "Budget": "budget",
        "CallStore": "store",
        "Client": "client",
        "Failure": "failures",
        "FailurePolicy": "failures",
        "HttpBackend": "backends.http",
        "LLMPolicy": "policy",
        "LabelProbabilities": "elicitation",
        "LocalBackend": "backends.local",
        "Options": "specs",
        "RateGate": "budget",
        "ReplayBackend": "backends.replay",
        "Samples": "elicitation",
        "ScriptedBackend": "backends.scripted",
        "StatedMix": "elicitation",
        "policy_from_spec": "specs",
    },
)
