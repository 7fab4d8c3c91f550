"""Files that are read without waiting, and written whole or not at all; the folders that came with this package."""

from __future__ import annotations

import errno
import os
import pathlib
import threading

MAX_BYTES = 2**29
"""How much is read of what an earlier run has kept."""


def read_start(path: pathlib.Path, size: int) -> bytes:
    """Read the first bytes of a file, at most so many; nothing is read of what may keep one waiting, as a pipe does."""
    if not path.is_file() and not path.is_dir() and path.exists():
        raise OSError(errno.EINVAL, "no regular file", str(path))
    with path.open("rb") as file:
        return file.read(size)


def write_whole(path: pathlib.Path, data: bytes) -> None:
    """Write a file whole or not at all; in the place of a link, device or pipe nothing is put.

    An ``OSError`` names the file that was asked for.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_bytes(data)
        else:
            replace_whole(pathlib.Path(os.path.realpath(path)) if path.is_symlink() else path, data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def replace_whole(path: pathlib.Path, data: bytes) -> None:
    """Write a file whole or not at all, in the place of whatever is called so: what a link leads to stays as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        partial.unlink(missing_ok=True)
        with partial.open("xb") as file:
            file.write(data)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def find_shipped(name: str) -> pathlib.Path | None:
    """Return a folder that came with the package, installed or in a checkout; None where none did."""
    package = pathlib.Path(__file__).resolve().parent
    choices = (package / "_data" / name, package.parent / name)
    return next((folder for folder in choices if folder.is_dir()), None)
