"""The parser of .efg texts: one pass over the tokens, no recursion, time linear in the text.

Source: Gambit's description of the format (https://gambitproject.readthedocs.io, "The extensive
game (.efg) file format"), and its specification of 1995 for files that are older.
"""

from __future__ import annotations

import re
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import TypeAlias

from .efg_file import EfgFile, EfgNode, EfgOutcome, EfgSet
from .efg_tokens import Tokens, error_at, quoted
from .errors import BadChance, EfgError
from .rules import CHANCE

Place: TypeAlias = re.Match[str]
"""Where a token stands."""
HEADER = 'an .efg file begins with: EFG 2 R "title" { "player 1" "player 2" }'
_LONG = 100
"""Bits of a number that is shown exactly."""
OTHERS = {
    "NFG": "a game in strategic form (.nfg); write its tree down and save that",
    "<?xml": "a workbook (.gbt); save the game as .efg in Gambit",
    "#AGG": "an action graph game; write its tree down and save that",
    "#BAGG": "an action graph game; write its tree down and save that",
}
"""Other files of Gambit, by their first word."""


def parse_efg(text: str, source: str = "the text") -> EfgFile:
    """Reads the content of an .efg file.

    Args:
        text: the content.
        source: what errors call it.

    Raises:
        EfgError: the text is no .efg file of version 2; the error has line and column.
        BadChance: a probability is negative or above 1, or those of an event do not sum to 1.
    """
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise EfgError(f"{source} is empty; {HEADER}", line=1, column=1)
    if "\0" in text:
        problem = "a NUL character; save the file as UTF-8 text (it may be UTF-16, or no text)"
        raise error_at(text, source, text.index("\0"), problem)
    return _Parser(Tokens(text, source)).file()


