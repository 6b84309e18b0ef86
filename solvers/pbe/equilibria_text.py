"""All equilibria of a game told to people: families, mirror images, and whether that is all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..tree import GameTree
from .family_text import family_account, legend, title
from .formulas import conjuncts, domain
from .markup import Block, Heading, Math, Paragraph, Text, joined
from .orbits import MirrorImage, cycle_words, renaming
from .prover import declarations
from .set_names import set_names

if TYPE_CHECKING:
    from .equilibria import Equilibria
    from .families import Family

RATIONALISED = "The game's numbers are floats, read as the nearest fractions."
"""What is said of games whose exact numbers were made from floats."""


def equilibria_blocks(found: Equilibria, full: bool = False) -> list[Block]:
    """All families of equilibria; of mirror images only the first, unless ``full``."""
    return list(_equilibria(found, full))


def _equilibria(found: Equilibria, full: bool) -> Iterator[Block]:
    families = found.families
    yield Heading(1, (title(found.concept, families[0].tree.title if families else found.game),))
    yield Paragraph((_completeness(found),))
    stated = _assumed(found)
    if stated:
        yield Paragraph(("Throughout, ", *joined(domain(stated), ", ", " and "), "."))
    if found.rationalised:
        yield Paragraph((RATIONALISED,))
    if families:
        yield from _outside(families[0])
        yield from legend(families[0].tree)
    for i, family in enumerate(families):
        image = found.images.get(i)
        if image is None:
            yield Heading(2, (f"{i + 1}. {family.name}",))
        else:
            yield Heading(2, (f"{i + 1}. Mirror image of {image.of + 1}",))
            yield Paragraph(("The same with ", *_exchanged(image, family.tree), "."))
        if image is None or full:
            yield from family_account(family, stated)


def _outside(family: Family) -> Iterator[Block]:
    names = set_names(family.tree)
    told = [names[family.tree.infoset_of_key[key]] for key in family.fixed_beliefs]
    if told:
        sets = " and ".join([", ".join(told[:-1]), told[-1]] if told[1:] else told)
        what = "belief is" if len(told) == 1 else "beliefs are"
        yield Paragraph((f"At {sets} the {what} given from outside.",))


def _completeness(found: Equilibria) -> str:
    """How many families there are, and whether that is all."""
    number, proof = len(found.families), found.certificate
    asked = f"{proof.queries:,} questions, {found.seconds:.3g} s"
    if not found.complete:
        counted = f"{number} {'family was' if number == 1 else 'families were'} found"
        return f"INCOMPLETE: {counted} ({asked}); there may be more."
    if not number:
        return f"There are none, as {proof.solver} proves ({asked})."
    counted = "This family is" if number == 1 else f"These {number} families are"
    return f"{counted} all: {proof.solver} proves that nothing is left ({asked})."


def _assumed(found: Equilibria) -> list[Any]:
    """What is assumed of the symbols of the game and of beliefs from outside."""
    statements = conjuncts(found.assumptions)
    own = set(found.unknowns.symbols)
    symbols = {s for f in found.families for v in f.payoffs for s in getattr(v, "free_symbols", ())}
    symbols = symbols.union(*(s.free_symbols for s in statements)) - own
    return [*(d for s in sorted(symbols, key=str) for d in declarations(s)), *statements]


def _exchanged(image: MirrorImage, tree: GameTree) -> Text:
    signs = {"<->": Math(r"\leftrightarrow"), "->": Math(r"\to")}
    return joined(
        [
            joined([(signs.get(word, word),) for word in cycle_words(cycle, "<->", "->")], " ")
            for cycle in renaming(image.automorphism, tree)
        ]
    )
