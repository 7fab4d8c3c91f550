"""Writes out *templates* once the YAML of a file is parsed. A template is an entry or file that stands for several.

The name of a template has variables in braces, e.g. ``side-{s}``, and its key ``for`` gives their values. Each choice
of values is a *member*, and makes one entry or file, e.g. ``side-3``. In names, references, moves and prose, a value
replaces ``{s}``. Expressions stay as they are written, and can use the variables.

In a list, an item ``{for: …, each: […], but: […]}`` is a template, too. It stands for the items in ``each``, once for
each member. ``but`` lists values: a member that has one of these values is left out. If a value was made from a
template, messages about it give the place of the template.
"""

from __future__ import annotations

import copy
import itertools
import re
from collections.abc import Iterator
from typing import Any

from verifier.kernel.relabel import SYMMETRIES
from verifier.language.expressions import ground_over
from verifier.language.loader import Document, KeyPath
from verifier.language.model import find_file_kind
from verifier.language.names import RESERVED
from verifier.language.rules.registry import find_model
from verifier.language.syntax import ExpressionError, ScopedText, Variables, parse_expression, put_in

MAX_ENTRIES_FOR_ONE = 200
"""Maximum number of entries that one entry can stand for."""

MAX_PARTS = 200_000
"""Maximum number of values to which a file can expand, as ``count_values`` counts them."""

_VARIABLE = re.compile(r"\{([a-z]\w*)\}")

_PAIRS = "pairs up to symmetry"


_MOVES = {("phases", "rules", "play"), ("readings", "steps", "play"), ("steps", "play")}


def is_move(path: KeyPath) -> bool:
    """True if a path leads to a move: to ``play`` in a rule of a strategy, or in an entry of ``steps``.

    The path starts at the top of the file, or at the reading.
    """
    return path[::2] in _MOVES


class TemplateError(Exception):
    """An entry that cannot be written out. The problem is at ``path``."""

    def __init__(self, path: KeyPath, message: str) -> None:
        super().__init__(message)
        self.path = path


def write_out(document: Document) -> list[Document]:
    """Return the files that a file stands for. If the file has a fault, add a problem, and return only this file."""
    value = document.value
    if not document.is_whole or not isinstance(value, dict):
        return [document]
    needed = _VARIABLE.findall(find_file_kind(value)[1])
    if not needed and all(key != "each" and "{" not in str(key) for *_, key in document.keys):
        return [document]
    found: list[Document] = []
    members: list[Variables] = [Variables()]
    size = 0
    try:
        if needed and "for" not in value:
            raise TemplateError((), f"'for' must give the values of {needed[0]!r}")
        if needed:
            members = _take_members(document, ("for",), value["for"], needed, Variables())
            value = _without_for(value)
        for member in members:
            writer = _Writer(document, size)
            writer.made.value = writer.fill((), value, (), member)
            writer.require_room(())
            found, size = [*found, writer.made], writer.size
    except TemplateError as error:
        document.problems.append(document.problem(error.path, str(error)))
        document.is_whole = False
        return [document]
    return found


def count_values(value: Any) -> int:
    """Count a value and all values in it. A text counts 1, and 1 more for every 100 characters."""
    if isinstance(value, dict | list):
        return 1 + sum(map(count_values, value.values() if isinstance(value, dict) else value))
    return 1 + len(value) // 100 if isinstance(value, str) else 1


