"""Errors at the command line: one line for people, in the words of the command line."""

from __future__ import annotations

import errno
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

REFUSED = 2
"""Exit status of an expected error: the request cannot be met."""
FAILED = 1
"""Exit status when a theorem is refuted or a game fails a check."""
INTERRUPTED = 130
"""Exit status after Ctrl-C, as of every program that SIGINT ends."""


def _as_option(named: re.Match[str]) -> str:
    return f"--{named[1].replace('_', '-')} "


IN_OPTIONS: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"^(iterations|target|checkpoint) does not go with algorithm=", r"--\1 does not go with "),
    (r"^checkpoint_every does not go with algorithm=", "--checkpoint-every does not go with "),
    (r"^(algorithm '.+' )has no option 'alternating'; .*", r"\1has no --simultaneous"),
    (r"^(algorithm '.+' )has no option 'dtype'; .*", r"\1has no --dtype; leave it out"),
    (r"^(algorithm '.+' )has no option 'seed'; .*", r"\1draws nothing; leave out --seed"),
    (r"^(attempts|confidence|max_calls|max_tokens|per_minute|timeout|workers)=", _as_option),
    (r"^(checkpoint_every|time_limit)=", _as_option),
    (r"give the client a store=CallStore\(path\)", "add --store FILE"),
    (r" \(with this client: after its resume\(\)\)", ""),
    (r"open it with mode 'record' to add", "name the model itself, with --store, to add"),
    (r"(?<=irst )\(mode 'record'\)", "(name the model itself, with --store)"),
    (r"mode 'refresh'", "--refresh"),
    (r"on_failure='uniform'", "--on-failure uniform"),
    (r"\belicitation (?=labels|samples:|stated)", "--elicitation "),
    (r"Ask a language model for labels", "Ask a language model for --elicitation labels"),
    (r"more retries, give more tokens", "more --retries, give more --max-tokens"),
    (r"\braise max_(?=\w)", "raise --max-"),
    (r"\ba slower RateGate", "a smaller --per-minute"),
    (r", or pass api_key\b", ""),
    (r"is passed as api_key, or in headers", "goes into the variable CRYWOLF_API_KEY"),
    (r"\ba longer (idle_)?timeout", "a longer --timeout"),
    (r"nash_conv\(\.\.\., method='sampled'\)", "crywolf nashconv --method sampled"),
    (r"method='exact'", "--method exact"),
    (r"\ba larger max_nodes", "a larger --max-nodes"),
    (r"\ba larger max_combinations", "a larger --max-combinations"),
    (r"\bgive it more with time_limit", "give it more with --time-limit"),
    (r"\bgive checkpoint=\.\.\., too", "give --checkpoint FILE, too"),
    (r"\bgive the same merge\b", "give or leave out --merge as before"),
    (r"\bdtype='float64'", "--dtype float64"),
    (r"give it more time with time_limit, or solve the game with", "solve the game with"),
    (r"algorithm='cfr\+'", "--algorithm cfr+"),
    (r"\bProfile\.save\b", "crywolf solve --out (or crywolf nashconv --out)"),
    (r"load it with a tree of its own game", "name its own game"),
    (r"\bCallStore\.export writes", "crywolf store export writes"),
)
"""What the library's errors call things, as patterns, and what is typed at the command line."""


class Commands(TyperGroup):
    """Shows expected errors as one line for people, and lets defects through."""

    def invoke(self, ctx: Any) -> Any:
        """See ``TyperGroup``."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            self._end("interrupted", _notes(error), INTERRUPTED)
        except typer.BadParameter as error:
            self._end("error", [_bad_value(error)], REFUSED)
        except Exception as error:
            message = _message(error)
            if message is None:
                raise
            self._end("error", [message, *_notes(error)], REFUSED)

    def _end(self, title: str, lines: Sequence[str], status: int) -> NoReturn:
        from .console import show_error

        show_error(title, *map(in_options, lines))
        raise typer.Exit(status) from None


def in_options(text: str) -> str:
    """A text of the library with options in place of the arguments that it names."""
    for pattern, typed in IN_OPTIONS:
        text = re.sub(pattern, typed, text)
    return text


def _message(error: Exception) -> str | None:
    """The text of an expected error, None for a defect (or for the command line's own errors)."""
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return f"cannot write the output: {error.strerror}"
    errors = sys.modules.get(f"{__package__}.games.errors")  # what was not imported was not raised
    return str(error) if errors and isinstance(error, errors.CrywolfError) else None


def _bad_value(error: typer.BadParameter) -> str:
    """A value that an option does not take, or one that is missing, in one line."""
    said = error.format_message().removeprefix("Invalid value for ").rstrip(".")
    said = said.replace(": Value error, ", ": ").replace("Input should", "it should")
    return said if error.ctx is None else f"{said}; see {error.ctx.command_path} --help"


def _notes(error: BaseException) -> list[str]:
    """What was added to an error on its way (PEP 678), such as what is kept of a run."""
    return list(getattr(error, "__notes__", ()))
