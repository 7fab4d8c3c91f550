"""A folder of evidence: only regular files below it are read, and no links are followed."""

import os
import pathlib

import pytest

from tests.kernel.asking import reason_of
from tests.kernel.test_corpus import CORPUS, lay_out, read, write
from verifier.kernel.certificate import file_path, files_of, hash_bytes, is_hash, read_bytes, read_index, read_named
from verifier.kernel.errors import CertificateError
from verifier.packing import pack
from verifier.recheck import decide_all, plan

posix = pytest.mark.skipif(os.name != "posix", reason="links, pipes and devices")


@pytest.mark.parametrize("path", ["missing", "folder", "folder/missing", "file/below", "a" * 300])
def test_unreadable_path_is_refused(path: str, tmp_path: pathlib.Path) -> None:
    """A missing file and a folder are refused as unreadable."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"")
    assert reason_of(read_bytes, tmp_path, path) == "unreadable"


@posix
@pytest.mark.parametrize("what", ["link", "link to a link", "dangling link", "pipe", "device", "socket"])
def test_only_regular_files_are_read(what: str, tmp_path: pathlib.Path) -> None:
    """A link leaves the folder, a pipe waits for ever, a device never ends: each is refused at once."""
    outside = tmp_path / "outside"
    outside.write_bytes(b"secret")
    root = tmp_path / "root"
    root.mkdir()
    if what == "pipe":
        os.mkfifo(root / "file")
    elif what == "device":
        (root / "file").symlink_to("/dev/zero")
    elif what == "socket":
        import socket

        with socket.socket(socket.AF_UNIX) as made:
            made.bind(str(root / "file"))
    else:
        (root / "first").symlink_to(outside)
        (root / "file").symlink_to({"link": outside, "link to a link": root / "first"}.get(what, root / "nowhere"))
    assert reason_of(read_bytes, root, "file") == "unreadable"


@posix
@pytest.mark.parametrize("folder", ["evidence", "tables"])
def test_no_folder_on_the_path_is_a_link(folder: str, tmp_path: pathlib.Path) -> None:
    """A link in place of a folder is not followed. Only the folder that was named may be a link."""
    root = tmp_path / "root"
    lay_out(root, read(CORPUS / "valid" / "tictactoe-reach.json"))
    (tmp_path / "by-a-link").symlink_to(root)
    (answer,) = decide_all(tmp_path / "by-a-link", plan(read_index(tmp_path / "by-a-link")))
    assert not isinstance(answer.outcome, CertificateError)
    (root / folder).rename(tmp_path / "elsewhere")
    (root / folder).symlink_to(tmp_path / "elsewhere")
    (answer,) = decide_all(root, plan(read_index(root)))
    assert isinstance(answer.outcome, CertificateError)
    assert answer.outcome.reason == "unreadable"


@pytest.mark.parametrize(
    "digest", [None, "", "0" * 63, "0" * 65, "G" * 64, "A" * 64, "0" * 64 + "\n", "../" * 21 + "x", ["0" * 64]]
)
def test_files_are_named_by_their_hash(digest: object) -> None:
    """A text that is not a SHA-256 in lower-case letters names no file."""
    assert not is_hash(digest)


def test_the_whole_hash_is_compared(tmp_path: pathlib.Path) -> None:
    """The file's name has the first sixteen digits, but all digits have to be equal."""
    data = pack({"a": 1})
    digest = hash_bytes(data)
    write(tmp_path, file_path(digest), data)
    assert read_named(files_of(tmp_path), digest) == data
    other = digest[:16] + "0" * 48
    assert reason_of(read_named, files_of(tmp_path), other) == "hash"
    assert reason_of(read_named, lambda *_: b"another", digest) == "hash"
