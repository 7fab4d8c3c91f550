"""The JSON Schema of the ledger that ``check --format json`` prints, and a reader that holds files against it.

Programs may rely on what stands here; further keys may be added to objects without a new number of the schema.
"""

from __future__ import annotations

import json
import pathlib
from collections import Counter
from collections.abc import Callable
from typing import Any

from verifier.kernel.errors import UsageError
from verifier.kernel.verdict import Belief, Verdict
from verifier.methods.ledger import Decided, Standing

SCHEMA_NUMBER = 2
MAX_BYTES = 256 * 2**20
"""How long a ledger may be: thousands of times as long as the shipped claims'."""
_TEXT = {"type": "string"}
_YES_NO = {"type": "boolean"}
_TEXTS = {"type": "array", "items": _TEXT}
_NAMES = {"type": "object", "additionalProperties": _TEXT}
_BELIEFS = {"type": "array", "items": {"enum": [str(belief) for belief in Belief]}}
_VERDICTS = [str(verdict) for verdict in Verdict]
_STANDINGS = [str(standing) for standing in Standing]


def _object(description: str, properties: dict[str, Any], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "description": description, "properties": properties, "required": required}


def _about(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {**schema, "description": description}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


_LINE = _object(
    "A play from a position on: of the kind 'line'.",
    {
        "kind": {"const": "line"},
        "start": _about("the position before the first move", _TEXT),
        "moves": _about("the moves, f.s or one number on a single board", _TEXTS),
        "position": _about("the position after the last move", _TEXT),
        "reason": _about("what the play shows", _TEXT),
        "rules": _about("the rule set, where it is not the claim's", _TEXT),
        "other_lines": _about("plays that are needed besides", {"type": "array", "items": _TEXTS}),
    },
    optional=("rules", "other_lines"),
)
_COUNTEREXAMPLE = _object(
    "A position from which a step breaks a conclusion: of the kind 'counterexample'.",
    {
        "kind": {"const": "counterexample"},
        "part": _about("the part of the reading that fails", _TEXT),
        "position": _about("the position before the step", _TEXT),
        "moves": _about("the moves of the step", _TEXTS),
        "after": _about("the position after the step", _TEXT),
        "fails": _about("the conclusion that fails, or why there is no such step", _TEXT),
        "is_conclusion": _about("whether it is a conclusion that fails", _YES_NO),
        "reason": _TEXT,
        "reachable": _about("whether legal play reaches it; null: open, the search ended before", _or_null(_YES_NO)),
        "line": _about("a play that reaches it", _or_null(_TEXTS)),
    },
)
_ERRATUM = _object(
    "What is wrong in a document, as the spec has it.",
    {
        "severity": {"enum": ["slip", "hypothesis", "step", "statement"]},
        "headline": _about("the headline claims whose proof, as printed, goes through it", _TEXTS),
        "sentence": _about("what is wrong, where it is less than the claim", _or_null(_TEXT)),
        "breaks": _TEXT,
        "instead": _about("what to write instead; null where no reading repairs it", _or_null(_TEXT)),
    },
)
_READING = _object(
    "One precise formalisation of a claim.",
    {
        "id": _TEXT,
        "method": _about("how it was checked", _TEXT),
        "verdict": _about("null where it was not run", _or_null({"enum": _VERDICTS})),
        "beliefs": _about("what is believed besides the kernel: a supported verdict has some", _BELIEFS),
        "expected": _about("the verdict that the spec expects of such a run", {"enum": _VERDICTS}),
        "decided": _about("when; a baseline does not compare it", {"enum": [str(when) for when in Decided]}),
        "quick": _about("whether a run without --full leaves some of it undecided", _YES_NO),
        "control": _about("whether it is our own and has to be refuted: that the check can fail", _YES_NO),
        "repairs": _about("the readings that it mends", _TEXTS),
        "joins": _about("the readings that its evidence relies on, as CLAIM/READING", _TEXTS),
        "in_play": _about(
            "by which proved reading a refuted one holds in all play of some strategies",
            _or_null(_object("The reading, and the strategies by player.", {"reading": _TEXT, "strategies": _NAMES})),
        ),
        "erratum": _about("what it shows to be wrong in its document, where it is refuted", _or_null(_ERRATUM)),
        "erratum_of": _about("the reading with the erratum that makes this one fail too", _or_null(_TEXT)),
        "in_coq": _about(
            "the theorem that a build of the Coq proofs on this machine has shown; a baseline does not compare it",
            _or_null(_object("Its name, and the axioms that it assumes.", {"name": _TEXT, "axioms": _TEXTS})),
        ),
        "reason": _about("why it is not proved, in one sentence; the trouble, where there is some", _TEXT),
        "trouble": _about("why the evidence was rejected, or which engines disagree", _or_null(_TEXT)),
        "in_words": _about(
            "how the parts make up the claim, where that is an argument in words, to be believed as well",
            _or_null(_TEXT),
        ),
        "stats": {
            "type": "object",
            "description": "what was counted",
            "additionalProperties": {"type": "integer"},
        },
        "needs": {
            "type": "array",
            "items": _object(
                "Which hypotheses the proof of a part needs, where the source names some.",
                {
                    "part": _TEXT,
                    "used": _about("those that the proof needs", _TEXTS),
                    "cited": _about("those that the source names", _TEXTS),
                },
            ),
        },
        "notes": _about("what else a person should know", _TEXTS),
        "witness": _about(
            "what refutes a claim, or shows that something exists", _or_null({"anyOf": [_LINE, _COUNTEREXAMPLE]})
        ),
        "certificate": _or_null(
            _object("The evidence.", {"path": _about("below the folder of the proofs", _TEXT), "sha256": _TEXT})
        ),
    },
    optional=("trouble", "in_words", "erratum", "erratum_of", "in_coq"),
)
_CLAIM = _object(
    "A claim of a document.",
    {
        "id": _TEXT,
        "title": _TEXT,
        "source": _object(
            "Where the claim is made.",
            {
                "document": _TEXT,
                "place": _TEXT,
                "says": _about("the claim in our own words", _TEXT),
                "ours": _about("whether it is the auditors' own, and nothing that the document says", _YES_NO),
            },
            optional=("ours",),
        ),
        "standing": _about("how it stands by its readings", {"enum": _STANDINGS}),
        "beliefs": _about("what a supported standing rests on besides the kernel", _BELIEFS),
        "uses": _about("the claims to read before it; no verdict rests on that", _TEXTS),
        "readings": {"type": "array", "items": _READING},
    },
)
LEDGER_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "The ledger of the claim verifier",
    **_object(
        "What 'verifier check --format json' prints.",
        {
            "schema": {"const": SCHEMA_NUMBER},
            "tool": {
                "type": "object",
                "description": "versions: of this tool, of Python, of the libraries that find proofs",
                "additionalProperties": _TEXT,
            },
            "claims": {"type": "array", "items": _CLAIM},
        },
    ),
}

