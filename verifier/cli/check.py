"""The command ``check``: search for evidence, have the kernel decide, print the ledger."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import os
import pathlib
import shlex
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from verifier.cli.ending import end_soon, held_back
from verifier.cli.options import (
    CHECKED,
    EXIT_CODES,
    add_claims,
    add_color,
    add_jobs,
    add_look_options,
    add_schema,
    check_target,
    command,
    open_specs,
    positive,
    print_instead,
    print_message,
    print_schema,
    warn,
    write_text,
)
from verifier.cli.progress import RunLine, layout_for, terminal_width
from verifier.kernel.errors import SpecError, UsageError
from verifier.language.problem import suggest
from verifier.report.printable import make_printable
from verifier.report.registry import FORMATS
from verifier.search.resources import DEFAULT_MEMORY_MIB

if TYPE_CHECKING:
    from verifier.api.specs import Specs
    from verifier.audit.fault import Fault
    from verifier.audit.ledger import Ledger
    from verifier.report.layout import Layout
    from verifier.report.registry import Report


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Check claims. Each claim has a YAML file, its spec, with one or more readings: exact meanings of the claim.
        For each reading, look for evidence in the folder of proofs, in --out and in the cache, in this order. If there
        is no evidence, or if the kernel rejects it, search for some. The kernel decides on the evidence, and the
        verdict is compared with the one that the spec expects. A refutation is a success if the spec expects it. If
        evidence in the folder of proofs is rejected, this is a fault, even if other evidence is accepted.

        If you name no claim, readings that take minutes are skipped, except those on which a document's headline (its
        main claims) rests. With --all no reading is skipped. If you name a spec file, the claim in it is checked, or
        all claims that use the rules, strategy or definitions in it. If you name a folder with a main claim of a
        document, our own claims in this document's headline are checked too. If you name claims, only faults in the
        files that they need are reported. If you name a folder, faults in all its files are reported as well. If the
        cache remembers that a search gave up, the search is repeated only with --anew or more --memory.

        Each claim is printed as soon as it has its verdict. Claims of one file with the same result share a line.
        Below the claims are the verdicts that are not as expected, then a summary of each document. Evidence is saved
        as soon as the kernel accepts it, so after an interruption the next run continues from there. The command
        writes only to the cache, to the paths of --out, --report and --checkpoint, and to the summary for GitHub.
        """,
        {
            "verifier check": "check every claim",
            "verifier check examples specs/paper/3-analysis/lemma-2.yaml": "the claims of a folder and of a file",
            "verifier check --format json > ledger.json": "the ledger (the list of all results), for a program",
            "verifier check --format github --report junit=ledger.xml --report sarif=ledger.sarif": "for CI",
        },
        codes=CHECKED
        | {
            2: "bad spec or file (all other readings are still checked), bad usage, or a report could not be written",
            3: "internal error; the affected readings are skipped",
            130: f"{EXIT_CODES[130]}; what was decided is saved in the cache and in --out",
            143: f"{EXIT_CODES[143]}; what was decided is saved in the cache and in --out",
        },
    )
    add_claims(parser)
    add_look_options(parser)
    add_jobs(parser)
    parser.add_argument("--reading", metavar="ID", help="only this reading of each claim")
    parser.add_argument("--all", action="store_true", help="also check readings marked 'long', which take minutes")
    parser.add_argument("--anew", action="store_true", help="search for evidence again, even if there is some")
    search = parser.add_argument_group("long searches (claims with 'bound'; --memory also with 'can')")
    search.add_argument(
        "--executor", metavar="dask://HOST:PORT", help="search on a Dask cluster (default: on this machine)"
    )
    search.add_argument(
        "--memory",
        type=positive,
        dest="memory_mib",
        default=DEFAULT_MEMORY_MIB,
        metavar="MIB",
        help=f"the memory in which a search of one process keeps its results, in MiB (default: {DEFAULT_MEMORY_MIB})",
    )
    search.add_argument(
        "--checkpoint",
        dest="checkpoints",
        type=pathlib.Path,
        metavar="DIR",
        help="save finished parts of a search in this folder, and continue from them",
    )
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("-q", "--quiet", action="store_true", help="print only unexpected verdicts, and the counts")
    amount.add_argument("-v", "--verbose", action="store_true", help="print the readings of each claim as well")
    add_color(parser)
    parser.add_argument(
        "--format",
        choices=tuple(FORMATS),
        default="text",
        help="what is printed (default: the ledger as text); github: annotations for GitHub Actions",
    )
    parser.add_argument(
        "--report",
        type=_report,
        action="append",
        default=[],
        metavar="FORMAT=PATH",
        help=f"write a report to a file as well, any number of times; formats: {', '.join(FORMATS)}",
    )
    parser.add_argument(
        "--out",
        type=pathlib.Path,
        metavar="DIR",
        help="keep all evidence in this folder; if the kernel accepts evidence from this folder and from the folder of "
        "proofs, the ledger names the evidence in this folder",
    )
    add_schema(parser, "the ledger of --format json")


