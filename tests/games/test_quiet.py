"""What OpenSpiel's C++ writes on standard error: its exception is told once."""

import os
import subprocess
import sys

import pytest

from crywolf.games.errors import ParameterError
from crywolf.games.loading import load_game
from crywolf.games.quiet import without_echo


def echoed(said: str, text: str) -> None:
    """As OpenSpiel does: writes on the file descriptor, then throws."""
    print("python", file=sys.stderr)
    os.write(2, f"before\n{said}{text}\nafter\n".encode())
    raise ValueError(text)


def test_a_bad_game_string_is_told_once(capfd: pytest.CaptureFixture[str]):
    with pytest.raises(ParameterError, match="num_players_"):
        load_game("kuhn_poker(players=99)")
    assert capfd.readouterr() == ("", "")


def test_all_else_is_passed_on(capfd: pytest.CaptureFixture[str]):
    with pytest.raises(ValueError, match="is bad"), without_echo("Exception: "):
        echoed("Exception: ", "it\nis bad")
    assert capfd.readouterr().err == "python\nbefore\nafter\n"
    with without_echo("Exception: "):
        os.write(2, b"all is well\n")
    assert capfd.readouterr().err == "all is well\n"


def test_a_closed_standard_error_is_no_obstacle():
    code = (
        "import os; os.close(2)\n"
        "from crywolf.games.loading import load_game\n"
        "try:\n    load_game('kuhn_poker(players=99)')\n"
        "except Exception as error:\n    print(type(error).__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "ParameterError\n"
