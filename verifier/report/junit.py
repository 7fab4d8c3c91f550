"""The ledger as JUnit XML: a suite a claim, a test case a reading.

A verdict that is not the expected one is a failure; evidence that was rejected, engines that disagree, and whatever a
fault has cost, an error; a reading that was left out is skipped. A file with faults is a suite as well. No times are
given: the same input gives the same bytes.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from xml.etree import ElementTree

from verifier.audit.fault import Fault
from verifier.audit.ledger import ClaimResult
from verifier.methods.result import ReadingResult
from verifier.report.place import find_place, place_fault
from verifier.report.printable import escape_unprintable
from verifier.report.registry import Report
from verifier.report.sentence import reading_sentence, source_of, witness_sentence
from verifier.report.trust import name_beliefs, trust_of

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report) -> str:
    """Return the XML file."""
    ledger = report.ledger
    root = ElementTree.Element("testsuites", {"name": "verifier"})
    told = {result.name for result in ledger.readings}
    for file, faults in itertools.groupby(ledger.faults, lambda fault: fault.file):
        root.extend(_fault_suites(report, file or "the run", list(faults), told))
    for claim in ledger.claims:
        root.append(_suite(report, claim))
    root.attrib.update({name: str(sum(int(suite.attrib[name]) for suite in root)) for name in _COUNTED})
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    text = escape_unprintable(text, lambda character: f"&#{ord(character)};")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def outcome(result: ReadingResult) -> str:
    """Return what a reading is to JUnit: ``error``, ``skipped``, ``failure``, or nothing where all is well."""
    if result.trouble or result.is_lost:
        return "error"
    if not result.is_run:
        return "skipped"
    return "" if result.is_expected else "failure"


_COUNTED = ("tests", "failures", "errors", "skipped")


def _fault_suites(report: Report, file: str, faults: list[Fault], told: set[str]) -> Iterator[ElementTree.Element]:
    """Yield a suite with a case for each thing that the faults of a file have cost; readings have a case already."""
    lost = sorted({item for fault in faults for item in fault.lost})
    left = [str(item) for item in lost if item.name not in told]
    names = left if lost else [str(faults[0].kind)]
    if not names:
        return
    counts = dict.fromkeys(_COUNTED, "0") | {"tests": str(len(names)), "errors": str(len(names))}
    place = place_fault(report, faults[0])
    suite = ElementTree.Element("testsuite", {"name": _clean(file), **counts})
    for name in names:
        where = {} if place is None else {"file": _clean(place.file), "line": str(place.line)}
        case = ElementTree.SubElement(suite, "testcase", {"classname": _clean(file), "name": _clean(name), **where})
        lines = [_clean(str(fault)) for fault in faults]
        error = ElementTree.SubElement(case, "error", {"message": lines[0], "type": str(faults[0].kind)})
        error.text = "\n".join(lines)
    yield suite


def _counts(holder: ClaimResult) -> dict[str, str]:
    outcomes = [outcome(result) for result in holder.readings]
    names = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    return {"tests": str(len(outcomes))} | {name: str(outcomes.count(kind)) for name, kind in names.items()}


def _suite(report: Report, claim: ClaimResult) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", {"name": _clean(claim.id), **_counts(claim)})
    _add_properties(
        suite,
        {
            "title": claim.title,
            "source": source_of(claim),
            "rules": claim.rules,
            "standing": claim.standing,
            "supported by": name_beliefs(claim.beliefs),
        },
    )
    for result in claim.readings:
        suite.append(_case(report, result))
    return suite


def _case(report: Report, result: ReadingResult) -> ElementTree.Element:
    place = find_place(report, result.claim, result.id)
    where = {"file": _clean(place.file), "line": str(place.line)}
    case = ElementTree.Element("testcase", {"classname": _clean(result.claim), "name": _clean(result.id), **where})
    _add_properties(
        case,
        {
            "question": result.question,
            "rules": result.rules,
            "verdict": str(result.verdict) if result.is_run else "",
            "supported by": name_beliefs(result.beliefs),
            "expected": str(result.expected),
            "decided": str(result.decided),
            "trust": trust_of(result),
        },
    )
    kind = outcome(result)
    sentence = _clean(reading_sentence(result))
    if kind == "skipped":
        ElementTree.SubElement(case, kind, {"message": sentence})
    elif kind:
        cause = "fault" if result.is_lost else "evidence" if kind == "error" else "verdict"
        element = ElementTree.SubElement(case, kind, {"message": sentence, "type": cause})
        element.text = f"{sentence}\n{_clean(place.file)}:{place.line}:{place.column}"
    lines = [f"trust: {trust_of(result)}"] if trust_of(result) else []
    lines += [f"{name}: {count}" for name, count in result.stats.items()]
    lines += [*result.remarks, *filter(None, [witness_sentence(result)])]
    if lines:
        ElementTree.SubElement(case, "system-out").text = _clean("\n".join(lines))
    return case


def _add_properties(element: ElementTree.Element, values: dict[str, str]) -> None:
    properties = ElementTree.SubElement(element, "properties")
    for name, value in values.items():
        if value:
            ElementTree.SubElement(properties, "property", {"name": name, "value": _clean(value)})


def _clean(text: str) -> str:
    """Replace the characters that no XML file can hold, such as control characters."""
    return _NO_XML.sub("\ufffd", text)