def run(arguments: argparse.Namespace) -> int:
    """Run ``check``."""
    if arguments.schema:
        from verifier.audit.ledger import make_schema

        return print_schema(make_schema())
    from verifier.report.text import ClaimLines

    for _, path in arguments.report:
        check_target(path)
        if sum(path.absolute() == other.absolute() for _, other in arguments.report) > 1:
            raise UsageError(f"--report: {path} is named twice: a file holds one report")
    if arguments.out is not None and arguments.out.exists() and not arguments.out.is_dir():
        raise UsageError(f"--out: {arguments.out} is not a folder")
    formats = {arguments.format, *(name for name, _ in arguments.report)}
    is_about_all = bool(formats & {"html", "errata", "errata-latex"})  # these formats also print other claims
    specs = open_specs(arguments, arguments.out, None if is_about_all else arguments.claims or None)
    selected, faults = _select(specs, arguments)
    layout = layout_for(arguments)
    rows = ClaimLines(specs.known, selected, layout, is_verbose=arguments.verbose, is_quiet=arguments.quiet)
    if arguments.anew and find_spec("exact") is None:
        warn(
            "Exact is not installed: readings with steps or an invariant come out supported, not proved; "
            "'pip install exact' installs it"
        )
    names = ("reading", "anew", "jobs", "executor", "memory_mib", "checkpoints")
    options = {name: getattr(arguments, name) for name in names}
    line = RunLine(rows.take if arguments.format == "text" else lambda _: ())

    def stop() -> int:
        """Print the results so far, and write the reports. Return the exit code."""
        line.close()
        code = 0
        if line.stop is not None:
            ledger = line.stop()
            line.print_lines(list(rows.rest()))
            code = _tell(arguments, specs, ledger, faults, layout, line.unwritten)
        specs.close()
        return code

    with contextlib.closing(line):
        try:
            with end_soon(stop):
                ledger = specs.check(selected, leave_out=_is_short(arguments), watcher=line, **options)
        except KeyboardInterrupt:
            stop()
            raise
        except OSError as error:
            if line.stop is None or not _is_kept(error, arguments.out, arguments.checkpoints):
                raise
            from verifier.audit.fault import unwritten_fault

            faults.append(unwritten_fault(error.filename, error))
            return stop()
    return _tell(arguments, specs, ledger, faults, layout, line.unwritten)


def _is_kept(error: OSError, *folders: pathlib.Path | None) -> bool:
    """Return True if an error is about a file in one of the folders, in which a run keeps its results."""
    if not isinstance(error.filename, str):
        return False
    path = pathlib.Path(error.filename).absolute()
    return any(folder is not None and path.is_relative_to(folder.absolute()) for folder in folders)


def _is_short(arguments: argparse.Namespace) -> bool:
    """Return whether readings marked 'long' are left out."""
    return not arguments.claims and not arguments.all


def _select(specs: Specs, arguments: argparse.Namespace) -> tuple[list[str], list[Fault]]:
    """Return the selected claims, and a fault for each word that names neither a claim nor a file.

    Such a fault is made only if spec files have faults, because one of these files may have the claim.

    Raises:
        UsageError: no spec file has a fault, and a word names no claim, folder or file.
    """
    from verifier.audit.fault import Fault, FaultKind, LostItem

    if not specs.problems:
        return specs.select(arguments.claims or None, arguments.reading), []
    found: list[str] = []
    faults: list[Fault] = []
    for word in arguments.claims or ["."]:
        try:
            found += specs.select(word, arguments.reading)
        except SpecError:
            if ("claim", word) not in specs.known.lost and not pathlib.Path(word).exists():
                said = f"there is no claim or file {word!r}; perhaps a file with a fault has the claim"
                faults.append(Fault(FaultKind.SPEC, "", 1, 1, said, (LostItem("claim", word),)))
    return list(dict.fromkeys(found)), faults


def _tell(
    arguments: argparse.Namespace,
    specs: Specs,
    ledger: Ledger,
    faults: list[Fault],
    layout: Layout,
    unwritten: OSError | None,
) -> int:
    """Add faults to the ledger, write every report, print the ledger, and return the exit code.

    A web page takes seconds, so it comes last: if a signal ends the command then, only the page is lost. An earlier
    signal is held back until everything else is written.

    ``unwritten`` is the error with which standard output failed during the run; None if it did not fail.
    """
    from verifier.audit.fault import FaultKind, unwritten_fault

    if unwritten is not None:
        faults = [*faults, unwritten_fault("standard output", unwritten)]
    ledger = dataclasses.replace(ledger, faults=(*ledger.faults, *faults))
    report = specs.report(ledger, shlex.join(["verifier", *sys.argv[1:]]), arguments.jobs)
    is_stopped = any(fault.kind is FaultKind.STOPPED for fault in report.ledger.faults)
    wanted = [(name, path) for name, path in arguments.report if name != "html"]
    pages = [(name, path) for name, path in arguments.report if name == "html"]
    with held_back():
        report = _tell_soon(arguments, report, wanted, layout)
    if is_stopped:  # a page would take too long after a signal
        _warn_of_pages(pages)
        return report.ledger.exit_code
    try:
        told = _write_reports(report, pages)
    except KeyboardInterrupt:
        _warn_of_pages(pages)
        raise
    if told is not report:
        late = dataclasses.replace(told.ledger, faults=told.ledger.faults[len(report.ledger.faults) :])
        _say_late(late, told, arguments.format)
        _write_reports(told, [(name, path) for name, path in wanted if path.is_file()])
    return told.ledger.exit_code


