"""The ledger for GitHub Actions: a workflow command for each reading that is not as expected, and a summary.

A workflow command is a line that starts with ``::``; GitHub shows it beside the line of the spec. The summary is
Markdown, for the page of a run.
"""

from __future__ import annotations

import pathlib
import re

from verifier.checkers.ledger import ClaimResult
from verifier.report.place import find_place
from verifier.report.printable import make_printable
from verifier.report.registry import Report
from verifier.report.sentence import claim_sentence, reading_sentence
from verifier.report.text import summary_lines

MAX_SUMMARY_BYTES = 1_000_000
"""GitHub refuses a summary of more than 1 MiB."""


def render(report: Report) -> str:
    """Return the workflow commands, and the counts under the ledger."""
    lines = []
    for result in report.ledger.readings:
        if result.is_expected:
            continue
        place = find_place(report, result.claim, result.reading)
        kind = "evidence not accepted" if result.trouble else "unexpected verdict"
        values = {
            "file": place.file,
            "line": str(place.line),
            "col": str(place.column),
            "title": f"{result.claim}/{result.reading}: {kind}",
        }
        properties = ",".join(f"{name}={_escape_property(make_printable(value))}" for name, value in values.items())
        lines.append(f"::error {properties}::{_escape(make_printable(reading_sentence(result)))}")
    return "\n".join([*lines, summary_lines(report.ledger)]) + "\n"


def append_summary(report: Report, path: pathlib.Path) -> None:
    """Append the Markdown summary to the file that ``GITHUB_STEP_SUMMARY`` names, as GitHub wants it."""
    with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(render_summary(report))


def render_summary(report: Report) -> str:
    """Return the ledger as Markdown: what is not as expected first, then every claim."""
    ledger = report.ledger
    counts, readings = summary_lines(ledger).split("\n")
    lines = ["## Claim verifier", "", f"{_escape_markdown(counts)}  ", _escape_markdown(readings), ""]
    odd = [result for result in ledger.readings if not result.is_expected]
    if odd:
        lines += ["### Not as expected", "", "| reading | where | what |", "| --- | --- | --- |"]
        for result in odd:
            place = find_place(report, result.claim, result.reading)
            where = f"{place.file}:{place.line}"
            lines.append(_row(f"{result.claim}/{result.reading}", where, reading_sentence(result)))
        lines.append("")
    lines += ["### Claims", "", "| claim | standing | readings |", "| --- | --- | --- |"]
    size = sum(len(line.encode("utf-8", "backslashreplace")) + 1 for line in lines)
    for done, claim in enumerate(ledger.claims):
        line = _row(claim.id, claim_sentence(claim), _readings(claim))
        size += len(line.encode("utf-8", "backslashreplace")) + 1
        if size > MAX_SUMMARY_BYTES:
            lines += ["", f"… and {len(ledger.claims) - done} more claims: see the log."]
            break
        lines.append(line)
    return "\n".join(lines) + "\n\n"


def _readings(claim: ClaimResult) -> str:
    return ", ".join(
        f"{reading.reading} {'not run' if reading.skipped else reading.verdict}" for reading in claim.readings
    )


def _row(*cells: str) -> str:
    return f"| {' | '.join(map(_escape_markdown, cells))} |"


def _escape(text: str) -> str:
    """Escape a message as the runner unescapes it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")


def _escape_markdown(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>#|~&$@])", r"\\\1", make_printable(" ".join(text.split())))
