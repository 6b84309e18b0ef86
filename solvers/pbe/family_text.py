"""A family of equilibria told to people: strategies, beliefs, conditions, payoffs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..tree import GameTree
from .assessment import Assessment
from .conditions import WITHOUT_BELIEFS, Concept
from .formulas import domain, source
from .markup import Block, Display, Heading, Math, Paragraph, Table, Text, joined
from .model import Model
from .proof_account import CONCEPT_NAMES
from .set_names import label, set_names
from .telling import Telling

if TYPE_CHECKING:
    from .families import Family

LONG_PAYOFFS = 80
"""Characters above which payoffs are told line by line."""


def title(concept: Concept, game: str) -> str:
    """A title for the equilibria of a game."""
    name = CONCEPT_NAMES[concept]
    return f"{name[0].upper()}{name[1:].removesuffix('um')}a of {game}"


def family_blocks(family: Family) -> list[Block]:
    """One family."""
    head = (f"{title(family.concept, family.tree.title)}: {family.name}",)
    return [Heading(1, head), *legend(family.tree), *family_account(family)]


def legend(tree: GameTree) -> Iterator[Block]:
    """A table of the information sets whose short name says less than their label, if any."""
    rows = tuple(
        ((name,), (label(tree, h),))
        for h, name in enumerate(set_names(tree))
        if len(label(tree, h)) > len(name) and len(tree.legal[h]) > 1
    )
    if rows:
        yield Table((("Set",), ("What is known",)), rows)


def family_account(family: Family, stated: Sequence[Any] = ()) -> Iterator[Block]:
    """Conditions (but for those ``stated`` before), payoffs, strategies, beliefs."""
    tree = family.tree
    telling = Telling(Model(tree, _stated(family), family.fixed_beliefs or None))
    conditions = [c for c in telling.assumptions if c not in stated]
    where: Text = joined(domain(conditions), ", ", " and ")
    kind = "One equilibrium" if not family.parameters else f"Dimension {family.dimension}"
    yield Paragraph((kind, *((", for all ", *where) if where else ()), ".", *_payoffs(family)))
    if _are_long(family):
        yield Display(tuple(f"U_{{{p + 1}}} &= {source(v)}" for p, v in enumerate(family.payoffs)))
    with_beliefs = family.concept not in WITHOUT_BELIEFS
    rows: list[tuple[Text, ...]] = []
    for h in range(tree.num_infosets):
        if len(tree.legal[h]) > 1:
            row: tuple[Text, ...] = ((telling.names[h],), telling.mix(h))
            rows.append((*row, telling.belief(h)) if with_beliefs else row)
    header: tuple[Text, ...] = (("Set",), ("Strategy",))
    yield Table((*header, ("Belief",)) if with_beliefs else header, tuple(rows))
    if telling.letters:
        yield Paragraph(("Here the letters are short for",))
        yield Display(telling.definitions())


def _stated(family: Family) -> Assessment:
    """The family without beliefs that always follow by Bayes' rule: these are told in few words."""
    unknown = family.unknowns.assessment.beliefs
    given = family.assessment
    beliefs = {key: belief for key, belief in given.beliefs.items() if key in unknown}
    return Assessment(given.strategies, beliefs, given.assumptions)


def _payoffs(family: Family) -> Text:
    if _are_long(family):
        return (" Payoffs:",)
    values = ",\\ ".join(map(source, family.payoffs))
    return (" Payoffs ", Math(rf"\left({values}\right)"), ".")


def _are_long(family: Family) -> bool:
    return sum(len(str(v)) for v in family.payoffs) > LONG_PAYOFFS
