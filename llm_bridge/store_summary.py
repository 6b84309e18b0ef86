"""What a call store holds, model by model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .ledger import added
from .store import CallStore
from .store_text import SOURCE, Header, KeptCall, Run, read_export


@dataclass(frozen=True)
class ModelSummary:
    """What a store holds of one model.

    Attributes:
        model: its declared name.
        source: where all its answers come from, by the names in `store_text.SOURCE`.
        elicitations: the ways of asking that were noted.
        runs: how far the runs came that were noted; where `asked` is below `planned`, the recording
            is incomplete.
        calls: answered calls.
        prompt_tokens: tokens of their questions; None if one of the replies does not tell.
        completion_tokens: tokens of their answers; None likewise.
        failures: how often calls failed before they were answered, by name.
        first: when the first of the answers came, UTC.
        last: when the last one came.
    """

    model: str
    source: dict[str, str | None]
    elicitations: tuple[str, ...]
    runs: tuple[Run, ...]
    calls: int
    prompt_tokens: int | None
    completion_tokens: int | None
    failures: dict[str, int]
    first: str
    last: str

    def to_json(self) -> dict[str, Any]:
        """The summary as JSON values."""
        return {
            "model": self.model,
            **self.source,
            "elicitations": list(self.elicitations),
            "runs": [run._asdict() for run in self.runs],
            "calls": self.calls,
            "tokens": {"prompt": self.prompt_tokens, "completion": self.completion_tokens},
            "failures": self.failures,
            "first": self.first,
            "last": self.last,
        }


def summarize(path: str | PathLike[str]) -> tuple[ModelSummary, ...]:
    """What a store, or an export of one, holds of each model, by name.

    Every call is read and checked.

    Raises:
        StoreError: missing, damaged, or of another kind or version.
    """
    path = Path(path)
    if path.suffix == ".jsonl":
        return _summaries(path)
    # An export is the form in which a store shows all that it keeps about its calls.
    with TemporaryDirectory() as folder, CallStore.open_for_replay(path) as store:
        exported = Path(folder) / "calls.jsonl"
        store.export(exported)
        return _summaries(exported)


def _summaries(export: Path) -> tuple[ModelSummary, ...]:
    tallies: dict[str, _Tally] = {}
    header = read_export(export, lambda kept: tallies.setdefault(kept.model, _Tally()).add(kept))
    return tuple(tallies[model].summary(model, header) for model in sorted(tallies))


class _Tally:
    """The calls of one model, added up one by one: a store may be larger than memory."""

    def __init__(self) -> None:
        self.calls = 0
        self.prompt: int | None = 0
        self.completion: int | None = 0
        self.failures: Counter[str] = Counter()
        self.dates: list[str] = []
        self.source: Sequence[str | None] = ()

    def add(self, kept: KeptCall) -> None:
        reply = kept.call.reply
        self.calls += 1
        self.prompt = added(self.prompt, reply.prompt_tokens)
        self.completion = added(self.completion, reply.completion_tokens)
        self.failures.update(kept.call.failures)
        self.dates = [min([kept.date, *self.dates]), max([kept.date, *self.dates])]
        self.source = kept.source

    def summary(self, model: str, header: Header) -> ModelSummary:
        return ModelSummary(
            model=model,
            source=dict(zip(SOURCE, self.source, strict=True)),
            elicitations=tuple(header.elicitations.get(model, ())),
            runs=tuple(header.runs.get(model, ())),
            calls=self.calls,
            prompt_tokens=self.prompt,
            completion_tokens=self.completion,
            failures=dict(sorted(self.failures.items())),
            first=self.dates[0],
            last=self.dates[1],
        )
