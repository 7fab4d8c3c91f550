import os
import pathlib
import stat
import threading

import pytest

from verifier import files
from verifier.files import has_specs, replace_whole, write_whole
from verifier.language.folder import read_library
from verifier.questions.registry import GRAMMAR


def test_a_file_is_replaced_and_nothing_else_stays(tmp_path: pathlib.Path) -> None:
    """The new text replaces the old one. Missing folders are made."""
    path = tmp_path / "a/b/file"
    for text in (b"one", b"two"):
        write_whole(path, text)
        assert path.read_bytes() == text
    assert list(path.parent.iterdir()) == [path]


def test_a_pipe_is_written_to(tmp_path: pathlib.Path) -> None:
    """A device or a pipe, such as /dev/null, is not replaced by a file."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(path.read_bytes()), daemon=True)
    reader.start()
    write_whole(path, b"text")
    reader.join(timeout=10)
    assert found == [b"text"]
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_a_link_stays_one(tmp_path: pathlib.Path) -> None:
    path, target = tmp_path / "link", tmp_path / "there" / "file"
    target.parent.mkdir()
    target.write_bytes(b"old")
    path.symlink_to(target)
    write_whole(path, b"new")
    assert path.is_symlink()
    assert target.read_bytes() == b"new"


@pytest.mark.parametrize("there", ["a link", "a pipe", "a link to a device"])
def test_a_stored_file_replaces_a_link(there: str, tmp_path: pathlib.Path) -> None:
    """The names of a store are known in advance. A file to which somebody has linked one is not written to."""
    path, precious = tmp_path / "kept", tmp_path / "precious"
    precious.write_bytes(b"old")
    if there == "a pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(precious if there == "a link" else "/dev/null")
    (tmp_path / f"kept.{os.getpid()}-{threading.get_ident()}.part").symlink_to(precious)
    replace_whole(path, b"new")
    assert not path.is_symlink()
    assert path.read_bytes() == b"new"
    assert precious.read_bytes() == b"old"
    assert {item.name for item in tmp_path.iterdir()} == {"kept", "precious"}


def test_an_error_names_the_file_that_was_to_be_written(tmp_path: pathlib.Path) -> None:
    """It does not name the temporary file beside it, and no part of that file is left."""
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder") as caught:
        write_whole(tmp_path / "folder", b"x")
    assert caught.value.filename == str(tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize("is_linked", [False, True])
def test_nobody_waits_for_a_pipe_that_is_named_like_a_spec(tmp_path: pathlib.Path, is_linked: bool) -> None:
    (tmp_path / "good.yaml").write_text("claim: good\n")
    os.mkfifo(tmp_path / "pipe")
    if is_linked:
        (tmp_path / "x.yaml").symlink_to(tmp_path / "pipe")
    else:
        (tmp_path / "pipe").rename(tmp_path / "x.yaml")
    _, problems = read_library(tmp_path, GRAMMAR)
    told = [str(problem) for problem in problems]
    assert "x.yaml:1:1: cannot be read: not a regular file" in told
    assert any(line.startswith("good.yaml:") for line in told)


def test_a_search_for_specs_ends(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be searched to its end may have specs. A smaller one without a spec has none."""
    for n in range(4):
        (tmp_path / f"{n}.txt").touch()
    assert not has_specs(tmp_path)
    monkeypatch.setattr(files, "MAX_PATHS", 3)
    assert has_specs(tmp_path)
