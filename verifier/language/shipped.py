"""Where the specs, the proofs and the documentation that came with this package stand."""

from __future__ import annotations

import pathlib

import verifier


def find_shipped(name: str) -> pathlib.Path | None:
    """Return a folder that came with the package, installed or in a checkout; None where none did."""
    package = pathlib.Path(verifier.__file__).resolve().parent
    choices = (package / "_data" / name, package.parent / name)
    return next((folder for folder in choices if folder.is_dir()), None)
