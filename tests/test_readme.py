"""The README's commands and code, run; their output is what it shows."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


NUMBER = re.compile(r"-?\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def test_python():
    source = "\n".join(blocks("python"))
    example = doctest.DocTestParser().get_doctest(source, {}, "README.md", "README.md", 0)
    assert len(example.examples) > 20
    told = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(example, out=told.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(told)


def sessions():
    """(command, lines shown) of each console line; a line ``...`` stands for anything."""
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            yield command, shown


def test_console(tmp_path):
    commands = list(sessions())
    assert len(commands) >= 4
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}
    for command, shown in commands:
        words = shlex.split(command)
        assert words[0] == "crywolf"
        done = subprocess.run(
            [sys.executable, "-m", "crywolf", *words[1:]],
            capture_output=True, text=True, cwd=tmp_path, env=environment, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        got, wanted = stripped(done.stdout), stripped(shown)
        pattern = re.escape(NUMBER.sub("#", wanted)).replace(re.escape("..."), ".*")
        assert re.fullmatch(pattern, NUMBER.sub("#", got), re.DOTALL), f"$ {command}\n{got}"
        if "..." not in wanted:  # processors differ in the last digits
            numbers = [[float(x) for x in NUMBER.findall(text)] for text in (got, wanted)]
            assert numbers[0] == pytest.approx(numbers[1], rel=1e-5, abs=1e-9)


def stripped(text):
    return "\n".join(line.rstrip() for line in text.splitlines()).strip()


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)]+)\)", README):
        if not target.startswith("http"):
            assert (ROOT / target).exists(), target


@pytest.mark.parametrize("target", ["demo", "test", "bench", "peers"])
def test_make_targets_exist(target):
    if shutil.which("make") is None:
        pytest.skip("needs make")
    done = subprocess.run(
        ["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
