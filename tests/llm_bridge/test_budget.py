import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from crywolf.games.errors import BudgetExhausted, ParameterError
from crywolf.llm_bridge.backends.scripted import ScriptedBackend
from crywolf.llm_bridge.budget import Budget, RateGate
from crywolf.llm_bridge.chat import Message, Question, Reply
from crywolf.llm_bridge.client import Client
from crywolf.llm_bridge.store import CallStore

PRICES = {"prompt": 2.0, "completion": 10.0}


class FakeTime:
    """A clock that moves when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.now += seconds


def test_a_call_beyond_the_limit_is_refused_before_it_is_made():
    budget = Budget(max_calls=2)
    budget.check()
    budget.check()
    with pytest.raises(BudgetExhausted, match=r"budget of calls is spent: 2 of 2.*raise max_calls"):
        budget.check()
    assert budget.calls == 2


def test_threads_never_exceed_the_limit_of_calls():
    budget, allowed = Budget(max_calls=500), []
    start = threading.Barrier(8)

    def spend():
        start.wait()
        for _ in range(200):
            try:
                budget.check()
            except BudgetExhausted:
                return
            allowed.append(1)

    with ThreadPoolExecutor(8) as pool:
        for _ in range(8):
            pool.submit(spend)
    assert len(allowed) == budget.calls == 500


def test_tokens_that_have_been_reached_refuse_the_next_call():
    budget = Budget(max_tokens=10)
    budget.check()
    budget.charge(Reply("A", prompt_tokens=6, completion_tokens=3))
    budget.check()
    budget.charge(Reply("A", prompt_tokens=1, completion_tokens=0))
    with pytest.raises(BudgetExhausted, match=r"10 of 10.*raise max_tokens"):
        budget.check()


def test_cost_is_that_of_the_user_s_prices_per_million():
    budget = Budget(max_cost=0.05, prices=PRICES)
    budget.check()
    budget.charge(Reply("A", prompt_tokens=10_000, completion_tokens=2_000))
    assert budget.cost == pytest.approx(0.02 + 0.02)
    budget.check()
    budget.charge(Reply("A", prompt_tokens=0, completion_tokens=1_000))
    with pytest.raises(BudgetExhausted, match=r"budget of cost is spent: 0\.05 of 0\.05"):
        budget.check()
    assert Budget().cost is None


@pytest.mark.parametrize(
    "arguments",
    [
        {"max_calls": -1},
        {"max_calls": 1.5},
        {"max_calls": True},
        {"max_tokens": -3},
        {"max_calls": 10**400},
        {"max_tokens": "1000"},
        {"max_cost": 10**400, "prices": PRICES},
        {"max_cost": float("inf"), "prices": PRICES},
        {"prices": {"prompt": 1.0, "completion": 10**400}},
        {"prices": {"prompt": 1.0, "completion": True}},
        {"prices": 0.6},
        {"max_cost": 1.0},
        {"max_cost": float("nan"), "prices": PRICES},
        {"prices": {"prompt": 1.0}},
        {"prices": {"prompt": 1.0, "completion": -1.0}},
        {"prices": {"prompt": 1.0, "completion": "2"}},
    ],
)
def test_malformed_budgets_are_refused(arguments):
    with pytest.raises(ParameterError):
        Budget(**arguments)


def test_no_limit_never_refuses():
    budget = Budget()
    for _ in range(100):
        budget.check()
        budget.charge(Reply("A", prompt_tokens=10**9))


def test_the_gate_spaces_calls_evenly_and_allows_no_burst_after_a_rest():
    time = FakeTime()
    gate = RateGate(30, clock=time.clock, sleep=time.sleep)
    at = []
    for rest in (0, 0, 0, 60, 0):
        time.now += rest
        gate.wait()
        at.append(time.now - 1000)
    assert at == [0, 2, 4, 64, 66]


def test_a_pause_moves_the_next_call_back():
    time = FakeTime()
    gate = RateGate(60, clock=time.clock, sleep=time.sleep)
    gate.wait()
    gate.pause(7)
    gate.pause(3)  # the longer one holds
    gate.wait()
    assert time.now == 1007
    gate.wait()
    assert time.now == 1008


def test_without_a_rate_only_pauses_make_anybody_wait():
    time = FakeTime()
    gate = RateGate(clock=time.clock, sleep=time.sleep)
    gate.wait()
    gate.wait()
    assert time.now == 1000
    gate.pause(5)
    gate.wait()
    assert time.now == 1005


def test_a_pause_holds_for_those_who_wait_already():
    time, pauses = FakeTime(), [10.0]

    def sleep(seconds: float) -> None:
        time.sleep(seconds)
        if pauses:
            gate.pause(pauses.pop())  # what another thread does meanwhile

    gate = RateGate(60, clock=time.clock, sleep=sleep)
    gate.wait()
    gate.wait()
    assert time.now == 1011


def test_threads_pass_the_gate_one_at_a_time():
    time, passed, lock = FakeTime(), [], threading.Lock()

    def sleep(seconds: float) -> None:
        with lock:
            time.now += seconds

    gate = RateGate(600, clock=time.clock, sleep=sleep)
    with ThreadPoolExecutor(8) as pool:
        for _ in range(80):
            pool.submit(lambda: (gate.wait(), passed.append(1)))
    assert len(passed) == 80
    assert time.now - 1000 >= 79 * 0.1 - 1e-6


@pytest.mark.parametrize(
    "rate", [0, -1, float("nan"), float("inf"), "fast", True, 10**400, -(10**400), 1e-320, 1e-5]
)
def test_malformed_rates_are_refused(rate):
    with pytest.raises(ParameterError, match="per_minute"):
        RateGate(rate)


@pytest.mark.parametrize("pause", [-1, float("nan"), float("inf"), 10**400, 1e300, "long"])
def test_malformed_pauses_are_refused(pause):
    with pytest.raises(ParameterError, match="pause"):
        RateGate().pause(pause)


def test_the_slowest_rate_is_a_call_a_week():
    time = FakeTime()
    gate = RateGate(1e-4, clock=time.clock, sleep=time.sleep)
    gate.wait()
    gate.wait()
    assert time.now == 1000 + 60 / 1e-4


def test_whoever_waits_may_bring_its_own_way_of_waiting():
    time, slept = FakeTime(), []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        time.sleep(seconds)

    gate = RateGate(60, clock=time.clock)
    for _ in range(3):
        gate.wait(sleep)
    assert slept == [1, 1]


def test_numbers_are_shown_shortened_in_errors():
    with pytest.raises(ParameterError, match="a number of about 1661 digits"):
        Budget(-(10**1500))


@pytest.mark.parametrize(
    ("limits", "names"),
    [
        ({"max_tokens": 10}, "max_tokens"),
        ({"max_cost": 1.0, "prices": PRICES}, "max_cost"),
        ({"max_tokens": 10, "max_cost": 1.0, "prices": PRICES}, "max_tokens and max_cost"),
    ],
)
@pytest.mark.parametrize("reply", [Reply("A"), Reply("A", prompt_tokens=1)])
def test_limits_of_what_a_server_does_not_tell_are_refused(limits, names, reply):
    budget = Budget(**limits)
    budget.check()
    told = rf"^{names} cannot be kept: the server of m .*max_calls"
    with pytest.raises(BudgetExhausted, match=told):
        budget.charge(reply, "m")
    with pytest.raises(BudgetExhausted, match=told):
        budget.check()


def test_a_limit_of_calls_needs_no_tokens():
    budget = Budget(max_calls=2)
    for _ in range(2):
        budget.check()
        budget.charge(Reply("A"))


def test_an_answer_beyond_the_budget_is_kept_since_it_is_paid_for(tmp_path):
    path = tmp_path / "calls.sqlite"
    backend = ScriptedBackend(lambda question: Reply("A"))
    with (
        Client(backend, store=CallStore(path), budget=Budget(max_tokens=10)) as client,
        pytest.raises(BudgetExhausted),
    ):
        client.ask(Question((Message("user", "A or B?"),), ("A", "B"), "label", seed=1))
    assert len(CallStore.open_for_replay(path)) == 1
