"""Formulas that occur more than once in a statement get a name."""

import copy
import json
from typing import Any

from tests.rules import SPECS, specs
from tests.statements import KEPT, NINE, play
from tests.unfold import unfold
from verifier.kernel.formula import MAX_NODES
from verifier.kernel.statement import plays_of
from verifier.language.folder import read_library
from verifier.language.library import Library
from verifier.language.sharing import MIN_CHARACTERS, Nodes, fold
from verifier.questions.compile import compile_reading
from verifier.questions.registry import GRAMMAR


def statement_of(*formulas: Any) -> dict[str, Any]:
    """A statement that has only formulas."""
    return {"kind": "play", "conclusions": [[str(number), formula] for number, formula in enumerate(formulas)]}


def large(n: int) -> list[Any]:
    """A formula that is large enough for a name; a new object each time."""
    return ["and", ["X", 0, n], ["O", 1, n], ["free", 2, n]]


def test_a_repeated_formula_is_named_once_after_its_parts() -> None:
    """Equal formulas share an entry, wherever they occur. Formulas that are used once, or are short, get none."""
    inner = large(0)
    outer = ["or", inner, large(1), ["ply"]]
    formulas = (outer, copy.deepcopy(outer), ["not", copy.deepcopy(inner)], ["X", 0, 0], ["X", 0, 0])
    folded = fold(statement_of(*formulas), Nodes())
    assert folded["formulas"] == [inner, ["or", ["use", 0], large(1), ["ply"]]]
    used = [["use", 1], ["use", 1], ["not", ["use", 0]], ["X", 0, 0], ["X", 0, 0]]
    assert [formula for _, formula in folded["conclusions"]] == used


def test_every_entry_is_long_enough_and_used_by_later_ones() -> None:
    """Entries are long enough, each is used, and by later ones alone."""
    library = specs()
    for claim, reading in (
        ("lemma-6-play-0-1", "as-stated"),
        ("remark-2", "as-stated"),
        ("lemma-7-count", "on-the-board"),
        ("lemma-3", "as-stated"),
    ):
        statement = compile_reading(library, claim, reading).statement or {}
        texts = [json.dumps(entry, separators=(",", ":")) for entry in statement["formulas"]]
        assert len(set(texts)) == len(texts)
        assert all(len(text) >= MIN_CHARACTERS for text in texts)
        whole = json.dumps(statement, separators=(",", ":"))
        for number in range(len(texts)):
            used = f'["use",{number}]'
            assert whole.count(used) > 1, (claim, number)
            assert not any(used in text for text in texts[: number + 1])


def test_unfolding_undoes_folding() -> None:
    library = specs()
    for claim, reading in (("lemma-6-play-0-1", "as-stated"), ("lemma-3", "as-stated"), ("remark-2", "as-stated")):
        statement = compile_reading(library, claim, reading).statement or {}
        plain = json.loads(json.dumps(unfold(json.loads(json.dumps(statement)))))
        assert "use" not in json.dumps(plain["parts"] if "parts" in plain else plain["strategies"])
        assert json.dumps(fold(plain, Nodes()), sort_keys=True) == json.dumps(statement, sort_keys=True)


def test_a_statement_does_not_depend_on_what_was_compiled_before() -> None:
    def text(library: Library, claim: str, reading: str) -> str:
        return json.dumps(compile_reading(library, claim, reading).statement)

    known, *others = (
        ("lemma-6-play-0-1", "as-stated"),
        ("lemma-6-play-0-2", "as-stated"),
        ("lemma-7-count", "on-the-board"),
    )
    used, new = (read_library(SPECS, GRAMMAR, [claim for claim, _ in (known, *others)])[0] for _ in range(2))
    for other in others:
        text(used, *other)
    assert text(used, *known) == text(new, *known)


def test_an_exponential_formula_is_folded_and_unfolded_in_linear_time() -> None:
    """Sixty doublings are sixty entries. Written out, they would be two to the sixtieth nodes."""
    node = large(0)
    for _ in range(58):
        node = ["and", node, node, ["not", ["X", 0, 0]]]
    folded = fold(statement_of(node), Nodes())
    assert len(folded["formulas"]) == 58
    assert MAX_NODES < 2**58
    ((_, formula),) = unfold(folded)["conclusions"]
    assert formula[1] is formula[2]


def test_the_formulas_of_plays_do_not_depend_on_the_objectives() -> None:
    """Formulas that only objectives repeat are named last, and are not part of the plays."""
    choice = {"when": large(0), "play": [0, 0]}
    rule = {"rule": "only", "choices": [choice, {"when": copy.deepcopy(large(0)), "play": [0, 1]}]}
    strategy = {"player": "X", "phases": [{"phase": "all", "instances": [{"when": True, "rules": [rule]}]}]}

    def about(*formulas: Any) -> dict[str, Any]:
        objectives = [{**KEPT, "name": str(n), "holds": formula} for n, formula in enumerate(formulas)]
        return fold(play("paper", NINE, *objectives, strategies={"X": strategy}), Nodes())

    one, two = about(True), about(large(1), large(1), large(0))
    assert two["formulas"] == [large(0), large(1)]
    assert [objective["holds"] for objective in two["objectives"]] == [["use", 1], ["use", 1], ["use", 0]]
    assert plays_of(one) == plays_of(two)
