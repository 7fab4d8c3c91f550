"""Where specs, proofs and the user's cache are. Loads nothing outside the standard library."""

from __future__ import annotations

import os
import pathlib

from verifier.files import find_shipped, is_missing, walk
from verifier.kernel.errors import UsageError


def find_folder(name: str, given: str | os.PathLike[str] | None = None) -> pathlib.Path:
    """Return a folder of specs or proofs: the given one; else that of the current folder; else the shipped one.

    Of the current folder it is ``specs`` where that holds spec files, and ``proofs`` where that has an index.

    Raises:
        UsageError: it is not a folder.
    """
    if given is not None:
        if not pathlib.Path(given).is_dir():
            raise UsageError(f"{given}: no such folder of {name}")
        return pathlib.Path(given)
    own = pathlib.Path.cwd() / name
    found, unread = walk(own) if name == "specs" and os.path.isdir(own) else ([], [])
    has_specs = bool(unread) or any(path.name.endswith(".yaml") for path in found)
    if has_specs or (name != "specs" and not is_missing(own / "INDEX.json")):
        return own
    shipped = find_shipped(name)
    if shipped is None:
        raise UsageError(f"{own}: no such folder of {name}, and none came with this package")
    return shipped


def find_cache() -> pathlib.Path | None:
    """Return the user's cache, which may not be there yet; None where the user has no home."""
    if named := os.environ.get("VERIFIER_CACHE"):
        return pathlib.Path(named)
    home = os.environ.get("XDG_CACHE_HOME", "")
    try:
        base = pathlib.Path(home) if os.path.isabs(home) else pathlib.Path.home() / ".cache"
    except RuntimeError:
        return None
    return base / "game-claim-verifier"


def make_cache(folder: pathlib.Path) -> None:
    """Make a cache where it is not there.

    Raises:
        OSError: it cannot be made, or written to.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise PermissionError(None, "cannot be written to", str(folder))