def _warn_of_pages(pages: Iterable[tuple[str, pathlib.Path]]) -> None:
    for _, path in pages:
        warn(f"the run was stopped before {path} was written: 'verifier report --out {path}' writes it")


def _say_late(ledger: Ledger, report: Report, form: str) -> None:
    """Print the faults that were found after the ledger was printed. ``ledger`` has only these faults."""
    if form == "github":
        from verifier.report.registry import render_report

        write_text(render_report(form, dataclasses.replace(report, ledger=dataclasses.replace(ledger, claims=()))))
    else:
        say_faults(ledger)


def _tell_soon(
    arguments: argparse.Namespace, report: Report, wanted: list[tuple[str, pathlib.Path]], layout: Layout
) -> Report:
    """Write reports, print the ledger and write the summary for GitHub.

    Return the report, with a fault for each report that could not be written, and for standard output if it failed.
    """
    from verifier.audit.fault import unwritten_fault
    from verifier.report.registry import render_report

    report = _write_reports(report, wanted)
    try:
        if arguments.format == "text":
            print(_ending(arguments, report, layout), end="", flush=True)
        else:
            say_faults(report.ledger)
            write_text(render_report(arguments.format, report))
    except BrokenPipeError:
        raise
    except OSError as error:  # standard error gets the totals, and what is not as expected
        report = _write_reports(_add_faults(report, [unwritten_fault("standard output", error)]), wanted)
        print_instead(_ending(arguments, report, layout))
    formats = [arguments.format, *(name for name, _ in arguments.report)]
    if "github" in formats and os.environ.get("GITHUB_STEP_SUMMARY"):
        from verifier.report.github import annotate_message, append_summary

        path = pathlib.Path(os.environ["GITHUB_STEP_SUMMARY"])
        try:
            append_summary(report, path)
        except OSError as error:  # the run goes on: the verdicts matter more
            told = f"cannot write the summary {path}: {error.strerror or error}"
            if arguments.format == "github":
                print_message(annotate_message(make_printable(told)))
            else:
                warn(told)
    return report


def _ending(arguments: argparse.Namespace, report: Report, layout: Layout) -> str:
    """Return the end of a ledger as text: everything below the claims."""
    from verifier.audit.fault import FaultKind
    from verifier.report.text import ending_lines

    is_stopped = any(fault.kind is FaultKind.STOPPED for fault in report.ledger.faults)
    is_short = _is_short(arguments) and arguments.reading is None and not is_stopped
    lines = ending_lines(report, layout, is_verbose=arguments.verbose, is_short=is_short)
    return "".join(f"{line}\n" for line in lines)


def _add_faults(report: Report, faults: Iterable[Fault]) -> Report:
    """Return a report with more faults."""
    return dataclasses.replace(
        report, ledger=dataclasses.replace(report.ledger, faults=(*report.ledger.faults, *faults))
    )


def _write_reports(report: Report, wanted: list[tuple[str, pathlib.Path]]) -> Report:
    """Write reports. Return the report with a fault for each file that could not be written."""
    from verifier.audit.fault import unwritten_fault
    from verifier.report.registry import render_report

    unwritten: list[Fault] = []
    written: list[tuple[str, pathlib.Path]] = []
    for name, path in wanted:
        try:
            write_text(render_report(name, report), path)
            written.append((name, path))
        except OSError as error:
            unwritten.append(unwritten_fault(f"the report {path}", error))
    if not unwritten:
        return report
    # The other reports do not have these faults yet. So write them again, except to devices and pipes.
    again = [(name, path) for name, path in written if path.is_file()]
    return _write_reports(_add_faults(report, unwritten), again)


def say_faults(ledger: Ledger) -> None:
    """Print the faults of a ledger on standard error."""
    from verifier.audit.fault import fault_lines

    for line in fault_lines(ledger.faults):
        print_message(make_printable(line))


def print_summary(report: Report) -> None:
    """Print the totals of a ledger that was written to a file."""
    from verifier.report.layout import Layout
    from verifier.report.text import summary_lines

    layout = Layout(terminal_width())
    print(
        "\n".join(part for line in summary_lines(report.ledger, report.known) for part in layout.wrap(line, "", "    "))
    )


def _report(text: str) -> tuple[str, pathlib.Path]:
    name, _, path = text.partition("=")
    if name not in FORMATS or not path:
        hint = f": write {name}=PATH" if name in FORMATS else suggest(name, FORMATS)
        raise argparse.ArgumentTypeError(f"{text!r} is not a FORMAT=PATH{hint}; formats: {', '.join(FORMATS)}")
    return name, pathlib.Path(path)
