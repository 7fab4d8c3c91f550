"""Entries that stand for several, and what is like something else: written out before anything else reads a file.

An entry whose name has variables in braces, and whose ``for`` says over what these run, stands for one entry a member;
in its texts ``{name}`` is the member's value. So does a whole file. An item ``{for: …, each: […]}`` of a list stands
for the items of every member, of which ``but`` leaves out some, and ``until`` one with all that follow. A reading that
is ``like`` another one of its claim, a strategy or a claim that is ``like`` another, has all that the other one states,
but for what it says itself. Each value knows where it was written, but for what comes from another file.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from verifier.kernel.relabel import SYMMETRIES
from verifier.language.loader import Document, Path, parse_document
from verifier.language.model import find_kind
from verifier.language.problem import suggest

MAX_MEMBERS = 200
"""So many entries one may stand for."""

MAX_PARTS = 200_000
"""So many values a file may stand for, all in all; a text counts more the longer it is."""

ABOUT = frozenset(
    {
        *(
            "expect",
            "quick",
            "joins",
            "repairs",
            "control",
            "in_play",
            "erratum",
            "erratum_of",
            "coq",
            "because",
            "note",
        ),
        "agrees_with",
    }
)
"""What a reading says besides its statement: nothing of that is taken over by one that is like it."""

OWN = {"strategy": frozenset({"title", "source"}), "claim": frozenset({"title", "source", "uses", "readings"})}
"""The kinds of files that may be like another of their kind, and what none takes over from it."""

_OBJECTIVES = frozenset({"reach", "prevent", "keep", "some", "holds"})
"""What an objective may ask."""
_VARIABLE = re.compile(r"\{([a-z]\w*)\}")
_RANGE = re.compile(r"range\((\d{1,3}), ?(\d{1,3})\)")

_WORD = re.compile(r"(?![\d-]+\Z)[\w.#/-]+")
"""What a text of a list within a text may be: a name, a move or a formula of one word."""

_PAIRS = "pairs up to symmetry"

Member = dict[str, Any]
"""Values of variables: numbers, texts, lists and maps."""


class TemplateError(Exception):
    """An entry that cannot be written out; the path is where that is said."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path


@dataclass(frozen=True, slots=True)
class _Node:
    """A value, and where it was written: of a map, nodes by key, each with the path of its key; of a list, nodes."""

    path: Path
    value: Any
    size: int = 1


def write_out(document: Document) -> list[Document]:
    """Return what a file stands for: itself where it uses none of this; with a fault, itself with a problem more."""
    if not document.is_whole or not isinstance(document.value, dict) or not _has_templates(document):
        return [document]
    try:
        found, _ = _limited((), (_liken(node) for node in _members_of_file(_to_node(document.value, ()))))
    except TemplateError as error:
        document.problems.append(document.problem(error.path, str(error)))
        document.is_whole = False
        return [document]
    return [_to_document(node, document) for node in found]


def _has_templates(document: Document) -> bool:
    """Say whether any key of a file could stand for several entries or items, or for what another reading states."""
    return "{" in find_kind(document.value)[1] or any(
        key in ("like", "each") or "{" in str(key) for *_, key in document.keys
    )


def _to_node(value: Any, path: Path) -> _Node:
    if isinstance(value, dict):
        return _Node(path, {key: ((*path, key), _to_node(item, (*path, key))) for key, item in value.items()})
    if isinstance(value, list):
        return _Node(path, [_to_node(item, (*path, index)) for index, item in enumerate(value)])
    return _Node(path, value)


def _to_document(node: _Node, source: Document) -> Document:
    """Return a node as a document, in which every part has the place where it was written."""
    found = Document(source.file, problems=[*source.problems], text=source.text)

    def place(part: _Node, path: Path) -> Any:
        if part.path in source.marks:
            found.marks[path] = source.marks[part.path]
        if isinstance(part.value, dict):
            for key, (written, _) in part.value.items():
                if written in source.keys:
                    found.keys[*path, key] = source.keys[written]
            return {key: place(item, (*path, key)) for key, (_, item) in part.value.items()}
        if isinstance(part.value, list):
            return [place(item, (*path, index)) for index, item in enumerate(part.value)]
        return part.value

    found.value = place(node, ())
    return found


