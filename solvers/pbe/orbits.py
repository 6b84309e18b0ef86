"""Families that are mirror images of each other under a symmetry of the game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import sympy

from ...games.errors import Undecided
from ..tree import GameTree
from .assessment import Assessment
from .families import Family, covered
from .set_names import label, set_names
from .symmetry import Automorphism, apply, keeps_equilibria, symmetry_group

MOST_TRIED = 48
"""Of larger groups of symmetries only some that generate them are tried, one after the other."""


@dataclass(frozen=True)
class MirrorImage:
    """That a family is another one, with names exchanged.

    Attributes:
        of: the index of the other family.
        automorphism: takes the other family onto this one.
    """

    of: int
    automorphism: Automorphism


def mirror_images(families: Sequence[Family]) -> dict[int, MirrorImage]:
    """For every family that is the mirror image of an earlier one, of the first such.

    That one is the image of the other is proved: each contains the image of the other. Where the
    prover does not settle that, and where beliefs are given from outside, none is claimed. Takes
    two proofs for each pair of families that agree in dimension, payoffs and support; and with more
    than `MOST_TRIED` symmetries some images may be missed.
    """
    if len(families) < 2 or families[0].fixed_beliefs:
        return {}
    tried = _tried(families[0])
    outlines = [_Outline(family) for family in families]
    found: dict[int, MirrorImage] = {}
    for first in range(len(families)):
        if first not in found:
            left = [i for i in range(first + 1, len(families)) if i not in found]
            found |= _images_of(first, left, families, outlines, tried)
    return found


def _images_of(
    first: int,
    left: list[int],
    families: Sequence[Family],
    outlines: Sequence[_Outline],
    tried: Sequence[Automorphism],
) -> dict[int, MirrorImage]:
    """The images of a family among others, found one step at a time: images of images, too."""
    found: dict[int, MirrorImage] = {}
    waiting: list[tuple[int, Automorphism | None]] = [(first, None)]  # a family, the way to it
    while waiting:
        one, way = waiting.pop()
        for automorphism in tried:
            for other in left:
                if outlines[one].fits(automorphism, outlines[other]) and _is_image(
                    automorphism, families[one], families[other]
                ):
                    onto = automorphism if way is None else automorphism.after(way)
                    found[other] = MirrorImage(first, onto)
                    waiting.append((other, onto))
                    left.remove(other)
                    break  # a family has one image
    return found


def orbits(images: Mapping[int, MirrorImage], number: int) -> tuple[tuple[int, ...], ...]:
    """The indices of all families, mirror images together, by their first member."""
    grouped: dict[int, list[int]] = {}
    for i in range(number):
        grouped.setdefault(images[i].of if i in images else i, []).append(i)
    return tuple(map(tuple, grouped.values()))


def _tried(family: Family) -> list[Automorphism]:
    """Symmetries that take equilibria of the concept to such equilibria, without the identity."""
    tree = family.tree
    group = symmetry_group(tree)
    few = group.order <= MOST_TRIED
    candidates: Iterable[Automorphism] = islice(group, 1, None) if few else group.generators
    return [a for a in candidates if keeps_equilibria(a, tree, family.concept)]


class _Outline:
    """What a family and its mirror image have in common, quickly compared."""

    def __init__(self, family: Family):
        tree = family.tree
        self.dimension = family.dimension
        self.payoffs = [sympy.sympify(v) for v in family.payoffs]
        self.solid = not any(isinstance(c, sympy.Eq) for c in family.conditions)
        self.unplayed = {
            (h, a)
            for h, key in enumerate(tree.keys)
            for a, name in enumerate(tree.action_names(h))
            if family.strategies[key][name] == 0
        }

    def fits(self, automorphism: Automorphism, other: _Outline) -> bool:
        """Whether the other family may be the image.

        Supports are compared where no equations are among the conditions: what is always 0 is
        visibly 0 then.
        """
        if self.dimension != other.dimension:
            return False
        pairs = [(v, other.payoffs[p]) for v, p in zip(self.payoffs, automorphism.player)]
        if any((v.is_number or u.is_number) and v != u for v, u in pairs):
            return False
        moved = {(automorphism.infoset[h], automorphism.action[h][a]) for h, a in self.unplayed}
        return moved == other.unplayed or not (self.solid and other.solid)


def _is_image(automorphism: Automorphism, one: Family, other: Family) -> bool:
    try:
        return covered(_moved(automorphism, one), (other,)) and covered(
            _moved(automorphism.inverse, other), (one,)
        )
    except Undecided:
        return False


def _moved(automorphism: Automorphism, family: Family) -> Assessment:
    strategies, beliefs = apply(automorphism, family.tree, family.strategies, family.beliefs)
    return Assessment(strategies, beliefs, family.assessment.assumptions)


# ---------------------------------------------------------------------------------------- in words


def renaming(automorphism: Automorphism, tree: GameTree) -> list[tuple[str, ...]]:
    """A symmetry in words: cycles of names, such as ``("P1", "P2")`` for two that are exchanged.

    Players come first, then actions, then information sets whose new names do not follow.
    """
    players = {f"P{p + 1}": f"P{q + 1}" for p, q in enumerate(automorphism.player)}
    moves: dict[str, set[str]] = {}
    for h, image in enumerate(automorphism.infoset):
        there = tree.action_names(image)
        for name, rank in zip(tree.action_names(h), automorphism.action[h], strict=True):
            moves.setdefault(name, set()).add(there[rank])
    names = set_names(tree)
    if sum(map(len, moves.values())) == len(moves) == len(set().union(*moves.values())):
        actions = {name: image for name, (image,) in moves.items()}
    else:  # a name means different things at different sets
        actions = {
            f"{name} at {names[h]}": f"{tree.action_names(image)[rank]} at {names[image]}"
            for h, image in enumerate(automorphism.infoset)
            for name, rank in zip(tree.action_names(h), automorphism.action[h], strict=True)
            if len(tree.legal[h]) > 1
        }
    told = {**players, **actions}
    sets = {
        names[h]: names[image]
        for h, image in enumerate(automorphism.infoset)
        if _translated(label(tree, h), told) != label(tree, image) and names[h] not in players
    }
    return [cycle for images in (players, actions, sets) for cycle in _cycles(images)]


def cycle_words(cycle: Sequence[str], exchanged: str = "↔", moved: str = "→") -> list[str]:
    """``a ↔ b`` for two names that are exchanged, ``a → b → c → a`` for more; sign by sign."""
    a_pair = len(cycle) == 2
    names = cycle if a_pair else (*cycle, cycle[0])
    return [w for name in names for w in (exchanged if a_pair else moved, name)][1:]


def _translated(text: str, words: Mapping[str, str]) -> str:
    longest = sorted(words, key=len, reverse=True)
    pattern = r"(?<!\w)(?:" + "|".join(map(re.escape, longest)) + r")(?!\w)"
    return re.sub(pattern, lambda match: words[match.group()], text)


def _cycles(images: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """The cycles of a permutation of names, without the names that stay."""
    left = {name: images[name] for name in sorted(images) if images[name] != name}
    while left:
        name, cycle = next(iter(left)), []
        while name in left:
            cycle.append(name)
            name = left.pop(name)
        yield tuple(cycle)
