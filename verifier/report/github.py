"""The ledger for GitHub Actions: a workflow command for each fault and each unexpected verdict, and a summary.

A workflow command is a line that starts with ``::``. GitHub shows its message beside the line of the spec that
it names. The summary is the ledger as text, for the page of the workflow run.
"""

from __future__ import annotations

import pathlib
import textwrap

from verifier.report import text
from verifier.report.place import Place, find_place, place_fault, show_command
from verifier.report.printable import make_printable
from verifier.report.registry import Report
from verifier.report.sentence import reading_sentence, witness_sentence


def render(report: Report) -> str:
    """Return the workflow commands, and the totals below them."""
    lines = []
    for fault in report.ledger.faults:
        message = "; ".join(filter(None, [fault.message, fault.cost]))
        lines.append(_annotate(place_fault(report, fault), str(fault.kind), message))
    for result in report.ledger.readings:
        if not result.is_unexpected:
            continue
        kind = "evidence not accepted" if result.trouble else "unexpected verdict"
        place = find_place(report, result.claim, result.id)
        told = [reading_sentence(result), witness_sentence(result), show_command(report, result.claim)]
        message = "; ".join(filter(None, told))
        lines.append(_annotate(place, f"{result.name}: {kind}", message))
    return "\n".join([*lines, *text.summary_lines(report.ledger, report.known)]) + "\n"


def _annotate(place: Place | None, title: str, message: str) -> str:
    values = {} if place is None else {"file": place.file, "line": str(place.line), "col": str(place.column)}
    values["title"] = title
    properties = ",".join(f"{name}={_escape_property(make_printable(value))}" for name, value in values.items())
    return f"::error {properties}::{_escape(make_printable(message))}"


def append_summary(report: Report, path: pathlib.Path) -> None:
    """Append the ledger, as a block of Markdown, to the file whose path is in ``GITHUB_STEP_SUMMARY``.

    Raises:
        OSError: the file cannot be written.
    """
    with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(f"## Game claim verifier\n\n{textwrap.indent(text.render(report), '    ')}\n")


def _escape(message: str) -> str:
    """Escape a message, so that the runner, which unescapes it, shows it as it was."""
    return message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(value: str) -> str:
    return _escape(value).replace(":", "%3A").replace(",", "%2C")