# -- entries that stand for several ----------------------------------------------------------------------------------


def _members_of_file(node: _Node) -> list[_Node]:
    """Return the files that one stands for: one, unless its name has variables."""
    wanted = _VARIABLE.findall(find_kind({key: item.value for key, (_, item) in node.value.items()})[1])
    if not wanted:
        return [_fill(node, {})]
    rest, members = _take_variables(node, wanted)
    return _limited(node.path, (_fill(rest, member) for member in members))[0]


def _limited(path: Path, parts: Iterable[_Node]) -> tuple[list[_Node], int]:
    """Return parts and the size of them all.

    Raises:
        TemplateError: there are too many: told before all of them are made.
    """
    found, size = [], 1
    for part in parts:
        found.append(part)
        size += part.size
        if size > MAX_PARTS:
            raise TemplateError(path, f"stands for more than {MAX_PARTS} values")
    return found, size


def _fill(node: _Node, member: Member) -> _Node:
    """Return a value with the values of variables in its texts, and all of its entries written out."""
    if isinstance(node.value, str):
        return _at(node.path, _fill_text(node.value, member))
    if isinstance(node.value, list):
        return _Node(node.path, *_limited(node.path, (found for item in node.value for found in _items(item, member))))
    if not isinstance(node.value, dict):
        return node
    entries: dict[str, tuple[Path, _Node]] = {}

    def made() -> Iterator[_Node]:
        for key, (written, item) in node.value.items():
            for name, found in _entries(key, item, member):
                if name in entries:
                    raise TemplateError(item.path, f"{name!r} stands twice")
                entries[name] = written, found
                yield found

    return _Node(node.path, entries, _limited(node.path, made())[1])


def _entries(key: str, item: _Node, member: Member) -> Iterator[tuple[str, _Node]]:
    """Yield the entries that one stands for, with their names."""
    wanted = [name for name in _VARIABLE.findall(key) if name not in member]
    if isinstance(item.value, dict) and "for" in item.value and isinstance(item.value["for"][1].value, dict):
        _require_new(item.value["for"][1], member)
    if not wanted or not isinstance(item.value, dict) or "for" not in item.value:
        yield str(_fill_text(key, member)), _fill(item, member)
        return
    rest, members = _take_variables(item, wanted, member)
    for own in members:
        yield str(_fill_text(key, {**member, **own})), _fill(rest, {**member, **own})


def _items(item: _Node, member: Member) -> Iterator[_Node]:
    """Yield the items that one item of a list stands for."""
    if not isinstance(item.value, dict) or not {"for", "each"} <= item.value.keys():
        yield _fill(item, member)
        return
    if odd := item.value.keys() - {"for", "each", "but", "until"}:
        raise TemplateError(item.path, f"{min(odd)!r} is no key here: an item has 'for', 'each', 'but' and 'until'")
    each = item.value["each"][1]
    but = _fill(item.value["but"][1], member) if "but" in item.value else _Node(item.path, [])
    for part in (each, but):
        if not isinstance(part.value, list):
            raise TemplateError(part.path, "a list is wanted: 'each' has the items of one member, 'but' values")
    left_out = [part.value for part in but.value]
    until = [_fill(item.value["until"][1], member).value] if "until" in item.value else []
    members = _take_variables(item, None, member)[1]
    for value in (*left_out, *until):
        if not any(value in own.values() for own in members):
            raise TemplateError(item.path, f"{value!r} is no value of a variable: nothing is left out by it")
    for own in members:
        if any(value in until for value in own.values()):
            return
        if not any(value in left_out for value in own.values()):
            yield from _fill(each, {**member, **own}).value


