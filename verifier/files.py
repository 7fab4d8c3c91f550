"""Reads files without blocking, and writes them whole or not at all. Finds folders of specs."""

from __future__ import annotations

import errno
import os
import pathlib
import threading
from collections.abc import Iterator

NO_FOLDER = pathlib.Path(os.devnull)
"""Stands for the folder of the specs if there is none, because all specs are made in Python."""

MAX_SPEC_BYTES = 256 * 1024
MAX_KEPT_BYTES = 2**29
"""Maximum number of bytes read from a file that an earlier run has kept."""
_PROBE_BYTES = 2**16
MAX_PATHS = 10_000
"""Maximum number of files and folders that a search for spec files looks at."""


def read_start(path: pathlib.Path, size: int) -> bytes:
    """Read at most ``size`` bytes from the start of a file. Refuse a file that may block, such as a pipe."""
    if not path.is_file() and not path.is_dir() and path.exists():
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    with path.open("rb") as file:
        # ``read(n)`` reserves memory for n bytes at once, so n must not be much larger than the file.
        return file.read(min(os.fstat(file.fileno()).st_size + 1, size))


def is_missing(path: pathlib.Path) -> bool:
    """Say whether there is nothing at a path. False if the path cannot be examined."""
    try:
        path.lstat()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return False


def list_folder(folder: pathlib.Path) -> tuple[list[pathlib.Path], list[OSError]]:
    """Return all files and folders below a folder, sorted, and an error for each unreadable folder. Follow no links."""
    unread: list[OSError] = []
    return sorted(_walk(folder, unread)), unread


def _walk(folder: pathlib.Path, unread: list[OSError]) -> Iterator[pathlib.Path]:
    """Yield the files and folders below a folder. Add the error of each unreadable folder to ``unread``."""
    for at, folders, files in os.walk(folder, onerror=unread.append):
        for name in (*folders, *files):
            yield pathlib.Path(at, name)


def write_whole(path: pathlib.Path, data: bytes) -> None:
    """Write a file whole or not at all. If the path is a link, write its target.

    A device or a pipe is not replaced: the data are written into it, perhaps only in part.

    If this raises an ``OSError``, the error names ``path``.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_bytes(data)
        else:
            replace_whole(pathlib.Path(os.path.realpath(path)) if path.is_symlink() else path, data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def replace_whole(path: pathlib.Path, data: bytes) -> None:
    """Write a file whole or not at all. Replace a file or a link at this path, but not the target of the link.

    If this raises an ``OSError``, the error names ``path``.
    """
    partial = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            partial.unlink(missing_ok=True)
            with partial.open("xb") as file:
                file.write(data)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:  # a full disk gives an error that names no file
        raise OSError(error.errno, error.strerror, str(path)) from None


def probe_folder(folder: pathlib.Path) -> None:
    """Write a small file to a folder, and remove it. Raise ``OSError`` if this fails."""
    probe = folder / f"probe-{os.getpid()}"
    try:
        replace_whole(probe, bytes(_PROBE_BYTES))
    finally:
        probe.unlink(missing_ok=True)


def find_shipped(name: str) -> pathlib.Path | None:
    """Return a folder that comes with the package, installed or in a checkout; None if it does not exist."""
    package = pathlib.Path(__file__).resolve().parent
    choices = (package / "_data" / name, package.parent / name)
    return next((folder for folder in choices if folder.is_dir()), None)


def find_repository(folder: pathlib.Path) -> pathlib.Path | None:
    """Return the root of a folder's repository: the nearest folder with ``.git``, from this folder up; or None."""
    return next((each for each in (folder, *folder.parents) if os.path.lexists(each / ".git")), None)


def folders_above() -> Iterator[pathlib.Path]:
    """Yield the current folder and the folders above it, up to the root of the repository or of the file system."""
    here = pathlib.Path.cwd()
    root = find_repository(here)
    for folder in (here, *here.parents):
        yield folder
        if folder == root:
            return


def find_own_specs() -> pathlib.Path | None:
    """Return the nearest folder ``specs`` with spec files, in the current folder or above it; None if there is none."""
    return next((folder / "specs" for folder in folders_above() if has_specs(folder / "specs")), None)


def paths_below(word: str, folder: pathlib.Path) -> list[str]:
    """Return a list with the path of ``word`` relative to a folder; [] if ``word`` is not below it."""
    path, root = pathlib.Path(word).resolve(), folder.resolve()
    return [path.relative_to(root).as_posix()] if path.is_relative_to(root) else []


def has_specs(folder: pathlib.Path) -> bool:
    """Return True if a folder has spec files, or if a part of it could not be searched (a later step reports this)."""
    if not os.path.isdir(folder):
        return False
    unread: list[OSError] = []
    # The folder may be a link to a whole disk, so the search ends after MAX_PATHS paths.
    found = (n == MAX_PATHS or path.name.endswith(".yaml") for n, path in enumerate(_walk(folder, unread)))
    return any(found) or bool(unread)
