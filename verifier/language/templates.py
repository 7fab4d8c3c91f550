"""Entries that stand for several: written out before anything else reads a file.

An entry whose name has variables in braces, and whose ``for`` says over what these run, stands for one entry a member;
in its texts ``{name}`` is the member's value. So does a whole file. An item ``{for: …, each: […]}`` of a list stands
for the items of every member, of which ``but`` leaves out some, and ``until`` one with all that follow. Each value
knows where it was written.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from typing import Any

from verifier.kernel.relabel import SYMMETRIES
from verifier.language.loader import Document, Path, parse_document
from verifier.language.model import find_kind
from verifier.language.tree import Node, TemplateError, limited, plain

MAX_MEMBERS = 200
"""So many entries one may stand for."""

_VARIABLE = re.compile(r"\{([a-z]\w*)\}")
_RANGE = re.compile(r"range\((\d{1,3}), ?(\d{1,3})\)")

_WORD = re.compile(r"(?![\d-]+\Z)[\w.#/-]+")
"""What a text of a list within a text may be: a name, a move or a formula of one word."""

_PAIRS = "pairs up to symmetry"

Member = dict[str, Any]
"""Values of variables: numbers, texts, lists and maps."""


def write_out(document: Document) -> list[Document]:
    """Return what a file stands for: itself where it uses none of this; with a fault, itself with a problem more."""
    if not document.is_whole or not isinstance(document.value, dict) or not _has_templates(document):
        return [document]
    try:
        found = _members_of_file(_to_node(document.value, ()))
    except TemplateError as error:
        document.problems.append(document.problem(error.path, str(error)))
        document.is_whole = False
        return [document]
    return [_to_document(node, document) for node in found]


def _has_templates(document: Document) -> bool:
    """Say whether any key of a file could stand for several entries or items."""
    return "{" in find_kind(document.value)[1] or any(key == "each" or "{" in str(key) for *_, key in document.keys)


def _to_node(value: Any, path: Path) -> Node:
    if isinstance(value, dict):
        return Node(path, {key: ((*path, key), _to_node(item, (*path, key))) for key, item in value.items()})
    if isinstance(value, list):
        return Node(path, [_to_node(item, (*path, index)) for index, item in enumerate(value)])
    return Node(path, value)


def _to_document(node: Node, source: Document) -> Document:
    """Return a node as a document, in which every part has the place where it was written."""
    found = Document(source.file, problems=[*source.problems], text=source.text)

    def place(part: Node, path: Path) -> Any:
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


def _members_of_file(node: Node) -> list[Node]:
    """Return the files that one stands for: one, unless its name has variables."""
    wanted = _VARIABLE.findall(find_kind({key: item.value for key, (_, item) in node.value.items()})[1])
    if not wanted:
        return [_fill(node, {})]
    rest, members = _take_variables(node, wanted)
    return limited(node.path, (_fill(rest, member) for member in members))[0]


def _fill(node: Node, member: Member) -> Node:
    """Return a value with the values of variables in its texts, and all of its entries written out."""
    if isinstance(node.value, str):
        return _at(node.path, _fill_text(node.value, member))
    if isinstance(node.value, list):
        return Node(node.path, *limited(node.path, (found for item in node.value for found in _items(item, member))))
    if not isinstance(node.value, dict):
        return node
    entries: dict[str, tuple[Path, Node]] = {}

    def made() -> Iterator[Node]:
        for key, (written, item) in node.value.items():
            for name, found in _entries(key, item, member):
                if name in entries:
                    raise TemplateError(item.path, f"{name!r} stands twice")
                entries[name] = written, found
                yield found

    return Node(node.path, entries, limited(node.path, made())[1])


def _entries(key: str, item: Node, member: Member) -> Iterator[tuple[str, Node]]:
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


def _items(item: Node, member: Member) -> Iterator[Node]:
    """Yield the items that one item of a list stands for."""
    if not isinstance(item.value, dict) or not {"for", "each"} <= item.value.keys():
        yield _fill(item, member)
        return
    if odd := item.value.keys() - {"for", "each", "but", "until"}:
        raise TemplateError(item.path, f"{min(odd)!r} is not a key here: an item has 'for', 'each', 'but' and 'until'")
    each = item.value["each"][1]
    but = _fill(item.value["but"][1], member) if "but" in item.value else Node(item.path, [])
    for part in (each, but):
        if not isinstance(part.value, list):
            raise TemplateError(part.path, "a list is wanted: 'each' has the items of one member, 'but' values")
    left_out = [part.value for part in but.value]
    until = [_fill(item.value["until"][1], member).value] if "until" in item.value else []
    members = _take_variables(item, None, member)[1]
    for value in (*left_out, *until):
        if not any(value in own.values() for own in members):
            raise TemplateError(item.path, f"{value!r} is not a value of a variable: nothing is left out by it")
    for own in members:
        if any(value in until for value in own.values()):
            return
        if not any(value in left_out for value in own.values()):
            yield from _fill(each, {**member, **own}).value


def _require_new(family: Node, member: Member) -> None:
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


def _take_variables(node: Node, wanted: list[str] | None, member: Member | None = None) -> tuple[Node, list[Member]]:
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
    left: dict[str, tuple[Path, Node]] = {}
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
        rest["for"] = written, Node(family.path, left)
    return Node(node.path, rest), members


def _values(names: list[str], node: Node, member: Member) -> Iterator[Member]:
    """Yield the values of one variable, or of several together."""
    node = _fill(node, member)
    values: Any = node.value
    if isinstance(values, str) and (numbers := _RANGE.fullmatch(values)):
        values = [Node(node.path, number) for number in range(int(numbers[1]), int(numbers[2]))]
    elif values == _PAIRS:
        values = [Node(node.path, [Node(node.path, number) for number in pair]) for pair in pairs_up_to_symmetry()]
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
        yield dict(zip(names, map(plain, parts), strict=True))


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
    return f"{text[:60]!r} is not a value: a variable in a name runs over listed values"


def pairs_up_to_symmetry() -> list[tuple[int, int]]:
    """Return, of all pairs of two of the numbers 0 to 8 that symmetries of the square make of each other, the first."""
    pairs = itertools.permutations(range(9), 2)
    return [(i, j) for i, j in pairs if (i, j) == min((image[i], image[j]) for image in SYMMETRIES)]


def _at(path: Path, value: Any) -> Node:
    """Return the value of a variable as it stands where it is used, all of it at one place."""
    if isinstance(value, dict):
        parts, size = limited(path, (_at(path, item) for item in value.values()))
        return Node(path, {key: (path, part) for key, part in zip(value, parts, strict=True)}, size)
    if isinstance(value, list):
        return Node(path, *limited(path, (_at(path, item) for item in value)))
    return Node(path, value, 1 + len(value) // 100 if isinstance(value, str) else 1)
