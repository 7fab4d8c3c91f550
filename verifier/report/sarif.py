"""The ledger as SARIF 2.1.0, for code scanning and editors: results that point into the specs.

An unexpected verdict is an error. Refuted claims are notes, and so are claims that hold only after a repair or only in
some readings. These are results of the audit, and the specs need no fix. A result about a refuted reading has the play
that refutes it: drawn in the message, and move by move. A fault is a notification. A run with a fault is marked as not
successful.
"""

from __future__ import annotations

import os
import re
import urllib.parse
from collections.abc import Iterable
from typing import Any

import verifier
from verifier.audit.fault import Fault
from verifier.audit.ledger import ClaimResult, Standing
from verifier.kernel.verdict import Verdict
from verifier.presentation.registry import find_presentation
from verifier.questions.result import ReadingResult, name_all
from verifier.report.place import Place, find_place, place_fault
from verifier.report.printable import dump_json, escape_markdown
from verifier.report.registry import Report
from verifier.report.sentence import claim_sentence, reading_sentence, trust_of, witness_sentence
from verifier.report.show import drawings_of, game_of, replay_witness

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT = "%SRCROOT%"
"""The name of the root of a repository in SARIF."""
RULES = {
    "unexpected-verdict": (
        "error",
        "A verdict is not as expected",
        "The kernel's verdict on a reading is not the verdict that the spec expects. Look at the evidence "
        "(`verifier show CLAIM`) before you change the claim or `expect`.",
    ),
    "untrusted-evidence": (
        "error",
        "Evidence was rejected, or two methods disagree",
        "The kernel did not accept the evidence, or two methods to decide the same statement contradict each other. "
        "This is an error in a tool, not in the claim.",
    ),
    "claim-refuted": (
        "note",
        "A claim is refuted",
        "A reading of the claim is refuted, and no repair of this reading holds.",
    ),
    "claim-repaired": (
        "note",
        "A claim holds only after a repair",
        "A reading of the claim fails, or rests on a claim that had to be repaired. A corrected reading is proved or "
        "supported; it says what it adds or corrects, and why.",
    ),
    "claim-depends": (
        "note",
        "A claim holds in one reading and fails in another",
        "The sentence can be read in more than one way. Some readings hold. Others are refuted, and no repair of them "
        "holds.",
    ),
}
"""For each rule its level, its short description and, in Markdown, its full description."""
_RULE_OF_STANDING = {
    Standing.REFUTED: "claim-refuted",
    Standing.REPAIRED: "claim-repaired",
    Standing.REPAIRED_SUPPORTED: "claim-repaired",
    Standing.DEPENDS: "claim-depends",
}


def render(report: Report) -> str:
    """Return the SARIF log."""
    results = []
    for claim in report.ledger.claims:
        results += [_reading(report, reading) for reading in claim.readings if reading.is_unexpected]
        if claim.standing in _RULE_OF_STANDING:
            results.append(_claim(report, claim))
    rules = [
        {
            "id": name,
            "shortDescription": {"text": f"{short}."},
            "fullDescription": {"text": (plain := full.replace("`", ""))},
            "help": {"text": plain, "markdown": full},
            "defaultConfiguration": {"level": level},
        }
        for name, (level, short, full) in RULES.items()
    ]
    run = {
        "tool": {"driver": {"name": "verifier", "version": verifier.__version__, "rules": rules}},
        "invocations": [
            {
                "commandLine": report.command,
                "executionSuccessful": not report.ledger.faults,
                "toolExecutionNotifications": [_notification(report, fault) for fault in report.ledger.faults],
            }
        ],
        "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the repository that holds the specs."}}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return dump_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _notification(report: Report, fault: Fault) -> dict[str, Any]:
    place = place_fault(report, fault)
    message = "; ".join(filter(None, [str(fault), fault.cost]))
    return {
        "level": "error",
        "message": {"text": _escape(message)},
        "locations": [] if place is None else [_location(place)],
        "properties": {"kind": str(fault.kind), "lost": [str(item) for item in fault.lost]},
    }


