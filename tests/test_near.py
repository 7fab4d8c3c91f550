"""Suggestions of similar names are good, and take little time for any names."""

import difflib
import random
import time
from collections.abc import Callable

import pytest

from verifier.language.problem import suggest
from verifier.near import LONGEST, find_near


def test_the_nearest_of_few_names_are_those_of_difflib() -> None:
    """The fast bound by letters never drops the best name."""
    chance = random.Random(1)
    names = ["".join(chance.choices("ab-!é", k=chance.randint(1, 9))) for _ in range(300)]
    for name in names[:100]:
        few = names[100 : 100 + chance.randint(1, 6)]
        best = difflib.get_close_matches(name, few, 1, 0.7)
        found = find_near(name, few, 1)
        assert [_ratio(name, other) for other in found] == [_ratio(name, other) for other in best]


def _ratio(name: str, other: str) -> float:
    return difflib.SequenceMatcher(None, other, name, autojunk=False).ratio()


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("a" * 200_000, lambda: ["a" * 199_999 + "b", "a" * 200_000 + "b"] * 20),
        ("a" * LONGEST, lambda: ["a" * 100_000 + str(number) for number in range(50)]),
        ("ab" * 50, lambda: ["ab" * 49 + f"{number:x}" for number in range(20_000)]),
        ("lemma", lambda: [f"lemna{number}" for number in range(100_000)]),
        ("", lambda: [str(number) for number in range(100_000)]),
    ],
    ids=["both long", "others long", "many alike", "many near", "no name"],
)
def test_names_of_any_length_and_number_cost_little(name: str, known: Callable[[], list[str]]) -> None:
    """Letter by letter, two of the first kind alone would take hours."""
    names, began = known(), time.process_time()
    assert len(suggest(name, names)) < 500
    assert time.process_time() - began < 5


def test_thousands_of_odd_keys_cost_little() -> None:
    """The schema, which says where a key belongs, is made only once."""
    from verifier.questions.registry import GRAMMAR

    began = time.process_time()
    assert {GRAMMAR.find_owners(f"readin{number}") for number in range(5_000)} == {()}
    assert GRAMMAR.find_owners("readings")
    assert time.process_time() - began < 5
