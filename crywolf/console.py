"""What the command line shows: tables, reports and errors, for people and for programs."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from .analysis.claims import Claim, Finding
    from .analysis.report import Report
    from .games.conformance import ConformanceReport
    from .games.openspiel import Registration
    from .llm_bridge.rehearsal import Prompt, Rehearsal
    from .llm_bridge.store_summary import ModelSummary
    from .solvers.correlated import CorrelatedEquilibrium
    from .solvers.pbe.equilibria import Equilibria
    from .solvers.pbe.families import Family
    from .solvers.result import SolveResult
    from .solvers.starts import StartsResult

PLACE = re.compile(r", (Theorem|Section|Table|Figure)s? .*|; .*")
"""What follows the name of the paper in the source of a theorem."""
STYLES = {"verified": "green", "refuted": "bold red", "reported": "yellow"}


def _console(stream: Any) -> Console:
    # Texts hold brackets, colons and numbers that are not meant as markup.
    return Console(file=stream, markup=False, emoji=False, highlight=False, soft_wrap=False)


def show(*things: Any) -> None:
    """Prints texts and tables."""
    console = _console(sys.stdout)
    for thing in things:
        console.print(thing)


def show_json(document: Any) -> None:
    """Prints a JSON document, and nothing else."""
    print(json.dumps(document, indent=2, allow_nan=False))


def show_error(title: str, *lines: str) -> None:
    """Prints why a command ends, for people, in red where the terminal has colours."""
    head = f"{title}: " if lines else title
    words = Text.assemble((head, "bold red"), "\n".join(lines))
    _console(sys.stderr).print(words, soft_wrap=True)


def heading(words: str) -> Rule:
    """A line across the screen with words in it."""
    return Rule(Text(words, "bold"), align="left", style="dim")


@contextmanager
def progress(label: str, *, visible: bool = True) -> Iterator[Any]:
    """A live progress bar on standard error, silent where that is no terminal.

    What other people's code prints meanwhile goes there, too: standard output is for results.

    Yields:
        ``update(done, total, note)``. A new note is drawn at once: what it tells of may not let
        other threads run.
    """
    console = _console(sys.stderr)
    shown = ""
    with (
        redirect_stdout(sys.stderr),
        Progress(
            TextColumn(label, markup=False),
            BarColumn(20),  # the rest of a narrow screen is for the note
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[note]}", markup=False),
            console=console,
            transient=True,
            disable=not (visible and console.is_terminal),
        ) as bar,
    ):
        task = bar.add_task(label, total=None, note="")

        def update(done: int, total: int | None = None, note: str = "") -> None:
            nonlocal shown
            bar.update(task, completed=done, total=total, note=note, refresh=note != shown)
            shown = note

        yield update


def check_claims(claims: Sequence[Claim], *, visible: bool = True) -> list[Finding]:
    """Checks claims one by one, showing which."""
    findings: list[Finding] = []
    with progress("verifying", visible=visible) as update:
        for claim in claims:
            update(len(findings), len(claims), claim.name)
            findings.append(claim.check())
    return findings


# -------------------------------------------------------------------------------------- the views


def findings_view(findings: Iterable[Finding]) -> list[Any]:
    """Theorems with their status, paper by paper; what is violated stands below a refuted one."""
    papers: dict[str, list[Finding]] = {}
    for finding in findings:
        papers.setdefault(_paper(finding.source), []).append(finding)
    return [
        thing for paper, group in papers.items() for thing in (heading(paper), _findings(group), "")
    ]


def _paper(source: str) -> str:
    """A source without the place in it, and without what it is related to."""
    return PLACE.sub("", source)


def _findings(findings: Iterable[Finding]) -> Table:
    """The theorems of one paper."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 1, 0))
    table.add_column("status", no_wrap=True)
    table.add_column("theorem", overflow="fold", ratio=1)
    for finding in findings:
        words = Text.assemble((finding.name, "bold"), f"\n{finding.statement}")
        if finding.source != _paper(finding.source):
            words.append(f"\n{finding.source}", "dim")
        for violation in finding.violations:
            words.append(f"\n✗ {violation}", "red")
        if finding.status == "reported":
            words.append(f"\n{finding.computed}", "yellow")
        table.add_row(Text(finding.status, STYLES[finding.status]), words)
    return table


