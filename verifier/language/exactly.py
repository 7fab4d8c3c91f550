"""What is reached by a ply and not sooner: a reading with ``exactly`` joins two, each with evidence of its own.

``{can: X, objectives: {won: {reach: X_wins, exactly: 15}}}`` as NAME becomes NAME-by, that X can reach it by ply 15,
and NAME-not-sooner, that O can prevent it through ply 14. It is written out once all that is like something else is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from verifier.language.about import ABOUT
from verifier.language.loader import Document


def split_exact(documents: Iterable[Document]) -> None:
    """Write out the readings with ``exactly``. This modifies the documents in place."""
    for document in documents:
        value = document.value if isinstance(document.value, dict) else {}
        readings = value.get("readings")
        if "claim" in value and document.is_whole and isinstance(readings, dict):
            found: dict[str, Any] = {}
            for name, reading in readings.items():
                made = _split(document, name, reading)
                for taken in sorted(made.keys() & (found.keys() | readings.keys()) - {name}):
                    said = f"the name {taken!r} is taken: a reading with 'exactly' makes one of this name"
                    document.problems.append(document.problem(("readings", taken), said))
                found |= made
            value["readings"] = found


def _split(document: Document, name: str, reading: Any) -> dict[str, Any]:
    """Return a reading by its name, or the two that it joins, and itself."""
    objective = _find_exact(reading)
    if objective is None:
        return {name: reading}
    label, goal, ply = objective
    parts: dict[str, tuple[str, dict[str, Any]]] = {
        "by": (label, {"reach": goal, "by": ply}),
        "not-sooner": (f"{label} sooner", {"prevent": goal, "by": ply - 1}),
    }
    claim, stated = document.value["claim"], {key: item for key, item in reading.items() if key not in ABOUT}
    found: dict[str, Any] = {}
    for part, (said, asked) in parts.items():
        player = reading["can"] if part == "by" else {"X": "O", "O": "X"}.get(reading["can"], reading["can"])
        own = {"expect": "proved", "can": player, "objectives": {said: asked}}
        found[f"{name}-{part}"] = {**stated, **own}
        at, to = ("readings", name), ("readings", f"{name}-{part}")
        document.copy_places(at, to)
        for old, new in ((), ()), (("exactly",), ("by",)), (("reach",), ("prevent",)):
            document.copy_places((*at, "objectives", label, *old), (*to, "objectives", said, *new))
    joins = [f"{claim}/{name}-{part}" for part in parts]
    about = {key: value for key, value in reading.items() if key in ABOUT and key != "joins"}
    return {**found, name: {**about, "joins": [*joins, *reading.get("joins", [])]}}


def _find_exact(reading: Any) -> tuple[str, Any, int] | None:
    """Return the name, the goal and the ply of the one objective, if it says ``exactly`` of what somebody can reach."""
    match reading:
        case {"expect": "proved", "can": str(), "objectives": dict(objectives)} if len(objectives) == 1:
            ((label, asked),) = objectives.items()
            is_exact = isinstance(asked, dict) and set(asked) == {"reach", "exactly"}
            if is_exact and type(asked["exactly"]) is int and isinstance(reading.get("joins", []), list):
                return label, asked["reach"], asked["exactly"]
    return None