def _reading(report: Report, result: ReadingResult) -> dict[str, Any]:
    rule = "untrusted-evidence" if result.trouble else "unexpected-verdict"
    properties = {
        "question": result.question,
        "verdict": str(result.verdict),
        "limit": result.limit.words if result.limit else "",
        "expected": "" if result.expected is None else str(result.expected),
        "beliefs": name_all(result.beliefs),
        "trust": trust_of(result),
    }
    place = find_place(report, result.claim, result.id)
    told = reading_sentence(result)
    value = _result(rule, result.name, told, place) | {"properties": properties}
    return _add_plays(report, value, f"{result.name}: {told}", [result])


def _claim(report: Report, claim: ClaimResult) -> dict[str, Any]:
    rule = _RULE_OF_STANDING[claim.standing]
    refuted = [item for item in claim.readings if item.verdict is Verdict.REFUTED and not item.control]
    told = [(find_place(report, claim.id, item.id), f"{item.id}: {reading_sentence(item)}") for item in refuted]
    related = [_location(place, message={"text": _escape(text)}) for place, text in told]
    more = {"relatedLocations": related} if related else {}
    limit = claim.limit.words if claim.limit else ""
    properties = {"standing": claim.standing, "limit": limit, "beliefs": name_all(claim.beliefs)}
    said = claim_sentence(claim)
    value = _result(rule, claim.id, said, find_place(report, claim.id)) | more | {"properties": properties}
    return _add_plays(report, value, f"{claim.id}: {said}", refuted)


def _add_plays(report: Report, value: dict[str, Any], text: str, readings: Iterable[ReadingResult]) -> dict[str, Any]:
    """Return a result with the plays that refute readings: in Markdown below ``text``, and move by move.

    In SARIF, ``codeFlows`` (§3.36) lists the places on the way to an error. Here each place is a move of the play.
    """
    flows, paragraphs = list[dict[str, Any]](), [_mark(text)]
    for reading in readings:
        if reading.witness is None or reading.verdict is not Verdict.REFUTED:
            continue
        game, place = game_of(report.known, reading), find_place(report, reading.claim, reading.id)
        steps, said = replay_witness(game, reading.witness), f"{reading.name}: {witness_sentence(reading)}"
        told = [f"{mover} plays {game.format_move(move)}" for _, move, mover in steps if move is not None]
        start = f"the position before the moves: {game.format_position(steps[0][0])}"
        places = [
            {"location": _location(place, message={"text": _escape(step)}), "executionOrder": number}
            for number, step in enumerate([start, *told])
        ]
        flows.append({"message": {"text": _escape(said)}, "threadFlows": [{"locations": places}]})
        position, last, _ = steps[-1]
        drawn = find_presentation(game, drawings_of(report.known, reading)).draw_text(position, last)
        paragraphs += [_mark(said), "```text\n" + drawn.replace("{", "{{").replace("}", "}}") + "\n```"]
    if not flows:
        return value
    return value | {"message": value["message"] | {"markdown": "\n\n".join(paragraphs)}, "codeFlows": flows}


def _mark(text: str) -> str:
    """Escape text for a message in Markdown."""
    return escape_markdown(text).replace("{", "{{").replace("}", "}}")


def _result(rule: str, name: str, text: str, place: Place) -> dict[str, Any]:
    return {
        "ruleId": rule,
        "ruleIndex": list(RULES).index(rule),
        "level": RULES[rule][0],
        "message": {"text": _escape(f"{name}: {text}")},
        "locations": [_location(place, logicalLocations=[{"fullyQualifiedName": name}])],
        "partialFingerprints": {"claimReading/v1": f"{rule}:{name}"},
    }


def _escape(text: str) -> str:
    """Escape text that SARIF would take for an argument of the message (§3.11.5), or for a link (§3.11.6).

    Brackets in a message without a link are not escaped, as §3.11.6 allows, because boards have many brackets.
    """
    text = text.replace("{", "{{").replace("}", "}}")
    return re.sub(r"([\\\[\]])", r"\\\1", text) if "](" in text else text


def _location(place: Place, **more: Any) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": urllib.parse.quote(os.fsencode(place.file)), "uriBaseId": ROOT},
            "region": {"startLine": place.line, "startColumn": place.column},
        },
        **more,
    }
