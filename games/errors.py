"""Every exception that crywolf raises on purpose.

All derive from `CrywolfError`, so ``except CrywolfError`` separates an expected refusal, whose
text names the cure, from a defect.
"""

from __future__ import annotations


class CrywolfError(Exception):
    """Base class: the request cannot be met, and the text says what to do about it."""


class GameError(CrywolfError):
    """A game is unknown, or breaks the contract of an extensive-form game."""


class UnknownGame(GameError):
    """No game of that name is registered."""


class ParameterError(CrywolfError):
    """An argument or a game parameter is unknown, of the wrong type, or out of range."""


class IllegalMove(GameError):
    """An action that is not legal in the position."""


class ImperfectRecall(GameError):
    """Two histories of one information set differ in what the player itself did or knew."""


class ForeignInformationSet(GameError):
    """One information-state key is used by two players."""


class UnequalActions(GameError):
    """Two histories of one information set offer different legal actions."""


class BadChance(GameError):
    """A chance node has no outcome, a probability outside (0, 1], or a sum other than 1."""


class BadPayoff(GameError):
    """A payoff is missing, not finite, inexact, or outside the declared range."""


class EfgError(GameError):
    """A Gambit file (.efg) cannot be opened, is no such file, or breaks its format.

    Attributes:
        line: where in the file, counted from 1; None if it is not about a place.
        column: the character of that line, counted from 1; None if it is not about a place.
    """

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None):
        super().__init__(message)
        self.line = line
        self.column = column


class SentenceError(GameError):
    """A text is no sentence of the AIWolf protocol.

    Attributes:
        column: the character of the text, counted from 1.
    """

    def __init__(self, message: str, *, column: int):
        super().__init__(message)
        self.column = column


class GameLogError(GameError):
    """A game log cannot be opened, is no such file, or breaks its format.

    Attributes:
        line: where in the log, counted from 1; None if it is not about a line.
    """

    def __init__(self, message: str, *, line: int | None = None):
        super().__init__(message)
        self.line = line


class InconsistentLog(GameLogError):
    """The lines of a game log contradict each other or the rules of the game."""


class NotConforming(GameError):
    """A game breaks the contract of an extensive-form game; the text has the counter-examples."""


class UnsupportedGame(GameError):
    """The game is outside the class that the operation handles (say, simultaneous moves)."""


class NotTwoPlayers(UnsupportedGame):
    """The method is for games of exactly two players."""


class NotZeroSum(UnsupportedGame):
    """The players' payoffs do not have the same sum at every terminal node."""


class NotInterchangeable(UnsupportedGame):
    """The rules depend on how the players are numbered, or do not say that they do not."""


class TooManyLumps(GameError):
    """Lumping positions leaves more of them than allowed.

    Attributes:
        limit: the largest number of lumps allowed.
    """

    def __init__(self, message: str, *, limit: int):
        super().__init__(message)
        self.limit = limit


class TreeTooLarge(GameError):
    """The game tree exceeds the node limit.

    Attributes:
        limit: the largest number of nodes allowed.
        estimate: an unbiased estimate of the number of nodes (Knuth 1975).
        standard_error: of the estimate, in nodes.
    """

    def __init__(self, message: str, *, limit: int, estimate: float, standard_error: float):
        super().__init__(message)
        self.limit = limit
        self.estimate = estimate
        self.standard_error = standard_error


class PolicyError(CrywolfError):
    """A policy is malformed, incomplete, or belongs to another game."""


class PolicyFileError(PolicyError):
    """A policy file is missing, truncated, or of another format."""


class CheckpointError(CrywolfError):
    """A checkpoint cannot be written, or is missing, damaged or of another run."""


class TreeFileError(CrywolfError):
    """A compiled tree cannot be written, or its file is missing, damaged or of another kind."""


class OutputError(CrywolfError):
    """A result cannot be written where it should go."""


class LowerBoundOnly(CrywolfError):
    """A value was asked for where sampling gave only a lower bound."""


class UnknownAlgorithm(CrywolfError):
    """No algorithm of that name exists; the text lists those that do."""


class SolverFailed(CrywolfError):
    """A numerical solver stopped without a solution; the text has its own words."""


class BranchLost(SolverFailed):
    """The principal branch of quantal response equilibria could not be followed far enough."""


class ProblemTooLarge(CrywolfError):
    """The computation is beyond its stated limit; nothing was begun."""


class InexactError(CrywolfError):
    """An exact answer was asked for, but the input is not exact."""


class ExpressionError(CrywolfError):
    """A text is no arithmetic expression, or no relation between such."""


class EquilibriaFileError(CrywolfError):
    """What should be a list of equilibria is damaged, of another format, or of another game."""


class AssessmentError(CrywolfError):
    """An assessment names unknown information sets or actions, or lacks some."""


class Undecided(CrywolfError):
    """The decision procedure could neither prove nor refute a condition in its time."""


class UnknownTheorem(CrywolfError):
    """No theorem of that name is registered."""


class UnknownConcept(CrywolfError):
    """No equilibrium concept of that name exists."""


# --------------------------------------------------------------------- asking language models


class MissingExtra(CrywolfError):
    """An optional package is not installed; the text says how to install it."""


class LanguageModelError(CrywolfError):
    """A language model, or what is kept of its answers, cannot be used as asked."""


class CallFailed(LanguageModelError):
    """A call brought no reply: time-out, rate limit, server error, lost connection, refusal.

    Attributes:
        failure: the value of a `crywolf.llm_bridge.failures.Failure`.
        retry_after: seconds that the server asks to wait, if it does.
    """

    def __init__(self, message: str, *, failure: str, retry_after: float | None = None):
        super().__init__(message)
        self.failure = failure
        self.retry_after = retry_after


class ServerUnreachable(CallFailed):
    """No connection to a server that was not reached before: it hardly runs, or is elsewhere."""


class RunStopped(LanguageModelError):
    """A run was stopped before it made this call; what was answered before is in the call store."""


class ElicitationFailed(LanguageModelError):
    """A model's answers do not say what it plays at an information set."""


class UnsupportedElicitation(LanguageModelError):
    """The way of asking does not fit the model or the game; the text names one that does."""


class BudgetExhausted(LanguageModelError):
    """The next call would exceed the budget; what was answered before is in the call store."""


class StoreError(LanguageModelError):
    """A call store is missing, damaged, of another format, or cannot be written."""


class StoreMiss(StoreError):
    """A replay needs a call that the store does not hold."""


class ProvenanceMismatch(StoreError):
    """Answers of other weights, another runtime, or another served model would be mixed."""
