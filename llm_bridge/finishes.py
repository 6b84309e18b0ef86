"""Why an answer ended, in the words of many servers.

Only an answer that is known to be complete can be read: of any other it is not known what it would
have said. So the complete endings are listed, and whatever is not listed, or not given, is none.

The words are those of OpenAI and llama.cpp (``stop``, ``length``, ``content_filter``), vLLM
(``abort``), Text Generation Inference and Together (``eos_token``, ``eos``, ``stop_sequence``),
Anthropic (``end_turn``, ``max_tokens``, ``refusal``), Google (``MAX_TOKENS``, ``SAFETY``), Cohere
(``COMPLETE``), Mistral (``model_length``) and DeepSeek (``insufficient_system_resource``), in
capitals or not.
"""

from __future__ import annotations

from .chat import Reply

COMPLETE = frozenset(
    {"stop", "eos", "eos_token", "end_turn", "stop_sequence", "stop_token", "complete"}
)
"""The model, or a stop sequence, ended the answer."""
LIMIT = frozenset({"length", "max_tokens", "model_length"})
"""The limit of tokens ended it."""
DECLINED = frozenset(
    {
        *("content_filter", "refusal", "safety", "recitation", "blocklist"),
        *("prohibited_content", "spii", "guardrail_intervened", "error_toxic"),
    }
)
"""The model, or a filter of its provider, declined."""


def is_complete(reply: Reply) -> bool:
    """Whether the reply says that its answer is complete."""
    return reply.finish.lower() in COMPLETE


def is_at_limit(reply: Reply) -> bool:
    """Whether the limit of tokens ended the answer."""
    return reply.finish.lower() in LIMIT


def is_declined(reply: Reply) -> bool:
    """Whether the reply is marked as a refusal."""
    return bool(reply.refusal) or reply.finish.lower() in DECLINED


def cut_off(reply: Reply) -> str:
    """What is to be said of an answer that is not complete."""
    if is_at_limit(reply):
        return "The answer was too long and was cut off."
    named = repr(reply.finish[:40]) if reply.finish else "none"
    return f"The answer is not known to be complete (finish reason: {named})."
