"""What several commands share: options with their help texts, and functions that open specs, print and write."""

from __future__ import annotations

import argparse
import contextlib
import errno
import io
import json
import os
import pathlib
import shutil
import sys
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TextIO

from verifier.files import find_shipped, folders_above, write_whole
from verifier.kernel.errors import UsageError
from verifier.report.printable import make_printable

if TYPE_CHECKING:
    from verifier.api.specs import Specs
    from verifier.audit.ledger import Ledger

PAGE_WIDTH = 100
EXIT_CODES = {
    0: "success",
    2: "bad spec, file or usage; one line on standard error says what and where",
    3: "internal error",
    130: "interrupted",
    141: "the reader of the output closed it early, as 'head' does",
    143: "terminated by SIGTERM (129: by SIGHUP)",
}
"""The meanings of exit codes in all commands. A command may add codes, or describe a code more exactly."""
PRECEDENCE = (3, 2, 4, 1, 0)
"""If several codes apply to a run, its exit code is the first of these. A code above 128 comes before all of them."""
CHECKED = {
    0: "every verdict is as expected",
    1: "some verdict is not as expected",
    4: "evidence was rejected by the kernel or cannot be read; or two methods disagree (the kernel and Coq, or two "
    "readings that 'agrees_with' connects)",
}
EVIDENCE = {
    1: "the kernel cannot decide: the evidence exceeds a limit, or is in another version of the file format",
    4: "the evidence was rejected by the kernel",
}
LOOKED = {
    0: "every known verdict is as expected",
    1: "some verdict is not as expected",
    4: "evidence in the folder of proofs was rejected by the kernel or cannot be read; or two methods disagree (the "
    "kernel and Coq, or two readings that 'agrees_with' connects)",
}
USUAL = {
    "specs": "'specs' here or in the nearest folder above, up to the root of the repository; else the specs that "
    "come with this tool",
    "proofs": "'proofs' beside the specs, else the proofs that come with this tool",
}
"""The folders that are used if no folder is given."""


def command(
    parser: argparse.ArgumentParser,
    description: str,
    examples: Mapping[str, str],
    *,
    codes: dict[int, str],
) -> None:
    """Write the ``--help`` of a command like a manual page.

    Args:
        parser: the parser of the command.
        description: what the command does, in paragraphs with an empty line between them.
        examples: command lines and what they do.
        codes: exit codes that ``EXIT_CODES`` does not have, or describes less exactly.
    """
    parser.description = "\n\n".join(map(fill, description.split("\n\n")))
    parser.epilog = write_sections({"exit codes": EXIT_CODES | codes, "examples": examples})


def fill(text: str, indent: int = 0) -> str:
    """Wrap a paragraph to the width of a help page, minus an indentation."""
    width = max(20, min(PAGE_WIDTH, shutil.get_terminal_size().columns - 2) - indent)
    return textwrap.fill(" ".join(text.split()), width)


def write_sections(sections: Mapping[str, Mapping[Any, str]]) -> str:
    """Return sections of a help page as text. A section has a title, and names or exit codes with their meanings.

    Names and meanings are in two columns. In the section of examples, and in sections where some name is long, each
    meaning is below its name.
    """
    parts = []
    for title, section in sections.items():
        rows = {str(name): section[name] for name in (sorted(section) if 0 in section else section)}
        column = max(map(len, rows)) + 4
        is_long = column > 24 or title == "examples"
        indent = " " * (6 if is_long else column)
        lines = [f"{title}:"]
        for name, text in rows.items():
            first, *rest = fill(text, len(indent)).split("\n")
            head = [f"  {name}", indent + first] if is_long else [f"  {name}".ljust(column) + first]
            lines += [*head, *(indent + line for line in rest)]
        if 0 in section:
            order = ", ".join(str(code) for code in PRECEDENCE if code in section)
            told = "If several codes apply, the exit code is the first of these: "
            told += f"the code of an interruption or of a closed output, then {order}."
            lines += ["  " + line for line in fill(told, 2).split("\n")]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def add_folder(parser: argparse.ArgumentParser, name: str) -> None:
    """Add ``--specs`` or ``--proofs``. Each names a folder; without the option, the tool finds a folder (``USUAL``)."""
    parser.add_argument(
        f"--{name}", type=pathlib.Path, metavar="DIR", help=f"the folder of {name} (default: {USUAL[name]})"
    )


def say_which(name: str, given: pathlib.Path | None, used: pathlib.Path) -> None:
    """Say on standard error which specs or proofs are used, unless they were given or are in the current folder."""
    if given is not None or used == pathlib.Path.cwd() / name:
        return
    if used == find_shipped(name) and used.parent not in folders_above():
        print_message(f"no '{name}' here or above: using the {name} that came with this tool")
    else:
        print_message(make_printable(f"using the {name} in {used}"))


def add_claims(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names claims."""
    parser.add_argument(
        "claims",
        nargs="*",
        metavar="CLAIM",
        help="a claim's id, a folder below the specs such as 'examples', or a spec file (default: every claim)",
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add ``--jobs``."""
    parser.add_argument(
        "--jobs",
        type=positive,
        default=os.cpu_count() or 1,
        metavar="N",
        help="number of processes (default: one per core)",
    )


def add_color(parser: argparse.ArgumentParser) -> None:
    """Add ``--color``."""
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="when to print colours (auto, the default: on a terminal or with FORCE_COLOR, unless NO_COLOR is set)",
    )


