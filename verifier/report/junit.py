"""The ledger as JUnit XML: a suite for each claim, and a test case for each reading.

An unexpected verdict is a failure. Three things are errors: evidence that was rejected, methods that disagree, and
anything that was not checked because of a fault. Other readings that were not checked are skipped. A file with faults
has a suite too. The XML has no times, so that the same input gives the same bytes.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from xml.etree import ElementTree

from verifier.audit.fault import Fault
from verifier.audit.ledger import ClaimResult
from verifier.questions.result import ReadingResult
from verifier.report.place import find_place, place_fault, show_command
from verifier.report.printable import escape_for_programs
from verifier.report.registry import Report
from verifier.report.sentence import name_beliefs, reading_sentence, source_of, trust_of, witness_sentence
from verifier.report.show import say_images

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""The characters that are not allowed in XML, such as control characters."""

_KINDS = {"failures": "failure", "errors": "error", "skipped": "skipped"}
"""The counts of a suite besides the number of tests, each with the element that is counted."""


def render(report: Report) -> str:
    """Return the XML file."""
    ledger = report.ledger
    root = ElementTree.Element("testsuites", {"name": "verifier"})
    for file, faults in itertools.groupby(ledger.faults, lambda fault: fault.file):
        if cases := _fault_cases(report, file or "the run", list(faults)):
            root.append(_suite(file or "the run", cases))
    root.extend(_claim_suite(report, claim) for claim in ledger.claims)
    root.attrib.update({name: str(sum(int(suite.attrib[name]) for suite in root)) for name in ("tests", *_KINDS)})
    ElementTree.indent(root)
    text = _NO_XML.sub("\ufffd", ElementTree.tostring(root, encoding="unicode"))
    text = escape_for_programs(text, lambda character: f"&#{ord(character)};")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _suite(
    name: str, cases: list[ElementTree.Element], properties: Mapping[str, str] | None = None
) -> ElementTree.Element:
    told = {key: str(sum(case.find(kind) is not None for case in cases)) for key, kind in _KINDS.items()}
    suite = ElementTree.Element("testsuite", {"name": name, "tests": str(len(cases)), **told})
    if properties is not None:
        _add_properties(suite, properties)
    suite.extend(cases)
    return suite


def _fault_cases(report: Report, file: str, faults: list[Fault]) -> list[ElementTree.Element]:
    """Return a case for each item that was not checked because of a file's faults.

    Leave out readings that the ledger lists: they have cases in the suites of their claims. If nothing was lost, return
    one case for the faults themselves.
    """
    told = {result.name for result in report.ledger.readings}
    lost = sorted({item for fault in faults for item in fault.lost})
    left = [str(item) for item in lost if item.name not in told]
    place, kind, cases = place_fault(report, faults[0]), str(faults[0].kind), []
    for name in left if lost else [kind]:
        where = {} if place is None else {"file": place.file, "line": str(place.line)}
        case = ElementTree.Element("testcase", {"classname": file, "name": name, **where})
        error = ElementTree.SubElement(case, "error", {"message": str(faults[0]), "type": kind})
        error.text = "\n".join(map(str, faults))
        cases.append(case)
    return cases


def _claim_suite(report: Report, claim: ClaimResult) -> ElementTree.Element:
    properties = {
        "title": claim.title,
        "source": source_of(claim),
        "rules": claim.rules,
        "standing": claim.standing,
        "limit": claim.limit.words if claim.limit else "",
        "supported by": name_beliefs(claim.beliefs),
    }
    return _suite(claim.id, [_case(report, result) for result in claim.readings], properties)


def _case(report: Report, result: ReadingResult) -> ElementTree.Element:
    place = find_place(report, result.claim, result.id)
    where = {"file": place.file, "line": str(place.line)}
    case = ElementTree.Element("testcase", {"classname": result.claim, "name": result.id, **where})
    properties = {
        "question": result.question,
        "rules": result.rules,
        "verdict": str(result.verdict) if result.is_run else "",
        "supported by": name_beliefs(result.beliefs),
        "limit": result.limit.words if result.limit else "",
        "expected": "" if result.expected is None else str(result.expected),
        "decided": str(result.decided),
        "trust": trust_of(result),
    }
    _add_properties(case, properties)
    sentence = reading_sentence(result)
    if not result.is_run and not result.trouble:
        ElementTree.SubElement(case, "skipped", {"message": sentence})
    elif not result.is_expected or result.trouble:
        cause = "fault" if result.is_lost else "evidence" if result.trouble else "verdict"
        kind = "failure" if cause == "verdict" else "error"
        element = ElementTree.SubElement(case, kind, {"message": sentence, "type": cause})
        more = [witness_sentence(result), f"look closer: {show_command(report, result.claim, result.id)}"]
        told = [sentence, *more, f"{place.file}:{place.line}:{place.column}"]
        element.text = "\n".join(filter(None, told))
    lines = [f"trust: {trust_of(result)}"] if trust_of(result) else []
    lines += [f"{name}: {count}{say_images(name, result.stats)}" for name, count in result.stats.items()]
    lines += [*result.remarks, *filter(None, [witness_sentence(result)])]
    if lines:
        ElementTree.SubElement(case, "system-out").text = "\n".join(lines)
    return case


def _add_properties(element: ElementTree.Element, values: Mapping[str, str]) -> None:
    properties = ElementTree.SubElement(element, "properties")
    for name, value in values.items():
        if value:
            ElementTree.SubElement(properties, "property", {"name": name, "value": value})
