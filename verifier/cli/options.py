"""What several commands share: options, folders, the selection of claims, progress."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import pathlib
import shutil
import sys
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TextIO

from verifier.kernel.errors import UsageError
from verifier.language.problem import suggest
from verifier.language.shipped import shipped_folders
from verifier.report.printable import make_printable

if TYPE_CHECKING:
    from verifier.language.library import Library

PAGE_WIDTH = 100
EXIT_CODES = {
    0: "everything is as it should be",
    2: "bad spec, file or usage; one line on standard error says what and where",
    3: "internal error: a defect of this tool",
    130: "interrupted; what was finished is kept, nothing was written half",
    141: "whoever read the output closed it before the end",
    143: "ended from outside by SIGTERM (129: by SIGHUP); nothing was written half",
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
    """Lay out names and what they mean: in two columns, or below each other for examples and long names."""
    column = max(map(len, rows)) + 4
    is_long = column > 24 or title == "examples"
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
        help="a claim's id, a folder below the specs such as 'examples', or a spec file (default: every claim)",
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add ``--jobs``."""
    parser.add_argument(
        "--jobs", type=positive, default=os.cpu_count() or 1, metavar="N", help="processes (default: one a core)"
    )


def add_color(parser: argparse.ArgumentParser) -> None:
    """Add ``--color``."""
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colours (default: on a terminal, unless NO_COLOR is set; with FORCE_COLOR also elsewhere)",
    )


def add_full(parser: argparse.ArgumentParser) -> None:
    """Add ``--full``."""
    parser.add_argument(
        "--full", action="store_true", help="have the kernel decide what takes minutes too (readings with 'quick')"
    )


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
    choices = [given] if given is not None else shipped_folders(name)
    for path in choices:
        if path.is_dir():
            return path
    raise UsageError(f"{choices[-1]}: no such folder of {name}")


def select_claims(library: Library, wanted: list[str], specs: pathlib.Path | None = None) -> list[str]:
    """Return the claims that are asked for, with those that they join, each after those it rests on.

    A spec file on which no claim rests asks for none, and a warning says so: whoever changes it has broken nothing.

    Args:
        library: the specs.
        wanted: claims, folders below the specs, and spec files; none: every claim.
        specs: the folder of the specs, so that files and folders may be named from the current folder.

    Raises:
        UsageError: there is no such claim, folder or file, or none is selected.
    """
    from verifier.language.dependents import join_claims, order_claims

    found: list[str] = []
    is_unused = False
    for word in wanted or ["."]:
        if word in library.claims:
            found.append(word)
            continue
        paths = list(dict.fromkeys([word.rstrip("/"), *_paths_below(word, specs)]))
        below = [
            name
            for name, spec in library.claims.items()
            if any(path == "." or spec.document.file.startswith(f"{path}/") for path in paths)
        ]
        if below:
            found += below
        elif word.endswith(".yaml"):
            claims = _claims_of_file(library, word, paths)
            found += claims
            if not claims:
                is_unused = True
                warn(f"{word}: no claim rests on it")
        else:
            hint = suggest(word, [*library.claims, *_folders(library)])
            raise UsageError(
                f"no claim, folder or spec file {word!r} in these specs{hint}; 'verifier list' lists the claims"
            )
    if not found and not is_unused:
        raise UsageError("no claim selected")
    return order_claims(library, join_claims(library, found))


def find_claim(library: Library, name: str) -> None:
    """Refuse a name that no claim has, with the one that was meant.

    Raises:
        UsageError: there is no such claim.
    """
    if name not in library.claims:
        hint = suggest(name, library.claims)
        raise UsageError(f"no claim {name!r} in these specs{hint}; 'verifier list' lists them")


def _folders(library: Library) -> set[str]:
    parts = [spec.document.file.split("/") for spec in library.claims.values()]
    return {"/".join(path[:depth]) for path in parts for depth in range(1, len(path))}


def _paths_below(word: str, specs: pathlib.Path | None) -> list[str]:
    """Return a path below the specs as it is called there, where a word names one from the current folder."""
    path = pathlib.Path(word).resolve()
    root = None if specs is None else specs.resolve()
    return [] if root is None or not path.is_relative_to(root) else [path.relative_to(root).as_posix()]


def _claims_of_file(library: Library, word: str, paths: list[str]) -> list[str]:
    from verifier.language.dependents import find_dependents

    known = [claims for claims in (find_dependents(library, path) for path in paths) if claims is not None]
    if not known:
        raise UsageError(f"{word}: no such file among these specs")
    return known[0]


def accept_every_character(stream: TextIO) -> None:
    """Have a stream print characters that its encoding lacks as their numbers, so that they end no command."""
    if isinstance(stream, io.TextIOWrapper) and stream.errors != "backslashreplace":
        stream.reconfigure(errors="backslashreplace")


def open_missing_streams() -> None:
    """Put the null device in the place of a standard stream that is closed, before any file can take its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open until the end


def say(text: str) -> None:
    """Print lines on standard error; where nobody can read them the command ends as it would."""
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def warn(text: str) -> None:
    """Say on standard error what is not as it should be, and does not change how the command ends."""
    say(make_printable(f"warning: {text}"))


def print_format(text: str) -> None:
    """Print a text for programs: they want UTF-8 (XML says so itself), whatever the terminal has."""
    sys.stdout.flush()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.buffer.write(encode(text))
        sys.stdout.buffer.flush()
    else:
        print(text, end="")


def encode(text: str) -> bytes:
    """Return the bytes of a text for programs; a file name or an argument may hold what no UTF-8 text can."""
    return text.encode("utf-8", "backslashreplace")


def check_target(path: pathlib.Path) -> None:
    """Refuse a path at which no file can be written, before the work is done; folders are not made for one.

    Raises:
        UsageError: it is a folder, or ``-``; or its folder is missing, or cannot be written to.
    """
    if path.is_dir():
        raise UsageError(f"{path} is a folder: name a file in it")
    if str(path) == "-":
        raise UsageError("'-' is no file: standard output has what --format says")
    if path.exists() and not path.is_file():
        return  # a device or a pipe, to which is written as it stands
    folder = pathlib.Path(os.path.realpath(path)).parent if path.is_symlink() else path.absolute().parent
    if not folder.is_dir():
        raise UsageError(f"{path}: no such folder: {folder}")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"{path}: no file can be made in {folder}")
