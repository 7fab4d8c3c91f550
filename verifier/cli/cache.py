"""The options about the cache, and where it is."""

from __future__ import annotations

import argparse
import os
import pathlib
from typing import TYPE_CHECKING

from verifier.cli.options import warn
from verifier.kernel.errors import UsageError

if TYPE_CHECKING:
    from verifier.checkers.cache import Cache

ENVIRONMENT = {
    "VERIFIER_CACHE": "where results are kept, if --cache does not say it",
    "XDG_CACHE_HOME": "else in claim-verifier below this folder (default: ~/.cache)",
}
"""For the help of commands that use the cache."""


def add_cache(parser: argparse.ArgumentParser, *, verify: bool = False) -> None:
    """Add ``--cache`` and ``--no-cache``, and ``--cache-verify`` where it is wanted."""
    group = parser.add_argument_group(
        "cache",
        "Results that the kernel has accepted are kept, and believed as long as the text of the reading, of what it "
        "depends on and of this tool, and the versions of Python and the libraries, stay the same. A cache that cannot "
        "be used costs one warning.",
    )
    group.add_argument(
        "--cache", type=pathlib.Path, metavar="DIR", help="keep results here (default: ~/.cache/claim-verifier)"
    )
    group.add_argument("--no-cache", action="store_true", help="check everything, and keep nothing")
    if verify:
        group.add_argument(
            "--cache-verify",
            action="store_true",
            help="check everything and compare it with what is kept: exit code 4 if that differs, else it is kept anew",
        )


def open_cache(arguments: argparse.Namespace, specs: pathlib.Path) -> Cache | None:
    """Return the cache that the options ask for; None: none is wanted, or there is no place for one.

    Args:
        arguments: the options.
        specs: the folder of the specs, before they are read: what changes there from now on is noticed.

    Raises:
        UsageError: the options exclude each other.
    """
    from verifier.checkers.cache import Cache
    from verifier.checkers.keys import find_stamp, find_tool

    is_verifying = getattr(arguments, "cache_verify", False)
    if arguments.no_cache:
        if arguments.cache is not None or is_verifying:
            raise UsageError("--no-cache goes with neither --cache nor --cache-verify")
        return None
    folder = arguments.cache or _find_folder()
    if folder is None:
        if is_verifying:
            raise UsageError("--cache-verify: there is no home folder to look in; name the cache with --cache DIR")
        return None
    try:
        tool = find_tool()
        return Cache(folder.absolute(), tool.hash, warn, tool.stamp, specs, find_stamp(specs))
    except OSError as error:
        warn(f"no cache is used: {error.filename}: {error.strerror or error}")
        return None


def _find_folder() -> pathlib.Path | None:
    if named := os.environ.get("VERIFIER_CACHE"):
        return pathlib.Path(named)
    home = os.environ.get("XDG_CACHE_HOME", "")
    try:
        base = pathlib.Path(home) if os.path.isabs(home) else pathlib.Path.home() / ".cache"
    except RuntimeError:
        return None
    return base / "claim-verifier"
