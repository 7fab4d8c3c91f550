"""What several commands share: options, folders, the selection of claims, progress."""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import sys
import textwrap
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import verifier
from verifier.kernel.errors import UsageError

if TYPE_CHECKING:
    from verifier.spec.library import Library

PAGE_WIDTH = 100
EXIT_CODES = {
    0: "everything is as it should be",
    2: "bad spec, file or usage; one line on standard error says what and where",
    3: "internal error: a defect of this tool",
    130: "interrupted; nothing was written half",
}
"""What the exit codes of every command mean; a command adds its own, or says 0 more exactly."""
ENVIRONMENT = {"VERIFIER_TRACEBACK": "set to anything, an internal error shows where it happened"}
"""What every command reads from the environment."""


def command(
    commands: Any,
    name: str,
    summary: str,
    description: str,
    examples: Mapping[str, str],
    *,
    codes: Mapping[int, str],
    files: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> argparse.ArgumentParser:
    """Add a command whose ``--help`` reads like a manual page, and return its parser.

    Args:
        commands: the subparsers of ``verifier``.
        name: the command.
        summary: the line in ``verifier --help``.
        description: what it does: paragraphs, with an empty line between them.
        examples: command lines and what they do.
        codes: exit codes beyond those of ``EXIT_CODES``, or put more exactly.
        files: what it reads and writes.
        environment: variables beyond those of ``ENVIRONMENT``.
    """
    sections = {
        "files": files or {},
        "environment": {**(environment or {}), **ENVIRONMENT},
        "exit codes": {str(code): text for code, text in sorted({**EXIT_CODES, **codes}.items())},
        "examples": examples,
    }
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description="\n\n".join(textwrap.fill(" ".join(part.split()), _width()) for part in description.split("\n\n")),
        epilog="\n\n".join(_section(title, rows) for title, rows in sections.items() if rows),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return parser


def _width() -> int:
    return min(PAGE_WIDTH, shutil.get_terminal_size().columns - 2)


def _section(title: str, rows: Mapping[str, str]) -> str:
    """Lay out names and what they mean: in two columns, or below each other where a name is long."""
    column = max(map(len, rows)) + 4
    is_long = column > 24
    indent = " " * (6 if is_long else column)
    lines = [f"{title}:"]
    for name, text in rows.items():
        first, *rest = textwrap.wrap(" ".join(text.split()), max(_width() - len(indent), 20))
        head = [f"  {name}", indent + first] if is_long else [f"  {name}".ljust(column) + first]
        lines += [*head, *(indent + line for line in rest)]
    return "\n".join(lines)


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
