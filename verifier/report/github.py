"""The ledger for GitHub Actions: a workflow command for each fault and each unexpected verdict, and a summary.

A workflow command is a line that starts with ``::``. It names a line of a spec, and GitHub shows the message of the
command beside this line. The summary is Markdown for the page of the workflow run.
"""

from __future__ import annotations

import pathlib
import textwrap
from collections.abc import Iterator

from verifier.kernel.words import counted
from verifier.questions.result import ReadingResult
from verifier.report import text
from verifier.report.place import Place, find_place, place_fault, show_command
from verifier.report.printable import escape_markdown, make_printable
from verifier.report.registry import Report
from verifier.report.sentence import reading_sentence, witness_sentence

Failure = tuple[Place | None, str, list[str]]
"""A fault or an unexpected verdict: its place, its title, and sentences that say more."""


def render(report: Report) -> str:
    """Return the workflow commands, and the totals below them."""
    lines = [_annotate(place, title, told) for place, title, told in _find_failures(report)]
    return "\n".join([*lines, *text.summary_lines(report.ledger, report.known)]) + "\n"


def _find_failures(report: Report) -> Iterator[Failure]:
    """Yield the faults, and the verdicts that are not as expected.

    A ``for`` in a spec makes many claims of one text. Readings of these claims that fail at one place and in one way
    count as one failure.
    """
    for fault in report.ledger.faults:
        yield place_fault(report, fault), str(fault.kind), list(filter(None, [fault.message, fault.cost]))
    alike: dict[tuple[Place, str], list[ReadingResult]] = {}
    for result in report.ledger.readings:
        if result.is_unexpected:
            kind = "evidence not accepted" if result.trouble else "unexpected verdict"
            alike.setdefault((find_place(report, result.claim, result.id), kind), []).append(result)
    for (place, kind), results in alike.items():
        first, names = results[0], [result.name for result in results]
        told = [reading_sentence(first), witness_sentence(first), show_command(report, first.claim, first.id)]
        if len(names) > 1:
            told[0] = f"{first.name}: {told[0]}"
            told.append(f"all {len(names)}: {', '.join(names)}")
        yield (
            place,
            f"{text.name_family([result.claim for result in results])}/{first.id}: {kind}",
            list(filter(None, told)),
        )


def _annotate(place: Place | None, title: str, told: list[str]) -> str:
    values = {} if place is None else {"file": place.file, "line": str(place.line), "col": str(place.column)}
    values["title"] = title
    properties = ",".join(f"{name}={_escape_property(make_printable(value))}" for name, value in values.items())
    # GitHub shows each sentence on a line of its own.
    message = "\n".join(map(make_printable, told))
    return f"::error {properties}::{_escape(message)}"


def append_summary(report: Report, path: pathlib.Path) -> None:
    """Append a summary to the file that ``GITHUB_STEP_SUMMARY`` names: failures first, then the ledger, folded up.

    Raises:
        OSError: the file cannot be written.
    """
    failures = list(_find_failures(report))
    lines = ["## Game claim verifier", "", f"**{counted(len(failures), 'failure')}**" if failures else "", ""]
    for place, title, told in failures:
        where = "" if place is None else f"{escape_markdown(f'{place.file}:{place.line}:{place.column}')}: "
        lines += [f"- {where}{escape_markdown(title)}", *(f"  - {escape_markdown(sentence)}" for sentence in told)]
    lines += ["", *(f"- {escape_markdown(line)}" for line in text.summary_lines(report.ledger, report.known)), ""]
    # An indented block shows every character as it is, even a character that means something in Markdown.
    ledger = textwrap.indent(text.render(report), "    ")
    lines += ["<details><summary>Every claim</summary>", "", ledger, "</details>", "", ""]
    with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
        file.write("\n".join(lines).replace("\n\n\n", "\n\n"))


def _escape(message: str) -> str:
    """Escape a message. The runner reverses this, and shows the message as it was."""
    return message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(value: str) -> str:
    return _escape(value).replace(":", "%3A").replace(",", "%2C")
