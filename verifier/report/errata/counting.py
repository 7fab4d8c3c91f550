"""Counts the errata of documents by severity, from a ledger and the errata files of the specs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from verifier.audit.ledger import ClaimResult, Ledger, Standing
from verifier.kernel.verdict import Verdict
from verifier.kernel.words import counted
from verifier.language.outline import AnyLibrary
from verifier.questions.result import ReadingResult
from verifier.report.errata.letter import name_counts
from verifier.report.sentence import AnySeverity

ClaimResults = Mapping[str, ClaimResult]
"""The claims of a ledger, by id."""
RefutedReadings = Mapping[str, ReadingResult]
"""The refuted readings of a ledger, by name."""

_OPEN = {Standing.DEPENDS, Standing.NOT_RUN}
_REPAIRED = {Standing.REPAIRED, Standing.REPAIRED_SUPPORTED}


def find_refuted(results: ClaimResults) -> RefutedReadings:
    """Return the refuted readings, by name. Leave out readings with ``trouble``, such as rejected evidence."""
    readings = [item for claim in results.values() for item in claim.readings]
    return {item.name: item for item in readings if item.verdict is Verdict.REFUTED and not item.trouble}


def find_repairs(
    broken: Sequence[ReadingResult], faults: RefutedReadings, results: ClaimResults
) -> tuple[list[ReadingResult], bool]:
    """Return the readings that may show what to write instead of a sentence, and whether the sentence is *open*.

    A sentence is open to several readings if no reading repairs it, and the standing of its claim is *depends on the
    reading* or *not checked*. For an open sentence, return the readings of the claim that hold. For any other sentence,
    return the repairs, even if they do not hold.

    Args:
        broken: the refuted readings that the erratum lists. The erratum is about the first of them.
        faults: all refuted readings.
        results: the claims of the ledger.
    """
    result, claim = broken[0], results[broken[0].claim]
    readings = [item for name in dict.fromkeys(item.claim for item in broken) for item in results[name].readings]
    # The first reading may join refuted readings. If one of these has no repair in ``readings`` that holds, only
    # repairs of the first reading itself count.
    repaired = {f"{item.claim}/{one}" for item in readings if item.holds for one in item.repairs}
    told = {item.name for item in (broken if repaired >= faults.keys() & {*result.joins} else [result])}
    repairs = [item for item in readings if any(f"{item.claim}/{one}" in told for one in item.repairs)]
    is_open = not repairs and claim.standing in _OPEN
    return ([item for item in claim.readings if item.holds] if is_open else repairs), is_open


def say_corrections(ledger: Ledger, library: AnyLibrary, document: str) -> list[str]:
    """Return texts that count a document's corrections, by severity, and the claims that the corrections concern.

    Further texts count the claims that are false only if taken literally, and the claims that need no correction, but
    rest on a claim that needs one. The list is empty if the document has no errata file, or neither corrections nor
    remarks.
    """
    results = {claim.id: claim for claim in ledger.claims}
    own = {name for name, claim in results.items() if claim.source.document == document and not claim.source.ours}
    faults, found = find_refuted(results), Counter[tuple[AnySeverity, bool]]()
    concerned: dict[bool, set[str]] = {True: set(), False: set()}
    for erratum in library.errata_of(document).values():
        broken = [faults[name] for name in erratum.readings if name in faults]
        if broken and broken[0].claim in own:
            concerned[erratum.severity == "remark"] |= {item.claim for item in broken} & own
            if erratum.severity != "remark":
                found[erratum.severity, find_repairs(broken, faults, results)[1]] += 1
    literal = concerned[True] - concerned[False]
    repaired = {name for name in own if results[name].standing in _REPAIRED}
    resting = repaired - literal - concerned[False] if found or literal else set()
    said = list[str]()
    if found:
        head, count = f"{counted(found.total(), 'correction')} to the text", len(concerned[False])
        head += f", for {count} of its claims" * (count != found.total())
        said.append(f"{head}: {', '.join(f'{number} {name}' for number, name in name_counts(found))}")
    more = "more " * bool(found)
    if literal:
        are = "is" if len(literal) == 1 else "are"
        said.append(f"{len(literal)} {more}of its claims {are} false only if taken literally: no change needed")
    if resting:
        need, rest = ("needs", "rests") if len(resting) == 1 else ("need", "rest")
        said.append(f"{len(resting)} {more}of its claims {need} no correction, but {rest} on a claim that needs one")
    return said
