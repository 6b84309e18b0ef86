"""Whole plans in a written proof: what each earns, against what the strategy earns."""

from __future__ import annotations

from collections.abc import Iterator

from .markup import Block, Math, Paragraph, Table
from .proof_account import Account
from .verify import Check

MAX_PLANS = 16
"""Plans that are listed."""


def plans_part(account: Account, h: int) -> Iterator[Block]:
    """Plans for the rest of the game, each against the assessment."""
    checks = account.checks(("plan",), h)
    if not checks:
        return
    note = {
        "nash": ", weighted with the probability that chance and the others lead here",
        "subgame-perfect": ", weighted with the probability that chance and the others lead here "
        "within the smallest subgame around this set",
    }.get(account.verdict.concept, "")
    for earned in dict.fromkeys(check.condition.earned for check in checks):
        mine = [check for check in checks if check.condition.earned == earned]
        yield Paragraph(
            (
                "Whole plans from here on; the strategy itself earns ",
                Math(account.full(earned)),
                note + ".",
            )
        )
        rows = []
        shown = sorted(mine, key=lambda check: check.proof.answer == "proved")[:MAX_PLANS]
        for check in shown:
            condition = check.condition
            found = account.judge(condition.element, ">=", check.proof)
            plan = account.full(earned - condition.element)
            rows.append(((_plan_text(account, h, check),), (Math(plan),), found.text()))
        yield Table((("Plan",), ("Earns",), ("Strategy minus plan",)), tuple(rows))
        if not account.model.field.symbols:
            yield Paragraph(("No plan earns more than the one shown.",))
        if len(shown) < len(mine):
            proved = sum(check.proof.answer == "proved" for check in mine) - sum(
                check.proof.answer == "proved" for check in shown
            )
            yield Paragraph(
                (f"Of {len(mine) - len(shown)} more plans, {proved} are proved no better.",)
            )


def _plan_text(account: Account, h: int, check: Check) -> str:
    moves = []
    for k, a in check.condition.deviation.items():
        name = account.tree.action_names(k)[a]
        moves.append(name if k == h else f"{name} at {account.names[k]}")
    return "; ".join(moves)
