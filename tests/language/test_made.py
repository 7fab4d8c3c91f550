"""Specs that are made in Python say the same, and are refused with the same messages, as files."""

import pathlib
import random
import re
from typing import Any

import pytest

from tests.language.test_corpus import CORPUS, ERROR, INVALID
from tests.rules import SPECS, specs
from verifier.files import MAX_SPEC_BYTES, NO_FOLDER
from verifier.kernel.errors import SpecError
from verifier.language.loader import MAX_SPEC_DEPTH, load_document
from verifier.language.made import SpecText, list_parts, parse_given, read_made, write_given
from verifier.questions.compile import validate_folder

FILES = [path for path in INVALID if path.suffix == ".yaml"]
PLACE = re.compile(r"(x\.yaml:\d+|\S+ of x\.yaml)(?=[;,]|$)")
"""A place of another value, inside a message."""

WORDS = "y No ON true null ~ 017 08 0o17 1_000 1:30 +3 4.4 1e3 0x1f - ? = << ' * &a !a %a @a [a,b] {s}-{t} \" é"
ODD = [*WORDS.split(), "", " a ", "a: b", "a #b", "- a", "a\nb", "a\tb", "\0", "[a, b]"]


def faults_of(*made: SpecText) -> list[Any]:
    return validate_folder(NO_FOLDER, made)[2]


def random_value(rng: random.Random, depth: int) -> Any:
    kind = rng.randrange(5) if depth else rng.randrange(3)
    if kind == 3:
        return [random_value(rng, depth - 1) for _ in range(rng.randrange(4))]
    if kind == 4:
        return {random_text(rng): random_value(rng, depth - 1) for _ in range(rng.randrange(4))}
    return [rng.randrange(-999, 10**9), rng.random() < 0.5, random_text(rng)][kind]


def random_text(rng: random.Random) -> str:
    return "".join(rng.choice([*ODD, "ab", "1", "_", ":", " "]) for _ in range(rng.choice([1, 1, 1, 2, 4])))


def test_values_come_back_from_their_text() -> None:
    """The texts are those that YAML versions read differently, or that YAML reads as something else."""
    rng = random.Random(1)
    for value in [*({text: text} for text in ODD), *({"a": random_value(rng, 4)} for _ in range(1000))]:
        document = read_made(write_given(value))
        assert document.problems == []
        assert document.value == value


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.stem, marks=[pytest.mark.slow] if n % 12 else []) for n, path in enumerate(FILES)],
)
def test_a_spec_made_in_python_is_refused_as_its_file_is(path: pathlib.Path) -> None:
    """From its text with the same lines and columns; from its values with keys in their place."""
    text, corners = path.read_text(encoding="utf-8"), parse_given((CORPUS / "valid/corners.yaml").read_text())
    expected = [f"x.yaml:{place}: {message}" for place, message in ERROR.findall(text)]
    more = [] if path.stem.startswith(("strategy-p", "strategy-w")) else [corners]
    made = SpecText("x.yaml", text)
    assert [str(problem) for problem in faults_of(made, *more)] == expected
    document = read_made(made)
    if not document.problems:  # what is no YAML is no value
        problems = faults_of(SpecText("x.yaml", write_given(document.value).text, is_keyed=True), *more)
        told = {PLACE.sub("PLACE", problem.message) for problem in problems}
        assert told == {PLACE.sub("PLACE", message) for _, message in ERROR.findall(text)}
        assert [problem for problem in problems if re.match(r"x\.yaml:\d|x\.yaml: [^:]*None", str(problem))] == []


def test_rules_of_files_can_be_made_in_python() -> None:
    """They are the same rules in the kernel's terms: also where a file has several, or is like another one."""
    files = {
        specs().rules[name].document.file for name in ("chomp-3-3", "dots-2-2-turns", "morris-far", "misere", "td-3-3")
    }
    made = [write_given(load_document(SPECS / file, file).value) for file in sorted(files)]
    library, _, problems = validate_folder(NO_FOLDER, made)
    assert problems == []
    own = [name for name, spec in library.rules.items() if not spec.document.is_borrowed]
    assert len(own) > len(made) == 5
    assert [name for name in own if library.game(name).data != specs().game(name).data] == []


def deep(levels: int) -> Any:
    return [deep(levels - 1)] if levels else "x"


CIRCLE: dict[str, Any] = {"claim": "x"}
CIRCLE["title"] = CIRCLE


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"claim": "x", "title": None}, "claim x: title: empty value: remove the key, or give it a value"),
        (
            {"claim": "x", "title": 10**10},
            "claim x: title: '10000000000' is too large: a number can have at most 9 digits",
        ),
        ({"claim": "x", "title": deep(MAX_SPEC_DEPTH)}, f"nested more than {MAX_SPEC_DEPTH} levels deep"),
        (CIRCLE, f"nested more than {MAX_SPEC_DEPTH} levels deep"),
        ({"claim": "x", "title": "\ud800"}, "claim x: not YAML: "),
        ({"claim": "x", "title": "x" * MAX_SPEC_BYTES}, "claim x: is larger than 262,144 bytes"),
        ({1: "no kind"}, "spec: a spec must start with one of claim:, "),
        (
            {"claim": "x", "rules": {"a": {1, 2}}},
            "claim x: rules.a: expected text, an integer, true or false, a list or a ",
        ),
    ],
)
def test_values_that_no_file_has_are_refused(value: Any, message: str) -> None:
    try:
        told = [str(problem) for problem in faults_of(write_given(value))]
    except SpecError as error:
        told = [str(error)]
    assert any(message in line for line in told), told


def test_values_of_python_that_yaml_writes_otherwise() -> None:
    """Tuples and ranges are lists, keys are texts, and a number with a point is the text of a move, as in YAML."""
    read = read_made(write_given({"claim": "x", "a": (1, range(2)), "b": {0: 4.4, True: 1}}))
    assert (read.value, read.problems) == ({"claim": "x", "a": [1, [0, 1]], "b": {"0": "4.4", "True": 1}}, [])


def test_a_spec_inside_another_is_its_id() -> None:
    """It comes along as a part, each part once, and parts of parts before them."""
    rules, strategy = write_given({"rules": "r"}), write_given({"strategy": "s", "rules": write_given({"rules": "r"})})
    claim = write_given({"claim": "c", "rules": rules, "strategies": {"X": strategy}})
    assert read_made(claim).value == {"claim": "c", "rules": "r", "strategies": {"X": "s"}}
    assert [spec.file for spec in list_parts([claim, rules])] == ["rules r", "strategy s", "claim c"]
