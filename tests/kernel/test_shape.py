"""Shapes of JSON values: what fits, what does not, and where a value differs."""

from typing import Any

import pytest

from verifier.kernel.certificate import find_misfit, require_shape
from verifier.kernel.errors import CertificateError, SpecError


def is_even(value: object) -> bool:
    return isinstance(value, int) and value % 2 == 0


@pytest.mark.parametrize(
    ("shape", "right", "wrong"),
    [
        (str, ["", "a"], [1, None, ["a"]]),
        (int, [0, -3], [True, "1", 1.0, None]),
        (bool, [True, False], [0, 1, None]),
        (list, [[], [1]], [{}, "a", ()]),
        (dict, [{}, {"a": 1}], [[], None]),
        (object, [None, 1, [True]], []),
        (None, [None], [0, "", False, []]),
        (True, [True], [1, False, "true"]),
        (range(1, 4), [1, 3], [0, 4, True, "1", 2.0]),
        (frozenset(["a", "b"]), ["a", "b"], ["c", 1, None, ["a"]]),
        ([int], [[], [1, 2]], [[1, "2"], [True], {}, 1, "12"]),
        ([[int]], [[], [[]], [[1], [2]]], [[1], [["1"]]]),
        ([str, int], [["a", 1]], [["a", "b"], ["a"], ["a", 1, 1], [], [1, "a"]]),
        ({"*": int}, [{}, {"a": 1, "b": 2}], [{"a": "1"}, {"a": 1, "b": None}, []]),
        ({"a": int, "b?": str}, [{"a": 1}, {"a": 1, "b": "x"}], [{}, {"b": "x"}, {"a": 1, "c": 1}, {"a": 1, "b": 1}]),
        ({}, [{}], [{"a": 1}, []]),
        ((int, None), [1, None], ["1", True]),
        (([int], {"a": int}), [[1], {"a": 1}], [["1"], {"a": "1"}, {}, 1]),
        (is_even, [2, 0], [1, "2"]),
    ],
)
def test_a_value_fits_a_shape_by_its_exact_type(shape: Any, right: list[Any], wrong: list[Any]) -> None:
    """A truth value is not an integer. No key is missing, and none is too many."""
    assert [value for value in right if find_misfit(value, shape)] == []
    assert [value for value in wrong if not find_misfit(value, shape)] == []


@pytest.mark.parametrize(
    ("value", "shape", "fault"),
    [
        ({"a": [1, {"b": None}]}, {"a": [(int, {"b": str})]}, ", 'a', '1', 'b': 'None' is not a text"),
        ({"a": [1, {"b": None}]}, {"a": [int]}, ", 'a', '1': \"{'b': None}\" is not an integer"),
        ({"a": {"b": None}}, {"a": ({"b": str}, None)}, ", 'a', 'b': 'None' is not a text"),
        ({"b": 1}, {"a": int, "c?": int}, " has the keys 'b', not a, c?"),
        ([1], [is_even], ", '0': '1' is not a even"),
        (7, range(1, 4), ": '7' is not an integer from 1 to 3"),
        ("c", frozenset(["b", "a"]), ": 'c' is not 'a' or 'b'"),
        (1, ([str], None), ": '1' is not a list or null"),
        (1, True, ": '1' is not true"),
        (1, range(2, 3), ": '1' is not 2"),
        ([[1]], [[int, int]], ", '0': '[1]' is not a list of 2 parts"),
        ([[1, "a"]], [[int, int]], ", '0', '1': 'a' is not an integer"),
    ],
)  # fmt: skip
def test_a_fault_says_where_it_is_and_what_is_expected(value: Any, shape: Any, fault: str) -> None:
    """The message has the keys and indices that lead to the part, and the expected form."""
    assert find_misfit(value, shape) == fault


def test_a_fault_in_a_statement_and_in_a_file_are_different_errors() -> None:
    """A part of a statement gives a SpecError, anything else is malformed. What fits is accepted."""
    with pytest.raises(SpecError, match="it: '1' is not a text"):
        require_shape(1, str, "it", is_statement=True)
    with pytest.raises(CertificateError, match="malformed: it: '1' is not a text"):
        require_shape(1, str, "it")
    require_shape("1", str, "it")
