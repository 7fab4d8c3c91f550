"""The ledger in the terminal: a line for each claim, what is not as expected, and the totals of each document."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from verifier.audit.fault import count_faults
from verifier.audit.ledger import ClaimResult, Ledger, Standing, Total
from verifier.audit.needs import list_headlines
from verifier.kernel.verdict import Verdict
from verifier.kernel.words import counted
from verifier.language.outline import AnyLibrary, split_headline
from verifier.questions.result import DecisionStatus, Fate, ReadingResult
from verifier.report.errata.counting import say_corrections
from verifier.report.layout import Layout
from verifier.report.order import count_claims, group_claims
from verifier.report.place import find_place, point_at, show_command, specs_option
from verifier.report.printable import make_printable
from verifier.report.sentence import (
    brief_standing,
    reading_sentence,
    rules_of,
    say_expected,
    title_of,
    total_sentence,
    verdict_of,
    witness_sentence,
)

if TYPE_CHECKING:
    from verifier.report.registry import Report


_FEW = 2
"""If more documents than this are proved as stated, and there is nothing else to say about them, they share a line."""


class ClaimLines:
    """Makes the lines of claims, in the order in which the claims are done.

    The claims of a spec file are printed together, when the last of them is done. Claims of one file share a line if
    they have the same result.
    """

    def __init__(
        self,
        library: AnyLibrary,
        selected: Iterable[str],
        layout: Layout,
        *,
        is_verbose: bool = False,
        is_quiet: bool = False,
    ) -> None:
        """Prepare the lines of a run.

        Args:
            library: the specs.
            selected: the claims of the run.
            layout: the width and the colours.
            is_verbose: also print the readings of each claim; then no claims share a line.
            is_quiet: print only the claims that are not as expected.
        """
        self.layout = layout
        self.is_verbose = is_verbose
        self.is_quiet = is_quiet
        self._files = {name: name if is_verbose else library.file_of(name) for name in selected}
        self._left = Counter(self._files.values())
        self._done: dict[str, list[ClaimResult]] = {}
        families = {file: [name for name in self._files if self._files[name] == file] for file in self._left}
        readings = (name for claim in self._files for name in library.claim(claim).readings) if is_verbose else ()
        self._headlines = list_headlines(library)
        self.columns = layout.columns([*map(name_family, families.values()), *readings])

    def take(self, result: ClaimResult) -> list[str]:
        """Take the result of a claim. Return the lines that can be printed now; some may be about earlier claims."""
        file = self._files[result.id]
        self._done.setdefault(file, []).append(result)
        self._left[file] -= 1
        return [] if self._left[file] else self._tell(self._done.pop(file))

    def rest(self) -> list[str]:
        """Return the lines of claims that are done, but whose files still have other claims to check."""
        return [line for results in self._done.values() for line in self._tell(results)]

    def _tell(self, results: list[ClaimResult]) -> list[str]:
        alike: dict[tuple[object, ...], list[ClaimResult]] = {}
        for result in results:
            if not (self.is_quiet and result.is_expected):
                alike.setdefault((*brief_standing(result), result.limit, _say_odd_one(result)), []).append(result)
        lines = []
        for group in alike.values():
            is_headline = any(result.id in self._headlines for result in group)
            lines += _claim_lines(group, self.layout, self.columns, is_whole=is_headline or self.layout.is_narrow)
            readings = group[0].readings if self.is_verbose else ()
            lines += [_reading_line(reading, self.layout, self.columns) for reading in readings]
        return lines


def name_family(names: Sequence[str]) -> str:
    """Return a name for several claims: the words that their names share, and a star for each word that differs.

    >>> name_family(["play-0-1", "play-0-2", "play-4-1"])
    'play-*-*'
    """
    return "-".join(_blend([name.split("-") for name in names], "*"))


def _blend(rows: Sequence[Sequence[str]], mark: str) -> list[str]:
    """Return the words that all rows have in the same place, with ``mark`` in all other places."""
    blended = [column[0] if len(set(column)) == 1 else mark for column in zip(*rows, strict=False)]
    return blended if all(len(row) == len(blended) for row in rows) else [*blended, mark]


def _claim_lines(
    results: Sequence[ClaimResult], layout: Layout, columns: tuple[int, int], *, is_whole: bool
) -> list[str]:
    """Return the lines that claims with the same result share: the title, or what is not as expected.

    A long title is cut at the end of the line, unless ``is_whole`` is true, or the claims have a note or a limit.
    """
    word, more = brief_standing(results[0])
    odd = _say_odd_one(results[0])
    notes = [counted(len(results), "claim")] * (len(results) > 1) + [more] * bool(more and not odd)
    text = odd or " ".join(_blend([title_of(result).split() for result in results], "…"))
    text = f"({'; '.join(notes)}) {text}" if notes else text
    name = name_family([result.id for result in results])
    # A note or a limit leaves little room for the title, and the reader needs both.
    if (is_whole or notes or results[0].limit is not None) and not odd:
        return layout.whole_row(word, name, text, columns)
    return [layout.row(word, name, text, columns, is_odd=bool(odd))]


def _say_odd_one(claim: ClaimResult) -> str:
    """Say the verdict on the first reading that is not as expected; empty if all readings are as expected."""
    odd = next((reading for reading in claim.readings if not reading.is_expected), None)
    if odd is None:
        return ""
    if odd.is_lost:
        return f"{odd.id}: {DecisionStatus.LOST}"
    return f"{odd.id}: {reading_sentence(odd) if odd.trouble else _say_odd(odd)}"


def _say_odd(reading: ReadingResult) -> str:
    return f"{verdict_of(reading)}, {say_expected(reading)}"


def _reading_line(reading: ReadingResult, layout: Layout, columns: tuple[int, int]) -> str:
    """Return the line of a reading: its verdict and limit, what supports it, what it repairs, and the reason."""
    word = {DecisionStatus.NOT_RUN: "not checked", DecisionStatus.LOST: "lost"}.get(
        reading.decided, str(reading.verdict)
    )
    parts = [  # the limit first, because the line is cut at its end
        verdict_of(reading).removeprefix(str(reading.verdict)).strip(" ,") * (reading.is_run and not reading.is_lost),
        "" if reading.is_expected and reading.expected is not None else say_expected(reading),
        "a control" * reading.control,
        f"repairs {', '.join(reading.repairs)}" * bool(reading.repairs),
        f"meaning: {reading.says}" * bool(reading.says),
        rules_of(reading).strip(),
        reading.trouble or reading.reason,
    ]
    text = "; ".join(filter(None, parts))
    return layout.row(word, reading.id, text, (columns[0] - 2, columns[1]), "  ", is_odd=not reading.is_expected)


def list_lines(ledger: Ledger, library: AnyLibrary, layout: Layout) -> Iterator[str]:
    """Yield a line for each document, and below it a line for each claim: standing, id, title.

    If no claim has been checked yet, the last line says so, and there are no standings.
    """
    width = layout.columns(result.id for result in ledger.claims)[1]
    is_any_run = any(result.standing is not Standing.NOT_RUN for result in ledger.claims)
    headlines = list_headlines(library)
    for document, claims in group_claims(ledger, library).items():
        yield from layout.wrap(f"{document}: {library.document(document).title} ({count_claims(claims)})", "", "  ")
        for result in claims:
            word, note = brief_standing(result) if is_any_run else ("", "")
            text, columns = f"({note}) {title_of(result)}" if note else title_of(result), (12 * is_any_run, width)
            indent = "  " * is_any_run
            if note or layout.is_narrow or result.limit is not None or result.id in headlines:
                yield from layout.whole_row(word, result.id, text, columns, indent)
            else:
                yield layout.row(word, result.id, text, columns, indent)
    if ledger.claims and not is_any_run:
        yield "none of this has been checked on this machine yet: run verifier check"


def render(report: Report) -> str:
    """Return the ledger as text, without colours."""
    lines = ClaimLines(report.known, [result.id for result in report.ledger.claims], layout := Layout())
    rows = [line for result in report.ledger.claims for line in lines.take(result)]
    return "\n".join([*rows, *ending_lines(report, layout)]) + "\n"


def ending_lines(
    report: Report,
    layout: Layout,
    *,
    is_verbose: bool = False,
    is_short: bool = False,
) -> list[str]:
    """Return the lines below the claims: what is not as expected, faults, totals.

    Args:
        report: the ledger and its specs.
        layout: the width and the colours.
        is_verbose: also return the hints, and the evidence that was not used.
        is_short: True if the run left out readings that are marked ``long``. Then a line names their claims.
    """
    ledger = report.ledger
    failures = failure_lines(report, layout)
    more = [*hint_lines(ledger, layout), *aside_lines(ledger, layout)] if is_verbose else []
    details = [*failures, *more, *format_faults(ledger, layout)]
    left = [claim.id for claim in ledger.claims if not claim.is_run] if is_short else []
    last = count_lines(ledger)
    takes, it = ("it takes", "it") if len(left) == 1 else ("each takes", "them")
    last += [f"not checked, because {takes} minutes: {', '.join(left)} (--all checks {it})"] * bool(left)
    gap = [""] * bool(details or ledger.claims)
    lines = [
        *document_lines(ledger, report.known, layout),
        *(p for line in last for p in layout.wrap(line, "", "    ")),
    ]
    return [*details, *gap, *lines]


def document_lines(ledger: Ledger, library: AnyLibrary, layout: Layout) -> Iterator[str]:
    """Yield lines for each document: the totals of its claims, its errata, and its headline (the main results).

    More than two documents share a line if all their claims are proved as stated, and there is nothing else to say
    about them. Our own questions share a line in the same way. These lines come first. The document with most claims
    comes last, because a terminal shows the end of a long output. The headline is left out in two cases. If no other
    claims of the document are in the ledger, then the lines of the headline's claims are right above. If every claim is
    proved as stated, and the headline has no claim of our own, then the headline says nothing new.
    """
    results = {claim.id: claim for claim in ledger.claims}
    alike: dict[bool, list[Total]] = {True: [], False: []}
    told = list[list[str]]()
    for total, lines in _total_lines(ledger, library):
        headline, further = ([], []) if total.ours else split_headline(library, total.document)
        made, own = ([name for name in names if name in results] for names in (headline, further))
        is_proved = set(total.standings) == {Standing.PROVED}
        if is_proved and not own and len(lines) == 1:
            alike[total.ours].append(total)
            continue
        rows = [row for line in lines for row in layout.wrap(line, "" if line is lines[0] else "    ", "    ")]
        names = [] if total.claims == len(made) or (is_proved and not own) else [*made, *own]
        for name in names:
            word, more = brief_standing(results[name])
            notes = "; ".join(filter(None, [more, "our own" * (name in own)]))
            text = f"({notes}) {title_of(results[name])}" if notes else title_of(results[name])
            rows += layout.whole_row(word, "", text, (12, 0), "    ")
        told.append(rows)
    for ours, totals in alike.items():
        yield from _wrap_alike(totals, "our own questions, " if ours else "", layout)
    for rows in reversed(told):
        yield from rows


def _wrap_alike(totals: Sequence[Total], head: str, layout: Layout) -> Iterator[str]:
    """Yield lines for totals of documents, or of our own questions, whose claims are all proved as stated."""
    if len(totals) > _FEW:
        named = ", ".join(f"{total.document} ({total.claims})" for total in totals)
        count = sum(total.claims for total in totals)
        where = f"on {len(totals)} documents" if head else f"{len(totals)} documents"
        yield from layout.wrap(f"{head}{where}: {counted(count, 'claim')}, all proved as stated: {named}", "", "    ")
        return
    for total in totals:
        at = f"on {total.document}" if head else total.document
        yield from layout.wrap(f"{head}{at}: {counted(total.claims, 'claim')}: {total_sentence(total)}", "", "    ")


def _total_lines(ledger: Ledger, library: AnyLibrary) -> Iterator[tuple[Total, list[str]]]:
    """Yield each total of the ledger with its line, and with lines that count the corrections of the document."""
    for total in ledger.totals:
        head = f"our own questions, on {total.document}" if total.ours else total.document
        lines = [f"{head}: {counted(total.claims, 'claim')}: {total_sentence(total)}"]
        yield total, lines if total.ours else [*lines, *say_corrections(ledger, library, total.document)]


def summary_lines(ledger: Ledger, library: AnyLibrary) -> list[str]:
    """Return the totals of each document's claims and of the auditors' claims, the errata, and counts of readings."""
    return [*total_lines(ledger, library), *count_lines(ledger)]


def total_lines(ledger: Ledger, library: AnyLibrary) -> list[str]:
    """Return a line for each document's claims and for the auditors' claims on it: the totals, and the errata."""
    return ["; ".join(lines) for _, lines in _total_lines(ledger, library)]


def count_lines(ledger: Ledger) -> list[str]:
    """Return the counts of readings, and the number of faults.

    The counts say *every verdict as expected* only if a reading was checked and there is no fault. A reading with
    ``exactly`` names a ply, and joins two more readings. One says that the player can reach the goal by this ply; the
    other says that he cannot reach it sooner. If the reading with ``exactly`` is expected to be refuted, these two
    readings are not counted, because the spec does not say which of the two fails.
    """
    if not ledger.claims and not ledger.faults:
        return ["0 claims: nothing to check"]
    readings = [reading for reading in ledger.readings if reading.expected is not None]
    controls, odd = sum(reading.control for reading in readings), sum(reading.is_unexpected for reading in readings)
    decided, hints = Counter(reading.decided for reading in readings), sum(len(reading.hints) for reading in readings)
    is_fine = not odd and not ledger.faults and any(reading.is_run for reading in readings)
    counts = [
        "every verdict as expected" * is_fine,
        f"{counted(odd, 'verdict')} not as expected" * bool(odd),
        *(f"{decided[when]} {when}" for when in DecisionStatus if decided[when]),
        f"{counted(hints, 'hint')} (-v)" * bool(hints),
    ]
    head = counted(len(readings), "reading") + f" ({counted(controls, 'control')})" * bool(controls)
    told = f"{head}: {'; '.join(filter(None, counts))}" if ledger.claims else "0 claims: none could be checked"
    return [told, count_faults(ledger.faults)] if ledger.faults else [told]


def failure_lines(report: Report, layout: Layout) -> list[str]:
    """Return lines for each reading that is not as expected: its place, the reason, and a command that shows more."""
    lines = []
    for reading in filter(lambda reading: reading.is_unexpected, report.ledger.readings):
        place = find_place(report, reading.claim, reading.id)
        head = layout.point(f"{place.path}:{place.line}:{place.column}", f"{reading.name}: {_say_odd(reading)}")
        lines += [layout.paint(line, str(Verdict.REFUTED)) for line in head]
        lines += [f"    {make_printable(line)}" for line in point_at(report, reading.claim, place, layout.width - 4)]
        lines += layout.wrap(reading.trouble or reading.reason, "    ")
        lines += layout.wrap(witness_sentence(reading), "    ")
        lines.append(f"    look closer: {show_command(report, reading.claim, reading.id)}")
        if reading.is_given_up:
            lines.append(f"    search again: verifier check {reading.claim} --anew{specs_option(report.specs)}")
    return ["", "not as expected:", *lines] if lines else []


def hint_lines(ledger: Ledger, layout: Layout) -> list[str]:
    """Return lines for the hints at possible mistakes in the specs. Equal hints on readings of a claim share a line."""
    hints: dict[tuple[str, str], list[str]] = {}
    for reading in ledger.readings:
        for hint in reading.hints:
            hints.setdefault((reading.claim, hint), []).append(reading.id)
    told = (f"{claim}/{', '.join(names)}: {hint}" for (claim, hint), names in hints.items())
    lines = [line for text in told for line in layout.wrap(text, "", "    ")]
    return ["", "hints:", *lines] if lines else []


def aside_lines(ledger: Ledger, layout: Layout) -> list[str]:
    """Return lines for the evidence that was found and not used, except evidence that is listed as a fault."""
    found = [(reading.name, item) for reading in ledger.readings for item in reading.rejected]
    told = [f"{name}: {item}" for name, item in found if item.fate is not Fate.FAULT]
    lines = [line for text in told for line in layout.wrap(text, "", "    ")]
    return ["", "evidence that was not used:", *lines] if lines else []


def format_faults(ledger: Ledger, layout: Layout) -> list[str]:
    """Return the faults, and what could not be checked because of them."""
    lines = []
    for cost, alike in itertools.groupby(ledger.faults, lambda fault: fault.cost):
        for fault in alike:
            told = layout.point(fault.place, fault.text) if fault.file else layout.wrap(fault.text, "", "    ")
            lines += [layout.paint(line, str(Verdict.REFUTED)) for line in told]
        lines += layout.wrap(cost, "    ", "      ")
    return ["", "faults:", *lines] if lines else []
