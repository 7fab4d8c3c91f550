"""The ledger for GitHub Actions: a workflow command for each fault and each unexpected verdict, and a summary.

A workflow command is a line that starts with ``::``; GitHub shows it beside the line of the spec. The summary is
Markdown, for the page of a run.
"""

from __future__ import annotations

import pathlib
import re

from verifier.audit.fault import Fault
from verifier.audit.ledger import ClaimResult, Total
from verifier.kernel.verdict import Verdict
from verifier.methods.result import ReadingResult
from verifier.report.order import title_of
from verifier.report.place import Place, find_place, place_fault, show_command
from verifier.report.printable import flatten, make_printable
from verifier.report.registry import Report
from verifier.report.sentence import (
    reading_sentence,
    say_found,
    source_of,
    standing_of,
    total_sentence,
    witness_sentence,
)
from verifier.report.text import count_lines, summary_lines


def render(report: Report) -> str:
    """Return the workflow commands, and the counts under the ledger."""
    lines = []
    for fault in report.ledger.faults:
        message = "; ".join(filter(None, [fault.message, fault.cost]))
        lines.append(_annotate(place_fault(report, fault), str(fault.kind), message))
    for result in report.ledger.readings:
        if not result.is_unexpected:
            continue
        kind = "evidence not accepted" if result.trouble else "unexpected verdict"
        place = find_place(report, result.claim, result.id)
        message = "; ".join([_sentence(result), show_command(report, result.claim)])
        lines.append(_annotate(place, f"{result.name}: {kind}", message))
    return "\n".join([*lines, *summary_lines(report.ledger)]) + "\n"


def _sentence(result: ReadingResult) -> str:
    """Say what came out of a reading, and the play or the step that shows it."""
    return "; ".join(filter(None, [reading_sentence(result), witness_sentence(result)]))


def _annotate(place: Place | None, title: str, message: str) -> str:
    values = {} if place is None else {"file": place.file, "line": str(place.line), "col": str(place.column)}
    values["title"] = title
    properties = ",".join(f"{name}={_escape_property(make_printable(value))}" for name, value in values.items())
    return f"::error {properties}::{_escape(make_printable(message))}"


def append_summary(report: Report, path: pathlib.Path) -> None:
    """Append the Markdown summary to the file that ``GITHUB_STEP_SUMMARY`` names.

    Raises:
        OSError: it cannot be written.
    """
    with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(render_summary(report))


def render_summary(report: Report) -> str:
    """Return the ledger as Markdown: faults and what is not as expected first, then every claim."""
    ledger = report.ledger
    faults = [_fault_row(report, fault) for fault in ledger.faults]
    odd = [_odd_row(report, result) for result in ledger.readings if result.is_unexpected]
    totals = [_total_row(report, total) for total in ledger.totals]
    tables = (
        ("### Faults", "where | fault | effect", faults),
        ("### Not as expected", "reading | where | what | look closer", odd),
        ("### By document", "document | claims | how they stand", totals),
        ("### Claims", "claim | what it says | standing | readings", list(map(_claim_row, ledger.claims))),
    )
    lines = ["## Claim verifier", "", "  \n".join(map(_escape_markdown, count_lines(ledger))), ""]
    for title, columns, rows in tables:
        if rows:
            lines += [title, "", f"| {columns} |", f"|{' --- |' * (1 + columns.count('|'))}", *rows, ""]
    return "\n".join(lines) + "\n"


def _fault_row(report: Report, fault: Fault) -> str:
    place = place_fault(report, fault)
    where = "" if place is None else f"{place.file}:{place.line}"
    return _row(where, f"{fault.kind}: {fault.message}", fault.cost)


def _odd_row(report: Report, result: ReadingResult) -> str:
    place = find_place(report, result.claim, result.id)
    return _row(result.name, f"{place.file}:{place.line}", _sentence(result), show_command(report, result.claim))


def _total_row(report: Report, total: Total) -> str:
    name = title_of(report.library, total.document)
    said = f"our own questions: {name}" if total.ours else name
    return _row(said, str(total.claims), total_sentence(total))


def _claim_row(claim: ClaimResult) -> str:
    readings = (f"{item.id} {say_found(item)}{_expected(item)}" for item in claim.readings)
    return _row(claim.id, f"{claim.title} ({source_of(claim)})", standing_of(claim), ", ".join(readings))


def _expected(result: ReadingResult) -> str:
    """Say whether a reading came out as it should; of what is proved, only that it should not."""
    if result.trouble:
        return " with trouble"
    if result.is_unexpected:
        return f" but expected {result.expected}"
    return " as expected" if result.verdict is Verdict.REFUTED else ""


def _row(*cells: str) -> str:
    return f"| {' | '.join(map(_escape_markdown, cells))} |"


def _escape(text: str) -> str:
    """Escape a message as the runner unescapes it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")


def _escape_markdown(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>#|~&$@])", r"\\\1", make_printable(flatten(text)))
