"""The result of an evaluation: what a policy leaves on the table, and where."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any, Literal

from ..games.errors import LowerBoundOnly
from .draws import are_frequencies
from .elicited import ElicitationRecord

Kind = Literal["exact", "estimate", "lower_bound"]

KEPT = 20
"""Information sets that a report holds at most."""
ROUNDING = 1e-12
"""Gains up to this are rounding errors, beside values up to 1."""
SHOWN = 3
"""Information sets that the printed report names."""
DRAWN = (
    "the policy was estimated from draws: the NashConv of its frequencies is too large on average, "
    "and no interval was kept with them"
)
WHERE = "Largest shares of the gains"


@dataclass(frozen=True, slots=True)
class InformationSetGain:
    """The part of a player's gain that arises at one information set.

    Attributes:
        player: the owner, numbered from 0.
        information_set: its information-state string.
        action: the name of the better action.
        gain: the share, in utilities. The shares of a player's sets add up to its gain. In an exact
            report, the owner's reach of the set times what the better action gains there, the owner
            playing a best response below. In a lower bound, the mean difference of the pairs of
            plays that part here.
    """

    player: int
    information_set: str
    action: str
    gain: float

    def __str__(self) -> str:
        return f"P{self.player + 1} {self.gain:.4g}: {self.action} at {self.information_set!r}"


@dataclass(frozen=True)
class Report:
    """How far a policy is from a Nash equilibrium.

    A player's *gain* is its best-response value minus its value on policy. NashConv is the sum of
    the gains (Lanctot et al. 2017); it is 0 exactly at the Nash equilibria. All values are in
    utilities, in the order of the players.

    Attributes:
        game: the game's name.
        policy: the policy's label.
        kind: ``exact``: computed on the whole tree (of a policy that came as frequencies of draws,
            for these frequencies: `remarks` and the headline say so). ``lower_bound``: deviations
            were learned from sampled plays, so every gain is that of *some* deviation and best
            responses may gain more. ``estimate``: computed from the frequencies of draws; too large
            on average.
        gains: each player's gain. Of a lower bound: the mean gain of the learned deviation on fresh
            plays, an unbiased estimate; negative if the deviation turned out to be a bad one.
        values: each player's value when all follow the policy; a sample mean unless exact.
        best_response_values: ``values + gains``.
        confidence: the probability with which ``lower_bound`` and ``interval`` hold; None if exact.
        interval: (low, high), simultaneously over the players. Of a lower bound: it holds the total
            gain of the learned deviations, taken where they gain; NashConv may lie above ``high``.
            None if exact.
        information_sets: where the gains arise, largest share first, at most `KEPT`.
        notes: what a reader of the numbers has to know.
        remarks: of them, what the policy itself came with, such as that it is made of draws.
        elicitation: how the policy was obtained, if a language model was asked for it.
    """

    game: str
    policy: str
    kind: Kind
    gains: tuple[float, ...]
    values: tuple[float, ...]
    best_response_values: tuple[float, ...]
    confidence: float | None = None
    interval: tuple[float, float] | None = None
    information_sets: tuple[InformationSetGain, ...] = ()
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    elicitation: ElicitationRecord | None = None

    @property
    def nash_conv(self) -> float:
        """The sum of the gains.

        Raises:
            LowerBoundOnly: the report is a lower bound; use `lower_bound`.
        """
        if self.kind == "lower_bound":
            raise LowerBoundOnly(
                f"{self.game} was sampled, because it is too large or on request: this report "
                "holds a lower bound of NashConv, not its value; use .lower_bound (and .interval), "
                "or evaluate with method='exact' and a larger max_nodes"
            )
        return sum(self.gains)

    @property
    def lower_bound(self) -> float:
        """NashConv is at least this: with probability `confidence`, or surely if exact."""
        return self.nash_conv if self.interval is None else self.interval[0]

    def to_json(self) -> dict[str, Any]:
        """The report as JSON values, without information sets and notes.

        ``lower_bound``, ``confidence`` and ``interval`` are there unless the kind is ``exact``;
        ``nash_conv`` is null for a lower bound. ``remarks`` are there if the policy came with any.
        Of a language model, the fields of its
        `ElicitationRecord` follow.
        """
        document: dict[str, Any] = {
            "game": self.game,
            "policy": self.policy,
            "kind": self.kind,
            "nash_conv": None if self.kind == "lower_bound" else self.nash_conv,
            "gains": list(self.gains),
            "values": list(self.values),
            "best_response_values": list(self.best_response_values),
        }
        if self.kind != "exact":
            document["lower_bound"] = self.lower_bound
            document["confidence"] = self.confidence
            document["interval"] = None if self.interval is None else list(self.interval)
        if self.remarks:
            document["remarks"] = list(self.remarks)
        if self.elicitation is not None:
            document |= self.elicitation.to_json()
        return document

    # ----------------------------------------------------------------------------------- display

    @property
    def headline(self) -> str:
        """The result in one line, with the `caution` that belongs to it."""
        if self.kind == "exact":
            rounded = self._rounded(self.nash_conv)
            how = "of frequencies of draws" if self._drawn else "exact"
            how += "" if rounded == self.nash_conv else ", up to rounding"
            result = f"NashConv = {rounded:.9g} ({how})"
        elif self.kind == "estimate":
            value = self._rounded(self.nash_conv)
            result = f"NashConv is about {value:.6g}{self._spread()}"
        else:
            bound = f"NashConv >= {self.lower_bound:.6g}{self._spread()}"
            result = f"{bound}: a lower bound, not a value"
        return f"{result}. But {self.caution}" if self.caution else result

    @property
    def caution(self) -> str:
        """Why the result is hardly that of the policy which is meant; empty if it is.

        It may stand for answers that a language model did not give, or for frequencies of draws.
        """
        if self.elicitation is not None:
            return self.elicitation.caution()
        return DRAWN if self._drawn else ""

    @property
    def _drawn(self) -> bool:
        """Whether a policy that came as probabilities is known to be made of draws."""
        return are_frequencies(self.remarks)

    def rows(self) -> list[tuple[str, str, str, str]]:
        """One row per player: player, value, value of the deviation, gain."""
        return [
            (f"P{p + 1}", f"{value:z.6f}", f"{best:z.6f}", f"{self._rounded(gain):.4g}")
            for p, (value, best, gain) in enumerate(
                zip(self.values, self.best_response_values, self.gains, strict=True)
            )
        ]

    def _spread(self) -> str:
        """Confidence and, of an estimate, interval."""
        if self.interval is None or self.confidence is None:
            return ""
        low, high = self.interval
        interval = f", interval {low:.6g} to {high:.6g}" if self.kind == "estimate" else ""
        return f" (confidence {self.confidence:.4g}{interval})"

    def _rounded(self, gain: float) -> float:
        """A gain, or a sum of gains; 0 if it is a rounding error beside the values."""
        largest = max(1.0, *map(abs, self.values), *map(abs, self.best_response_values))
        return 0.0 if abs(gain) <= ROUNDING * largest else gain

    @property
    def columns(self) -> tuple[str, str, str, str]:
        """The headings of `rows`."""
        deviation = "learned deviation" if self.kind == "lower_bound" else "best response"
        return "player", "on policy", deviation, "gain"

    def places(self) -> list[str]:
        """Lines on the information sets where most of the gains arise."""
        if not self.information_sets:
            return []
        return [f"{WHERE}:", *(f"  {place}" for place in self.information_sets[:SHOWN])]

    def asked(self) -> list[str]:
        """Lines on how a language model was asked, if one was."""
        return [] if self.elicitation is None else self.elicitation.lines()

    def __str__(self) -> str:
        table = [self.columns, *self.rows()]
        widths = [max(map(len, column)) for column in zip(*table)]
        lines = [f"{self.game}, policy {self.policy}", self.headline]
        for row in table:
            lines.append("  " + "  ".join(cell.rjust(w) for cell, w in zip(row, widths)))
        lines += self.places()
        lines += self.asked()
        lines += [f"Note: {note}" for note in self.notes]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        def line(cells: tuple[str, ...], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>"

        places = "".join(
            f"<li>P{place.player + 1} {place.gain:.4g}: {html.escape(place.action)} at "
            f"<code>{html.escape(place.information_set)}</code></li>"
            for place in self.information_sets[:SHOWN]
        )
        asked = f"<p>{html.escape('; '.join(self.asked()))}</p>" if self.elicitation else ""
        notes = "".join(f"<p><small>{html.escape(note)}</small></p>" for note in self.notes)
        return (
            f"<p><b>{html.escape(self.game)}</b>, policy <code>{html.escape(self.policy)}</code>: "
            f"{html.escape(self.headline)}</p>"
            f"<table><thead>{line(self.columns, 'th')}</thead><tbody>"
            + "".join(line(row, "td") for row in self.rows())
            + f"</tbody></table>{f'<p>{WHERE}:</p><ul>{places}</ul>' if places else ''}"
            + f"{asked}{notes}"
        )