def _require_new(family: _Node, member: Member) -> None:
    """Require that each variable of a ``for`` is new: one of what is around it would be put into the texts instead."""
    names = [name.strip() for key in family.value for name in key.split(",")]
    for number, name in enumerate(names):
        if name in member or name in names[:number]:
            raise TemplateError(family.path, f"{name!r} is a variable here already: take another name")


def _fill_text(text: str, member: Member) -> Any:
    """Return a text with the values of variables; a text that is one variable is its value."""
    whole = _VARIABLE.fullmatch(text)
    if whole is not None and whole[1] in member:
        return member[whole[1]]
    return _VARIABLE.sub(lambda match: _to_text(member.get(match[1], match[0]), text[match.end() :]), text)


def _to_text(value: Any, behind: str) -> str:
    """Return a value as it is put into a text, given what follows: of a power, a number below 0 is one number."""
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"({text})" if type(value) is int and value < 0 and behind.lstrip().startswith("**") else text


def _take_variables(node: _Node, wanted: list[str] | None, member: Member | None = None) -> tuple[_Node, list[Member]]:
    """Return an entry without the variables that its name has, and the values of these; None: all variables.

    A key of ``for`` is a variable, or several with commas, over lists of as many values; a later one may use those
    before it.
    """
    if "for" not in node.value:
        raise TemplateError(node.path, f"say in 'for' over what {wanted[0] if wanted else 'it'!r} runs")
    written, family = node.value["for"]
    if not isinstance(family.value, dict):
        raise TemplateError(family.path, "'for' is a map: a variable, or several with commas, and a list")
    _require_new(family, member or {})
    members: list[Member] = [{}]
    left: dict[str, tuple[Path, _Node]] = {}
    for key, entry in family.value.items():
        names = [name.strip() for name in key.split(",")]
        if wanted is not None and not set(names) & set(wanted):
            left[key] = entry
        else:
            before, members = members, []
            for chosen in before:
                members += [{**chosen, **own} for own in _values(names, entry[1], {**(member or {}), **chosen})]
                if len(members) > MAX_MEMBERS:
                    raise TemplateError(family.path, f"stands for more than {MAX_MEMBERS} entries")
    known = {name for own in members[:1] for name in own}
    for name in wanted or ():
        if name not in known:
            raise TemplateError(family.path, f"'for' does not say over what {name!r} runs")
    if not members:
        raise TemplateError(family.path, f"stands for no entry, not for 1 to {MAX_MEMBERS}")
    rest = {key: entry for key, entry in node.value.items() if key != "for"}
    if left:
        rest["for"] = written, _Node(family.path, left)
    return _Node(node.path, rest), members


def _values(names: list[str], node: _Node, member: Member) -> Iterator[Member]:
    """Yield the values of one variable, or of several together."""
    node = _fill(node, member)
    values: Any = node.value
    if isinstance(values, str) and (numbers := _RANGE.fullmatch(values)):
        values = [_Node(node.path, number) for number in range(int(numbers[1]), int(numbers[2]))]
    elif values == _PAIRS:
        values = [_Node(node.path, [_Node(node.path, number) for number in pair]) for pair in pairs_up_to_symmetry()]
    elif isinstance(values, str) and values.startswith("["):
        quoted = Document("")
        parse_document(values, quoted)
        values = values if quoted.problems else _at(node.path, quoted.value).value
        _require_written_out(node.path, quoted.value)
    if not isinstance(values, list):
        known = "a list, range(first, behind the last) or 'pairs up to symmetry'"
        raise TemplateError(node.path, f"a variable of a name runs over {known}")
    for item in values:
        if isinstance(item.value, str) and _is_several(item.value):
            raise TemplateError(item.path, _not_written_out(item.value))
        parts = item.value if len(names) > 1 and isinstance(item.value, list) else [item]
        if len(parts) != len(names):
            raise TemplateError(item.path, f"a member has {len(names)} values: of {', '.join(names)}")
        yield dict(zip(names, map(_plain, parts), strict=True))


