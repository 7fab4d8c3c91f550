"""Finds the folders of specs and proofs, and the user's cache. This module loads no third-party packages."""

from __future__ import annotations

import os
import pathlib

from verifier.files import find_own_specs, find_shipped, folders_above, has_specs, is_missing
from verifier.kernel.errors import UsageError


def find_specs(given: str | os.PathLike[str] | None = None) -> pathlib.Path:
    """Return a folder of specs.

    It is the given folder; else the nearest folder ``specs``, here or above; else the folder that this package ships.

    Raises:
        UsageError: the given folder does not exist, or no folder is found.
    """
    found = _require(given, "specs") or find_own_specs() or find_shipped("specs")
    if found is None:
        raise UsageError(
            "found no folder 'specs' with spec files here or above: name a folder, or make one with 'verifier new'"
        )
    return found


def find_proofs(given: str | os.PathLike[str] | None, specs: pathlib.Path) -> pathlib.Path | None:
    """Return a folder of evidence: the given folder; else ``proofs`` beside the specs; else the shipped proofs.

    Return None if none of these folders exists.

    Raises:
        UsageError: the given folder does not exist, or ``proofs`` is a link whose target does not exist.
    """
    beside = pathlib.Path(os.path.abspath(specs)).parent / "proofs"
    return _require(given, "proofs") or (beside if _has_index(beside) else find_shipped("proofs"))


def find_certificates(given: str | os.PathLike[str] | None = None) -> pathlib.Path:
    """Return a folder of evidence to use without specs.

    It is the given folder; else the nearest folder ``proofs``, here or above; else the folder that this package ships.

    Raises:
        UsageError: there is no such folder, or the nearest specs do not have ``proofs`` beside them.
    """
    if (found := _require(given, "proofs")) is not None:
        return found
    for folder in folders_above():
        if _has_index(folder / "proofs"):
            return folder / "proofs"
        if has_specs(folder / "specs"):
            raise UsageError(
                f"there are specs in {folder} but no proofs: 'verifier check --out proofs' in that folder writes them"
            )
    found = find_shipped("proofs")
    if found is None:
        raise UsageError("found no folder 'proofs' with evidence here or above: name a folder")
    return found


def _require(given: str | os.PathLike[str] | None, name: str) -> pathlib.Path | None:
    if given is not None and not pathlib.Path(given).is_dir():
        raise UsageError(f"{given}: there is no such folder of {name}")
    return None if given is None else pathlib.Path(given)


def _has_index(folder: pathlib.Path) -> bool:
    if folder.is_symlink() and not folder.exists():  # evidence should be here, so do not use another folder
        raise UsageError(f"{folder} is a link whose target does not exist: repair or remove it")
    return not is_missing(folder / "INDEX.json")


def find_cache() -> pathlib.Path | None:
    """Return the folder of the user's cache, even if it does not exist yet; None if the user has no home folder."""
    if named := os.environ.get("VERIFIER_CACHE"):
        return pathlib.Path(named)
    home = os.environ.get("XDG_CACHE_HOME", "")
    try:
        base = pathlib.Path(home) if os.path.isabs(home) else pathlib.Path.home() / ".cache"
    except RuntimeError:
        return None
    return base / "game-claim-verifier"


def make_cache(folder: pathlib.Path) -> None:
    """Make the folder of a cache, if it does not exist.

    Raises:
        OSError: the folder cannot be made, or it cannot be read or written.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise PermissionError(None, "cannot be read and written", str(folder))
