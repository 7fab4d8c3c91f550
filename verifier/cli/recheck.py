"""The command ``recheck``: check shipped certificates with the kernel alone."""

from __future__ import annotations

import argparse
import json
from typing import Any

from verifier.cli.options import add_jobs, add_proofs, command, find_folder
from verifier.kernel.errors import CertificateError, UsageError
from verifier.report.printable import make_printable


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = command(
        commands,
        "recheck",
        "check shipped certificates with the kernel alone",
        "Check certificates again from their files. No spec is read and no solver is loaded: Python and its standard "
        "library are enough, as in 'python -S -m verifier recheck'. Each line ends with what has to be believed.",
        {
            "verifier recheck": "every certificate",
            "verifier recheck lemma-2 lemma-3/as-stated": "those of a claim and of a reading",
            "verifier recheck theorem-1 --full": "a lower bound by plain Python, all of it",
            "verifier recheck theorem-2 theorem-3 theorem-4 --full": "the others; what they share is decided once",
            "verifier recheck --proofs out": "what 'verifier check --out out' has made",
        },
        codes={
            0: "every selected certificate shows its verdict",
            2: "bad file or usage, or nothing selected; one line on standard error says what and where",
            4: "a certificate was rejected",
        },
        files={
            "proofs/INDEX.json": "read, with the certificates that it names; another folder with --proofs",
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
    parser.add_argument(
        "--full", action="store_true", help="also what Olivia's replies leave open in lower bounds (method bound)"
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="what is printed (default: lines of text)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run ``recheck``."""
    from verifier.kernel.recheck import recheck

    root = find_folder("proofs", arguments.proofs)
    rows: list[dict[str, Any]] = []
    for entry, result in recheck(root, frozenset(arguments.paths), arguments.jobs, full=arguments.full):
        row: dict[str, Any] = {"claim": entry.claim, "reading": entry.reading, "path": entry.path}
        if isinstance(result, CertificateError):
            row |= {"verdict": "rejected", "detail": str(result), "rejected": True}
        else:
            row |= {"verdict": str(result.verdict), "detail": result.trust, "stats": result.stats}
        rows.append(row)
        if arguments.format == "text":
            name = make_printable(f"{entry.claim}/{entry.reading} ").ljust(48, ".")
            print(f"{name} {row['verdict']}  ({make_printable(row['detail'])})", flush=True)
    if not rows:
        raise UsageError("no certificate selected: name a claim, a claim/reading or a file of the index")
    rejected_count = sum("rejected" in row for row in rows)
    if arguments.format == "json":
        print(json.dumps({"schema": 1, "certificates": rows}, indent=1))
    else:
        print(f"{len(rows)} certificates, {rejected_count} rejected")
    return 4 if rejected_count else 0