class _Writer:
    """Writes out a file for one member.

    Attributes:
        source: the file as it was read.
        made: the file that is written. Its values have the places that they have in ``source``.
        size: the number of values written so far.
        kept: paths of maps whose entries stay as they are (see ``RulesFile.KEPT``).
    """

    def __init__(self, source: Document, size: int = 0) -> None:
        self.source = source
        value = source.value if isinstance(source.value, dict) else {}
        self.kept = find_model(value).KEPT if find_file_kind(value)[0] == "rules" else frozenset()
        self.made = Document(source.file, problems=[*source.problems], text=source.text, is_keyed=source.is_keyed)
        self.size = size

    def fill(self, at: KeyPath, value: Any, to: KeyPath, member: Variables) -> Any:
        """Return ``value`` with values in place of variables, and with all templates written out.

        Args:
            at: the path of ``value`` in the file ``source``.
            value: the value.
            to: the path at which the result will stand in the file ``made``.
            member: the variables in scope.
        """
        if at in self.source.marks:
            self.made.marks[to] = self.source.marks[at]
        if isinstance(value, list):
            items: list[Any] = []
            self._add(at, value, items, to, member)
            return items
        if isinstance(value, dict):
            return self._fill_map(at, value, to, member)
        if isinstance(value, str) and member.values:
            shown = copy.deepcopy(_fill_text(at, value, member))
            # The path of a text does not say whether the text is an expression, because authors choose many of the
            # keys. So each text that is filled in also keeps its original form and the variables in scope.
            value = ScopedText(shown, value, member) if isinstance(shown, str) else shown
        self.size += count_values(value)
        return value

    def require_room(self, at: KeyPath) -> None:
        """Raise an error if too many values were written so far."""
        if self.size > MAX_PARTS:
            raise TemplateError(at, f"expands to more than {MAX_PARTS:,} values: use a shorter 'for'")

    def _take(self, at: KeyPath, family: Any, needed: list[str], member: Variables) -> list[Variables]:
        """Return the members of a ``for``, and add the number of their values to ``size``."""
        members = _take_members(self.source, (*at, "for"), family, needed, member)
        for own in members:
            self.size += 1 + sum(count_values(own.values[name]) for name in own.values if name not in member.values)
        self.require_room(at)
        return members

    def _fill_map(self, at: KeyPath, value: dict[str, Any], to: KeyPath, member: Variables) -> Any:
        entries: dict[str, Any] = {}
        is_template = is_move(at)  # the key of a move has variables of the rules, not of this file
        for key, item in value.items():
            here, members, rest = (*at, key), [member], item
            needed = [name for name in _VARIABLE.findall(key) if name not in member.values]
            family = item.get("for") if isinstance(item, dict) else None
            if family is not None and needed and at not in self.kept:
                members, rest = self._take(here, family, needed, member), _without_for(item)
            elif isinstance(family, dict):  # this ``for`` stays: expressions use its variables
                _require_new(self.source, (*here, "for"), family, member)
            for own in members:
                name = key if is_template else str(_fill_text(here, key, own))
                if name in entries:
                    raise TemplateError(here, f"two entries have the name {name!r}")
                if here in self.source.keys:
                    self.made.keys[*to, name] = self.source.keys[here]
                entries[name] = self.fill(here, rest, (*to, name), own)
                self.require_room(at)
        return entries

    def _add(self, at: KeyPath, given: list[Any], items: list[Any], to: KeyPath, member: Variables) -> None:
        """Write out the items of the list ``given``, and add the results to ``items`` (modified in place)."""
        for index, item in enumerate(given):
            here: KeyPath = (*at, index)
            if not isinstance(item, dict) or not {"for", "each"} <= item.keys():
                items.append(self.fill(here, item, (*to, len(items)), member))
                self.require_room(at)
                continue
            if odd := item.keys() - {"for", "each", "but"}:
                raise TemplateError(here, f"unknown key {min(odd)!r}: besides 'each', only 'for' and 'but' are allowed")
            each, but = item["each"], _Writer(self.source).fill((*here, "but"), item.get("but", []), (), member)
            for key, part in (("each", each), ("but", but)):
                if not isinstance(part, list):
                    text = "expected a list: 'each' lists the items of one member, and 'but' lists values to leave out"
                    raise TemplateError((*here, key), text)
            members = self._take(here, item["for"], [], member)
            values = [[own.values[name] for name in own.values if name not in member.values] for own in members]
            for value in but:
                if not any(value in own for own in values):
                    raise TemplateError(here, f"{value!r} leaves nothing out: no variable of 'for' has this value")
            for own, new in zip(members, values, strict=True):
                if not any(value in but for value in new):
                    self._add((*here, "each"), each, items, to, own)


