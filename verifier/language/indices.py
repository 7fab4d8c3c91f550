"""Evaluates indices in expressions: the indices of a word of the game, and the index of an item of a list.

An index can depend on the position. Then the word or the item becomes a formula or a term with a case for each value
that the index can have.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

from verifier.language.names import ACTIVE, Formula, Meaning, Names, Term, is_list
from verifier.language.operators import conjunction, disjunction, write_term
from verifier.language.syntax import error_at, names_in


def make_word(names: Names, name: str, indices: Sequence[int]) -> Formula | Term:
    """Return the value of a word of the game: a number or a condition."""
    atom = names.atom(name, *indices)
    return Term(atom) if name in names.number_words else Formula(atom)


def word_at(
    names: Names, node: ast.expr, name: str, parts: Sequence[ast.expr], values: Sequence[Meaning]
) -> Formula | Term:
    """Return the value of a word of the game, given its indices and their values. The first value can be ``ACTIVE``."""
    sizes = names.vocabulary[name]
    if any(isinstance(value, Term) for value in values):
        return _word_at_terms(names, name, index_cases(names, values, sizes, parts))
    if values[0] is ACTIVE and any(value is ACTIVE for value in values[1:]):
        raise error_at(node, f"only the first index can be {names.pointer!r}")
    indices: list[int] = []
    for value, size, part in zip(values, sizes, parts, strict=True):
        if value is ACTIVE and part is parts[0]:
            continue
        indices.append(_require_index(value, size, part))
    atom = names.atom
    if len(indices) == len(sizes):
        return make_word(names, name, indices)
    pointed = ((atom(names.pointer, k), atom(name, k, *indices)) for k in range(sizes[0]))
    return Formula(["or", *(["and", *pair] for pair in pointed)])


def index_cases(
    names: Names, values: Sequence[Meaning], sizes: Sequence[int], parts: Sequence[ast.expr]
) -> list[tuple[Any, list[int]]]:
    """Return every possible list of indices, each with the condition that ``values`` are equal to these indices."""
    cases: list[tuple[Any, list[int]]] = [(True, [])]
    for value, size, part in zip(values, sizes, parts, strict=True):
        own: list[tuple[Any, int]]
        if isinstance(value, Term):
            own = [(["==", value.node, k], k) for k in range(size)]
        else:
            own = [(True, _require_index(value, size, part))]
        cases = [(conjunction([before, now]), [*indices, k]) for before, indices in cases for now, k in own]
    names.steps += len(cases)
    return cases


def _word_at_terms(names: Names, name: str, cases: list[tuple[Any, list[int]]]) -> Formula | Term:
    """Return the value of a word whose indices depend on the position.

    In positions in which an index is out of range, the value is false or 0.
    """
    words = [(case, make_word(names, name, indices)) for case, indices in cases]
    if name in names.number_words:
        return Term(["+", *(["if", case, word.node, 0] for case, word in words)])
    return Formula(disjunction([conjunction([case, word.node]) for case, word in words]))


def item_at(names: Names, node: ast.Subscript, found: Meaning, at: Meaning | None) -> Meaning:
    """Return the item of the list ``found`` that has the index ``at``.

    If the index depends on the position, the item is 0 wherever the index is out of range.
    """
    if isinstance(at, Term) and is_list(found):
        names.steps += len(found)
        cases = ((["==", at.node, k], write_term(value, node)) for k, value in enumerate(found) if value)
        return Term(["+", *(["if", case, value, 0] for case, value in cases)])
    if not isinstance(found, list) or not isinstance(at, int):
        raise error_at(node, "only a list or a word of the game can have an index, and an index must be an integer")
    if not 0 <= at < len(found):
        hint = _say_guard(node.slice, len(found))
        raise error_at(node, f"the list has no item {at}: it has {len(found)} items, counted from 0{hint}")
    return found[at]


def list_of(given: Iterable[tuple[Any, ast.expr]]) -> Meaning:
    """Return values as a list. All of them must be integers, or all must be lists of integers."""
    values: list[Any] = []
    for value, part in given:
        values.append(value)
        if not (is_list(value) if is_list(values[0]) else isinstance(value, int)):
            what = "a list of lists can hold only lists of" if is_list(values[0]) else "a list can hold only"
            raise error_at(part, f"{what} integers")
    return values


def _require_index(value: Meaning, size: int, part: ast.expr) -> int:
    """Return the value of an index. Raise an error if it is out of range, or not an integer."""
    if not isinstance(value, int) or not 0 <= value < size:
        found = f", not {value}{_say_guard(part, size)}" if isinstance(value, int) else ""
        raise error_at(part, f"the index must be an integer between 0 and {size - 1}{found}")
    return value


def _say_guard(index: ast.expr, size: int) -> str:
    """Return a hint on how to leave out an index that is out of range; empty if the index has no variables."""
    if not names_in(index):
        return ""
    test = ast.unparse(ast.Compare(ast.Constant(0), [ast.LtE(), ast.Lt()], [index, ast.Constant(size)]))
    return f". To skip it, write '{test[:60]}' before 'and' or after 'if' (or another test that uses only variables)"
