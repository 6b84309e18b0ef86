"""Kinds of claims about sets: all equilibria, all payoff vectors, what talk does to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy

from ..games.errors import Undecided
from ..games.rules import Exact, Rules
from ..solvers.pbe import Assessment, Equilibria, Verdict, derive_equilibria
from ..solvers.pbe.assessment import Belief
from ..solvers.tree import GameTree, compile_tree
from .claims import Claim, differences

DERIVATION_LIMIT = 300.0
"""Seconds for a derivation, after which a claim about all equilibria counts as not settled."""


def implied(condition: Any, assumptions: Sequence[Any]) -> list[str]:
    """Where a condition fails under the assumptions, in words; empty if it never does.

    Raises:
        Undecided: the prover could not tell.
    """
    return differences(sympy.true, condition, assumptions)


@dataclass(frozen=True)
class ImplicationClaim(Claim):
    """A condition on parameters holds wherever the assumptions do.

    Attributes:
        condition: a SymPy condition.
        assumptions: SymPy relations.
    """

    condition: Any
    assumptions: tuple[Any, ...]

    def _compute(self) -> tuple[str, str, Sequence[str], Sequence[Verdict]]:
        violations = implied(self.condition, self.assumptions)
        return "not always" if violations else "always", "always", violations, ()


@dataclass(frozen=True)
class Witness:
    """Where it applies, a point of a piece that is projected as it should be.

    Attributes:
        piece: name of the piece.
        case: a condition on the coordinates that are kept.
        values: the other coordinates, in terms of those that are kept.
    """

    piece: str
    case: Any
    values: Mapping[Any, Exact]


@dataclass(frozen=True)
class ProjectionClaim(Claim):
    """The union of some sets, projected to some of its coordinates, is a given region.

    That nothing is projected outside of the region is proved for every piece. That every point of
    the region is met is proved by witnesses: a formula for a point above it.

    Attributes:
        pieces: conditions on all coordinates, by name.
        region: a condition on the coordinates that are kept.
        witnesses: their cases together cover the region.
        assumptions: SymPy relations on the coordinates that are kept.
    """

    pieces: Mapping[str, Any]
    region: Any
    witnesses: tuple[Witness, ...]
    assumptions: tuple[Any, ...] = ()

    def _compute(self) -> tuple[str, str, Sequence[str], Sequence[Verdict]]:
        violations = [
            f"{name}: {violation}"
            for name, piece in self.pieces.items()
            for violation in implied(sympy.Implies(piece, self.region), self.assumptions)
        ]
        cases = sympy.Or(*(witness.case for witness in self.witnesses))
        violations += implied(sympy.Implies(self.region, cases), self.assumptions)
        for witness in self.witnesses:
            lifted = self.pieces[witness.piece].subs(witness.values)
            where = sympy.And(self.region, witness.case)
            violations += [
                f"the witness in {witness.piece}: {violation}"
                for violation in implied(sympy.Implies(where, lifted), self.assumptions)
            ]
        told = "another region" if violations else str(self.region)
        return told, str(self.region), violations, ()


@dataclass(frozen=True)
class DerivationClaim(Claim):
    """All equilibria of a game are those that satisfy a condition.

    They are derived from the game, with a proof that nothing is left out, and compared.

    Attributes:
        game: name or rules.
        concept: which equilibria.
        condition: called with what was derived; says which assessments are meant, as a condition on
            its probabilities and beliefs, see `Equilibria.equals`.
        families: the number of families.
        assumptions: on the symbols of the game and of the fixed beliefs.
        fixed_beliefs: beliefs given from outside, see `verify`.
        member: an assessment, of whose derived family something is said; or None.
        formulas: probabilities in that family, by information set and action.
        domain: on which beliefs from outside (or parameters of the game) that family exists, a
            condition without the unknowns; or None.
    """

    game: str | Rules[Any]
    concept: str
    condition: Callable[[Equilibria], Any]
    families: int
    assumptions: tuple[Any, ...] = ()
    fixed_beliefs: Mapping[str, Belief] | None = None
    member: Assessment | None = None
    formulas: Mapping[tuple[str, str], Exact] = field(default_factory=dict)
    domain: Any = None

    def _compute(self) -> tuple[str, str, Sequence[str], Sequence[Verdict]]:
        found = derive_equilibria(
            self.game,
            self.concept,
            assumptions=self.assumptions,
            fixed_beliefs=self.fixed_beliefs,
            time_limit=DERIVATION_LIMIT,
        )
        if not found.complete:
            raise Undecided(f"{found}; the search needs more time")
        violations = [] if found.equals(self.condition(found)) else ["the sets differ"]
        if len(found.families) != self.families:
            violations.append(f"there are {len(found.families)} families, not {self.families}")
        if self.member is not None:
            violations += self._family_violations(found, self.member)
        told = "some others" if violations else "exactly these, complete"
        return told, "exactly these, complete", violations, ()

    def _family_violations(self, found: Equilibria, member: Assessment) -> Iterator[str]:
        """What does not hold of the derived family that has the member."""
        family = next((f for f in found.families if f.contains(member)), None)
        if family is None:
            yield "no derived family has the member"
            return
        where = [*self.assumptions, *family.conditions]
        for (key, action), formula in self.formulas.items():
            derived = sympy.sympify(family.strategies[key][action])
            for _ in implied(sympy.Eq(derived, sympy.sympify(formula)), where):
                yield f"{action!r} at {key!r} has probability {derived}, not {formula}"
        if self.domain is not None:
            unknown = set(family.parameters)
            kept = [c for c in family.conditions if not c.free_symbols & unknown]
            yield from differences(sympy.And(*kept), self.domain, self.assumptions)


@dataclass(frozen=True)
class PublicMessageClaim(Claim):
    """A game is another one with a public, costless message between its first move and the rest.

    The first mover moves, says something that everybody hears, and what follows is, after each
    message, the same as without it: the same moves, information sets and payoffs. From this follow,
    for ``weak-pbe`` and every stronger concept, the two halves of the theorem on messages:

    - Let V(n, m) be the speaker's value of move n and message m. It only says best messages and
      only makes best moves, so V(n, m) = max V wherever n and m are played. Let m be said, and x
      the others' belief on n after it. Then the moves that have weight in x are best in the game
      without messages if what follows there is what follows m here: x and this are an equilibrium
      of it, and it pays the speaker max V.
    - Conversely let equilibria of the game without messages pay the speaker the same u. Say m with
      the weight of one of them and its night posterior; answer messages that are never said like
      one that is. V(n, m) <= u for all n and m, with equality where n has weight after m: an
      equilibrium, whose payoffs are the weighted mean. (Trembles to a message that is never said,
      in proportion to the message that is answered alike, make it sequential.)

    Attributes:
        game: name or rules, with messages.
        silent: the game without them.
    """

    game: str | Rules[Any]
    silent: str | Rules[Any]

    def _compute(self) -> tuple[str, str, Sequence[str], Sequence[Verdict]]:
        violations = list(_message_violations(compile_tree(self.game), compile_tree(self.silent)))
        told = "not the same game" if violations else "the same game after each message"
        return told, "the same game after each message", violations, ()


def _message_violations(game: GameTree, silent: GameTree) -> Iterator[str]:
    """Where a game is not the silent one with a public message after the first move."""
    talk, plain = _Walk(game), _Walk(silent)
    if talk.moves(0) != plain.moves(0):
        yield f"the first moves are {talk.moves(0)} and {plain.moves(0)}"
        return
    speeches = [talk.moves(node) for node in talk.children[0]]
    speaker, messages = speeches[0]
    if speaker != talk.moves(0)[0] or any(speech != speeches[0] for speech in speeches):
        yield f"the messages after the first moves are {speeches}"
        return
    pairs: set[tuple[int, tuple[int, str]]] = set()
    for first, said in zip(plain.children[0], talk.children[0], strict=True):
        for message, after in zip(messages, talk.children[said], strict=True):
            yield from talk.compared(after, plain, first, message, pairs)
    sets = Counter(h for h, _ in pairs)
    twins = Counter(twin for _, twin in pairs)
    for h, twin in sorted(pairs):
        if sets[h] > 1:
            yield f"{game.keys[h]!r} does not tell {twin[1]!r} from another message"
        if twins[twin] > 1:
            yield f"{game.keys[h]!r} tells more than {twin[1]!r}"


class _Walk:
    """A compiled tree, as nodes with children."""

    def __init__(self, tree: GameTree):
        self.tree = tree
        self.children: list[list[int]] = [[] for _ in range(len(tree.parent))]
        for node, above in enumerate(tree.parent.tolist()):
            if above >= 0:
                self.children[above].append(node)
        self.infoset = tree.node_infoset.tolist()
        self.probabilities, self.payoffs = tree.exact_tables

    def moves(self, node: int) -> tuple[int, tuple[str, ...]]:
        """Who moves at a node, and the actions, or the probabilities of chance."""
        h, mover = self.infoset[node], int(self.tree.player[node])
        if h >= 0:
            return mover, tuple(self.tree.action_names(h))
        odds = (self.tree.probability[child] for child in self.children[node])
        return mover, tuple(str(self.probabilities[k]) for k in odds)

    def compared(
        self,
        node: int,
        plain: _Walk,
        other: int,
        message: str,
        pairs: set[tuple[int, tuple[int, str]]],
    ) -> Iterator[str]:
        """Where the subtree of a node differs from one of the game without messages.

        Adds the information sets met, each with the one that it is without the message.
        """
        words = self.tree.history_words(node)
        if self.moves(node) != plain.moves(other):
            yield f"after {words}: {self.moves(node)}, without the message {plain.moves(other)}"
            return
        if not self.children[node]:
            mine = list(self.payoffs[self.tree.payoff[node]])
            theirs = list(plain.payoffs[plain.tree.payoff[other]])
            if mine != theirs:
                yield f"after {words}: payoffs {mine}, without the message {theirs}"
            return
        if self.infoset[node] >= 0:
            pairs.add((self.infoset[node], (plain.infoset[other], message)))
        for child, twin in zip(self.children[node], plain.children[other], strict=True):
            yield from self.compared(child, plain, twin, message, pairs)
