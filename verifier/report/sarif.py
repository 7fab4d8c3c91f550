"""The ledger as SARIF 2.1.0, for code scanning and editors: results that point into the specs.

An unexpected verdict is an error. Refuted claims are notes, and so are claims that hold only after a repair or only in
some readings. These are results of the audit, and the specs need no fix. A result about a refuted reading has the play
that refutes it: drawn in the message, and move by move. Claims of one family that need the same kind of note share
a result, which has the play of the first of these claims. A fault is a notification. If something was not checked
because of a fault, the run is marked as not successful: it lacks results, and must not replace those of another run.

A result has the same fingerprint in each run, whichever members the family has, and whichever of them fail.
"""

from __future__ import annotations

import os
import re
import urllib.parse
from collections.abc import Iterable
from typing import Any, NamedTuple

import verifier
from verifier.audit.fault import Fault, FaultKind
from verifier.audit.ledger import ClaimResult, Standing
from verifier.kernel.verdict import Verdict
from verifier.language.syntax import ScopedText
from verifier.presentation.registry import find_presentation
from verifier.questions.result import ReadingResult, name_all
from verifier.report.place import Place, find_place, find_unexpected, place_fault
from verifier.report.printable import dump_json, escape_markdown
from verifier.report.registry import Report
from verifier.report.sentence import claim_sentence, reading_sentence, trust_of, witness_sentence
from verifier.report.show import drawings_of, game_of, replay_witness
from verifier.report.text import name_family

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT = "%SRCROOT%"
"""The name of the root of a repository in SARIF."""


class SarifRule(NamedTuple):
    """A rule in the sense of SARIF.

    Attributes:
        level: error or note.
        short: what a result of this rule says, in a sentence without a full stop.
        full: the same in full, in Markdown.
        advice: what to do, in Markdown.
    """

    level: str
    short: str
    full: str
    advice: str


_NO_FIX = "This is a result of the audit: neither the spec nor the tool needs a fix."

RULES = {
    "faulty-file": SarifRule(
        "error",
        "A file is wrong, or cannot be read",
        "A spec or a file of evidence is wrong, or cannot be read. What needs the file was not checked.",
        "The message says what is wrong. `verifier validate` finds faults in specs without checking claims; "
        "`verifier check CLAIM --anew --out proofs` replaces evidence.",
    ),
    "unexpected-verdict": SarifRule(
        "error",
        "A verdict is not as expected",
        "The kernel's verdict on a reading is not the verdict that the spec expects.",
        "1. `verifier show CLAIM` shows the evidence, such as the play that refutes the reading.\n"
        "2. If the formal reading says something else than the sentence, correct the reading.\n"
        "3. If it says the same, the claim is not what you thought: change `expect`.\n\n"
        "*Unknown* means that no search has found evidence within its limits.",
    ),
    "untrusted-evidence": SarifRule(
        "error",
        "Evidence was rejected, or two methods disagree",
        "The kernel did not accept the evidence, or two methods to decide the same statement contradict each other. "
        "This is an error in a tool, not in the claim.",
        "1. `verifier check CLAIM --anew` searches for new evidence; `--out proofs` keeps it.\n"
        "2. If two methods still disagree, report it to the maintainers of the tool: one of the two has a bug.",
    ),
    "claim-refuted": SarifRule(
        "note",
        "A claim is refuted",
        "A reading of the claim is refuted, and no repair of this reading holds.",
        f"{_NO_FIX}\n\n`verifier show CLAIM` draws the play that refutes the claim.",
    ),
    "claim-repaired": SarifRule(
        "note",
        "A claim holds only after a repair",
        "A reading of the claim fails, or rests on a claim that had to be repaired. A corrected reading is proved or "
        "supported; it says what it adds or corrects, and why.",
        f"{_NO_FIX}\n\n`verifier report --format errata` lists what to correct in the document.",
    ),
    "claim-depends": SarifRule(
        "note",
        "A claim holds in one reading and fails in another",
        "The sentence can be read in more than one way. Some readings hold. Others are refuted, and no repair of them "
        "holds.",
        f"{_NO_FIX}\n\n`verifier show CLAIM` shows each reading with its verdict.",
    ),
}
"""The rules by their ids."""
_RULE_OF_STANDING = {
    Standing.REFUTED: "claim-refuted",
    Standing.REPAIRED: "claim-repaired",
    Standing.REPAIRED_SUPPORTED: "claim-repaired",
    Standing.DEPENDS: "claim-depends",
}


