"""Entries that stand for several: written out before anything else reads a file.

An entry whose name has variables in braces, and whose ``for`` says over what these run, stands for one entry a member.
In its names, references, moves and prose ``{name}`` is the member's value; in its expressions the variable itself is.
So does a whole file. An item ``{for: …, each: […]}`` of a list stands for the items of every member, of which ``but``
leaves out some. Each value knows where it was written.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

from verifier.kernel.relabel import SYMMETRIES
from verifier.language.expressions import ground_over
from verifier.language.loader import Document, Path
from verifier.language.model import find_kind
from verifier.language.questions import EXPRESSIONS
from verifier.language.syntax import ExpressionError, parse_expression
from verifier.language.tree import Node, TemplateError, limited, plain

MAX_MEMBERS = 200
"""So many entries one may stand for."""

_VARIABLE = re.compile(r"\{([a-z]\w*)\}")
_NAME = re.compile(r"(?<!\w)[A-Za-z_]\w*")

_LOOP = re.compile(r"(?<!\w)for\s+([A-Za-z_]\w*)")

_PAIRS = "pairs up to symmetry"

Member = dict[str, Any]
"""Values of variables: numbers, texts, lists and maps; an expression has numbers, and lists of them, alone."""


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
    if "for" not in node.value:
        raise TemplateError(node.path, f"say in 'for' which values {wanted[0]!r} has")
    rest = Node(node.path, {key: part for key, part in node.value.items() if key != "for"})
    return limited(node.path, (_fill(rest, member) for member in _take_members(node.value["for"][1], wanted, {})))[0]


def _fill(node: Node, member: Member, *, is_expression: bool = False) -> Node:
    """Return a value with the values of variables in its texts, and all of its entries written out."""
    if isinstance(node.value, str):
        fill = _fill_expression if is_expression else _fill_text
        return _at(node.path, fill(node.path, node.value, member))
    if isinstance(node.value, list):
        items = (found for item in node.value for found in _items(item, member, is_expression=is_expression))
        return Node(node.path, *limited(node.path, items))
    if not isinstance(node.value, dict):
        return node
    entries: dict[str, tuple[Path, Node]] = {}

    def made() -> Iterator[Node]:
        for key, (written, item) in node.value.items():
            for name, found in _entries(key, item, member, is_expression=is_expression or key in EXPRESSIONS):
                if name in entries:
                    raise TemplateError(item.path, f"{name!r} stands twice")
                entries[name] = written, found
                yield found

    return Node(node.path, entries, limited(node.path, made())[1])


def _entries(key: str, item: Node, member: Member, *, is_expression: bool) -> Iterator[tuple[str, Node]]:
    """Yield the entries that one stands for, with their names."""
    is_new = any(name not in member for name in _VARIABLE.findall(key))
    family = item.value.get("for") if isinstance(item.value, dict) else None
    if family is not None and isinstance(family[1].value, dict):
        _require_new(family[1], member)
    if family is None or not is_new:
        yield str(_fill_text(item.path, key, member)), _fill(item, member, is_expression=is_expression)
        return
    rest = Node(item.path, {name: part for name, part in item.value.items() if name != "for"})
    wanted = [name for name in _VARIABLE.findall(key) if name not in member]
    for own in _take_members(family[1], wanted, member):
        filled = _fill(rest, {**member, **own}, is_expression=is_expression)
        yield str(_fill_text(item.path, key, {**member, **own})), filled


def _items(item: Node, member: Member, *, is_expression: bool) -> Iterator[Node]:
    """Yield the items that one item of a list stands for."""
    if not isinstance(item.value, dict) or not {"for", "each"} <= item.value.keys():
        yield _fill(item, member, is_expression=is_expression)
        return
    if odd := item.value.keys() - {"for", "each", "but"}:
        raise TemplateError(item.path, f"{min(odd)!r} is not a key here: an item has 'for', 'each' and 'but'")
    each = item.value["each"][1]
    but = _fill(item.value["but"][1], member) if "but" in item.value else Node(item.path, [])
    for part in (each, but):
        if not isinstance(part.value, list):
            raise TemplateError(part.path, "a list is wanted: 'each' has the items of one member, 'but' values")
    left_out = [part.value for part in but.value]
    members = _take_members(item.value["for"][1], [], member)
    for value in left_out:
        if not any(value in own.values() for own in members):
            raise TemplateError(item.path, f"{value!r} is not a value of the variable: it leaves nothing out")
    for own in members:
        if not any(value in left_out for value in own.values()):
            yield from _fill(each, {**member, **own}, is_expression=is_expression).value


def _require_new(family: Node, member: Member) -> None:
    """Require that each variable of a ``for`` is new: one of what is around it would be put into the texts instead."""
    names = [name.strip() for key in family.value for name in key.split(",")]
    for number, name in enumerate(names):
        if name in member or name in names[:number]:
            raise TemplateError(family.path, f"{name!r} is a variable here already: take another name")


def _fill_text(path: Path, text: str, member: Member) -> Any:
    """Return a text with the values of variables; a text that is one variable is its value."""
    del path
    whole = _VARIABLE.fullmatch(text)
    if whole is not None and whole[1] in member:
        return member[whole[1]]
    return _VARIABLE.sub(lambda match: _to_text(member.get(match[1], match[0])), text)


def _to_text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _fill_expression(path: Path, text: str, member: Member) -> str:
    """Return an expression in which variables have their values: whole numbers and lists, never parts of a text."""
    for name in _LOOP.findall(text):
        if name in member:
            raise TemplateError(path, f"{name!r} is a variable here already: take another name for that of the loop")
    return _NAME.sub(lambda match: _to_code(path, match[0], member) if match[0] in member else match[0], text)


def _to_code(path: Path, name: str, member: Member) -> str:
    """Return the value of a variable as an expression has it."""
    value = member[name]
    if type(value) is int:
        return f"({value})" if value < 0 else str(value)
    if isinstance(value, list):
        return f"[{', '.join(_to_code(path, name, {name: part}) for part in value)}]"
    raise TemplateError(path, f"{name!r} is {str(value)[:40]!r}: an expression has numbers, and lists of them, alone")


def _take_members(family: Node, wanted: list[str], member: Member) -> list[Member]:
    """Return the values of the variables of a ``for``, given those of what is around it.

    A key of ``for`` is a variable, or several with commas, over lists of as many values; a later one may use those
    before it. All that are wanted have to be there.
    """
    if not isinstance(family.value, dict):
        raise TemplateError(family.path, "'for' is a map: a variable, or several with commas, and a list")
    _require_new(family, member)
    members: list[Member] = [{}]
    for key, (_, node) in family.value.items():
        names = [name.strip() for name in key.split(",")]
        before, members = members, []
        for chosen in before:
            members += [{**chosen, **own} for own in _values(names, node, {**member, **chosen})]
            if len(members) > MAX_MEMBERS:
                raise TemplateError(family.path, f"expands to more than {MAX_MEMBERS} entries")
    for name in wanted if members else ():
        if name not in members[0]:
            raise TemplateError(family.path, f"'for' has no values for {name!r}")
    if wanted and not members:
        raise TemplateError(family.path, f"expands to no entry: 1 to {MAX_MEMBERS} are possible")
    return members


def _values(names: list[str], node: Node, member: Member) -> Iterator[Member]:
    """Yield the values of one variable, or of several together."""
    values: Any
    if node.value == _PAIRS:
        values = [Node(node.path, [Node(node.path, number) for number in pair]) for pair in pairs_up_to_symmetry()]
    elif isinstance(node.value, str):
        values = _at(node.path, _evaluate(node.path, _fill_expression(node.path, node.value, member))).value
    else:
        values = _fill(node, member).value
    if not isinstance(values, list):
        known = "a list, a list as an expression, or 'pairs up to symmetry'"
        raise TemplateError(node.path, f"a variable takes its values from {known}")
    for item in values:
        parts = item.value if len(names) > 1 and isinstance(item.value, list) else [item]
        if len(parts) != len(names):
            raise TemplateError(item.path, f"a member has {len(names)} values: of {', '.join(names)}")
        yield dict(zip(names, map(plain, parts), strict=True))


def _evaluate(path: Path, text: str) -> Any:
    """Return what an expression without words of a game stands for."""
    try:
        return ground_over({}).value(parse_expression(text), {})
    except ExpressionError as error:
        told = "where a name has a variable in braces, all of 'for' run over listed values, or a list of numbers"
        raise TemplateError(path, f"{error}: {told}") from None


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
