"""Values are made once, and nobody waits for one that was given up."""

import inspect
import sys
import threading

import pytest

from crywolf.llm_bridge.once import Once

LINES, FIRST = inspect.getsourcelines(Once.get)
BODY = range(FIRST + 1, FIRST + len(LINES))


@pytest.mark.parametrize("line", BODY)
def test_an_interrupt_at_any_line_leaves_nobody_waiting(line):
    once: Once[int, int] = Once()

    def interrupt(frame, event, argument):
        if frame.f_code is not Once.get.__code__:
            return None
        if event == "line" and frame.f_lineno == line:
            sys.settrace(None)
            raise KeyboardInterrupt
        return interrupt

    before = sys.gettrace()
    sys.settrace(interrupt)
    try:
        once.get(1, lambda: 5)
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(before)
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(once.get(1, lambda: 5)), daemon=True)
    thread.start()
    thread.join(5)
    assert found == [5]


def test_a_failure_is_raised_for_all_who_wait_and_then_forgotten():
    once: Once[str, int] = Once()
    begun, go = threading.Event(), threading.Event()
    raised: list[BaseException] = []

    def fails() -> int:
        begun.set()
        go.wait(10)
        raise ValueError

    def ask() -> None:
        try:
            once.get("key", fails)
        except ValueError as error:
            raised.append(error)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    threads[0].start()
    begun.wait(10)
    for thread in threads[1:]:
        thread.start()
    go.set()
    for thread in threads:
        thread.join(10)
    assert len(raised) == 3
    assert "key" not in once
    assert once.get("key", lambda: 7) == 7
    assert once.values() == [7]