def render(report: Report) -> str:
    """Return the SARIF log."""
    results = list(filter(None, [_fault(report, fault) for fault in report.ledger.faults]))
    for (place, _), readings in find_unexpected(report).items():
        results.append(_readings(report, place, readings))
    families: dict[tuple[Place, str], list[ClaimResult]] = {}
    for claim in report.ledger.claims:
        refuted = _refuted(claim)
        # If every refuted reading is already reported as an unexpected verdict, a note would say the same again.
        if claim.standing in _RULE_OF_STANDING and not (refuted and all(item.is_unexpected for item in refuted)):
            key = find_place(report, claim.id), _RULE_OF_STANDING[claim.standing]
            families.setdefault(key, []).append(claim)
    results += [_claims(report, *key, claims) for key, claims in families.items()]
    run = {
        "tool": {"driver": {"name": "verifier", "version": verifier.__version__, "rules": [*map(_rule, RULES)]}},
        "invocations": [
            {
                "commandLine": report.command,
                "executionSuccessful": all(fault.kind is FaultKind.EVIDENCE for fault in report.ledger.faults),
                "toolExecutionNotifications": [_notification(report, fault) for fault in report.ledger.faults],
            }
        ],
        "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the repository that holds the specs."}}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return dump_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(name: str) -> dict[str, Any]:
    rule = RULES[name]
    text = f"{rule.full}\n\n{rule.advice}"
    return {
        "id": name,
        "shortDescription": {"text": f"{rule.short}."},
        "fullDescription": {"text": rule.full},
        "help": {"text": text.replace("`", "").replace("*", ""), "markdown": text},
        "defaultConfiguration": {"level": rule.level},
    }


def _notification(report: Report, fault: Fault) -> dict[str, Any]:
    place = place_fault(report, fault)
    message = "; ".join(filter(None, [str(fault), fault.cost]))
    return {
        "level": "error",
        "message": {"text": _escape(message)},
        "locations": [] if place is None else [_location(place)],
        "properties": {"kind": str(fault.kind), "lost": [str(item) for item in fault.lost]},
    }


def _fault(report: Report, fault: Fault) -> dict[str, Any] | None:
    """Return the result for a file that is wrong or cannot be read; None for other faults."""
    is_of_file = fault.file and fault.kind in (FaultKind.SPEC, FaultKind.EVIDENCE)
    place = place_fault(report, fault) if is_of_file else None
    if place is None:
        return None
    text = "; ".join(filter(None, [fault.text, fault.cost]))
    names = [item.name for item in fault.lost]
    return _result(
        "faulty-file", place, names, f"{fault.kind}:{place.file}:{fault.message}", {"message": {"text": _escape(text)}}
    )


def _readings(report: Report, place: Place, readings: list[ReadingResult]) -> dict[str, Any]:
    """Return the result for a reading that is not as expected, or for readings of a family that fail alike."""
    first, names = readings[0], [reading.name for reading in readings]
    rule = "untrusted-evidence" if first.trouble else "unexpected-verdict"
    properties = {
        "question": first.question,
        "expected": "" if first.expected is None else str(first.expected),
        "readings": {
            reading.name: {
                "verdict": str(reading.verdict),
                "limit": reading.limit.words if reading.limit else "",
                "beliefs": name_all(reading.beliefs),
                "trust": trust_of(reading),
            }
            for reading in readings
        },
    }
    family = f"{name_family([reading.claim for reading in readings])}/{first.id}"
    told = _say_family(family, names, reading_sentence(first))
    identity = f"{rule}:{_spec_of(report, first.claim)}/{first.id}"
    return _result(rule, place, names, identity, _plays(report, told, [first])) | {"properties": properties}


