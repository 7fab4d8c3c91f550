"""Entries for several, and specs that are like others: what they are written out to, and what is refused."""

import json
from typing import Any

import pytest

from tests.golden import require_golden
from verifier.kernel.relabel import SYMMETRIES
from verifier.language.likeness import liken_files
from verifier.language.loader import Document, parse_document
from verifier.language.templates import write_out
from verifier.questions.registry import GRAMMAR

CLAIM = """\
claim: lemma
readings:
  as-stated: {m: 1, expect: refuted, note: ours, parts: {a: {given: [p], conclude: [q]}, b: {conclude: [r]}}}
"""
CAN = "a: {can: X, objectives: {won: {reach: p, by: 3}}}"
BASE = "title: a\nrules: small\nsource: {place: a}\n"


def written(*texts: str) -> tuple[list[Any], list[str]]:
    """Return the specs for which x.yaml, x1.yaml, x2.yaml and so on stand, and their problems."""
    documents = []
    for number, text in enumerate(texts):
        documents.append(Document(f"x{number or ''}.yaml"))
        parse_document(text, documents[-1])
    found = [item for document in documents for item in write_out(document)]
    liken_files(found, GRAMMAR)
    return [item.value for item in found], [str(problem) for item in found for problem in item.problems]


ENTRIES = [
    'a{k}: {for: {k: [1, 2]}, x: "{k}", z: "p{k}"}',
    'a{k}: {for: {k: "range(0, 2)"}, some: "free[k]", steps: {b: {for: {f: "[k, m]"}, given: [k, f]}}}',
    '"{i}-{j}": {for: {"i, j": [[0, a], [1, b]]}, x: 1}',
    '"{i}{j}": {for: {i: [0, 1], j: [0, 1]}, x: 1}',
    'a: [z, {for: {s: "range(0, 4)"}, but: [2], each: ["{s}", "-{s}"]}]',
    'a: [{for: {s: "[3 - n for n in range(0, 2)]"}, each: ["{s}"]}]',
    'a: [{for: {s: "range(0, 0)"}, each: ["{s}"]}]',
    'a{k}: {for: {k: "[1, 2]"}, x: "{k}"}',
    '"{i}-{j}": {for: {"i, j": "[[0, 3], [1, 4]]"}, x: 1}',
    'a{k}: {for: {"k, more": [[1, [2, 3]]]}, x: "{more}", z: "of {more}"}',
    'a{k}: {for: {"k, more": [[1, {b: [c]}]]}, x: "{more}"}',
    '"{i}{j}": {for: {"i, of": [[0, [1]], [2, [3]]], j: "[of[0]]"}, x: 1}',
    '"{k}": {for: {k: [-1, 1]}, x: "{k}", keep: "k ** 2 == ply"}',
    'a: {"b{k}": {for: {k: [-1]}, x: "by{k} and {k} + 1"}}',
    'a{k}: {for: {"k, says": [[1, one for all]], w: [a free spot for X in the middle]}, x: "{says}, {w}"}',
    'a: "a text with {braces}"',
]
"""A value is put into texts for braces, into expressions for the variable; a text of one variable is its value."""

LIKE = [
    [CLAIM + "  other: {like: as-stated, expect: proved, parts: {a: {conclude: [s]}}}\n"],
    [
        CLAIM,
        "claim: second\nreadings: {r: {like: third/r, expect: proved, conclude: [s]}}\n",
        "claim: third\nreadings: {r: {like: lemma/as-stated, rules: others}}\n",
    ],
    [
        "claim: first\nreadings: {w: {m: 1, objectives: {a: {prevent: p, by: 3}}}}\n",
        "claim: second\nreadings:\n  as-stated: {like: first/w, objectives: {a: {reach: q, by: 2}}}\n"
        "  z: {like: as-stated, objectives: {a: {by: 4}}}\n  w: {like: z, x: 1}\n",
    ],
    *(
        [f"claim: c\nreadings: {{{CAN}}}\n", f"claim: d\nreadings: {{b: {{like: c/a, {own}}}}}\n"]
        for own in (
            "objectives: {won: {by: 5}}",
            "objectives: {won: {reach: q}}",
            "objectives: {won: {prevent: q, by: 4}}",
            "objectives: {held: {prevent: q, by: 4}}",
            "plays: all, objectives: {held: {prevent: q, by: 4}}",
        )
    ),
    *(
        [f"claim: c\nreadings: {{a: {{objectives: {{w: {odd}}}}}, b: {{like: a, objectives: {{w: {{by: 9}}}}}}}}\n"]
        for odd in ("5", "[reach]", "text")
    ),
    [
        f"claim: c\n{BASE}define: {{x: 1}}\nuses: [e]\nreadings: {{r: {{m: 1}}}}\n",
        "claim: d\nlike: c\ntitle: b\n",
    ],
    [f"strategy: s\n{BASE}phases: {{a: {{when: p}}}}\n", "strategy: t\nlike: s\nphases: {b: {}, a: {when: q}}\n"],
    [CLAIM, "claim: d\nlike: lemm\n"],
    [CLAIM, "claim: d\nlike: d\n"],
    [CLAIM, "strategy: s\nlike: lemma\n"],
    [CLAIM, "claim: d\nreadings: {r: {like: lemma/as-statd}}\n"],
    [CLAIM, "claim: d\nreadings: {r: {like: lema/r}}\n"],
    [CLAIM, "claim: d\nreadings: {r: {like: d/r}}\n"],
]
"""Maps are merged and all else is replaced; what is expected, and notes, are of each alone.

A reading that is like another one has what can be asked: of one kind, and by 'can' one thing. A claim has the rules and
definitions of the one that it is like, no reading and nothing that it is read after; a strategy has its phases.
"""


