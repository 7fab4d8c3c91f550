"""What is reached by a ply and not sooner: a reading with ``exactly`` joins two, each with evidence of its own.

``{can: X, objectives: {won: {reach: X_wins, exactly: 15}}}`` as NAME becomes NAME-by, that X can reach it by ply 15,
and NAME-not-sooner, that O can prevent it through ply 14. It is written out once all that is like something else is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from verifier.language.about import ABOUT
from verifier.language.loader import Document, Path

_WORDS = {"by": "exactly", "prevent": "reach"}
"""Where a key of what is made stands: at another one of what was written."""


def split_exact(documents: Iterable[Document]) -> None:
    """Write out the readings with ``exactly``. This modifies the documents in place."""
    for document in documents:
        value = document.value if isinstance(document.value, dict) else {}
        readings = value.get("readings")
        if "claim" in value and document.is_whole and isinstance(readings, dict):
            split = [_split(document, name, reading) for name, reading in readings.items()]
            names = [name for part in split for name in part]
            for name in sorted({name for name in names if names.count(name) > 1}):
                said = f"the name {name!r} is taken: a reading with 'exactly' makes one of this name"
                document.problems.append(document.problem(("readings", name), said))
            value["readings"] = {name: reading for part in split for name, reading in part.items()}


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
    claim, path = document.value["claim"], ("readings", name)
    stated = {key: value for key, value in reading.items() if key not in ABOUT | {"can", "objectives"}}
    found: dict[str, Any] = {}
    for part, (said, asked) in parts.items():
        player = reading["can"] if part == "by" else {"X": "O", "O": "X"}.get(reading["can"], reading["can"])
        found[f"{name}-{part}"] = {"can": player, "expect": "proved", **stated, "objectives": {said: asked}}
        _copy_places(document, path, ("readings", f"{name}-{part}"), (label, said))
    joins = [f"{claim}/{name}-{part}" for part in parts]
    about = {key: value for key, value in reading.items() if key in ABOUT and key != "joins"}
    return {**found, name: {**about, "joins": [*joins, *reading.get("joins", [])]}}


def _find_exact(reading: Any) -> tuple[str, Any, int] | None:
    """Return the name, the goal and the ply of the one objective, if it says ``exactly`` of what somebody can reach."""
    if not isinstance(reading, dict) or reading.get("expect") != "proved" or not isinstance(reading.get("can"), str):
        return None
    objectives = reading.get("objectives")
    if not isinstance(reading.get("joins", []), list) or not isinstance(objectives, dict) or len(objectives) != 1:
        return None
    ((label, asked),) = objectives.items()
    if not isinstance(asked, dict) or set(asked) != {"reach", "exactly"} or type(asked["exactly"]) is not int:
        return None
    return label, asked["reach"], asked["exactly"]


def _copy_places(document: Document, at: Path, to: Path, labels: tuple[str, str]) -> None:
    """Say of a reading that is made where what it says was written."""
    places: tuple[dict[Path, Any], ...] = (document.marks, document.keys)
    for known in places:
        for where, place in [item for item in known.items() if item[0][: len(at)] == at]:
            rest = tuple(labels[1] if part == labels[0] else part for part in where[len(at) :])
            known.setdefault((*to, *rest), place)
            for new, word in _WORDS.items():
                if rest[-1:] == (word,):
                    known.setdefault((*to, *rest[:-1], new), place)
