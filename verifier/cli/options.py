"""What several commands share: options, folders, the selection of claims, progress."""

from __future__ import annotations

import argparse
import os
import pathlib
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import verifier
from verifier.kernel.errors import UsageError

if TYPE_CHECKING:
    from verifier.spec.library import Library


def add_specs(parser: argparse.ArgumentParser) -> None:
    """Add ``--specs``."""
    parser.add_argument(
        "--specs", type=pathlib.Path, metavar="DIR", help="the folder of the specs (default: the shipped ones)"
    )


def add_proofs(parser: argparse.ArgumentParser) -> None:
    """Add ``--proofs``."""
    parser.add_argument(
        "--proofs", type=pathlib.Path, metavar="DIR", help="the folder of the proofs (default: the shipped ones)"
    )


def add_claims(parser: argparse.ArgumentParser) -> None:
    """Add the claims."""
    parser.add_argument(
        "claims",
        nargs="*",
        metavar="CLAIM",
        help="a claim's id, or a folder below the specs such as 'examples' (default: every claim)",
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add ``--jobs``."""
    parser.add_argument(
        "--jobs", type=positive, default=os.cpu_count() or 1, metavar="N", help="processes (default: one a core)"
    )


def add_slow(parser: argparse.ArgumentParser) -> None:
    """Add ``--slow``."""
    parser.add_argument("--slow", action="store_true", help="check the readings marked slow too")


def positive(text: str) -> int:
    """Read a number from 1 to 9999.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    value = int(text) if text.isdecimal() and len(text) < 5 else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to 9999")
    return value


def seed(text: str) -> int:
    """Read a seed of up to nine digits.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    if not text.isdecimal() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text!r} is no seed: up to nine digits")
    return int(text)


def find_folder(name: str, given: pathlib.Path | None) -> pathlib.Path:
    """Return a folder of specs or proofs: the given one, or the one shipped with this package.

    Raises:
        UsageError: it is no folder.
    """
    package = pathlib.Path(verifier.__file__).resolve().parent
    choices = [given] if given is not None else [package / "_data" / name, package.parent / name]
    for path in choices:
        if path.is_dir():
            return path
    raise UsageError(f"{choices[-1]}: no such folder of {name}")


def select_claims(library: Library, wanted: list[str]) -> list[str]:
    """Return the claims that are asked for, in an order in which each follows those it rests on.

    Raises:
        UsageError: there is no such claim or folder, or none is selected.
    """
    from verifier.checkers.ledger import order_claims

    found: list[str] = []
    for word in wanted or ["."]:
        folder = word.rstrip("/") + "/"
        below = [name for name, spec in library.claims.items() if word == "." or spec.document.file.startswith(folder)]
        if word in library.claims:
            found.append(word)
        elif below:
            found += below
        else:
            raise UsageError(f"no claim or folder {word!r} in these specs; 'verifier graph claims' lists them")
    if not found:
        raise UsageError("no claim selected")
    return order_claims(library, list(dict.fromkeys(found)))


def show_progress() -> Callable[[int, int, float], None]:
    """Return what shows, on a terminal, how far a long search or check is and about how long it takes."""

    def show(done: int, count: int, seconds: float) -> None:
        rest = seconds / max(done, 1) * (count - done)
        print(f"\r\033[K{done} of {count}, about {rest:.0f} s to go", end="", file=sys.stderr, flush=True)
        if done == count:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    return show