def test_what_files_are_written_out_to() -> None:
    """An entry for several is one entry for each value. A spec that is like another is complete, or has a problem."""
    told = []
    for texts in (*([text] for text in ENTRIES), *LIKE):
        values, problems = written(*texts)
        shown = [json.dumps(value, ensure_ascii=False) for value in values]
        told.append("\n".join([*(text.rstrip() for text in texts), *(f"=> {line}" for line in (*shown, *problems))]))
    require_golden("written-out.txt", "\n\n".join(told) + "\n")


def test_copied_readings_count_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """``like`` may copy only a limited number of values, however few of them are written."""
    monkeypatch.setattr("verifier.language.likeness.MAX_PARTS", 200)
    many = "[" + ", ".join(["0"] * 40) + "]"
    likes = "".join(f"  r{number}: {{like: a}}\n" for number in range(9))
    (problem,) = written(f"claim: c\nreadings:\n  a: {{x: {many}}}\n{likes}")[1]
    assert problem.endswith(":14: 'like' copies more than 200 values here: copy less, or write it out")


def test_a_file_for_several_stands_for_one_claim_for_each_value() -> None:
    """Each is a claim of its own, and knows where its values were written."""
    document = Document("x.yaml")
    parse_document('claim: c-{k}\nfor: {k: [1, 2]}\nreadings:\n  by-{k}: {x: "{k}"}\n', document)
    first, second = write_out(document)
    assert first.value == {"claim": "c-1", "readings": {"by-1": {"x": 1}}}
    assert second.value == {"claim": "c-2", "readings": {"by-2": {"x": 2}}}
    assert second.keys["readings", "by-2"] == document.keys["readings", "by-{k}"]
    assert second.problem(("readings", "by-2", "x"), "").column == 15


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
    "  a{k}: {for: {k: [1], ply: [2]}}\n",
    '  a: {x: [{for: {mine: [1]}, each: ["{mine}"]}]}\n',
    "  a{k}: {for: {k: [1]}, x: {for: {draw: [2]}}}\n",
    '  a{k}: {for: {k: [1], "A": [2]}}\n',
    '  a{k}: {for: {k: [XX], j: ["YY"]}}\n'.replace("XX", "x" * 999).replace("YY", "{k}" * 11),
    '  "{k}{j}{i}": {for: {k: "range(0, 200)", j: "range(0, 200)", i: "range(0, 200)"}}\n',
    '  a{k}: {for: {"k, m": [[1, {x: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}]]}, z: MANY}\n'.replace(
        "MANY", "[" + ", ".join(['"{m}"'] * 19_000) + "]"
    ),
    '  a{a}: {for: {a: "range(0, 200)"}, x: {"b{b}": {for: {b: "range(0, 200)"}, x: [1, 2, 3, 4, 5]}}}\n',
    "  a: [{for: {a: R}, each: [{for: {b: R}, each: [{for: {c: R}, each: []}]}]}]\n".replace("R", '"range(0, 200)"'),
    "  a: {like: {as-stated: 1}}\n",
    '  a{k}: {for: {"k, j": [[1]]}}\n',
    "  a{k}: {for: {k: [1, 1]}}\n",
    "  a: [{for: {k: [1]}, each: 2}]\n",
    "  a: [{for: {k: [1]}, each: [2], x: 1}]\n",
    '  a: [{for: {k: [1, 4]}, but: ["4"], each: ["{k}"]}]\n',
]


def test_an_entry_that_cannot_be_written_out_has_a_problem_at_its_place() -> None:
    found = [written(CLAIM + rest)[1] for rest in FAULTS]
    told = (f"{rest[:80].rstrip()}\n{problem}\n" for rest, (problem,) in zip(FAULTS, found, strict=True))
    require_golden("templates.txt", "\n".join(told))


def test_pairs_up_to_symmetry_are_one_of_each_kind() -> None:
    """Their images are all pairs of two different numbers, and no pair is an image of another."""
    (value,), problems = written('"{i}-{j}": {for: {"i, j": pairs up to symmetry}, x: 1}')
    assert not problems
    pairs = [tuple(map(int, name.split("-"))) for name in value]
    images = [{(image[i], image[j]) for image in SYMMETRIES} for i, j in pairs]
    assert set().union(*images) == {(i, j) for i in range(9) for j in range(9) if i != j}
    assert sum(map(len, images)) == 72
