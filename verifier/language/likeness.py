"""What is ``like`` something else: a reading, a claim or a strategy that has all that another one states.

But for what it says itself. Within a file it is written out together with what stands for several (``templates``);
what is like something of another file, once all files are read: its values do not know where they were written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from verifier.language.loader import Document, Path
from verifier.language.model import find_kind
from verifier.language.problem import suggest
from verifier.language.tree import Node, TemplateError, limited, plain

ABOUT = frozenset(
    {"expect", "long", "joins", "repairs", "control", "in_play", "coq", "because", "note"} | {"agrees_with"}
)
"""What a reading says besides its statement: nothing of that is taken over by one that is like it."""

OWN = {"strategy": frozenset({"title", "source"}), "claim": frozenset({"title", "source", "uses", "readings"})}
"""The kinds of files that may be like another of their kind, and what none takes over from it."""

_OBJECTIVES = frozenset({"reach", "prevent", "keep", "some", "holds"})
"""What an objective may ask."""


def liken_files(documents: Iterable[Document]) -> None:
    """Write out what is like something of another file; a file with a fault has a problem more."""
    known = {find_kind(document.value): document for document in documents if isinstance(document.value, dict)}
    for key, document in known.items():
        if key[0] in OWN and document.is_whole:
            for path in [(), *(("readings", name) for name in _part(document, ("readings",)))]:
                _liken_part(known, key, path, ())


def _part(document: Document, path: Path) -> dict[str, Any]:
    """Return a part of a file; an empty one where there is none, or no map."""
    value = document.value
    for key in path:
        value = value.get(key, {}) if isinstance(value, dict) else {}
    return value if isinstance(value, dict) else {}


def _liken_part(
    known: dict[tuple[str, str], Document], key: tuple[str, str], path: Path, above: tuple[str, ...]
) -> None:
    """Write out a file, or one of its readings, if it is like another one, after that one."""
    document, own = known[key], _part(known[key], path)
    if "like" not in own:
        return
    base = str(own["like"])
    name, _, reading = base.partition("/")
    other, at = (key[0], name), ("readings", reading) if path else ()
    if other not in known or (path and reading not in _part(known[other], ("readings",))):
        if other in known:
            hint = suggest(reading, _part(known[other], ("readings",)))
            problem = document.problem((*path, "like"), f"the claim {name!r} has no reading {reading[:60]!r}{hint}")
        else:
            hint = suggest(name, [named for kind, named in known if kind == key[0]])
            problem = document.problem((*path, "like"), f"no {key[0]} {name[:60]!r} in these specs{hint}")
            problem = replace(problem, missing=other)
        document.problems.append(problem)
    elif base in above:
        document.problems.append(document.problem((*path, "like"), f"a circle: {' → '.join([*above, base])}"))
    else:
        _liken_part(known, other, at, (*above, base))
        left = ABOUT if path else OWN[key[0]] | {key[0]}
        taken = {word: item for word, item in _part(known[other], at).items() if word not in left}
        replaced = _replaced_objectives(taken, own)
        if replaced:
            taken["objectives"] = {word: item for word, item in taken["objectives"].items() if word not in replaced}
        merged = _merged(taken, {word: item for word, item in own.items() if word != "like"})
        own.clear()
        own.update(merged)
        document.is_whole &= known[other].is_whole
        document.bases |= {known[other].file, *known[other].bases} - {document.file}


def _replaced_objectives(base: dict[str, Any], own: dict[str, Any]) -> set[str]:
    """Return which objectives of a reading are not taken over by one that is like it.

    It is those of which the other one asks something of another kind, and, as 'force' has one objective, those that it
    does not name.
    """
    theirs, mine = base.get("objectives"), own.get("objectives")
    if not isinstance(theirs, dict) or not isinstance(mine, dict):
        return set()
    is_one = own.get("method", base.get("method")) == "force"
    asked = {name: _OBJECTIVES.intersection(mine[name]) for name in mine if isinstance(mine[name], dict)}
    known = {name: asked[name] - set(theirs[name]) for name in asked if isinstance(theirs.get(name), dict)}
    return {name for name in theirs if (known.get(name) if name in asked else is_one)}


def _merged(base: Any, own: Any) -> Any:
    """Return a value with what another one has besides; maps in both are merged, all else is replaced."""
    if not isinstance(base, dict) or not isinstance(own, dict):
        return own
    return {**base, **{key: _merged(base.get(key), item) for key, item in own.items()}}


def liken(node: Node) -> Node:
    """Return a claim in whose readings nothing is 'like' another one, but for those of other claims."""
    if "claim" not in node.value or "readings" not in node.value:
        return node
    written, readings = node.value["readings"]
    if not isinstance(readings.value, dict):
        return node
    claim = str(node.value["claim"][1].value)
    parts, size = limited(readings.path, (_written_out(claim, name, readings, ()) for name in readings.value))
    found = {name: (path, part) for (name, (path, _)), part in zip(readings.value.items(), parts, strict=True)}
    return Node(node.path, {**node.value, "readings": (written, Node(readings.path, found, size))}, node.size + size)


def _written_out(claim: str, name: str, readings: Node, above: tuple[str, ...]) -> Node:
    item: Node = readings.value[name][1]
    if not isinstance(item.value, dict) or "like" not in item.value:
        return item
    like = item.value["like"][1]
    if "/" in str(like.value):
        return item  # of another claim: when all files are read
    if not isinstance(like.value, str):
        raise TemplateError(like.path, "'like' names a reading")
    if like.value not in readings.value:
        hint = suggest(str(like.value), [other for other in readings.value if other != name])
        raise TemplateError(like.path, f"no other reading {like.value!r} in this claim{hint}")
    if like.value in (*above, name):
        raise TemplateError(like.path, f"a circle: {' → '.join([*above, name, like.value])}")
    base = _written_out(claim, like.value, readings, (*above, name))
    if not isinstance(base.value, dict):
        return item
    if "like" in base.value:  # after that one, which is written out when all files are read
        later = item.value["like"][0], Node(like.path, f"{claim}/{like.value}")
        return Node(item.path, {**item.value, "like": later})
    stated = {key: entry for key, entry in base.value.items() if key not in ABOUT}
    replaced = _replaced_objectives(plain(base), plain(item))
    if replaced:
        at, objectives = stated["objectives"]
        left = {key: entry for key, entry in objectives.value.items() if key not in replaced}
        stated["objectives"] = at, Node(objectives.path, left)
    own = {key: entry for key, entry in item.value.items() if key != "like"}
    return _merge(Node(base.path, stated, base.size), Node(item.path, own, item.size))


def _merge(base: Node, own: Node) -> Node:
    """Return a map with what another one has besides; maps in both are merged, all else is replaced."""
    if not isinstance(base.value, dict) or not isinstance(own.value, dict):
        return own
    entries = dict(base.value)
    for key, (written, item) in own.value.items():
        entries[key] = (written, _merge(entries[key][1], item)) if key in entries else (written, item)
    return Node(own.path, entries, base.size + own.size)