class _Parser:
    """What has been read so far: sets and outcomes by their numbers, and the nodes."""

    def __init__(self, tokens: Tokens):
        self.tokens = tokens
        self.players: list[str] = []
        self.sets: list[EfgSet] = []
        self.set_of_number: dict[tuple[int, int], int] = {}
        self.outcomes: list[EfgOutcome] = []
        self.outcome_of_number: dict[int, int] = {}
        self.nodes: list[EfgNode] = []

    def file(self) -> EfgFile:
        """The whole file."""
        title = self.header()
        comment = self.tokens.name("the comment") if self.tokens.is_name else ""
        self.tree()
        return EfgFile(
            title=title,
            players=tuple(self.players),
            comment=comment,
            sets=tuple(self.sets),
            outcomes=tuple(self.outcomes),
            nodes=tuple(self.nodes),
        )

    def header(self) -> str:
        """Format, title and players; returns the title."""
        tokens = self.tokens
        if tokens.value in OTHERS:
            raise tokens.error(f"this is {OTHERS[tokens.value]}; crywolf reads .efg files")
        tokens.symbol("EFG", "the word EFG", HEADER)
        tokens.symbol("2", "version 2", f"other versions are not read; {HEADER}")
        if tokens.value not in ("R", "D"):
            raise tokens.expected("R or D", HEADER)
        tokens.advance()
        title = tokens.name("the title")
        tokens.symbol("{", "{ before the names of the players", HEADER)
        while tokens.is_name:
            self.players.append(tokens.name("a player"))
        if not self.players:
            raise tokens.expected("the name of a player", HEADER)
        tokens.symbol("}", "another name or } after the players", "separate names by spaces")
        return title

    def tree(self) -> None:
        """The nodes in depth-first order, until every action has led somewhere."""
        tokens = self.tokens
        missing = 1
        while missing:
            missing -= 1
            kind, place = tokens.value, tokens.place
            if kind not in ("c", "p", "t"):
                raise tokens.expected(
                    "a node (c, p or t)",
                    f"nodes still needed: {missing + 1:,}, one for each action or outcome that "
                    "leads nowhere yet",
                )
            tokens.advance()
            name = tokens.name("the name of the node")
            if kind == "t":
                infoset = -1
            elif kind == "c":
                infoset = self.event(place)
            else:
                infoset = self.information_set(place)
            if infoset >= 0:
                missing += len(self.sets[infoset].actions)
            self.nodes.append(EfgNode(name, infoset, self.outcome()))
        if tokens.value:
            raise tokens.expected(
                "the end of the file",
                "every action has its node already: a node too many, or one whose list of actions "
                "is too short",
            )

    # ------------------------------------------------------------------------ the parts of a node

    def information_set(self, place: Place) -> int:
        """Player, number and, where it is given, description; returns the index of the set."""
        tokens = self.tokens
        row = tokens.place
        player = tokens.count("the player's number", "players are numbered from 1")
        if not 1 <= player <= len(self.players):
            raise tokens.error(
                f"there is no player {quoted(str(player))}: the file names {len(self.players)}, "
                "numbered from 1; correct the number, or name the player at the top",
                row,
            )
        number = tokens.count("the number of the information set", "sets are numbered from 1")
        if not tokens.is_name:
            return self.known_set(player - 1, number, place)
        name = tokens.name("the name of the information set")
        tokens.symbol("{", "{ before the actions", 'write { "left" "right" }')
        actions = []
        while tokens.is_name or not actions:
            actions.append(tokens.name("an action"))
        tokens.symbol("}", "another action or } after the actions", "quote the names")
        return self.declare(EfgSet(player - 1, number, name, tuple(actions), ()), place)

    def event(self, place: Place) -> int:
        """Number and, where it is given, description of a chance move; returns its index."""
        tokens = self.tokens
        number = tokens.count("the number of the chance event", "events are numbered from 1")
        if not tokens.is_name:
            return self.known_set(CHANCE, number, place)
        name = tokens.name("the name of the event")
        tokens.symbol("{", "{ before the outcomes", 'write { "heads" 1/2 "tails" 1/2 }')
        row = tokens.place
        actions, probabilities = [], []
        while tokens.is_name or not actions:
            actions.append(tokens.name("an outcome"))
            probabilities.append(
                tokens.number("the probability of the outcome", "write 1/2 or 0.5 behind its name")
            )
        tokens.symbol("}", "another outcome or } after the outcomes", "quote the names")
        described = EfgSet(CHANCE, number, name, tuple(actions), tuple(probabilities))
        if (CHANCE, number) not in self.set_of_number:
            self.check_chance(described, row)
        return self.declare(described, place)

    def check_chance(self, event: EfgSet, place: Place) -> None:
        """Refuses outcomes that are no distribution. Zeros are allowed, as in Gambit."""
        total = Fraction(0)
        for action, probability in zip(event.actions, event.probabilities, strict=True):
            if not 0 <= probability <= 1:
                error = self.tokens.error(
                    f"the outcome {quoted(action)} of chance event {event.number} has a "
                    "probability outside 0 to 1; correct it",
                    place,
                )
                raise BadChance(str(error))
            total += probability
        if total != 1:
            error = self.tokens.error(
                f"the probabilities of chance event {event.number} sum to {_in_digits(total)}, "
                "not to 1; numbers are read exactly, so write fractions such as 1/3 instead of "
                "rounded decimals",
                place,
            )
            raise BadChance(str(error))

    def outcome(self) -> int:
        """Number and, where they are given, name and payoffs; returns the index, -1 for none."""
        tokens, place = self.tokens, self.tokens.place
        number = tokens.count("the number of the outcome", "0 stands for no outcome")
        if not tokens.is_name:
            if number and number not in self.outcome_of_number:
                raise tokens.error(
                    f"outcome {quoted(str(number))} has no payoffs yet; give them where it occurs "
                    f'first: {quoted(str(number))} "name" {{ 1, 2 }}',
                    place,
                )
            return self.outcome_of_number[number] if number else -1
        if not number:
            raise tokens.error("outcome 0 stands for no payoffs; number this one from 1 on", place)
        name = tokens.name("the name of the outcome")
        tokens.symbol("{", "{ before the payoffs", f"write {len(self.players)} payoffs in braces")
        cure = f"an outcome has one payoff for each of the {len(self.players)} players"
        payoffs = []
        for _ in self.players:
            payoffs.append(tokens.number("a payoff", cure))
            if tokens.value == ",":
                tokens.advance()
        tokens.symbol("}", "} after the payoffs", cure)
        found = EfgOutcome(number, name, tuple(payoffs))
        index = self.outcome_of_number.setdefault(number, len(self.outcomes))
        if index == len(self.outcomes):
            self.outcomes.append(found)
        elif found != self.outcomes[index]:
            raise tokens.error(
                f"outcome {number} had another name or other payoffs before; use another number, "
                "or leave name and payoffs out here",
                place,
            )
        return index

    # -------------------------------------------------------------------- sets that occur again

    def known_set(self, player: int, number: int, place: Place) -> int:
        """The index of a set that was described before."""
        index = self.set_of_number.get((player, number))
        if index is None:
            what, who = ("event", "chance") if player == CHANCE else ("set", f"player {player + 1}")
            raise self.tokens.error(
                f"{what} {quoted(str(number))} of {who} occurs here first; give its name and its "
                "actions here",
                place,
            )
        return index

    def declare(self, described: EfgSet, place: Place) -> int:
        """The index of a set that is described, new or as it was described before."""
        index = self.set_of_number.setdefault((described.player, described.number), len(self.sets))
        if index == len(self.sets):
            self.sets.append(described)
            return index
        before = self.sets[index]
        if described != before:
            if described.name != before.name:
                other = "another name"
            elif described.actions != before.actions:
                other = "other actions"
            else:
                other = "other probabilities"
            what = "event" if described.player == CHANCE else "information set"
            raise self.tokens.error(
                f"{what} {described.number} had {other} before; use another number, or leave the "
                "description out here",
                place,
            )
        return index


def _in_digits(number: Fraction) -> str:
    """A number as people write it: 0.9999; where that would be rounded, a fraction or 'about'."""
    if number.denominator.bit_length() > _LONG:
        return f"about {float(number):.17g}"
    with localcontext(prec=_LONG):
        decimal = Decimal(number.numerator) / Decimal(number.denominator)
    return str(decimal if Fraction(decimal) == number else number)