def _claims(report: Report, place: Place, rule: str, claims: list[ClaimResult]) -> dict[str, Any]:
    """Return the result for a claim with a certain standing, or for claims of a family with this standing."""
    first, names = claims[0], [claim.id for claim in claims]
    refuted = _refuted(first)
    related = [
        _location(find_place(report, first.id, item.id), _escape(f"{item.id}: {reading_sentence(item)}"))
        for item in refuted
    ]
    properties = {
        "claims": {
            claim.id: {
                "standing": claim.standing,
                "limit": claim.limit.words if claim.limit else "",
                "beliefs": name_all(claim.beliefs),
            }
            for claim in claims
        }
    }
    told = _say_family(name_family(names), names, claim_sentence(first))
    identity = f"{rule}:{_spec_of(report, first.id)}"
    more = {"relatedLocations": related} if related else {}
    return _result(rule, place, names, identity, _plays(report, told, refuted)) | more | {"properties": properties}


def _spec_of(report: Report, claim: str) -> str:
    """Return the id of a claim. If a ``for`` makes the claim, return its file, because members come and go."""
    written = report.library.claims[claim].document.value["claim"]
    return report.library.file_of(claim) if isinstance(written, ScopedText) else claim


def _refuted(claim: ClaimResult) -> list[ReadingResult]:
    return [item for item in claim.readings if item.verdict is Verdict.REFUTED and not item.control]


def _say_family(family: str, names: list[str], sentence: str) -> str:
    """Return the sentence about the first member of a family, with the names of all members."""
    if len(names) == 1:
        return f"{family}: {sentence}"
    return f"{family}: {names[0]}: {sentence}; all {len(names)}: {', '.join(names)}"


def _plays(report: Report, text: str, readings: Iterable[ReadingResult]) -> dict[str, Any]:
    """Return the message of a result; and if plays refute readings, these plays, drawn in the message and move by move.

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
            {"location": _location(place, _escape(step)), "executionOrder": number}
            for number, step in enumerate([start, *told])
        ]
        flows.append({"message": {"text": _escape(said)}, "threadFlows": [{"locations": places}]})
        position, last, _ = steps[-1]
        drawn = find_presentation(game, drawings_of(report.known, reading)).draw_text(position, last)
        paragraphs += [_mark(said), "```text\n" + drawn.replace("{", "{{").replace("}", "}}") + "\n```"]
    message = {"text": _escape(text)}
    if not flows:
        return {"message": message}
    return {"message": message | {"markdown": "\n\n".join(paragraphs)}, "codeFlows": flows}


def _mark(text: str) -> str:
    """Escape text for a message in Markdown."""
    return escape_markdown(text).replace("{", "{{").replace("}", "}}")


def _result(rule: str, place: Place, names: list[str], identity: str, plays: dict[str, Any]) -> dict[str, Any]:
    """Return what every result has: its message and plays, its place, and its fingerprint."""
    value = {"ruleId": rule, "ruleIndex": list(RULES).index(rule), "level": RULES[rule].level} | plays
    return value | {
        "locations": [_location(place) | {"logicalLocations": [{"fullyQualifiedName": name} for name in names]}],
        "partialFingerprints": {"claimReading/v1": identity},
    }


def _escape(text: str) -> str:
    """Escape text that SARIF would take for an argument of the message (§3.11.5), or for a link (§3.11.6).

    Brackets in a message without a link are not escaped, as §3.11.6 allows, because boards have many brackets.
    """
    text = text.replace("{", "{{").replace("}", "}}")
    return re.sub(r"([\\\[\]])", r"\\\1", text) if "](" in text else text


def _location(place: Place, message: str = "") -> dict[str, Any]:
    value = {
        "physicalLocation": {
            "artifactLocation": {"uri": urllib.parse.quote(os.fsencode(place.file)), "uriBaseId": ROOT},
            "region": {"startLine": place.line, "startColumn": place.column},
        }
    }
    return value | ({"message": {"text": message}} if message else {})
