"""A verification written out as a proof that can be handed out.

The game, the assessment, beliefs with Bayes' rule in numbers, expected utilities as sums, every
best reply with the reason for its sign, whole plans, explicit trembles, and the conclusion.
Everything is computed from the verdict; where a check failed or was not settled, the proof says so.
"""

from __future__ import annotations

from collections.abc import Iterator

from .conditions import WITHOUT_BELIEFS
from .markup import Block, Heading, Item, Paragraph, Text, joined
from .proof_account import CONCEPT_NAMES, Account
from .proof_assessment import assessment_part
from .proof_game import game_part
from .proof_sets import sets_part
from .proof_trembles import consistency_part
from .verify import Verdict

MEANING = {
    "nash": "no player earns more by another plan for the game",
    "subgame-perfect": "in no proper subgame does a player earn more by another plan for it",
    "weak-pbe": "at no information set does the player expect more, under its belief, from another "
    "plan for the rest of the game; and on the path beliefs follow Bayes' rule",
    "pbe": "at no information set does the player expect more, under its belief, from another plan "
    "for the rest of the game; on the path beliefs follow Bayes' rule, and off the path each "
    "player's own successive beliefs do",
    "sequential": "at no information set does the player expect more, under its belief, from "
    "another action; and beliefs are limits of Bayes' rule along completely mixed strategies that "
    "converge to the strategies",
}
"""What is to be shown for each concept, after \"that is\"."""


def heading(verdict: Verdict) -> str:
    """A title for the proof of a verdict."""
    name = CONCEPT_NAMES[verdict.concept]
    return f"{name[0].upper()}{name[1:]} of {verdict.model.tree.title}"


def proof(verdict: Verdict) -> list[Block]:
    """The account of a verification, with all computations."""
    return list(_parts(Account(verdict)))


def _parts(account: Account) -> Iterator[Block]:
    verdict = account.verdict
    yield Paragraph(_claim(account))
    yield from game_part(account)
    yield from assessment_part(account)
    defined = all(
        check.proof.answer == "proved"
        for check in account.checks(("strategy", "belief"))
        if check.condition.sense == "!="
    )
    if defined:
        yield from sets_part(account)
        if verdict.concept == "sequential":
            yield from consistency_part(account)
    yield from _conclusion(account)


def _claim(account: Account) -> Text:
    verdict = account.verdict
    whatever: Text = ()
    if account.domain:
        whatever = (", for all ", *joined(account.domain, ", ", " and "))
    outside = _outside(account)
    what = f"a {account.concept} of {account.tree.title}"
    if outside:
        what += ", given the beliefs from outside"
    meaning = f". That is: {MEANING[verdict.concept]}."
    if outside:
        names = " and ".join(account.names[h] for h in sorted(account.model.fixed))
        meaning += (
            f" The beliefs at {names} are given from outside: there neither Bayes' rule nor "
            "consistency is asked for, and whole plans are compared, not only single actions."
        )
    if verdict.status == "holds":
        return (f"We show that the assessment below is {what}", *whatever, meaning)
    if verdict.status == "undecided":
        return (f"Whether the assessment below is {what}", *whatever, " is not settled" + meaning)
    if account.domain:
        return (f"It is not true that the assessment below is {what}", *whatever, meaning)
    return (f"The assessment below is not {what}{meaning}",)


def _outside(account: Account) -> bool:
    return bool(account.model.fixed) and account.verdict.concept not in WITHOUT_BELIEFS


def _conclusion(account: Account) -> Iterator[Block]:
    verdict = account.verdict
    yield Heading(1, ("Conclusion",))
    for violation in verdict.violations:
        text: Text = (violation.text + ".",)
        yield Item(text)
    for statement in verdict.undecided:
        yield Item((f"Not settled: {statement}.",))
    count = len(verdict.checks)
    proved = sum(check.proof.answer == "proved" for check in verdict.checks)
    if verdict.status == "holds":
        given = " given the beliefs from outside," if _outside(account) else ""
        told = f"All {count} conditions are proved:{given} the assessment is a {account.concept}"
        yield Paragraph((told, *_for_all(account), "."))
    elif verdict.status == "fails":
        told = (
            f"So the assessment is not a {account.concept}. {proved} other conditions are proved."
        )
        yield Paragraph((told,))
    else:
        yield Paragraph((f"{proved} of {count} conditions are proved, so the answer is open.",))
    if account.used_z3:
        yield Paragraph(
            (
                "Lines marked (z3) are proved for all values that the assumptions allow by the "
                "decision procedure z3 (quantifier-free nonlinear real arithmetic); the other "
                "signs follow from the reasons given.",
            )
        )


def _for_all(account: Account) -> Text:
    return (" for all values that the assumptions allow",) if account.domain else ()
