"""The command line: arguments, dispatch, exit codes.

0: every verdict as expected; 1: some verdict differs; 2: bad spec, file or usage; 3: internal error; 4: a certificate
was rejected or two engines disagree; 130: interrupted. Nothing outside the standard library is loaded before a
command needs it, so that ``recheck`` runs without any of it.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import secrets
import sys
import textwrap
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, Any, NoReturn

import verifier
from verifier.kernel.errors import CertificateError, SpecError, UsageError

if TYPE_CHECKING:
    from verifier.kernel.bound import Settle
    from verifier.spec.library import Library


DEFAULT_MEMORY_MIB = 512
SAMPLE_SIZE = 4


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; return its exit code."""
    arguments = build_parser().parse_args(argv)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("interrupted: nothing was written half", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except CertificateError as error:
        print(f"rejected: {error}", file=sys.stderr)
        return 4
    except (SpecError, UsageError) as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{error.filename or 'a file'}: {error.strerror or error}", file=sys.stderr)
        return 2
    except Exception as error:
        if os.environ.get("VERIFIER_TRACEBACK"):
            raise
        print(f"internal error: {type(error).__name__}: {error} (VERIFIER_TRACEBACK=1 shows where)", file=sys.stderr)
        return 3
    return code


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of every command."""
    parser = _Parser(
        prog="verifier",
        description="Check every claim of a paper about a game, with evidence that a small kernel can check again.",
        epilog=textwrap.dedent("""\
            examples:
              verifier check                     audit every claim and print the ledger
              verifier check lemma-2 --jobs 1    audit one claim
              verifier show lemma-2              its readings, verdicts and counterexamples, drawn
              verifier recheck                   check the shipped certificates with the kernel alone

            exit codes: 0 every verdict as expected, 1 some verdict differs, 2 bad spec, file or usage,
            3 internal error, 4 a certificate was rejected or two engines disagree, 130 interrupted"""),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"verifier {verifier.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _check_parser(commands)
    _recheck_parser(commands)
    _validate_parser(commands)
    _show_parser(commands)
    _graph_parser(commands)
    return parser


def _add_specs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--specs", type=pathlib.Path, metavar="DIR", help="the folder of the specs (default: the shipped ones)"
    )


def _add_proofs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--proofs", type=pathlib.Path, metavar="DIR", help="the folder of the proofs (default: the shipped ones)"
    )


def _add_claims(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "claims",
        nargs="*",
        metavar="CLAIM",
        help="a claim's id, or a folder below the specs such as 'examples' (default: every claim)",
    )


def _add_jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs", type=_positive, default=os.cpu_count() or 1, metavar="N", help="processes (default: one a core)"
    )


def _add_slow(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--slow", action="store_true", help="check the readings marked slow too")


def _positive(text: str) -> int:
    value = int(text) if text.isdecimal() and len(text) < 5 else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes")
    return value


def _seed(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text!r} is no seed: up to nine digits")
    return int(text)


def _check_parser(commands: Any) -> None:
    parser = commands.add_parser(
        "check",
        help="run the checkers, have the kernel re-check what they find, print the ledger",
        description="Audit claims: run the checker of each reading, have the kernel decide on its evidence, and "
        "compare the verdict with the one that the spec expects. Nothing is written without --out. A slow reading "
        "is left out without --slow, and its proof in --out stays as it is.",
    )
    _add_claims(parser)
    _add_specs(parser)
    _add_jobs(parser)
    parser.add_argument("--reading", metavar="ID", help="only this reading of each claim")
    _add_slow(parser)
    search = parser.add_argument_group("long searches (method bound)")
    search.add_argument(
        "--executor", metavar="dask://HOST:PORT", help="run their parts on a Dask cluster (default: on this machine)"
    )
    search.add_argument(
        "--memory",
        type=_positive,
        default=DEFAULT_MEMORY_MIB,
        metavar="MIB",
        help=f"the size of the tables of one process (default: {DEFAULT_MEMORY_MIB})",
    )
    search.add_argument(
        "--checkpoint", type=pathlib.Path, metavar="DIR", help="keep finished parts here, and go on from them"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument(
        "--out", type=pathlib.Path, metavar="DIR", help="keep the certificates and their index in this folder"
    )
    parser.set_defaults(run=run_check)


def _recheck_parser(commands: Any) -> None:
    parser = commands.add_parser(
        "recheck",
        help="check shipped certificates with the kernel alone",
        description="Check certificates again from their files: no spec is read and no solver is loaded.",
    )
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a claim, claim/reading or certificate file of the index (default: all)",
    )
    _add_proofs(parser)
    _add_jobs(parser)
    bounds = parser.add_argument_group(
        "what Olivia's replies leave open (method bound)",
        "The kernel follows every reply. What comes below, it decides in a sample, unless one of these asks for more.",
    )
    bounds.add_argument(
        "--sample", type=_positive, default=SAMPLE_SIZE, metavar="N", help=f"so many a table (default: {SAMPLE_SIZE})"
    )
    bounds.add_argument("--seed", type=_seed, metavar="N", help="which (default: others in each run; it is printed)")
    bounds.add_argument("--full", action="store_true", help="all of it, by the kernel alone")
    bounds.add_argument(
        "--resume", type=pathlib.Path, metavar="DIR", help="keep the progress of --full here, and go on from it"
    )
    bounds.add_argument("--compiled", action="store_true", help="all by a compiled search, a sample by the kernel")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.set_defaults(run=run_recheck)


def _validate_parser(commands: Any) -> None:
    parser = commands.add_parser(
        "validate",
        help="check the specs themselves: schema, expressions, references",
        description="Report everything that is wrong with the specs at once, with file, line and column, and whether "
        "the shipped certificates state what the specs say.",
    )
    parser.add_argument(
        "path", nargs="?", type=pathlib.Path, metavar="DIR", help="the folder of the specs (default: the shipped ones)"
    )
    _add_proofs(parser)
    parser.add_argument(
        "--schema", action="store_true", help="print the JSON Schema of a spec file, for editors, and stop"
    )
    parser.set_defaults(run=run_validate)


def _show_parser(commands: Any) -> None:
    parser = commands.add_parser(
        "show",
        help="one claim: its readings, verdicts, trust and witnesses, drawn as boards",
        description="Check one claim and show everything about it: the restatement, each reading with its verdict and "
        "what has to be believed, and the witness as boards.",
    )
    parser.add_argument("claim", metavar="CLAIM")
    _add_specs(parser)
    _add_slow(parser)
    parser.set_defaults(run=run_show)


def _graph_parser(commands: Any) -> None:
    parser = commands.add_parser(
        "graph",
        help="the claim graph, or the strategy graph of a certificate",
        description="Write a graph: 'claims' for what rests on what, or CLAIM/READING for the plays of a certificate.",
    )
    parser.add_argument("what", metavar="claims|CLAIM/READING")
    parser.add_argument("--format", choices=("dot", "graphml", "json"), default="dot")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", help="the file to write (default: standard output)")
    _add_specs(parser)
    _add_proofs(parser)
    parser.set_defaults(run=run_graph)


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


def run_check(arguments: argparse.Namespace) -> int:
    """Run ``check``."""
    from verifier.checkers.run import Run
    from verifier.report.json import ledger_json
    from verifier.report.text import claim_lines, start_line, summary_lines, wait_text
    from verifier.spec.library import load_library

    specs = find_folder("specs", arguments.specs)
    library = load_library(specs)
    claims = select_claims(library, arguments.claims)
    if arguments.reading is not None:
        claims = [name for name in claims if arguments.reading in library.claim(name).readings]
        if not claims:
            raise UsageError(f"no selected claim has a reading {arguments.reading!r}")
    run = Run(specs, library, claims, arguments.reading, arguments.jobs, arguments.out, slow=arguments.slow)
    run.executor, run.memory_mib, run.checkpoints = arguments.executor, arguments.memory, arguments.checkpoint
    run.on_part = _progress() if sys.stderr.isatty() else None
    if arguments.format == "text":
        colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        run.on_start = lambda name: print(start_line(name), end="", flush=True)
        run.on_done = lambda result: print(claim_lines(result, colour=colour), flush=True)
        if sys.stdout.isatty():
            run.on_wait = lambda done, count: print(wait_text(done, count), end="", flush=True)
    elif sys.stderr.isatty():
        run.on_start = lambda name: print(f"\r\033[K{name}", end="", file=sys.stderr, flush=True)
    ledger = run.execute()
    if arguments.format == "json":
        print(ledger_json(ledger))
    else:
        print(summary_lines(ledger))
    return ledger.exit_code


def _find_settle(arguments: argparse.Namespace) -> tuple[int, Settle]:
    """Return how many processes check certificates, and what decides the races that replies leave open."""
    from verifier.kernel.bound import Sample
    from verifier.kernel.full import Full

    if arguments.full and arguments.compiled:
        raise UsageError("--full and --compiled exclude each other")
    if arguments.resume is not None and not arguments.full:
        raise UsageError("--resume goes with --full")
    if arguments.full:
        return 1, Full(arguments.jobs, arguments.resume, _progress() if sys.stderr.isatty() else None)
    seed = secrets.randbelow(10**6) if arguments.seed is None else arguments.seed
    sample = Sample(arguments.sample, seed)
    if arguments.compiled:
        from verifier.checkers.settle import CompiledSearch

        return 1, CompiledSearch(sample, executor=ProcessPoolExecutor(arguments.jobs) if arguments.jobs > 1 else None)
    return arguments.jobs, sample


def _progress() -> Callable[[int, int, float], None]:
    """Return what shows, on a terminal, how far a long search or check is and about how long it takes."""

    def show(done: int, count: int, seconds: float) -> None:
        rest = seconds / max(done, 1) * (count - done)
        print(f"\r\033[K{done} of {count}, about {rest:.0f} s to go", end="", file=sys.stderr, flush=True)
        if done == count:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    return show


def run_recheck(arguments: argparse.Namespace) -> int:
    """Run ``recheck``."""
    from verifier.kernel.recheck import recheck

    root = find_folder("proofs", arguments.proofs)
    rows: list[dict[str, Any]] = []
    jobs, settle = _find_settle(arguments)
    for entry, result in recheck(root, frozenset(arguments.paths), jobs, settle):
        name = f"{entry.claim}/{entry.reading}"
        rejected = isinstance(result, CertificateError)
        word = "rejected" if isinstance(result, CertificateError) else str(result.verdict)
        detail = str(result) if isinstance(result, CertificateError) else result.trust
        rows.append(
            {"claim": entry.claim, "reading": entry.reading, "path": entry.path, "verdict": word, "detail": detail}
        )
        if arguments.format == "text":
            print(f"{name} ".ljust(48, ".") + f" {word}  ({detail})", flush=True)
        if rejected:
            rows[-1]["rejected"] = True
    if not rows:
        raise UsageError("no certificate selected: name a claim, a claim/reading or a file of the index")
    rejected_count = sum("rejected" in row for row in rows)
    if arguments.format == "json":
        print(json.dumps({"schema": 1, "certificates": rows}, indent=1))
    else:
        print(f"{len(rows)} certificates, {rejected_count} rejected")
    return 4 if rejected_count else 0


def run_validate(arguments: argparse.Namespace) -> int:
    """Run ``validate``."""
    from verifier.spec.compile import compile_library
    from verifier.spec.library import load_library
    from verifier.spec.model import build_schema
    from verifier.spec.problem import SpecProblemsError

    if arguments.schema:
        print(json.dumps(build_schema(), indent=1, sort_keys=True))
        return 0
    specs = find_folder("specs", arguments.path)
    library = load_library(specs)
    compiled, problems = compile_library(library)
    if problems:
        raise SpecProblemsError(problems)
    count = sum(len(library.claim(name).readings) for name in library.claims)
    print(f"{len(library.claims)} claims, {count} readings, {len(library.strategies)} strategies: nothing wrong")
    if arguments.path is not None and arguments.proofs is None:
        return 0
    statements = {reference: reading.statement for reference, reading in compiled.items()}
    return _compare_statements(statements, find_folder("proofs", arguments.proofs))


def _compare_statements(statements: dict[tuple[str, str], dict[str, Any] | None], proofs: pathlib.Path) -> int:
    from verifier.kernel.certificate import hash_value
    from verifier.kernel.recheck import read_index

    stale = 0
    index = {(entry.claim, entry.reading): entry.statement for entry in read_index(proofs)}
    for (claim, reading), statement in statements.items():
        shipped = index.pop((claim, reading), None)
        if statement is None or shipped == hash_value(statement):
            continue
        stale += 1
        what = "no certificate" if shipped is None else "the certificate states something else"
        print(f"{claim}/{reading}: {what}")
    for claim, reading in index:
        stale += 1
        print(f"{claim}/{reading}: a certificate of no reading in these specs")
    print("the certificates state what the specs say" if not stale else f"{stale} stale: verifier check --out {proofs}")
    return 4 if stale else 0


def run_show(arguments: argparse.Namespace) -> int:
    """Run ``show``."""
    from verifier.checkers.run import Run
    from verifier.report.text import show_claim
    from verifier.spec.library import load_library, needed_claims

    specs = find_folder("specs", arguments.specs)
    library = load_library(specs)
    if arguments.claim not in library.claims:
        raise UsageError(f"no claim {arguments.claim!r} in these specs; 'verifier graph claims' lists them")
    joined = [
        name
        for name in needed_claims(library.claim(arguments.claim))
        if name not in library.claim(arguments.claim).uses
    ]
    ledger = Run(specs, library, [*joined, arguments.claim], slow=arguments.slow).execute()
    print(show_claim(ledger.claims[-1]))
    print(f"\nto check this claim again: verifier check {arguments.claim}")
    return ledger.exit_code


def run_graph(arguments: argparse.Namespace) -> int:
    """Run ``graph``."""
    from verifier.graph.build import build_claim_graph, build_strategy_graph
    from verifier.graph.write import write_graph

    if arguments.what == "claims":
        from verifier.spec.library import load_library

        graph = build_claim_graph(load_library(find_folder("specs", arguments.specs)))
    else:
        graph = build_strategy_graph(*_load_walk(find_folder("proofs", arguments.proofs), arguments.what))
    text = write_graph(graph, arguments.format)
    if arguments.out is None:
        print(text, end="")
    else:
        partial = arguments.out.with_name(arguments.out.name + ".part")
        partial.write_text(text)
        partial.replace(arguments.out)
    return 0


def _load_walk(proofs: pathlib.Path, name: str) -> Any:
    from verifier.kernel.recheck import Walks, read_index, recheck_entry
    from verifier.kernel.statement import parse_statement

    entry = next(
        (entry for entry in read_index(proofs) if name in (f"{entry.claim}/{entry.reading}", entry.claim)), None
    )
    if entry is None:
        raise UsageError(f"no certificate {name!r} in the index: name CLAIM/READING, or 'claims'")
    walks: Walks = {}
    certificate, _ = recheck_entry(proofs, entry, walks)
    if not walks:
        raise UsageError(f"{entry.claim}/{entry.reading} has no strategy to draw: its evidence is no table of plays")
    return parse_statement(certificate.statement), next(iter(walks.values()))