def _require_written_out(path: Path, value: Any) -> None:
    """Require that a list in a text has numbers and words: an expression in it would be one value, a text."""
    for item in value if isinstance(value, list) else []:
        _require_written_out(path, item)
        if isinstance(item, str) and not _WORD.fullmatch(item):
            raise TemplateError(path, _not_written_out(item))


def _is_several(text: str) -> bool:
    """Say whether a text would be several values within a list of an expression: as one it says something else."""
    try:
        return " for " in text and isinstance(ast.parse(f"[{text}]", mode="eval").body, ast.ListComp)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _not_written_out(text: str) -> str:
    return f"{text[:60]!r} is no value: a variable of a name runs over values that are written out"


def pairs_up_to_symmetry() -> list[tuple[int, int]]:
    """Return, of all pairs of two of the numbers 0 to 8 that symmetries of the square make of each other, the first."""
    pairs = itertools.permutations(range(9), 2)
    return [(i, j) for i, j in pairs if (i, j) == min((image[i], image[j]) for image in SYMMETRIES)]


def _plain(node: _Node) -> Any:
    """Return a value of a variable as it is put into texts."""
    if isinstance(node.value, dict):
        return {key: _plain(item) for key, (_, item) in node.value.items()}
    return [_plain(item) for item in node.value] if isinstance(node.value, list) else node.value


def _at(path: Path, value: Any) -> _Node:
    """Return the value of a variable as it stands where it is used, all of it at one place."""
    if isinstance(value, dict):
        parts, size = _limited(path, (_at(path, item) for item in value.values()))
        return _Node(path, {key: (path, part) for key, part in zip(value, parts, strict=True)}, size)
    if isinstance(value, list):
        return _Node(path, *_limited(path, (_at(path, item) for item in value)))
    return _Node(path, value, 1 + len(value) // 100 if isinstance(value, str) else 1)


# -- what is like something else -------------------------------------------------------------------------------------


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


def _liken(node: _Node) -> _Node:
    """Return a claim in whose readings nothing is 'like' another one, but for those of other claims."""
    if "claim" not in node.value or "readings" not in node.value:
        return node
    written, readings = node.value["readings"]
    if not isinstance(readings.value, dict):
        return node
    claim = str(node.value["claim"][1].value)
    parts, size = _limited(readings.path, (_written_out(claim, name, readings, ()) for name in readings.value))
    found = {name: (path, part) for (name, (path, _)), part in zip(readings.value.items(), parts, strict=True)}
    return _Node(node.path, {**node.value, "readings": (written, _Node(readings.path, found, size))}, node.size + size)


def _written_out(claim: str, name: str, readings: _Node, above: tuple[str, ...]) -> _Node:
    item: _Node = readings.value[name][1]
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
        later = item.value["like"][0], _Node(like.path, f"{claim}/{like.value}")
        return _Node(item.path, {**item.value, "like": later})
    stated = {key: entry for key, entry in base.value.items() if key not in ABOUT}
    replaced = _replaced_objectives(_plain(base), _plain(item))
    if replaced:
        at, objectives = stated["objectives"]
        left = {key: entry for key, entry in objectives.value.items() if key not in replaced}
        stated["objectives"] = at, _Node(objectives.path, left)
    own = {key: entry for key, entry in item.value.items() if key != "like"}
    return _merge(_Node(base.path, stated, base.size), _Node(item.path, own, item.size))


def _merge(base: _Node, own: _Node) -> _Node:
    """Return a map with what another one has besides; maps in both are merged, all else is replaced."""
    if not isinstance(base.value, dict) or not isinstance(own.value, dict):
        return own
    entries = dict(base.value)
    for key, (written, item) in own.value.items():
        entries[key] = (written, _merge(entries[key][1], item)) if key in entries else (written, item)
    return _Node(own.path, entries, base.size + own.size)
