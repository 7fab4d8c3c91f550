"""Entries that stand for several, and what is like something else: what they are written out to, what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.golden import require_golden
from verifier.kernel.relabel import SYMMETRIES
from verifier.language.likeness import liken_files
from verifier.language.loader import Document, parse_document
from verifier.language.questions import EXPRESSIONS
from verifier.language.shape import EXPRESSION, Strict
from verifier.language.templates import write_out

CLAIM = """\
claim: lemma
readings:
  as-stated: {m: 1, expect: refuted, note: ours, parts: {a: {given: [p], conclude: [q]}, b: {conclude: [r]}}}
"""


def written(*texts: str) -> tuple[list[Any], list[str]]:
    """Return what x.yaml, x1.yaml, x2.yaml and so on stand for, and what is wrong with them."""
    documents = []
    for number, text in enumerate(texts):
        documents.append(Document(f"x{number or ''}.yaml"))
        parse_document(text, documents[-1])
    found = [item for document in documents for item in write_out(document)]
    liken_files(found)
    return [item.value for item in found], [str(problem) for item in found for problem in item.problems]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('a{k}: {for: {k: [1, 2]}, x: "{k}", z: "p{k}"}', {"a1": {"x": 1, "z": "p1"}, "a2": {"x": 2, "z": "p2"}}),
        (
            'a{k}: {for: {k: "range(0, 2)"}, some: "free[k]", steps: {b: {for: {f: "[k, m]"}, given: [k, f]}}}',
            {
                f"a{k}": {"some": f"free[{k}]", "steps": {"b": {"for": {"f": f"[{k}, m]"}, "given": [str(k), "f"]}}}
                for k in (0, 1)
            },
        ),
        ('"{i}-{j}": {for: {"i, j": [[0, a], [1, b]]}, x: 1}', {"0-a": {"x": 1}, "1-b": {"x": 1}}),
        ('"{i}{j}": {for: {i: [0, 1], j: [0, 1]}, x: 1}', {key: {"x": 1} for key in ("00", "01", "10", "11")}),
        ('a: [z, {for: {s: "range(0, 4)"}, but: [2], each: ["{s}", "-{s}"]}]', {"a": ["z", 0, "-0", 1, "-1", 3, "-3"]}),
        ('a: [{for: {s: "[3 - n for n in range(0, 2)]"}, each: ["{s}"]}]', {"a": [3, 2]}),
        ('a: [{for: {s: "range(0, 0)"}, each: ["{s}"]}]', {"a": []}),
        ('a{k}: {for: {k: "[1, 2]"}, x: "{k}"}', {"a1": {"x": 1}, "a2": {"x": 2}}),
        ('"{i}-{j}": {for: {"i, j": "[[0, 3], [1, 4]]"}, x: 1}', {"0-3": {"x": 1}, "1-4": {"x": 1}}),
        ('a{k}: {for: {"k, more": [[1, [2, 3]]]}, x: "{more}", z: "of {more}"}', {"a1": {"x": [2, 3], "z": "of 2, 3"}}),
        ('a{k}: {for: {"k, more": [[1, {b: [c]}]]}, x: "{more}"}', {"a1": {"x": {"b": ["c"]}}}),
        ('"{i}{j}": {for: {"i, of": [[0, [1]], [2, [3]]], j: "[of[0]]"}, x: 1}', {"01": {"x": 1}, "23": {"x": 1}}),
        (
            '"{k}": {for: {k: [-1, 1]}, x: "{k}", keep: "k ** 2 == ply"}',
            {"-1": {"x": -1, "keep": "(-1) ** 2 == ply"}, "1": {"x": 1, "keep": "1 ** 2 == ply"}},
        ),
        ('a: {"b{k}": {for: {k: [-1]}, x: "by{k} and {k} + 1"}}', {"a": {"b-1": {"x": "by-1 and -1 + 1"}}}),
        (
            'a{k}: {for: {"k, says": [[1, one for all]], w: [a free spot for X in the middle]}, x: "{says}, {w}"}',
            {"a1": {"x": "one for all, a free spot for X in the middle"}},
        ),
        ('a: "a text with {braces}"', {"a": "a text with {braces}"}),
    ],
)
def test_an_entry_stands_for_one_a_member(text: str, value: Any) -> None:
    """A value is put into texts for braces, into expressions for the variable; a text of one variable is its value."""
    assert written(text) == ([value], [])


def test_what_readings_are_like_counts_as_often_as_it_is_stated() -> None:
    """A file stands for so many values, however few of them are written."""
    many = "[" + ", ".join(["0"] * 4000) + "]"
    likes = "".join(f"  r{number}: {{like: a}}\n" for number in range(60))
    assert written(f"claim: c\nreadings:\n  a: {{x: {many}}}\n{likes}")[1] == [
        "x.yaml:53:15: what is taken over here comes to more than 200000 values"
    ]


def test_a_file_stands_for_one_claim_a_member() -> None:
    """Each is a document of its own, and knows where its values were written."""
    document = Document("x.yaml")
    parse_document('claim: c-{k}\nfor: {k: [1, 2]}\nreadings:\n  by-{k}: {x: "{k}"}\n', document)
    first, second = write_out(document)
    assert first.value == {"claim": "c-1", "readings": {"by-1": {"x": 1}}}
    assert second.value == {"claim": "c-2", "readings": {"by-2": {"x": 2}}}
    assert second.keys["readings", "by-2"] == document.keys["readings", "by-{k}"]
    assert second.problem(("readings", "by-2", "x"), "").column == 15


def test_a_reading_that_is_like_another_states_the_same_but_for_what_it_says() -> None:
    """Maps are merged and all else is replaced; what the other one is expected to be, and notes, are its own."""
    (value,), problems = written(CLAIM + "  other: {like: as-stated, expect: proved, parts: {a: {conclude: [s]}}}\n")
    assert problems == []
    assert value["readings"]["other"] == {
        "m": 1,
        "parts": {"a": {"given": ["p"], "conclude": ["s"]}, "b": {"conclude": ["r"]}},
        "expect": "proved",
    }


FAULTS = [
    "  other: {like: as-statd}\n",
    "  other: {like: other}\n",
    "  a{k}: {x: 1}\n  b{k}: {for: {j: [1]}}\n",
    "  a{k}: {for: [1]}\n",
    "  a{k}: {for: {k: FIELDS}}\n",
    '  a{k}: {for: {k: "range(0, 999)"}}\n',
    '  a{k}: {for: {k: [1], "j, k": [[2, 3]]}}\n',
    '  a{k}: {for: {k: [1]}, x: {"b{k}": {for: {k: [2]}}}}\n',
    "  a{k}: {for: {k: [1]}, x: {b: {for: {k: [2]}}}}\n",
    '  a{k}: {for: {k: [1]}, x: [{for: {k: [2]}, each: ["{k}"]}]}\n',
    '  a{k}: {for: {k: ["x"]}, keep: "free[k]"}\n',
    '  a{k}: {for: {k: [1]}, keep: "all(free[k] for k in SPOTS)"}\n',
    '  "{k}{j}{i}": {for: {k: "range(0, 200)", j: "range(0, 200)", i: "range(0, 200)"}}\n',
    '  a{k}: {for: {"k, m": [[1, {x: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}]]}, z: MANY}\n'.replace(
        "MANY", "[" + ", ".join(['"{m}"'] * 19_000) + "]"
    ),
    '  a{a}: {for: {a: "range(0, 200)"}, x: {"b{b}": {for: {b: "range(0, 200)"}, x: [1, 2, 3, 4, 5]}}}\n',
    "  a: {like: {as-stated: 1}}\n",
    '  a{k}: {for: {"k, j": [[1]]}}\n',
    "  a{k}: {for: {k: [1, 1]}}\n",
    "  a: [{for: {k: [1]}, each: 2}]\n",
    "  a: [{for: {k: [1]}, each: [2], x: 1}]\n",
    '  a: [{for: {k: [1, 4]}, but: ["4"], each: ["{k}"]}]\n',
]


def test_what_cannot_be_written_out_is_told_where_it_stands() -> None:
    found = [written(CLAIM + rest)[1] for rest in FAULTS]
    told = (f"{rest[:80].rstrip()}\n{problem}\n" for rest, (problem,) in zip(FAULTS, found, strict=True))
    require_golden("templates.txt", "\n".join(told))


def test_a_reading_is_like_one_of_another_claim() -> None:
    """It has what that one states, itself and by what it is like, and nothing of what is about it."""
    second = "claim: second\nreadings: {r: {like: third/r, expect: proved, conclude: [s]}}\n"
    third = "claim: third\nreadings: {r: {like: lemma/as-stated, rules: others}}\n"
    (_, value, _), problems = written(CLAIM, second, third)
    parts = {"a": {"given": ["p"], "conclude": ["q"]}, "b": {"conclude": ["r"]}}
    assert problems == []
    assert value["readings"]["r"] == {
        "m": 1,
        "rules": "others",
        "parts": parts,
        "expect": "proved",
        "conclude": ["s"],
    }


def test_a_reading_comes_after_the_one_that_it_is_like_whichever_claim_that_is_like() -> None:
    first = "claim: first\nreadings: {w: {m: 1, objectives: {a: {prevent: p, by: 3}}}}\n"
    second = (
        "claim: second\nreadings:\n  as-stated: {like: first/w, objectives: {a: {reach: q, by: 2}}}\n"
        "  z: {like: as-stated, objectives: {a: {by: 4}}}\n  w: {like: z, x: 1}\n"
    )
    (_, value), problems = written(first, second)
    assert problems == []
    assert value["readings"]["z"] == {"m": 1, "objectives": {"a": {"reach": "q", "by": 4}}}
    assert value["readings"]["w"] == {**value["readings"]["z"], "x": 1}


CAN = "a: {can: X, objectives: {won: {reach: p, by: 3}}}"


@pytest.mark.parametrize(
    ("own", "objectives"),
    [
        ("objectives: {won: {by: 5}}", {"won": {"reach": "p", "by": 5}}),
        ("objectives: {won: {reach: q}}", {"won": {"reach": "q", "by": 3}}),
        ("objectives: {won: {prevent: q, by: 4}}", {"won": {"prevent": "q", "by": 4}}),
        ("objectives: {held: {prevent: q, by: 4}}", {"held": {"prevent": "q", "by": 4}}),
        (
            "plays: all, objectives: {held: {prevent: q, by: 4}}",
            {"won": {"reach": "p", "by": 3}, "held": {"prevent": "q", "by": 4}},
        ),
    ],
)
def test_an_objective_of_another_kind_or_of_can_is_replaced(own: str, objectives: dict[str, Any]) -> None:
    """A reading that is like another one has what can be asked: of one kind, and by 'can' one thing."""
    (value,), problems = written(f"claim: c\nreadings:\n  {CAN}\n  b: {{like: a, {own}}}\n")
    assert problems == []
    assert value["readings"]["b"]["objectives"] == objectives
    first, second = f"claim: c\nreadings: {{{CAN}}}\n", f"claim: d\nreadings: {{b: {{like: c/a, {own}}}}}\n"
    values, problems = written(first, second)
    assert problems == []
    assert values[1]["readings"]["b"]["objectives"] == objectives
    assert values[0]["readings"]["a"]["objectives"] == {"won": {"reach": "p", "by": 3}}


@pytest.mark.parametrize("objective", ["5", "[reach]", "text"])
def test_an_objective_that_is_no_map_is_left_to_whoever_checks_its_shape(objective: str) -> None:
    base = f"claim: c\nreadings:\n  a: {{objectives: {{won: {objective}}}}}\n"
    (value,), problems = written(base + "  b: {like: a, objectives: {won: {by: 9}}}\n")
    assert problems == []
    assert value["readings"]["b"]["objectives"] == {"won": {"by": 9}}


def test_a_claim_and_a_strategy_are_like_another() -> None:
    """A claim has its rules and definitions, no reading and nothing that it is read after; a strategy its phases."""
    base = "title: a\nrules: small\nsource: {place: a}\n"
    claims = (
        f"claim: c\n{base}define: {{x: 1}}\nuses: [e]\nreadings: {{r: {{m: 1}}}}\n",
        "claim: d\nlike: c\ntitle: b\n",
    )
    assert written(*claims)[0][1] == {"claim": "d", "title": "b", "rules": "small", "define": {"x": 1}}
    strategies = (
        f"strategy: s\n{base}phases: {{a: {{when: p}}}}\n",
        "strategy: t\nlike: s\nphases: {b: {}, a: {when: q}}\n",
    )
    found = written(*strategies)[0][1]
    assert found == {"strategy": "t", "rules": "small", "phases": {"a": {"when": "q"}, "b": {}}}
    assert list(found["phases"]) == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("claim: d\nlike: lemm\n", "x1.yaml:2:7: no claim 'lemm' in these specs: did you mean 'lemma'?"),
        ("claim: d\nlike: d\n", "x1.yaml:2:7: a circle: d → d"),
        ("strategy: s\nlike: lemma\n", "x1.yaml:2:7: no strategy 'lemma' in these specs"),
        (
            "claim: d\nreadings: {r: {like: lemma/as-statd}}\n",
            "x1.yaml:2:22: the claim 'lemma' has no reading 'as-statd': did you mean 'as-stated'?",
        ),
        (
            "claim: d\nreadings: {r: {like: lema/r}}\n",
            "x1.yaml:2:22: no claim 'lema' in these specs: did you mean 'lemma'?",
        ),
        ("claim: d\nreadings: {r: {like: d/r}}\n", "x1.yaml:2:22: a circle: d/r → d/r"),
    ],
)
def test_what_is_like_nothing_is_told(text: str, problem: str) -> None:
    assert written(CLAIM, text)[1] == [problem]


def test_pairs_up_to_symmetry_are_one_of_each_kind() -> None:
    """Their images are all pairs of two different numbers, and none is an image of another."""
    (value,), problems = written('"{i}-{j}": {for: {"i, j": pairs up to symmetry}, x: 1}')
    assert not problems
    pairs = [tuple(map(int, name.split("-"))) for name in value]
    images = [{(image[i], image[j]) for image in SYMMETRIES} for i, j in pairs]
    assert set().union(*images) == {(i, j) for i in range(9) for j in range(9) if i != j}
    assert sum(map(len, images)) == 72


def find_models(base: type[Strict]) -> Iterator[type[Strict]]:
    """Yield every part that files are made of."""
    for model in base.__subclasses__():
        yield model
        yield from find_models(model)


def test_the_keys_of_expressions_are_known() -> None:
    """Below them a variable is itself, without braces: a key that is missing there would take texts as they stand."""
    models = [*find_models(Strict)]
    fields = [(field.alias or name, repr(field)) for model in models for name, field in model.model_fields.items()]
    assert {name for name, said in fields if EXPRESSION in said} | {"sets"} == EXPRESSIONS
