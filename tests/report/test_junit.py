from __future__ import annotations

import pathlib
from xml.etree import ElementTree

from tests.report.ledgers import make_report
from verifier.kernel.verdict import Verdict
from verifier.report.registry import render


def test_any_text_gives_valid_xml(tmp_path: pathlib.Path) -> None:
    """Control characters are replaced, markup is escaped."""
    report = make_report(
        tmp_path,
        plain__as_stated={"verdict": Verdict.REFUTED, "reason": "a \x00 <b> & \ufffe \x1b[31m", "notes": ("\x0c]]>",)},
    )
    root = ElementTree.fromstring(render("junit", report).encode())  # noqa: S314 - our own text
    mended = next(suite for suite in root if suite.get("name") == "mended")
    title = next(item.get("value") for item in mended.iter("property") if item.get("name") == "title")
    assert title == 'A bell \ufffd, "quotes", <tags> & 100% | of: commas,\nlines'
    case = next(root.iter("testcase"))
    assert case[1].get("message") == "expected proved, found refuted: a \ufffd <b> & \ufffd \ufffd[31m"
    assert (
        case.findtext("system-out")
        == "trust: the kernel alone: it decided the evidence against it\nparts: 1\n\ufffd]]>"
    )
