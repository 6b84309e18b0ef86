"""How far the runs that were recorded into a store have come, and what that says of a miss."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from .store_text import Run


def noted(db: sqlite3.Connection) -> dict[str, list[Run]]:
    """The runs by model; none of a file that is older than the table."""
    exists = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'runs'"
    found: dict[str, list[Run]] = {}
    if db.execute(exists).fetchone() is not None:
        query = "SELECT model, game, elicitation, asked, planned FROM runs ORDER BY 1, 2, 3"
        for model, *run in db.execute(query):
            found.setdefault(model, []).append(Run(*run))
    return found


def why_missed(
    name: str, model: str, found: int, elicitations: Sequence[str], runs: Sequence[Run]
) -> str:
    """Why a replay misses a call to a model that the store knows, and what to do about it.

    Args:
        name: the file.
        model: the model.
        found: how many calls the replay has found so far.
        elicitations: how the model was asked, as far as noted.
        runs: how far its runs came, as far as noted.
    """
    asked = ", ".join(elicitations)
    how = f"with elicitation {asked}" if asked else "in a way that it does not name"
    partial = [str(run) for run in runs if run.asked < run.planned]
    again = f"run the command that recorded it again, with the same store (--store {name})"
    if found or not asked:
        end = f" ({'; '.join(partial)})" if partial else ""
        return (
            f"the recording in {name} is incomplete: it ended before all calls were made{end}. "
            f"{found} of the calls to {model} asked so far were found, and this one was not. To "
            f"complete it, {again}: it goes on where it stopped. Or ask for no more than was "
            f"recorded: it was asked {how}"
        )
    also = f" Its recording is incomplete, too: {'; '.join(partial)}." if partial else ""
    return (
        f"{name} holds answers of {model}, but none to what is asked now: it was asked {how}."
        f"{also} Ask the same way, in the same game with the same rules, or record what is asked "
        f"now first, with the model itself and the same store (--store {name})"
    )