_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "null": lambda value: value is None,
}


def read_ledger(path: pathlib.Path) -> dict[str, Any]:
    """Read a ledger from a file.

    Raises:
        OSError: it cannot be read.
        UsageError: it is no ledger, or too large for one.
    """
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise UsageError(f"{path}: no ledger of 'check --format json': more than {MAX_BYTES} bytes")
    return parse_ledger(data, str(path))


def parse_ledger(data: bytes, name: str) -> dict[str, Any]:
    """Read a ledger from a file's bytes.

    Raises:
        UsageError: they are no ledger; one line says where.
    """
    value: Any = None
    try:
        value = json.loads(data)
        fault = find_fault(value, LEDGER_SCHEMA) or _find_doubles(value)
    except RecursionError:
        fault = "nested too deeply"
    except ValueError as error:
        fault = str(error)
    if fault is not None:
        raise UsageError(f"{name}: no ledger of 'check --format json': {fault}")
    ledger: dict[str, Any] = value
    return ledger


def find_fault(value: Any, schema: dict[str, Any], where: str = "the ledger") -> str | None:
    """Return where and why a value does not fit a schema of the keywords that are used above; None where it fits."""
    if "anyOf" in schema:
        faults = [find_fault(value, choice, where) for choice in schema["anyOf"]]
        return None if None in faults else faults[0]
    if "const" in schema and not _is_same(value, schema["const"]):
        return f"{where} is {_quote(value)}, not {_quote(schema['const'])}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} is {_quote(value)}, none of {', '.join(schema['enum'])}"
    if "type" in schema and not _TYPES[schema["type"]](value):
        return f"{where} is {_quote(value)}, no {schema['type']}"
    if isinstance(value, dict):
        return _find_fault_in_object(value, schema, where)
    if isinstance(value, list) and "items" in schema:
        found = (find_fault(item, schema["items"], f"{where}[{index}]") for index, item in enumerate(value))
        return next((fault for fault in found if fault is not None), None)
    return None


def _find_fault_in_object(value: dict[str, Any], schema: dict[str, Any], where: str) -> str | None:
    missing = [name for name in schema.get("required", ()) if name not in value]
    if missing:
        return f"{where} has no {missing[0]!r}"
    for name, item in value.items():
        inner = schema.get("properties", {}).get(name, schema.get("additionalProperties", {}))
        fault = find_fault(item, inner, name if where == "the ledger" else f"{where}.{name}")
        if fault is not None:
            return fault
    return None


def _find_doubles(ledger: dict[str, Any]) -> str | None:
    """Say which claim, or which reading of one, stands twice."""
    named = {"claims": ledger["claims"]}
    named |= {f"readings of {claim['id']}": claim["readings"] for claim in ledger["claims"]}
    for where, items in named.items():
        double = next((name for name, count in Counter(item["id"] for item in items).items() if count > 1), None)
        if double is not None:
            return f"{double!r} stands twice among the {where}"
    return None


def _is_same(value: Any, constant: Any) -> bool:
    return type(value) is type(constant) and bool(value == constant)


def _quote(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:37]}…"
