"""The ledger for GitHub Actions: a workflow command for each fault and each unexpected verdict, and a summary.

A workflow command is a line that starts with ``::``. It names a line of a spec, and GitHub shows the message of the
command beside this line. The summary is Markdown for the page of the workflow run.
"""

from __future__ import annotations

import os
import pathlib
import textwrap
import urllib.parse
from collections.abc import Iterator

from verifier.kernel.words import counted
from verifier.report import text
from verifier.report.place import Place, find_unexpected, place_fault, show_command
from verifier.report.printable import escape_markdown, make_printable
from verifier.report.registry import Report
from verifier.report.sentence import reading_sentence, witness_sentence

MAX_SUMMARY_BYTES = 2**20
"""Maximum size of a step's summary file, in bytes. GitHub shows nothing of a larger file."""

Failure = tuple[Place | None, str, list[str]]
"""A fault or an unexpected verdict: its place, its title, and sentences that say more."""


def render(report: Report) -> str:
    """Return the workflow commands, and the totals below them."""
    lines = [_annotate(place, title, told) for place, title, told in _find_failures(report)]
    return "\n".join([*lines, *text.summary_lines(report.ledger, report.known)]) + "\n"


def _find_failures(report: Report) -> Iterator[Failure]:
    """Yield the faults, and the unexpected verdicts. Claims of a family that fail alike are one failure."""
    for fault in report.ledger.faults:
        yield place_fault(report, fault), str(fault.kind), list(filter(None, [fault.message, fault.cost]))
    for (place, is_rejected), results in find_unexpected(report).items():
        kind = "evidence not accepted" if is_rejected else "unexpected verdict"
        first, names = results[0], [result.name for result in results]
        told = [reading_sentence(first), witness_sentence(first)]
        told.append(f"look closer: {show_command(report, first.claim, first.id)}")
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


def annotate_message(message: str, level: str = "warning") -> str:
    """Return the workflow command for a message that is not about a line of a spec."""
    return f"::{level}::{_escape(message)}"


def append_summary(report: Report, path: pathlib.Path) -> None:
    """Append a summary to the file that ``GITHUB_STEP_SUMMARY`` names.

    It has counts, then the failures, then the totals of each document, then the ledger, folded up. If the file would be
    too large for GitHub, the ledger is left out.

    Raises:
        OSError: the file cannot be written.
    """
    failures = list(_find_failures(report))
    totals, counts = text.total_lines(report.ledger, report.known), text.count_lines(report.ledger)
    files = counted(len({report.known.file_of(claim.id) for claim in report.ledger.claims}), "file")
    if report.ledger.claims:
        counts.insert(0, f"{counted(len(report.ledger.claims), 'claim')} in {files}")
    lines = ["## Game claim verifier", "", *(f"- {escape_markdown(line)}" for line in counts), ""]
    if failures:
        lines += [f"**{counted(len(failures), 'failure')}**", ""]
    for place, title, told in failures:
        where = "" if place is None else f"{_link(place)}: "
        lines += [f"- {where}{escape_markdown(title)}", *(f"  - {escape_markdown(sentence)}" for sentence in told)]
    lines += [""]
    if totals:
        lines += ["**Documents**", "", *(f"- {escape_markdown(line)}" for line in totals), ""]
    # An indented block shows every character as it is, even a character that means something in Markdown.
    ledger = textwrap.indent(text.render(report), "    ")
    folded = ["<details><summary>Every claim</summary>", "", ledger, "</details>", "", ""]
    room = MAX_SUMMARY_BYTES - (path.stat().st_size if path.exists() else 0)
    whole, brief = (
        _join([*lines, *folded]),
        _join([*lines, "The list of all claims is too long for this page.", "", ""]),
    )
    with path.open("ab") as file:
        file.write(whole if len(whole) <= room else brief)


def _link(place: Place) -> str:
    """Return a place in Markdown. If the file is in the runner's workspace, link to the file in the checked commit."""
    text = escape_markdown(f"{place.file}:{place.line}:{place.column}")
    names = ("GITHUB_WORKSPACE", "GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_SHA")
    workspace, server, repository, commit = (os.environ.get(name, "") for name in names)
    # A file elsewhere, as in a checkout of another repository, would have another address.
    if not all((workspace, server, repository, commit)) or not os.path.lexists(pathlib.Path(workspace, place.file)):
        return text
    file = urllib.parse.quote(os.fsencode(place.file))
    return f"[{text}]({server}/{repository}/blob/{commit}/{file}#L{place.line})"


def _join(lines: list[str]) -> bytes:
    return "\n".join(lines).replace("\n\n\n", "\n\n").encode("utf-8", "backslashreplace")


def _escape(message: str) -> str:
    """Escape a message. The runner reverses this, and shows the message as it was."""
    return message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(value: str) -> str:
    return _escape(value).replace(":", "%3A").replace(",", "%2C")
