"""The command ``crywolf nashconv``: how far a policy is from a Nash equilibrium."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from .cli_options import (
    Elicitation,
    GameName,
    JsonFlag,
    MaxNodes,
    MaxTokens,
    PolicyOut,
    RulesFile,
    refuse_bad_policy_path,
    rules_in,
    tree_of,
)

SHOWN_SETS = 100
"""Information sets up to which ``--json`` shows the policy of a language model."""


class OnFailure(StrEnum):
    """What happens when a language model's answer names no move."""

    RAISE = "raise"
    UNIFORM = "uniform"


class Method(StrEnum):
    """How NashConv is computed."""

    AUTO = "auto"
    EXACT = "exact"
    SAMPLED = "sampled"


def nashconv(
    game: GameName,
    policy: Annotated[
        str,
        typer.Option(
            "--policy",
            metavar="SPEC",
            help="uniform, random:SEED, agent:NAME, a file policy.npz, package.module:function; a "
            "language model: llm:local[:FILE.gguf], llm:http://HOST:PORT/v1#MODEL, "
            "llm:replay:FILE[#MODEL].",
            show_default=False,
        ),
    ],
    json: JsonFlag = False,
    method: Annotated[
        Method, typer.Option("--method", help="auto samples if the tree is too large.")
    ] = Method.AUTO,
    max_nodes: MaxNodes = 2_000_000,
    samples: Annotated[
        int | None,
        typer.Option(
            "--samples", min=4, help="Plays per player, if sampled (20000).", show_default=False
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="Of the plays or of an interval, if sampled.")
    ] = 0,
    confidence: Annotated[
        float | None,
        typer.Option(
            "--confidence",
            min=0.5,
            max=0.99,
            help="Of a bound or an interval, if sampled (0.95).",
            show_default=False,
        ),
    ] = None,
    out: PolicyOut = None,
    elicitation: Elicitation = None,
    max_tokens: MaxTokens = None,
    rules: RulesFile = None,
    store: Annotated[
        Path | None,
        typer.Option(
            "--store",
            metavar="FILE",
            help="Keep every call here, and ask nothing twice: a killed run goes on.",
            show_default=False,
        ),
    ] = None,
    refresh: Annotated[
        bool, typer.Option("--refresh", help="Ask again what the store holds.")
    ] = False,
    max_calls: Annotated[
        int | None,
        typer.Option("--max-calls", min=0, help="Make no more.", show_default=False),
    ] = None,
    per_minute: Annotated[
        float | None,
        typer.Option("--per-minute", min=0.001, help="Most calls a minute.", show_default=False),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            "--timeout",
            metavar="SECONDS",
            min=0.001,
            help="Longest call of a server (120, of which 60 in silence).",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", min=1, help="Calls to a server at the same time.", show_default=False
        ),
    ] = None,
    attempts: Annotated[
        int | None,
        typer.Option(
            "--attempts",
            min=1,
            help="Most attempts at a call that a server does not answer (5).",
            show_default=False,
        ),
    ] = None,
    retries: Annotated[
        int | None,
        typer.Option(
            "--retries",
            min=0,
            help="Reminders after an answer that names no move (1).",
            show_default=False,
        ),
    ] = None,
    on_failure: Annotated[
        OnFailure | None,
        typer.Option(
            "--on-failure",
            help="Then stop, or let uniform play stand in, counted (raise).",
            show_default=False,
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Count the calls and show the first prompt; ask and write nothing."
        ),
    ] = False,
) -> None:
    """Measure how far a policy is from a Nash equilibrium of GAME.

    Exact where the tree can be searched; otherwise a lower bound that holds with probability
    --confidence. Of a language model that is sampled: an estimate with an interval. The options
    from --elicitation on are for language models only.
    """
    from . import console

    asked = {
        "elicitation": elicitation,
        "max_tokens": max_tokens,
        "rules": rules,
        "store": store,
        "refresh": refresh,
        "max_calls": max_calls,
        "per_minute": per_minute,
        "timeout": timeout,
        "workers": workers,
        "attempts": attempts,
        "retries": retries,
        "on_failure": on_failure,
        "dry_run": dry_run,
    }
    given = {k: v for k, v in asked.items() if v is not None and v is not False}
    how = {"samples": samples, "confidence": confidence, "out": out}
    is_model = policy.strip().startswith("llm:")
    _refuse_idle(policy, is_model, method, given, {k for k, v in how.items() if v is not None})
    options = _options(given) if is_model else None
    if dry_run:
        _rehearse(game, policy, options, max_nodes, json)
        return
    if out is not None:
        refuse_bad_policy_path(out)
        method = Method.EXACT  # a policy is written for a whole tree
    report, profile = _evaluated(
        game,
        policy,
        options,
        out,
        visible=not json,
        method=method.value,
        max_nodes=max_nodes,
        seed=seed,
        **{k: v for k, v in how.items() if k != "out" and v is not None},
    )
    if not json:
        console.show(*console.report_view(report))
        if out is not None:
            console.show(f"policy written to {out}")
        return
    document = report.to_json()
    if is_model:
        document["strategies"] = _strategies(profile)
    if out is not None:
        document["out"] = str(out)
    console.show_json(document)


