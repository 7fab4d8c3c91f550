"""Where the specs and the proofs that came with this package stand."""

from __future__ import annotations

import pathlib

import verifier


def shipped_folders(name: str) -> tuple[pathlib.Path, pathlib.Path]:
    """Return where a folder may have come with the package: in an installed one, and in a checkout."""
    package = pathlib.Path(verifier.__file__).resolve().parent
    return package / "_data" / name, package.parent / name


def find_shipped(name: str) -> pathlib.Path | None:
    """Return a folder that came with the package; None where none did."""
    return next((folder for folder in shipped_folders(name) if folder.is_dir()), None)
