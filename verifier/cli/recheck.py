"""The command ``recheck``: check shipped certificates with the kernel alone."""

from __future__ import annotations

import argparse
import contextlib
import json
import pathlib
import secrets
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from verifier.cli.options import add_jobs, add_proofs, command, find_folder, positive, seed
from verifier.cli.progress import show_races
from verifier.kernel.errors import CertificateError, UsageError
from verifier.kernel.verdict import Belief, Result
from verifier.report.printable import make_printable

if TYPE_CHECKING:
    from verifier.kernel.bound import Settle

SAMPLE_SIZE = 4


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = command(
        commands,
        "recheck",
        "check shipped certificates with the kernel alone",
        "Check certificates again from their files. No spec is read and no solver is loaded: Python and its standard "
        "library are enough, as in 'python -S -m verifier recheck'. A "
        "line of a supported verdict ends with what has to be believed.",
        {
            "verifier recheck": "every certificate",
            "verifier recheck lemma-2 lemma-3/as-stated": "those of a claim and of a reading",
            "verifier recheck theorem-1 --full --resume progress": "a lower bound by plain Python alone; go on later",
            "verifier recheck --proofs out": "what 'verifier check --out out' has made",
        },
        codes={
            0: "every selected certificate shows its verdict",
            2: "bad file or usage, or nothing selected; one line on standard error says what and where",
            4: "a certificate was rejected",
        },
        files={
            "proofs/INDEX.json": "read, with the certificates that it names; another folder with --proofs",
            "DIR of --resume": "read and written: what --full has decided so far",
        },
    )
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a claim, claim/reading or certificate file of the index (default: all)",
    )
    add_proofs(parser)
    add_jobs(parser)
    bounds = parser.add_argument_group(
        "what Olivia's replies leave open (method bound)",
        "The kernel follows every reply. What comes below, it decides in a sample, unless one of these asks for more.",
    )
    bounds.add_argument(
        "--sample", type=positive, default=SAMPLE_SIZE, metavar="N", help=f"so many a table (default: {SAMPLE_SIZE})"
    )
    bounds.add_argument("--seed", type=seed, metavar="N", help="which (default: others in each run; it is printed)")
    bounds.add_argument("--full", action="store_true", help="all of it, by the kernel alone")
    bounds.add_argument(
        "--resume", type=pathlib.Path, metavar="DIR", help="keep the progress of --full here, and go on from it"
    )
    bounds.add_argument("--compiled", action="store_true", help="all by a compiled search, a sample by the kernel")
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="what is printed (default: lines of text)"
    )
    parser.set_defaults(run=run)


@contextlib.contextmanager
def _find_settle(arguments: argparse.Namespace) -> Iterator[tuple[int, Settle]]:
    """Yield how many processes check certificates, and what decides the races that replies leave open."""
    from verifier.kernel.bound import Sample
    from verifier.kernel.full import Full

    if arguments.full and arguments.compiled:
        raise UsageError("--full and --compiled exclude each other")
    if arguments.resume is not None and not arguments.full:
        raise UsageError("--resume goes with --full")
    sample = Sample(arguments.sample, secrets.randbelow(10**6) if arguments.seed is None else arguments.seed)
    if arguments.full:
        with show_races() as show:
            yield 1, Full(arguments.jobs, arguments.resume, show)
    elif arguments.compiled:
        from verifier.audit.pool import open_pool
        from verifier.checkers.settle import CompiledSearch

        with open_pool(arguments.jobs) as executor:
            yield 1, CompiledSearch(sample, executor=executor)
    else:
        yield arguments.jobs, sample


def run(arguments: argparse.Namespace) -> int:
    """Run ``recheck``."""
    from verifier.kernel.recheck import recheck

    root = find_folder("proofs", arguments.proofs)
    rows: list[dict[str, Any]] = []
    with _find_settle(arguments) as (jobs, settle):
        for entry, result in recheck(root, frozenset(arguments.paths), jobs, settle):
            row: dict[str, Any] = {"claim": entry.claim, "reading": entry.reading, "path": entry.path}
            if isinstance(result, CertificateError):
                row |= {"verdict": "rejected", "detail": str(result), "rejected": True}
            else:
                found = str(result.verdict)
                row |= {"verdict": found, "beliefs": sorted(map(str, result.beliefs)), "stats": dict(result.stats)}
            rows.append(row)
            if arguments.format == "text":
                name = make_printable(f"{entry.claim}/{entry.reading} ").ljust(48, ".")
                print(f"{name} {_say(row, result)}", flush=True)
    if not rows:
        raise UsageError("no certificate selected: name a claim, a claim/reading or a file of the index")
    rejected_count = sum("rejected" in row for row in rows)
    if arguments.format == "json":
        print(json.dumps({"schema": 1, "certificates": rows}, indent=1))
    else:
        print(f"{len(rows)} certificates, {rejected_count} rejected")
    return 4 if rejected_count else 0


def _say(row: dict[str, Any], result: Result | CertificateError) -> str:
    """Return a verdict with what has to be believed for it, or why there is none."""
    if isinstance(result, CertificateError):
        return make_printable(f"rejected  ({row['detail']})")
    asked = "; ".join(belief.value for belief in Belief if belief in result.beliefs)
    return f"{result.verdict}  (to be believed: {asked})" if asked else str(result.verdict)
