"""The options about the cache, and where it is."""

from __future__ import annotations

import argparse
import os
import pathlib

from verifier.cli.options import warn
from verifier.kernel.errors import UsageError

ENVIRONMENT = {
    "VERIFIER_CACHE": "where evidence and results are kept, if --cache does not say it",
    "XDG_CACHE_HOME": "else in claim-verifier below this folder (default: ~/.cache)",
}
"""For the help of commands that use the cache."""


def add_cache(parser: argparse.ArgumentParser) -> None:
    """Add ``--cache`` and ``--no-cache``."""
    group = parser.add_argument_group(
        "cache",
        "Evidence that the kernel has accepted is kept, by the hash of what it states. What readings compile to and "
        "what the kernel decides is remembered, under the hash of the code that did it and of what it was given. "
        "Whoever can write to the cache can have remembered results printed.",
    )
    group.add_argument(
        "--cache", type=pathlib.Path, metavar="DIR", help="the folder (default: ~/.cache/claim-verifier)"
    )
    group.add_argument("--no-cache", action="store_true", help="neither look into the cache nor remember anything")


def find_cache(arguments: argparse.Namespace, *, is_written: bool = True) -> pathlib.Path | None:
    """Return the cache that the options ask for; None: none is wanted, or it cannot be used, of which a warning tells.

    Args:
        arguments: the options.
        is_written: something is to be kept in it.

    Raises:
        UsageError: the options exclude each other.
    """
    if arguments.no_cache:
        if arguments.cache is not None:
            raise UsageError("--no-cache does not go with --cache")
        return None
    folder = arguments.cache or _find_folder()
    if folder is None:
        return None
    folder = pathlib.Path(folder).absolute()
    if is_written:
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
                raise PermissionError(None, "it cannot be written to", str(folder))
        except OSError as error:
            warn(f"no cache is used: {error.filename}: {error.strerror or error}")
            return None
    return folder


def _find_folder() -> pathlib.Path | None:
    if named := os.environ.get("VERIFIER_CACHE"):
        return pathlib.Path(named)
    home = os.environ.get("XDG_CACHE_HOME", "")
    try:
        base = pathlib.Path(home) if os.path.isabs(home) else pathlib.Path.home() / ".cache"
    except RuntimeError:
        return None
    return base / "claim-verifier"
