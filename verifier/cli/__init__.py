"""The command line: reads the arguments, runs the command, returns the exit code.

Each command is a module. ``options`` has the meanings of exit codes. A command loads packages outside the standard
library only when it needs them, so ``recheck`` runs without any such package.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import signal
import sys
from collections.abc import Collection, Sequence
from typing import NoReturn

import verifier
from verifier.cli.ending import EndedError, end_in_order, find_interrupt, say_ended
from verifier.cli.options import (
    CHECKED,
    EVIDENCE,
    EXIT_CODES,
    FULL,
    accept_every_character,
    leave_stdout,
    open_missing_streams,
    print_message,
    write_sections,
)
from verifier.files import find_shipped
from verifier.kernel.errors import CertificateError, SpecError, UsageError
from verifier.report.printable import make_printable


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; return its exit code."""
    open_missing_streams()
    words = sys.argv[1:] if argv is None else argv
    arguments = build_parser({word for word in words if word in COMMANDS}).parse_whole(words)
    accept_every_character(sys.stdout)
    try:
        with end_in_order():
            code: int = arguments.run(arguments)
            sys.stdout.flush()
    except KeyboardInterrupt as error:
        return say_ended(error.number if isinstance(error, EndedError) else signal.SIGINT)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except CertificateError as error:
        heads = {1: "not decided: ", 2: "", 4: "rejected: "}
        code = 2 if error.reason == "unreadable" else 1 if error.is_undecided else 4
        _say_failure(arguments, f"{heads[code]}{error}")
        return code
    except (SpecError, UsageError) as error:
        _say_failure(arguments, *getattr(error, "lines", (error,)))
        return 2
    except OSError as error:
        unnamed = "standard output" if error.errno in FULL else "the system"
        name = os.fsdecode(error.filename) if error.filename else unnamed
        leave_stdout()  # otherwise Python fails again when it flushes standard output at the end
        _say_failure(arguments, f"{name}: {error.strerror or error}")
        return 2
    except Exception as error:
        if os.environ.get("VERIFIER_TRACEBACK"):
            raise
        if interrupt := find_interrupt(error):
            return say_ended(interrupt.number if isinstance(interrupt, EndedError) else signal.SIGINT)
        if isinstance(error, ModuleNotFoundError) and not str(error.name).startswith("verifier"):
            print_message(
                f"{error.name} is not installed: 'make check' or 'pip install .' installs it; recheck works without it"
            )
            return 2
        what = f"internal error: {type(error).__name__}: {error}"
        _say_failure(arguments, f"{what} (VERIFIER_TRACEBACK=1 shows where)")
        return 3
    return code


def _say_failure(arguments: argparse.Namespace, *lines: object) -> None:
    """Print lines on standard error. If the command was asked for GitHub's format, they are one annotation."""
    text = "\n".join(map(make_printable, lines))
    print_message(_annotate(text) if getattr(arguments, "format", "") == "github" else text)


def _annotate(text: str) -> str:
    from verifier.report.github import annotate_message

    return annotate_message(text, "error")


class _Parser(argparse.ArgumentParser):
    is_for_github = False
    """True if the command line asks for GitHub's format. Then an error in the command line is an annotation."""

    def error(self, message: str) -> NoReturn:
        """Print a message of one line, and exit with code 2."""
        text = f"{self.prog}: {make_printable(message)}"
        self.exit(2, f"{_annotate(text) if self.is_for_github else text}\n")

    def parse_whole(self, words: Sequence[str]) -> argparse.Namespace:
        """Parse a command line. If it has an option that the command does not know, suggest a similar one."""
        (commands,) = (action for action in self._actions if isinstance(action, argparse._SubParsersAction))
        is_for_github = re.search("--format[= ]github", " ".join(words)) is not None
        for parser in (self, *commands.choices.values()):
            parser.is_for_github = is_for_github
        found, unknown = self.parse_known_args(words)
        if unknown:
            from verifier.language.problem import suggest

            command = commands.choices[found.command]
            options = [option for action in command._actions for option in action.option_strings]
            hint = suggest(unknown[0], options) if unknown[0].startswith("-") else ""
            command.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")
        return found

    def _check_value(self, action: argparse.Action, value: str) -> None:
        """Refuse an unknown command, or an unknown value of an option, and suggest a similar one."""
        if action.choices is not None and value not in action.choices:
            from verifier.language.problem import suggest

            hint = suggest(value, action.choices)
            choices = ", ".join(action.choices)
            raise argparse.ArgumentError(action, f"unknown value {value!r}{hint or ''}; choose from {choices}")


COMMANDS = {
    "new": "start a new project: rules, a strategy, claims, a test",
    "check": "check claims and print the verdicts",
    "recheck": "check the evidence again, with the kernel alone",
    "report": "write verdicts, claims and boards as one web page, or as a site with a page for each claim",
    "validate": "find errors in the specs, without checking any claim",
    "list": "list the claims of each document",
    "show": "show one claim: its readings, verdicts and boards; with --why, the claims it rests on",
    "play": "play against a certified strategy in the terminal",
    "graph": "write a graph of the claims, or of the plays that a certificate covers",
    "export": "write certificates in a form for other programs (SMT solvers, Coq)",
}
"""The commands in the order of ``--help``. Each is a module: ``fill_parser`` adds its arguments, ``run`` runs it."""
EVERY_VARIABLE = {
    "NO_COLOR": "if set, no colours are printed",
    "FORCE_COLOR": "if set, colours are printed outside a terminal too",
    "VERIFIER_CACHE": "the folder of the cache, unless --cache is given",
    "XDG_CACHE_HOME": "the folder in which the cache is, unless --cache or VERIFIER_CACHE is given (default: ~/.cache)",
    "VERIFIER_COQ": "where the Coq proofs are built (default: build/coq beside the folder of proofs)",
    "GITHUB_STEP_SUMMARY": "a file to which 'check --format github' appends a summary",
    "VERIFIER_TRACEBACK": "if set, an internal error shows where it happened",
}
_ALL_CODES = CHECKED | {1: f"{CHECKED[1]}; or {EVIDENCE[1]}"}
EXAMPLES = {
    "verifier new my-paper": "a folder for claims of your own",
    "verifier check": "check every claim and print the verdicts",
    "verifier show lemma-2": "one claim: its readings and verdicts, with drawings of counterexamples",
    "verifier report --out report.html": "write the verdicts so far as a web page",
}


def build_parser(wanted: Collection[str] = tuple(COMMANDS)) -> _Parser:
    """Return the parser of all commands. Only the commands in ``wanted`` are loaded and get their arguments."""
    parser = _Parser(
        prog="verifier",
        description="Check every claim of a paper about a game, with evidence that a small kernel can check again.",
        epilog=f"""\
'verifier COMMAND --help' says what a command does, with its options, exit codes and examples.
A tutorial, how-tos and references: {find_shipped("docs")}{os.sep}README.md

"""
        + write_sections({"environment": EVERY_VARIABLE, "exit codes": EXIT_CODES | _ALL_CODES, "examples": EXAMPLES}),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"verifier {verifier.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, formatter_class=argparse.RawDescriptionHelpFormatter)
        if name in wanted:
            module = importlib.import_module(f"verifier.cli.{name}")
            module.fill_parser(command)
            command.set_defaults(run=module.run)
    return parser
