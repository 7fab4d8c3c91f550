from __future__ import annotations

import pathlib
from xml.etree import ElementTree

from tests.report.ledgers import make_report
from verifier.kernel.verdict import Verdict
from verifier.methods.witness import Counterexample, Line
from verifier.report.registry import Report, render


def parse(report: Report) -> ElementTree.Element:
    return ElementTree.fromstring(render("junit", report).encode())  # noqa: S314 - our own text


def cases(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {f"{case.get('classname')}/{case.get('name')}": case for case in root.iter("testcase")}


def test_a_reading_is_a_test_case(tmp_path: pathlib.Path) -> None:
    """Its class is the claim, it points at its line, and says what has to be believed."""
    root = parse(make_report(tmp_path))
    assert root.tag == "testsuites"
    assert {suite.get("name"): suite.get("tests") for suite in root} == {"plain": "1", "mended": "2", "wrong": "2"}
    assert root.attrib == {"name": "verifier", "tests": "5", "failures": "0", "errors": "0", "skipped": "1"}
    found = cases(root)
    assert list(found) == ["plain/as-stated", "mended/as-stated", "mended/repaired", "wrong/as-stated", "wrong/long"]
    repaired = found["mended/repaired"]
    assert (repaired.get("file"), repaired.get("line")) == ("audited specs/part/mended.yaml", "9")
    properties = {item.get("name"): item.get("value") for item in repaired.iter("property")}
    trust = "the kernel alone: decided the evidence"
    word = {"question": "steps", "verdict": "proved", "expected": "proved", "decided": "decided now"}
    assert properties == {**word, "trust": trust}
    assert repaired.findtext("system-out") == f"trust: {trust}\nparts: 1"
    assert [child.tag for child in repaired] == ["properties", "system-out"]


def test_what_is_not_as_expected_fails(tmp_path: pathlib.Path) -> None:
    """Another verdict is a failure, rejected evidence an error, what was left out skipped; the counts say so."""
    report = make_report(
        tmp_path,
        plain__as_stated={"verdict": Verdict.UNKNOWN, "reason": "resource limit"},
        wrong__as_stated={"trouble": "certificate rejected: stale"},
    )
    root = parse(report)
    found = cases(root)
    failure = found["plain/as-stated"].find("failure")
    assert failure is not None
    assert failure.get("message") == "expected proved, found unknown: resource limit"
    assert failure.get("type") == "verdict"
    assert failure.text == "expected proved, found unknown: resource limit\naudited specs/part/plain.yaml:6:3"
    error = found["wrong/as-stated"].find("error")
    assert error is not None
    assert (error.get("message"), error.get("type")) == ("certificate rejected: stale", "evidence")
    skipped = found["wrong/long"].find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "not in this run"
    assert root.attrib == {"name": "verifier", "tests": "5", "failures": "1", "errors": "1", "skipped": "1"}
    wrong = next(suite for suite in root if suite.get("name") == "wrong")
    assert [wrong.get(name) for name in ("tests", "failures", "errors", "skipped")] == ["2", "0", "1", "1"]


def test_any_text_gives_valid_xml(tmp_path: pathlib.Path) -> None:
    """Control characters are replaced, markup is escaped."""
    report = make_report(
        tmp_path,
        plain__as_stated={"verdict": Verdict.REFUTED, "reason": "a \x00 <b> & \ufffe \x1b[31m", "notes": ("\x0c]]>",)},
    )
    root = parse(report)
    mended = next(suite for suite in root if suite.get("name") == "mended")
    title = next(item.get("value") for item in mended.iter("property") if item.get("name") == "title")
    assert title == 'A bell \ufffd, "quotes", <tags> & 100% | of: commas,\nlines'
    case = cases(root)["plain/as-stated"]
    assert case[1].get("message") == "expected proved, found refuted: a \ufffd <b> & \ufffd \ufffd[31m"
    assert (
        case.findtext("system-out")
        == "trust: the kernel alone: it decided the evidence against it\nparts: 1\n\ufffd]]>"
    )


def test_the_witness_stands_in_the_output(tmp_path: pathlib.Path) -> None:
    """A play by its moves, a counterexample by its step."""
    play = Line("S", ("4.4", "4.0"), "E", "r")
    step = Counterexample("a", "P", ("1.1",), "A", "c", is_conclusion=True, reason="r", reachable=None, line=None)
    report = make_report(tmp_path, mended__as_stated={"witness": play}, wrong__as_stated={"witness": step, "stats": {}})
    found = cases(parse(report))
    assert (found["mended/as-stated"].findtext("system-out") or "").endswith("\nplay: from S by 4.4 4.0 to E")
    assert found["wrong/as-stated"].findtext("system-out") == (
        "trust: the kernel alone: it decided the evidence against it\n"
        "the step fails from P by 1.1 to A; open whether legal play reaches it"
    )
