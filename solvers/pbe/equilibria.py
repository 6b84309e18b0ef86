"""What a derivation of all equilibria gives: families, and what proves that they are all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from typing import Any

import sympy

from ...games.errors import AssessmentError, Undecided
from ..tree import Game
from .assessment import Assessment
from .certificate import Certificate
from .conditions import Concept
from .equilibria_json import (
    from_json,
    is_json,
    read_json,
    refuse_unreadable_names,
    to_json,
)
from .equilibria_text import equilibria_blocks
from .families import Family, covered
from .family_text import title
from .markup import Format, document, format_of, render, save_text
from .orbits import MirrorImage, mirror_images, orbits
from .prover import Prover
from .recheck import Recheck, recheck
from .unknowns import Unknowns


@dataclass(frozen=True, eq=False)
class Equilibria:
    """The equilibria of a game.

    Attributes:
        game: its name.
        concept: which equilibria.
        complete: whether it is proved that every equilibrium is in a family.
        families: closed sets, none of which lies in the union of the others.
        seconds: time taken.
        rationalised: whether the game's numbers were floats, read as the nearest fractions.
        certificate: what proves completeness.
    """

    game: str
    concept: Concept
    complete: bool
    families: tuple[Family, ...]
    seconds: float
    rationalised: bool
    certificate: Certificate
    unknowns: Unknowns = field(repr=False)
    assumptions: tuple[Any, ...] = field(repr=False)

    def probability(self, information_set: str, action: str) -> Any:
        """The probability of an action, as a SymPy expression for `equals`.

        Raises:
            AssessmentError: no such information set or action.
        """
        try:
            return sympy.sympify(self.unknowns.assessment.strategies[information_set][action])
        except KeyError:
            raise AssessmentError(
                f"{self.game} has no action {action!r} at an information set {information_set!r}"
            ) from None

    def belief(self, information_set: str) -> tuple[Any, ...]:
        """The belief at a set, as SymPy expressions for `equals`, where it is not by Bayes' rule.

        Raises:
            AssessmentError: there is no free belief at such a set.
        """
        belief = self.unknowns.assessment.beliefs.get(information_set)
        if belief is None:
            raise AssessmentError(f"{self.game} has no free belief at {information_set!r}")
        assert not isinstance(belief, Mapping)
        return tuple(map(sympy.sympify, belief))

    def equals(self, condition: Any) -> bool:
        """Whether the families together are exactly the assessments that satisfy a condition.

        Args:
            condition: a combination of SymPy relations between `probability` and `belief`.

        Raises:
            Undecided: the prover could not tell.
        """
        given = self.unknowns.assessment
        rows = [*(m.values() for m in given.strategies.values()), *given.beliefs.values()]
        coordinates = set(self.unknowns.symbols)
        proper = [
            sympy.Ge(x, 0)
            for row in rows
            for x in map(sympy.sympify, row)
            if x.free_symbols & coordinates
        ]
        union = sympy.Or(*(family.membership for family in self.families))
        prover = Prover.of([union, condition], [*self.assumptions, *proper])
        for one, other in ((union, condition), (condition, union)):
            answer = prover.refutable(
                [prover.assumed(one), prover.assumed(sympy.Not(other))]
            ).answer
            if answer == "undecided":
                raise Undecided(f"{self.game}: could not settle whether the sets are the same")
            if answer == "refuted":
                return False
        return True

    def contains(self, assessment: Assessment) -> bool:
        """Whether an assessment lies in some family; one with symbols, for all of their values.

        Raises:
            AssessmentError: it does not fit the game.
            Undecided: the prover could not tell.
        """
        return covered(assessment, self.families)

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`; expressions and conditions are strings that SymPy reads.

        A symbol may be called like something of SymPy's (``E``, ``beta``): then
        ``sympify(text, locals={...})`` needs to be told. `from_json` knows.
        """
        return to_json(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any], game: Game | None = None) -> Equilibria:
        """The equilibria that `to_json` wrote.

        Nothing in ``data`` is run as code. That it fits the game is checked; what it says of
        completeness is taken over (`certificate` has the question that was answered), and that the
        members are equilibria is proved anew by `Family.verify`.

        Args:
            data: what `to_json` returned, say through `json.load`.
            game: the game; by default the one of that name.

        Raises:
            EquilibriaFileError: damaged, of another format, or of another game.
        """
        return from_json(data, game)

    @cached_property
    def images(self) -> Mapping[int, MirrorImage]:
        """For every family that is the mirror image of an earlier one: of which, and how."""
        return mirror_images(self.families)

    @property
    def orbits(self) -> tuple[tuple[int, ...], ...]:
        """The indices of the families, those that are mirror images of each other together."""
        return orbits(self.images, len(self.families))

    def markdown(self, *, full: bool = False) -> str:
        """The families as Markdown with formulas.

        Args:
            full: whether mirror images are written out, too.
        """
        return render(equilibria_blocks(self, full), "markdown")

    def latex(self, *, full: bool = False) -> str:
        """The same as a LaTeX fragment; it needs amsmath, booktabs and longtable."""
        return render(equilibria_blocks(self, full), "latex")

    def document(self, format: Format = "latex", *, full: bool = False) -> str:
        """The same as a complete document.

        Raises:
            ParameterError: another format than ``latex`` and ``markdown``.
        """
        game = self.families[0].tree.title if self.families else self.game
        _, *blocks = equilibria_blocks(self, full)  # the title takes the place of the heading
        return document(title(self.concept, game), blocks, format)

    def save(self, path: str | PathLike[str], *, full: bool = False) -> None:
        """Writes the families to a file, completely or not at all.

        Args:
            path: ends in ``.json`` (see `load`), or in ``.tex`` or ``.md`` for a `document`.
            full: whether a document writes mirror images out, too.

        Raises:
            ParameterError: another ending; or a symbol with a name that no ``.json`` file can hold.
            OutputError: a missing or read-only folder, or a full disk.
        """
        if is_json(path):
            refuse_unreadable_names(self)
            save_text(path, json.dumps(self.to_json(), indent=2) + "\n")
        else:
            save_text(path, self.document(format_of(path, ".json"), full=full))

    @classmethod
    def load(cls, path: str | PathLike[str], game: Game | None = None) -> Equilibria:
        """The equilibria in a ``.json`` file; see `from_json`.

        Raises:
            EquilibriaFileError: missing, damaged, of another format, or of another game.
        """
        return from_json(read_json(path), game)

    def recheck(
        self, solver: str | None = None, formulation: str = "families", *, time_limit: float = 60.0
    ) -> Recheck:
        """Checks that the list is complete by another program or formulation; see `recheck`."""
        return recheck(self, solver, formulation, time_limit=time_limit)

    def _repr_markdown_(self) -> str:
        return self.markdown()

    def __str__(self) -> str:
        how = "complete" if self.complete else "INCOMPLETE: there may be more"
        return (
            f"{self.game}: {len(self.families)} "
            f"{'family' if len(self.families) == 1 else 'families'} of {self.concept} equilibria "
            f"({how})"
        )

    def __repr__(self) -> str:
        return f"<Equilibria {self}>"