def _refuse_idle(
    policy: str, is_model: bool, method: Method, given: dict[str, Any], how: set[str]
) -> None:
    """Refuses options that do not concern the policy, or the way of evaluating it, by name."""
    from .games.errors import ParameterError

    if given and not is_model:
        raise ParameterError(
            f"{_named(given)}: only of a language model, and {policy!r} is none; leave it out"
        )
    if "samples" in how and is_model and method is not Method.SAMPLED:
        raise ParameterError(
            "--samples counts plays of a game that is not searched; for N answers of the model at "
            "each information set write --elicitation samples:N (for a lower bound from plays add "
            "--method sampled)"
        )
    if "samples" in how and method is Method.EXACT:
        raise ParameterError("--samples: --method exact searches the tree; leave out one of them")
    drawn = str(given.get("elicitation", "")).startswith("samples")
    if "confidence" in how and method is Method.EXACT and not drawn:
        raise ParameterError("--confidence: --method exact has no interval; leave out one of them")
    if "out" in how and method is Method.SAMPLED:
        raise ParameterError(
            "--out needs the policy at every information set; leave out --method sampled"
        )


def _named(options: Any) -> str:
    return ", ".join("--" + name.replace("_", "-") for name in options)


def _options(given: dict[str, Any]) -> Any:
    """How a language model is asked, in the library's terms."""
    from .games.errors import ParameterError
    from .llm_bridge.failures import FailurePolicy
    from .llm_bridge.specs import Options

    asked = {k: v for k, v in given.items() if k not in ("retries", "on_failure", "dry_run")}
    asked["rules"] = rules_in(given.get("rules"))
    keys = {"retries": "retries", "on_failure": "then"}
    failures = FailurePolicy(**{keys[k]: given[k] for k in keys if k in given})
    options = Options(on_failure=failures, **asked)
    if "retries" in given and str(options.way_of_asking()) == "labels":
        raise ParameterError(
            "--retries: labels reads probabilities and reminds of nothing; leave it out"
        )
    return options


def _rehearse(game: str, policy: str, options: Any, max_nodes: int, json: bool) -> None:
    """Shows what the run would ask."""
    from . import console
    from .llm_bridge.rehearsal import rehearse

    tree = tree_of(game, max_nodes, visible=not json)
    with console.progress("looking up", visible=not json) as update:
        rehearsal = rehearse(policy, tree, options, update)
    if json:
        console.show_json({"game": game, **rehearsal.to_json()})
    else:
        console.show_rehearsal(game, rehearsal)


def _evaluated(
    game: str,
    policy: str,
    options: Any,
    out: Path | None,
    *,
    visible: bool,
    seed: int,
    **how: Any,
) -> tuple[Any, Any]:
    """The report; and the policy at every information set, unless the tree is not searched.

    The policy is written before it is valued: the answers of a language model are expensive.
    """
    from contextlib import closing, nullcontext

    import numpy as np

    from . import console
    from .analysis.evaluation import nash_conv
    from .games.loading import load_game

    profiles: list[Any] = []

    def keep(profile: Any) -> None:
        profiles.append(profile)
        if out is not None:
            profile.save(out)

    source: Any = nullcontext(policy)
    if options is not None:
        from .llm_bridge.specs import policy_from_spec

        source = closing(policy_from_spec(policy, load_game(game), options))
    with source as asked, console.progress("evaluating", visible=visible) as update:
        report = nash_conv(
            game,
            asked,
            rng=np.random.default_rng(seed),
            progress=lambda what, done, total: update(done, total, what),
            tabulated=keep,
            **how,
        )
    return report, profiles[0] if profiles else None


def _strategies(profile: Any) -> dict[str, dict[str, float]] | None:
    """Probabilities by information state and action; None of a policy that is large or not known.

    A large one would drown what else there is to read; ``--out`` writes it.
    """
    if profile is None or profile.tree.num_infosets > SHOWN_SETS:
        return None
    return {key: profile.strategy(key) for key in profile.tree.keys}