def finding_details(finding: Finding) -> Table:
    """Everything about one theorem."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    rows: list[tuple[str, Text]] = [
        ("name", Text(finding.name)),
        ("source", Text(finding.source)),
        ("statement", Text(finding.statement)),
        ("expected", Text(finding.expected)),
        ("computed", Text(finding.computed)),
        ("status", Text(finding.status, STYLES[finding.status])),
        ("exact", Text("yes, no rounding" if finding.exact else "no")),
    ]
    rows += [("violated", Text(violation, "red")) for violation in finding.violations]
    for row in rows:
        table.add_row(*row)
    return table


def tally(findings: Iterable[Finding]) -> Text:
    """How many theorems have which status."""
    counts: dict[str, int] = {}
    for finding in findings:
        counts[finding.status] = counts.get(finding.status, 0) + 1
    words = [(f"{count} {status}", STYLES[status]) for status, count in counts.items()]
    return Text(", ").join(Text(*word) for word in words)


def report_view(report: Report) -> list[Any]:
    """A NashConv report: headline, one row per player, places, notes."""
    style = "red" if report.caution else "" if report.kind == "exact" else "yellow"
    parts: list[Any] = [
        Text.assemble((report.game, "bold"), ", policy ", (report.policy, "bold")),
        Text(report.headline, f"bold {style}".strip()),
    ]
    table = Table(box=None, header_style="dim", pad_edge=False)
    for heading_, align in zip(report.columns, ("left", "right", "right", "right"), strict=True):
        table.add_column(heading_, justify=align)  # type: ignore[arg-type]
    for row in report.rows():
        table.add_row(*row)
    parts.append(Padding(table, (0, 0, 0, 2)))
    parts += [Padding(Text(line), (0, 0, 0, 2)) for line in (*report.places(), *report.asked())]
    return parts + notes_view(report.notes)


def notes_view(notes: Iterable[str]) -> list[Any]:
    """What a reader of numbers has to know."""
    return [Padding(Text(f"Note: {note}", "dim"), (0, 0, 0, 2)) for note in notes]


def show_rehearsal(game: str, rehearsal: Rehearsal) -> None:
    """What a run would ask a language model, and how often."""
    held = rehearsal.calls - rehearsal.new_calls
    stored = f", {held:,} of them in the store: {rehearsal.new_calls:,} to make" if held else ""
    show(
        Text.assemble((game, "bold"), ", policy ", (rehearsal.policy, "bold")),
        Text("Nothing was asked, nothing written.", "bold yellow"),
        f"{rehearsal.elicitation} at {rehearsal.information_sets:,} information sets: "
        f"{rehearsal.calls:,} calls{stored}",
        "Calls that fail, and reminders after answers that name no move, come on top.",
    )
    if rehearsal.first is not None:
        show("")
        show_prompt(game, rehearsal.first)


def show_prompt(game: str, prompt: Prompt) -> None:
    """What a language model is asked at an information set, each message as it is sent."""
    from .analysis.elicited import UNTOLD_NOTE

    show(Text.assemble((game, "bold"), f", P{prompt.player + 1} at {prompt.information_set!r}"))
    if not prompt.messages:
        show("nothing is asked: there is one action only")
        return
    show(f"{prompt.elicitation}: {prompt.calls:,} calls; the first of them is")
    for message in prompt.messages:
        show(Text(f"[{message.role}]", "dim"))
        _console(sys.stdout).print(Text(message.content), soft_wrap=True)
    show(*notes_view(() if prompt.rules_told else (UNTOLD_NOTE,)))


def store_view(file: Path, models: Sequence[ModelSummary]) -> list[Any]:
    """The models of a call store, each with what is known of its answers."""
    calls = sum(model.calls for model in models)
    parts: list[Any] = [Text.assemble(f"{calls:,} calls in ", (str(file), "bold"))]
    for model in models:
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="dim", no_wrap=True)
        grid.add_column(overflow="fold")
        for name, words in _model_rows(model):
            grid.add_row(name, Text(words))
        parts += [Text(model.model, "bold"), Padding(grid, (0, 0, 0, 2))]
    return parts


def _model_rows(model: ModelSummary) -> Iterator[tuple[str, str]]:
    yield "calls", f"{model.calls:,}, from {model.first} to {model.last}"
    yield "asked for", ", ".join(model.elicitations) or "not noted"
    for run in model.runs:
        yield "recorded", str(run)
    if model.prompt_tokens is None or model.completion_tokens is None:
        yield "tokens", "not known"
    else:
        told = f"{model.prompt_tokens:,} prompt + {model.completion_tokens:,} answer tokens"
        yield "tokens", told
    failures = ", ".join(f"{name} {count:,}" for name, count in model.failures.items())
    yield "failures", failures or "none"
    for name, value in model.source.items():
        if value is not None:
            yield name.replace("_", " "), value


def games_table(registrations: Mapping[str, Registration]) -> Table:
    """Our games with their parameters and defaults."""
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 1, 0))
    table.add_column("game", no_wrap=True, style="bold")
    table.add_column("parameters and defaults", overflow="fold", ratio=1)
    for name, registration in registrations.items():
        defaults = ", ".join(f"{k}={literal(v)}" for k, v in registration.defaults.items())
        words = f"\n{defaults}" if defaults else ""
        table.add_row(name, Text.assemble(registration.summary, (words, "dim")))
    return table


def literal(value: Any) -> str:
    """A parameter's value as it is written in a game string."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def checks_view(report: ConformanceReport) -> list[Any]:
    """A conformance report: one row per check."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold", ratio=1)
    for check in report.checks:
        if check.skipped:
            mark = Text("skip", "dim")
        else:
            mark = Text("ok", "green") if check.ok else Text("FAIL", "bold red")
        words = check.detail if check.ok else f"not so: {check.claim}\n{check.detail}"
        table.add_row(mark, check.name, Text(words, "" if check.ok else "red"))
    return [Text(str(report).partition("\n")[0], "bold"), table]


def solution_view(game: str, result: SolveResult) -> list[Any]:
    """What a solver reached, with NashConv at the powers of two and at the end."""
    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column(result.unit.removesuffix("s"), justify="right")
    table.add_column("NashConv", justify="right")
    for iteration, value in result.history:
        if iteration & (iteration - 1) == 0 or iteration == result.iterations:
            table.add_row(f"{iteration:,}", f"{value:.6g}")
    payoffs = ", ".join(f"P{p + 1} {_payoff(value)}" for p, value in enumerate(result.values))
    which = f"{result.iterate} profile" if result.solution is None else "profile"
    return [
        Text.assemble((game, "bold"), f", {result.algorithm}, {result.iterations:,} {result.unit} ")
        + Text(_time(result)),
        Padding(table, (0, 0, 0, 2)),
        Text(f"payoffs of the {which}: {payoffs}"),
    ]


def _time(found: SolveResult | CorrelatedEquilibrium) -> str:
    """How long it took; kernels are worth a word only if they were not loaded in no time."""
    kernels = ""
    if found.compile_seconds >= 1.0:
        kernels = f", after compiling kernels for {found.compile_seconds:.3g} s"
    return f"in {found.seconds:.3g} s{kernels}"


def _payoff(value: float | Fraction) -> str:
    return f"{value} (exact)" if isinstance(value, Fraction) else f"{value:.6f}"


def starts_view(game: str, found: StartsResult) -> list[Any]:
    """What a solver reached from many starts."""
    table = Table(box=None, header_style="dim", pad_edge=False)
    for name, align in zip(
        ("", "minimum", "median", "maximum"), ("left", *["right"] * 3), strict=True
    ):
        table.add_column(name, justify=align)  # type: ignore[arg-type]
    for name, *numbers in found.rows():
        table.add_row(name, *(f"{number:.6g}" for number in numbers))
    best = found.best
    return [
        Text.assemble((game, "bold"), f", {best.algorithm}, {best.iterations:,} iterations from ")
        + Text(f"{len(found.results)} starts"),
        Padding(table, (0, 0, 0, 2)),
    ]


MOST_PLANS = 4
"""Joint plans of a correlation device that are shown."""


def correlated_view(game: str, found: CorrelatedEquilibrium) -> list[Any]:
    """A correlated equilibrium: payoffs, and the likeliest joint plans, move by move."""
    device = found.device
    tree = device.tree
    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column("probability", justify="right")
    table.add_column("recommended, where a player may come by its own plan", overflow="fold")
    likeliest = device.weights.argsort(kind="stable")[::-1][:MOST_PLANS]
    for k in likeliest.tolist():
        moves = [
            f"{tree.keys[h]!r}: {name}"
            for h in range(tree.num_infosets)
            for name, played in zip(
                tree.action_names(h), device.plans[k, tree.slice(h)], strict=True
            )
            if played > 0.0
        ]
        table.add_row(f"{device.weights[k]:.6f}", "\n".join(moves))
    more = len(device) - len(likeliest)
    payoffs = ", ".join(f"P{p + 1} {value:.6f}" for p, value in enumerate(found.values))
    optimum = "" if found.maximise is None else f", maximises {_objective(found.maximise)}"
    return [
        Text.assemble((game, "bold"), f", {found.kind}{optimum}, {_time(found)}"),
        Padding(table, (0, 0, 0, 2)),
        *([f"  and {more:,} joint plans more"] if more else []),
        f"payoffs: {payoffs}",
        f"gains from not obeying, in all: {found.distance:.3g}",
    ]


def _objective(maximise: str | int) -> str:
    return str(maximise) if isinstance(maximise, str) else f"the payoff of P{maximise + 1}"


def equilibria_view(found: Equilibria, *, full: bool = False) -> list[Any]:
    """All equilibria of a game, family by family; of mirror images the first, unless ``full``."""
    from .solvers.pbe.equilibria_text import RATIONALISED
    from .solvers.pbe.formulas import plain, plain_domain
    from .solvers.pbe.orbits import cycle_words, renaming

    shown: list[Any] = [Text(f"{found}, {found.seconds:.1f} s", "bold")]
    for i, family in enumerate(found.families):
        image = found.images.get(i)
        name, dimension = family.name, f"dimension {family.dimension}"
        if image is not None:
            cycles = renaming(image.automorphism, family.tree)
            exchanged = ", ".join(" ".join(cycle_words(cycle)) for cycle in cycles)
            name = f"mirror image of {image.of + 1} ({exchanged})"
        shown += ["", Text(f"{i + 1}. {name}", "bold")]
        if image is None or full:
            where = f", where {'; '.join(plain_domain(family.conditions))}" * bool(
                family.conditions
            )
            size = dimension if family.parameters else "one equilibrium"
            payoffs = f"payoffs ({', '.join(map(plain, family.payoffs))})"
            shown += [Padding(Text(words), (0, 0, 0, 3)) for words in (payoffs, size + where)]
            shown.append(Padding(_assessment_table(family), (0, 0, 0, 3)))
    notes = []
    if not found.complete:
        notes.append("The search ended early: there may be more; see --time-limit.")
    if found.rationalised:
        notes.append(RATIONALISED)
    return shown + notes_view(notes)


WIDE_BELIEF = 36
"""Characters of a belief above which each history stands on a line of its own."""


def _assessment_table(family: Family) -> Table:
    """Strategies and beliefs, set by set; sets with one action are left out."""
    from .solvers.pbe.formulas import plain

    tree, told = family.tree, family.unknowns.assessment.beliefs
    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("set", "strategy", *(("belief",) if family.beliefs else ())):
        table.add_column(name, overflow="fold")
    for h, key in enumerate(tree.keys):
        if len(tree.legal[h]) == 1:
            continue
        mix = {name: p for name, p in family.strategies[key].items() if p != 0}
        strategy = ", ".join(name if p == 1 else f"{name} {plain(p)}" for name, p in mix.items())
        row = [key, strategy]
        if key in family.beliefs and key not in told and key not in family.fixed_beliefs:
            row.append("by Bayes' rule")
        elif key in family.beliefs:
            pairs = zip(tree.nodes_of(h), family.beliefs[key], strict=True)
            words = [f"{tree.history_words(node)} {plain(b)}" for node, b in pairs if b != 0]
            row.append(
                ", ".join(words) if sum(map(len, words)) <= WIDE_BELIEF else "\n".join(words)
            )
        table.add_row(*row)
    return table
