"""The second part of a written proof: the assessment."""

from __future__ import annotations

from collections.abc import Iterator

from .conditions import WITHOUT_BELIEFS
from .field import Element
from .formulas import source
from .markup import Block, Display, Heading, Math, Paragraph, Table, Text
from .proof_account import Account
from .proof_game import MAX_SETS
from .signs import factored


def assessment_part(account: Account) -> Iterator[Block]:
    """Strategies, beliefs, and that they are probabilities."""
    model, short, tree = account.model, account.short, account.tree
    with_beliefs = account.verdict.concept not in WITHOUT_BELIEFS
    yield Heading(1, ("The assessment" if with_beliefs else "The strategies",))
    rows: list[tuple[Text, ...]] = []
    for h in range(min(tree.num_infosets, MAX_SETS)):
        row: tuple[Text, ...] = ((account.names[h],), account.mix(h))
        rows.append((*row, account.belief(h)) if with_beliefs else row)
    header: tuple[Text, ...] = (("Set",), ("Strategy",))
    yield Table((*header, ("Belief",)) if with_beliefs else header, tuple(rows))
    if tree.num_infosets > MAX_SETS:
        yield Paragraph((f"The other {tree.num_infosets - MAX_SETS} sets are not shown.",))
    if account.letters:
        yield Paragraph(("Here the letters are short for",))
        yield Display(account.definitions())
    yield from _probabilities(account)
    values = ",\\ ".join(map(source, account.verdict.values))
    players = ",\\ ".join(f"U_{{{p + 1}}}" for p in range(tree.num_players))
    if short is not model or len(values) > 80:
        yield Paragraph(("Expected payoffs under the strategies:",))
        yield Display(
            tuple(f"U_{{{p + 1}}} &= {source(v)}" for p, v in enumerate(account.verdict.values))
        )
    else:
        yield Paragraph(("Expected payoffs: ", Math(rf"({players}) = \left({values}\right)"), "."))


def _divisors(account: Account, element: Element) -> list[Element]:
    """The different factors of a denominator, which vanishes where one of them does."""
    field = account.model.field
    return [field(factor) for factor, _ in factored(field.to_exact(element))[1]]


def _probabilities(account: Account) -> Iterator[Block]:
    """That what has symbols is defined, not negative, and adds up to 1."""
    model, short = account.model, account.short
    lines: dict[str, None] = {}
    by_assumption = False
    brief = {
        s: account.brief(t)
        for row, other in zip(model.strategy, short.strategy, strict=True)
        for s, t in zip(row, other, strict=True)
    }
    for check in account.checks(("strategy", "belief")):
        element, sense = check.condition.element, check.condition.sense
        if model.field.is_constant(element) and check.proof.answer == "proved":
            continue
        if account.is_assumed(element, sense):
            by_assumption = True
        elif sense == "!=":
            for divisor in _divisors(account, element):
                left = source(model.field.to_exact(divisor))
                lines[account.judge(divisor, sense, check.proof).line(left)] = None
        else:
            left = (
                brief.get(element, "") if sense == ">=" else source(model.field.to_exact(element))
            )
            lines[account.judge(element, sense, check.proof).line(left)] = None
    if by_assumption and not lines:
        yield Paragraph(("The assumptions say that all these are probabilities.",))
    elif lines:
        besides = " Besides what the assumptions say:" if by_assumption else ""
        yield Paragraph(
            ("Probabilities must be defined, not negative, and add up to 1." + besides,)
        )
        yield Display(tuple(lines))
