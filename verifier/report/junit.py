"""The ledger as JUnit XML: a suite for each document, and a test case for each reading of its claims.

An unexpected verdict is a failure. Three things are errors: evidence that was rejected, methods that disagree, and
anything that was not checked because of a fault. A reading that was not checked for another reason is skipped. A file
with faults has a suite too. The XML has no times, so that the same input gives the same bytes.

The XML fits the schema of Jenkins (``junit-10.xsd`` of its xUnit plugin). In this schema a test case has no properties
and no place. Therefore the text of a failure begins with its place, and ``system-out`` has what else is known.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from xml.etree import ElementTree

from verifier.audit.fault import Fault
from verifier.audit.ledger import ClaimResult
from verifier.questions.result import ReadingResult
from verifier.report.place import Place, find_place, place_fault, show_command
from verifier.report.printable import escape_for_programs, flatten
from verifier.report.registry import Report
from verifier.report.sentence import (
    reading_sentence,
    source_of,
    standing_of,
    trust_of,
    verdict_of,
    witness_sentence,
)
from verifier.report.show import say_images

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""The characters that are not allowed in XML, such as control characters."""

_KINDS = {"failures": "failure", "errors": "error", "skipped": "skipped"}
"""The attributes of a suite that count test cases, each with the name of the element that such a test case has."""


def render(report: Report) -> str:
    """Return the XML file."""
    ledger = report.ledger
    root = ElementTree.Element("testsuites", {"name": "verifier"})
    for _, group in itertools.groupby(ledger.faults, lambda fault: fault.file):
        faults = list(group)
        place = place_fault(report, faults[0]) if faults[0].file else None
        file = "the run" if place is None else place.file
        if cases := list(_fault_cases(report, file, faults)):
            root.append(_suite(file, cases))
    documents: dict[str, list[ElementTree.Element]] = {}
    for claim in ledger.claims:
        documents.setdefault(claim.source.document, []).extend(_case(report, claim, each) for each in claim.readings)
    root.extend(itertools.starmap(_suite, documents.items()))
    totals = ("tests", "failures", "errors")  # the schema has no total of what was skipped
    root.attrib.update({name: str(sum(int(suite.attrib[name]) for suite in root)) for name in totals})
    ElementTree.indent(root)
    text = _NO_XML.sub("\ufffd", ElementTree.tostring(root, encoding="unicode"))
    text = escape_for_programs(text, lambda character: f"&#{ord(character)};")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _suite(name: str, cases: list[ElementTree.Element]) -> ElementTree.Element:
    counts = {key: str(sum(case.find(kind) is not None for case in cases)) for key, kind in _KINDS.items()}
    suite = ElementTree.Element("testsuite", {"name": name, "tests": str(len(cases)), **counts})
    suite.extend(cases)
    return suite


def _fault_cases(report: Report, file: str, faults: list[Fault]) -> Iterator[ElementTree.Element]:
    """Yield a case for everything that was lost to the faults of a file, except readings, which have cases already.

    If nothing was lost, yield one case for the faults themselves.
    """
    told = {result.name for result in report.ledger.readings}
    lost = sorted({item for fault in faults for item in fault.lost})
    left = [str(item) for item in lost if item.name not in told]
    kind = str(faults[0].kind)
    for name in left if lost else [kind]:
        # A dot would divide the name into a package and a class.
        case = ElementTree.Element("testcase", {"name": name, "classname": file.removesuffix(".yaml")})
        error = ElementTree.SubElement(case, "error", {"message": faults[0].text, "type": kind})
        error.text = "\n".join(_say_place(place_fault(report, fault)) + fault.text for fault in faults)
        yield case


def _case(report: Report, claim: ClaimResult, result: ReadingResult) -> ElementTree.Element:
    name = {"name": result.id, "classname": f"{claim.source.document}.{claim.id}"}
    case = ElementTree.Element("testcase", name)
    sentence, witness = reading_sentence(result), witness_sentence(result)
    if not result.is_run and not result.trouble:
        ElementTree.SubElement(case, "skipped", {"message": sentence})
    elif not result.is_expected or result.trouble:
        cause = "fault" if result.is_lost else "evidence" if result.trouble else "verdict"
        kind = "failure" if cause == "verdict" else "error"
        element = ElementTree.SubElement(case, kind, {"message": sentence, "type": cause})
        place = _say_place(find_place(report, result.claim, result.id))
        told = [place + sentence, witness, f"look closer: {show_command(report, result.claim, result.id)}"]
        element.text = "\n".join(filter(None, told))
    ElementTree.SubElement(case, "system-out").text = "\n".join(_say_all(claim, result))
    return case


def _say_place(place: Place | None) -> str:
    return "" if place is None else f"{place.file}:{place.line}:{place.column}: "


def _say_all(claim: ClaimResult, result: ReadingResult) -> Iterator[str]:
    """Yield lines that say what is known about a claim and one of its readings."""
    yield f"claim: {flatten(claim.title)}"
    yield f"source: {source_of(claim)}"
    yield f"rules: {result.rules or claim.rules}"
    yield f"standing: {standing_of(claim)}"
    yield f"question: {result.question}"
    if result.is_run:
        yield f"verdict: {verdict_of(result)}"
    if result.expected is not None:
        yield f"expected: {result.expected}"
    yield str(result.decided)
    if trust := trust_of(result):
        yield f"trust: {trust}"
    yield from (f"{name}: {count}{say_images(name, result.stats)}" for name, count in result.stats.items())
    yield from result.remarks
    if witness := witness_sentence(result):
        yield witness
