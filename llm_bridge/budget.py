"""What a run may spend, and how fast: budgets and rates."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from threading import Lock

from ..games.errors import BudgetExhausted, ParameterError
from . import arguments
from .chat import Reply
from .failures import PaidInVain

_PRICES = ("prompt", "completion")
_DEAREST = 1e12  # of a million tokens, in any currency


class Budget:
    """A limit on calls, tokens or cost. One object serves several threads and several clients.

    A limit on calls is exact. Tokens and cost are known only when a reply has come: calls are
    refused from then on, so that the last call (with threads, the last one of each) may exceed the
    limit. Failed calls count, too, if their replies tell tokens. A limit of tokens or cost cannot
    be kept with a server that does not tell them: the first such answer is the last.

    Attributes:
        max_calls: the most calls, counting attempts that fail.
        max_tokens: the limit of tokens, of questions and answers together.
        max_cost: the limit of cost, in the currency of the prices.
        calls: calls so far.
        prompt_tokens: tokens of questions so far, as far as servers tell.
        completion_tokens: tokens of answers so far, as far as servers tell.

    Args:
        max_calls: see above; None for no limit, as with the other limits.
        max_tokens: see above.
        max_cost: see above; needs prices.
        prices: of a million tokens: ``{"prompt": 0.15, "completion": 0.6}``. They are data of the
            user; no provider's prices are built in.

    Raises:
        ParameterError: a limit or a price is malformed, or `max_cost` comes without prices.
    """

    def __init__(
        self,
        max_calls: int | None = None,
        max_tokens: int | None = None,
        max_cost: float | None = None,
        prices: Mapping[str, float] | None = None,
    ):
        for name, limit in (("max_calls", max_calls), ("max_tokens", max_tokens)):
            if limit is not None:
                arguments.whole(name, limit, 0)
        if max_cost is not None:
            arguments.number("max_cost", max_cost)
        if prices is not None:
            if not isinstance(prices, Mapping) or set(prices) != set(_PRICES):
                raise ParameterError(
                    f"prices={arguments.shown(prices)}: give those of a million tokens, as "
                    '{"prompt": 0.15, "completion": 0.6}'
                )
            for name in _PRICES:
                arguments.number(f"the price of {name} tokens", prices[name], _DEAREST)
        elif max_cost is not None:
            raise ParameterError(
                'max_cost needs prices of a million tokens: prices={"prompt": 0.15, '
                '"completion": 0.6}'
            )
        self.max_calls = max_calls
        self.max_tokens = max_tokens
        self.max_cost = max_cost
        self.calls = self.prompt_tokens = self.completion_tokens = 0
        self._prices = dict(prices) if prices is not None else None
        self._untold = ""  # the model whose tokens are not known
        self._lock = Lock()

    @property
    def cost(self) -> float | None:
        """The cost of the tokens so far; None without prices."""
        if self._prices is None:
            return None
        prompt, completion = (self._prices[name] for name in _PRICES)
        return (self.prompt_tokens * prompt + self.completion_tokens * completion) / 1e6

    def check(self) -> None:
        """Allows one call and counts it, or refuses it.

        Raises:
            BudgetExhausted: the call would exceed `max_calls`, or the other limits are reached, or
                they cannot be kept because a reply did not tell its tokens.
        """
        with self._lock:
            self._refuse_untold()
            for spent, limit, what in (
                (self.calls, self.max_calls, "calls"),
                (self.prompt_tokens + self.completion_tokens, self.max_tokens, "tokens"),
                (self.cost or 0.0, self.max_cost, "cost"),
            ):
                if limit is not None and spent >= limit:
                    raise BudgetExhausted(
                        f"the budget of {what} is spent: {spent:.9g} of {limit:.9g}, after "
                        f"{self.calls} calls with {self.prompt_tokens} + {self.completion_tokens} "
                        f"tokens; raise max_{what} to go on. With a call store, what was answered "
                        "before is kept and costs nothing again"
                    )
            self.calls += 1

    def charge(self, reply: Reply, model: str = "the model") -> None:
        """Adds the tokens of an answer of a model.

        Raises:
            BudgetExhausted: tokens or cost are limited, and the reply does not tell its tokens.
        """
        told = self.charge_failed(reply)
        if not told and (self.max_tokens is not None or self.max_cost is not None):
            with self._lock:
                self._untold = model
                self._refuse_untold()

    def charge_failed(self, reply: Reply | PaidInVain) -> bool:
        """Adds the tokens of a reply, as far as it tells them; returns whether it does."""
        counts = reply.prompt_tokens, reply.completion_tokens
        with self._lock:
            self.prompt_tokens += counts[0] or 0
            self.completion_tokens += counts[1] or 0
        return None not in counts

    def _refuse_untold(self) -> None:
        if self._untold:
            limits = {"max_tokens": self.max_tokens, "max_cost": self.max_cost}
            names = " and ".join(name for name, limit in limits.items() if limit is not None)
            raise BudgetExhausted(
                f"{names} cannot be kept: the server of {self._untold} does not tell how many "
                "tokens its answers take (usage); limit the calls instead, with max_calls"
            )


class RateGate:
    """Spaces calls evenly, for all threads together: no bursts.

    Args:
        per_minute: calls per minute; None for no limit but that of `pause`.
        clock: seconds that only grow.
        sleep: waits for seconds; by default whoever waits brings its own way, see `wait`.

    Raises:
        ParameterError: the rate is no positive number, or so slow that a call would wait for weeks.
    """

    def __init__(
        self,
        per_minute: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] | None = None,
    ):
        rate = None if per_minute is None else arguments.number("per_minute", per_minute)
        if rate is not None and rate * arguments.WEEK < 60.0:
            raise ParameterError(
                f"per_minute={per_minute!r}: give a positive number, at least a call a week, or "
                "None for no limit"
            )
        self._interval = 0.0 if rate is None else 60.0 / rate
        self._clock = clock
        self._sleep = sleep
        self._next = -math.inf
        self._lock = Lock()

    def wait(self, sleep: Callable[[float], object] = time.sleep) -> None:
        """Returns when the next call may be made, to one thread at a time.

        Args:
            sleep: waits for seconds, unless the gate has its own way; what it raises ends the wait.
        """
        while True:
            with self._lock:
                now = self._clock()
                if now >= self._next:
                    self._next = now + self._interval
                    return
                delay = self._next - now
            (sleep if self._sleep is None else self._sleep)(delay)

    def pause(self, seconds: float) -> None:
        """Makes everybody wait for so many seconds from now, those included that wait already."""
        seconds = arguments.seconds("the pause", seconds)
        with self._lock:
            self._next = max(self._next, self._clock() + seconds)