def _without_for(value: dict[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in value.items() if key != "for"}


def _require_new(source: Document, path: KeyPath, family: dict[str, Any], member: Variables) -> None:
    """Raise an error if a variable of a ``for`` already has a meaning. A name has only one meaning in its scope."""
    # This function does not know words of the game and definitions. The evaluator refuses variables with such names.
    names = [(name.strip(), key) for key in family for name in key.split(",")]
    for number, (name, key) in enumerate(names):
        found = "a word of the language" if name in RESERVED else ""
        if name in member.values:
            found = f"a variable in scope here, from {member.places[name]}"
        if name in (other for other, _ in names[:number]):
            found = f"another variable of this 'for', in {source.say_place((*path, key))}"
        if found:
            problem = f"{name!r} already has a meaning: it is {found}; choose another name"
            raise TemplateError((*path, key), problem)


def _fill_text(path: KeyPath, text: str, member: Variables) -> Any:
    """Return a text with each variable replaced by its value. If the text is only a variable, return its value."""
    whole = _VARIABLE.fullmatch(text)
    if whole is not None and whole[1] in member.values:
        return member.values[whole[1]]
    try:
        return put_in(text, _VARIABLE, member, _tell)
    except ExpressionError as error:
        raise TemplateError(path, str(error)) from None


def _tell(value: Any) -> str:
    """Return a value as it is written in prose."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _take_members(
    source: Document, path: KeyPath, family: Any, needed: list[str], member: Variables
) -> list[Variables]:
    """Return the members of a ``for``: the values of its variables and of the variables in scope.

    A key of ``for`` is a variable, or several variables, such as ``i, f``. Each value for several variables is a list,
    such as ``[0, 1]``. Later keys can use the variables of earlier keys. Each variable in ``needed`` must have values.
    """
    if not isinstance(family, dict):
        raise TemplateError(
            path, "'for' must be a map: each key is a variable, or several with commas, and each value is a list"
        )
    _require_new(source, path, family, member)
    members = [member]
    for key, given in family.items():
        names, here = [name.strip() for name in key.split(",")], (*path, key)
        for name in names:
            if not _VARIABLE.fullmatch(f"{{{name}}}"):
                raise TemplateError(here, f"{name[:60]!r} is not a valid variable: use a word in small letters")
        before, members = members, []
        for chosen in before:
            own = _values(source, here, names, given, chosen)
            members += [chosen.extend(values, source.say_place(here)) for values in own]
            if len(members) > MAX_ENTRIES_FOR_ONE:
                raise TemplateError(
                    path, f"expands to more than {MAX_ENTRIES_FOR_ONE} entries: use a shorter 'for', or several files"
                )
    if needed and not members:
        raise TemplateError(path, "expands to no entries: at least one is needed")
    for name in needed:
        if name not in members[0].values:
            raise TemplateError(path, f"'for' has no values for {name!r}")
    return members


def _values(
    source: Document, path: KeyPath, names: list[str], given: Any, member: Variables
) -> Iterator[dict[str, Any]]:
    """Yield each choice of values that one key of a ``for`` gives: a map from variables to values."""
    values: Any
    if given == _PAIRS:
        values = [list(pair) for pair in pairs_up_to_symmetry()]
    elif isinstance(given, str):
        text = ScopedText(given, given, member)
        try:
            values = ground_over({}, {}).value(parse_expression(text), {})
        except ExpressionError as error:
            hint = "the values of a variable must be a list, or an expression for a list of numbers"
            raise TemplateError(path, f"{error}: {hint}") from None
    else:
        values = _Writer(source).fill(path, given, (), member)
    if not isinstance(values, list):
        known = "a list, a list as an expression, or 'pairs up to symmetry'"
        raise TemplateError(path, f"the values of a variable must be {known}")
    for index, item in enumerate(values):
        parts = item if len(names) > 1 and isinstance(item, list) else [item]
        if len(parts) != len(names):
            raise TemplateError((*path, index), f"expected {len(names)} values, for {', '.join(names)}")
        yield dict(zip(names, parts, strict=True))


def pairs_up_to_symmetry() -> list[tuple[int, int]]:
    """Return pairs of different fields (0 to 8). Of pairs that are symmetric to each other, return the first."""
    pairs = itertools.permutations(range(9), 2)
    return [(i, j) for i, j in pairs if (i, j) == min((image[i], image[j]) for image in SYMMETRIES)]
