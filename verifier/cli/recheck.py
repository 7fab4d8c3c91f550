"""The command ``recheck``: check certificates with the kernel alone."""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from verifier.api.folders import find_folder
from verifier.cli.options import add_folder, add_format, add_jobs, command, positive
from verifier.cli.progress import is_coloured, is_terminal
from verifier.kernel.__main__ import Answer, lines_of
from verifier.kernel.errors import CertificateError, UsageError
from verifier.kernel.store import BY_INVARIANT
from verifier.kernel.words import counted
from verifier.language.problem import suggest
from verifier.report.printable import make_printable

if TYPE_CHECKING:
    from verifier.recheck import Request

COLOURS = {"proved": "32", "supported": "36", "refuted": "31", "rejected": "31", "not decided": "2"}


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Check certificates again from their files. No spec is read and no solver is loaded: Python and its
        standard library are enough, as in 'python -S -m verifier recheck'. For each certificate it prints what is
        stated (its hash, and in words), the verdict, what fails if it is refuted (perhaps a strategy only has no
        move left), and what has to be believed for it. Text in quotation marks is a name from the file and proves
        nothing. The names of claims come from the index; only 'verifier check', which reads the specs, says that
        a claim is proved.

        There is no time limit by default, and some bounds take minutes. With --limit a certificate that takes
        longer is not decided, and the exit code is 1. The exit code is also 1 if a step rests on a solver's
        answers. Nothing in a file changes the request.
        """,
        {
            "verifier recheck": "every certificate; bounds take minutes",
            "verifier recheck --limit 30": "give up on each certificate after 30 seconds",
            "verifier recheck lemma-2 lemma-3/as-stated": "all certificates filed under a claim and a reading",
            "verifier recheck --proofs out": "what 'verifier check --out out' has made",
        },
        run=run,
        codes={
            0: "everything is decided, and each certificate shows its verdict",
            1: "something is not decided: the time limit was reached, or a solver is believed",
            2: "bad file or usage, or nothing selected; one line on standard error says what and where",
            4: "a certificate was rejected",
        },
        files={
            "proofs/INDEX.json": "read, with what it names; another folder with --proofs",
        },
    )
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="a claim, claim/reading or hash of a statement of the index (default: all)",
    )
    add_folder(parser, "proofs")
    add_jobs(parser)
    parser.add_argument(
        "--limit",
        type=positive,
        metavar="SECONDS",
        help="processor time for each certificate (default: no limit)",
    )
    parser.add_argument("--say", action="store_true", help="write out the whole of each statement as well")
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run ``recheck``."""
    from verifier.kernel.backstop import limited
    from verifier.kernel.index import read_index
    from verifier.recheck import plan, recheck

    root = find_folder("proofs", arguments.proofs)
    here = pathlib.Path.cwd()
    if arguments.proofs is None and find_folder("specs") == here / "specs" and root != here / "proofs":
        raise UsageError("there are specs here and no proofs: 'verifier check --out proofs' writes them")
    index = limited(lambda: read_index(root))
    try:
        requests = limited(lambda: plan(index, frozenset(arguments.names)))
    except UsageError as error:
        filed = {part for name in index.filed for part in (name, name.partition("/")[0])}
        hint = "".join(suggest(name, filed) for name in arguments.names if name not in filed)
        raise UsageError(f"{error}{hint.replace(':', ';')}") from None
    if not requests:
        raise UsageError("no certificate selected: name a claim, a claim/reading or the hash of a statement")
    rejected = undecided = 0
    told = []
    found = recheck(root, requests, arguments.jobs, arguments.limit, is_whole=arguments.say)
    for number, request in enumerate(requests, 1):
        _show_progress(f"{number} of {len(requests)}  {request.names[0]}")
        answer = next(found)
        _show_progress("")
        rejected += answer.is_rejected
        undecided += not answer.is_decided and not answer.is_rejected
        if arguments.format == "json":
            told.append(_to_json(request, answer))
        else:
            print("\n".join(_lines_of(request, answer)), flush=True)
    if arguments.format == "json":
        json.dump({"schema": 3, "certificates": told}, sys.stdout, indent=1)
        print()
    else:
        print(f"{counted(len(requests), 'certificate')}, {rejected} rejected, {undecided} not decided")
    return 4 if rejected else 1 if undecided else 0


def _show_progress(text: str) -> None:
    """Say on a terminal what is being decided, in place of what was said before."""
    if is_terminal(sys.stderr):
        print(f"\r{make_printable(text)[:78]:78}\r", end="", file=sys.stderr, flush=True)


def _lines_of(request: Request, answer: Answer) -> Iterator[str]:
    """Yield what is printed of a certificate: what the kernel's own command prints, coloured, and where to look."""
    first, *others = lines_of(answer, request.names)
    code = COLOURS[answer.verdict] if is_coloured(sys.stdout) else ""
    yield f"\033[{code}m{answer.verdict}\033[0m{first.removeprefix(answer.verdict)}" if code else first
    yield from others
    if answer.is_rejected:
        yield make_printable(f"    look closer: verifier check {request.names[0].partition('/')[0]}")


def _to_json(request: Request, answer: Answer) -> dict[str, Any]:
    """Return what a program is told of a certificate."""
    return {
        "statement": answer.key.removesuffix(BY_INVARIANT),
        "key": answer.key,
        "words": answer.words,
        "filed": list(request.names),
        "decided": answer.is_decided,
        "verdict": answer.verdict,
        "detail": answer.detail,
        "stats": {} if isinstance(answer.outcome, CertificateError) else dict(answer.outcome.stats),
    }
