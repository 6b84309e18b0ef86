"""Files are written whole or not at all, wherever a path leads."""

import os
from pathlib import Path

import pytest

from crywolf.games.errors import PolicyFileError, TreeFileError
from crywolf.games.files import replacing
from crywolf.solvers import Profile, compile_tree


def write(path: Path, content: bytes) -> None:
    with replacing(path) as file:
        file.write(content)


def test_a_file_is_replaced_only_when_it_is_complete(tmp_path: Path):
    path = tmp_path / "a.efg"
    write(path, b"old")
    with pytest.raises(TypeError), replacing(path) as file:
        print("no bytes", file=file)  # type: ignore[arg-type]
    assert path.read_bytes() == b"old"
    write(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path):
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "real.npz", tmp_path / "link.npz"
    link.symlink_to(target)
    for content in (b"first", b"second"):
        write(link, content)
        assert link.is_symlink()
        assert target.read_bytes() == content
    assert list((tmp_path / "folder").iterdir()) == [target]


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path: Path):
    path = tmp_path / ("x" * 251 + ".efg")
    write(path, b"long")
    assert path.read_bytes() == b"long"
    with pytest.raises(OSError, match="too long"):
        write(tmp_path / ("x" * 300), b"longer")


def test_no_file_takes_the_place_of_a_device(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write(pipe, b"content")
        assert os.read(reader, 100) == b"content"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="this system has no /dev/full")
def test_a_full_device_says_so_and_stays():
    with pytest.raises(OSError, match="No space left"):
        write(Path("/dev/full"), b"content")
    assert Path("/dev/full").is_char_device()
    tree = compile_tree("kuhn_poker")
    with pytest.raises(TreeFileError, match="No space left"):
        tree.save("/dev/full")
    with pytest.raises(PolicyFileError, match="No space left"):
        Profile.uniform(tree).save("/dev/full")


@pytest.mark.parametrize("name", ["", ".", ".."])
def test_a_folder_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str):
    monkeypatch.chdir(tmp_path)
    for path in (Path(name), tmp_path):
        with pytest.raises(IsADirectoryError):
            write(path, b"content")
    assert list(tmp_path.iterdir()) == []