def add_schema(parser: argparse.ArgumentParser, of: str) -> None:
    """Add ``--schema``."""
    parser.add_argument("--schema", action="store_true", help=f"print the JSON Schema of {of}, and do nothing else")


def print_schema(schema: Mapping[str, Any]) -> int:
    """Print a JSON Schema; return the exit code."""
    print(json.dumps(schema, indent=1, sort_keys=True))
    return 0


def positive(text: str) -> int:
    """Return the number from 1 to 9999 that a text says. Refuse any other text."""
    value = int(text) if text.isdecimal() and len(text) < 5 else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 9999")
    return value


def accept_every_character(stream: TextIO) -> None:
    """Make a stream print an escape for each character that its encoding lacks, so that printing never fails."""
    if isinstance(stream, io.TextIOWrapper) and stream.errors != "backslashreplace":
        stream.reconfigure(errors="backslashreplace")


def open_missing_streams() -> None:
    """Open the null device for each closed standard stream. Otherwise a file could get the stream's number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open until the end


FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Errors of a stream that takes no more text. If such an error names no file, the stream is standard output."""


def leave_stdout() -> None:
    """Drop the text that standard output has not taken. Send all text that is printed from now on to standard error."""
    with contextlib.suppress(OSError, ValueError):  # a stream made in Python has no descriptor
        number = sys.stdout.fileno()
        os.dup2(os.open(os.devnull, os.O_WRONLY), number)
        sys.stdout.flush()
        os.dup2(sys.stderr.fileno(), number)


def print_instead(text: str) -> None:
    """Print text on standard error, because standard output is full. If standard error is full too, print nothing."""
    leave_stdout()
    try:
        print(text, end="", flush=True)
    except OSError:
        leave_stdout()


def print_message(text: str) -> None:
    """Print lines on standard error. If that is not possible, the command goes on."""
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def warn(text: str) -> None:
    """Print a warning on standard error. It does not change the exit code."""
    print_message(make_printable(f"warning: {text}"))


def warn_of_rejected(ledger: Ledger) -> None:
    """Say on standard error which files of the shipped evidence were rejected, and why."""
    from verifier.audit.fault import FaultKind

    for fault in ledger.faults:
        if fault.kind is FaultKind.EVIDENCE:
            warn(str(fault))


def write_text(text: str, path: pathlib.Path | None = None) -> int:
    """Write a text that programs read: to a file or, if ``path`` is None, to standard output. Return its size in bytes.

    A file is written whole or not at all.
    """
    # Programs expect UTF-8, whatever the terminal uses. File names and arguments may have bytes that are not UTF-8.
    data = text.encode("utf-8", "backslashreplace")
    sys.stdout.flush()
    if path is not None:
        write_whole(path, data)
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        print(text, end="")
    return len(data)


def check_target(path: pathlib.Path) -> None:
    """Before the work begins, refuse a path to which no file can be written. Folders are not created."""
    if path.is_dir():
        raise UsageError(f"{path} is a folder: name a file in it")
    if str(path) == "-":
        raise UsageError("'-' is not a file: for standard output use --format")
    if path.exists() and not path.is_file():
        return  # a device or a pipe, which is not replaced
    folder = pathlib.Path(os.path.realpath(path)).parent if path.is_symlink() else path.absolute().parent
    if not folder.is_dir():
        raise UsageError(f"{path}: no such folder: {folder}")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"{path}: cannot create a file in {folder}")


def add_look_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of all commands that show what is known about claims."""
    add_folder(parser, "specs")
    add_folder(parser, "proofs")
    add_cache(parser)


def add_cache(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Add the options of the cache; ``more`` is added to their description."""
    group = parser.add_argument_group(
        "cache",
        fill(
            "The cache keeps evidence that the kernel has accepted. It also keeps results until the code or the specs "
            f"change. Anyone who can write to the cache can make the tool print false results. {more}"
        ),
    )
    group.add_argument(
        "--cache", type=pathlib.Path, metavar="DIR", help="its folder (default: ~/.cache/game-claim-verifier)"
    )
    group.add_argument("--no-cache", action="store_true", help="neither read nor write the cache")


def open_specs(
    arguments: argparse.Namespace, out: pathlib.Path | None = None, wanted: list[str] | None = None
) -> Specs:
    """Return the specs that the options name, without faulty files. Read only the files that ``wanted`` needs."""
    from verifier.api.folders import find_specs
    from verifier.api.loading import load

    if arguments.no_cache and arguments.cache is not None:
        raise UsageError("--no-cache and --cache cannot be used together")
    cache = arguments.cache or not arguments.no_cache
    folder = find_specs(arguments.specs)
    say_which("specs", arguments.specs, folder)
    return load(folder, proofs=arguments.proofs, cache=cache, out=out, partial=True, wanted=wanted, warn=warn)


def open_to_look(arguments: argparse.Namespace) -> Specs:
    """Return the specs for a command that decides nothing, and warn of faults in them. Refuse an unknown claim."""
    from verifier.api.selection import require_claim

    claim = getattr(arguments, "claim", None)
    specs = open_specs(arguments, wanted=None if claim is None else [claim.partition("/")[0]])
    if specs.problems:
        from verifier.kernel.words import counted

        faults = counted(len(specs.problems), "fault")
        warn(f"{faults} in the specs; the affected claims are left out: run 'verifier validate'")
    if claim is not None:
        require_claim(specs.known, claim.partition("/")[0], specs.folders.specs)
    return specs
