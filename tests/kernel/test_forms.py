"""The forms of everything that files have: if any part is left out, added or replaced, it is refused."""

import json
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.kernel.test_corpus import CORPUS, VALID, read, unfold
from tests.kernel.test_count import PAIRS
from tests.kernel.test_count_ends import SQUARE, count
from tests.kernel.test_sum import NOTAKTO
from tests.rules import rules_data
from tests.statements import NINE, keep, part, play, plays, prevent, reach, some, steps_of
from verifier.kernel.certificate import FORMAT, VERSION, hash_bytes, parse_certificate, require_shape
from verifier.kernel.count import decide_count
from verifier.kernel.decide import decide
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.race.bound import parse_bound, parse_lemma
from verifier.kernel.statement import parse_statement
from verifier.kernel.steps import parse_steps
from verifier.kernel.sum import parse_sum
from verifier.packing import pack

OTHERS: tuple[Any, ...] = (None, True, -1, 2.5, "zzz", [], {})
SAID = reach(["X_wins"], 7, "r"), prevent(["O_wins"], 7), some(["X", 0], "before:phase")
GIVEN = play("paper", NINE, keep(["old", ["use", 0]]), given=["use", 0], formulas=[["free", 4, 4]])
BOUND = {"kind": "bound", "rules": rules_data("paper"), "through": 58, "cases": [{"start": NINE, "first": ["4.4"]}]}
REPLIES = read(CORPUS / "valid" / "bound-proved.json")["table"]
ROUND = part("round", strategy=plays([4]), hypotheses=[["h", ["X", 0]]])
FORMS: dict[str, tuple[Callable[[Any], object], Any, str]] = {
    "plays": (
        parse_statement,
        play("tictactoe", "." * 9, *SAID, strategies={"X": plays([4])}),
        "choices [], choices[] less, goal true, holds true, instances [], instances[] less, name 'zzz', "
        "objectives[] less, rule 'zzz', rules [], rules[] less",
    ),
    "plays that are given": (
        parse_statement,
        {**GIVEN, "symmetric": True, "chooses": False, "claimant": "O", "horizon": 2},
        "chooses less, given true, holds true, holds[] true, horizon null, name 'zzz', symmetric less",
    ),
    "a round": (
        parse_steps,
        steps_of("tictactoe", ROUND),
        "choices [], choices[] less, conclusions[][] 'zzz', hypotheses [], hypotheses[] less, hypotheses[][] 'zzz', "
        "hypotheses[][] true, instances [], instances[] less, part 'zzz', phase 'zzz', phases [], phases[] less, "
        "rule 'zzz', rules [], rules[] less",
    ),
    "a move": (
        parse_steps,
        steps_of("tictactoe", part("move", plays=[4], turn="X", conclusions=[["c", ["X", 4]]])),
        "conclusions[][] 'zzz', conclusions[][] true, part 'zzz', plays null, turn null",
    ),
    "what follows": (parse_steps, steps_of("tictactoe", part()), "conclusions[][] 'zzz', part 'zzz'"),
    "a bound": (parse_bound, BOUND, "first null"),
    "a table of replies": (lambda value: parse_lemma(value, "it"), REPLIES, "3 less, 4 less, replies {}, roots[] less"),
    "a count": (lambda statement: decide_count(statement, True, {}), PAIRS, ""),
    "a count of plays": (
        lambda statement: decide_count(statement, True, {}),
        count("ends", (True, 138), symmetries=SQUARE),
        "",
    ),
    "a sum": (
        parse_sum,
        {**NOTAKTO, "types": {}, "copies": {"." * 9: [1, [True, False]]}},
        "......... less, .........[][] less, .........[][] true, copies {}, elements -1, elements null, relations [], "
        "relations null, relations[] less, relations[][] 'zzz', won [], won more, won null, won[] 'zzz', won[] less",
    ),
    "nested rules": (parse_rules, rules_data("paper"), ""),
    "positional rules": (
        parse_rules,
        rules_data("tictactoe"),
        "lines [], lines[] less, lines[][][] less, outcomes [], outcomes[] less",
    ),
    "a certificate": (
        lambda value: parse_certificate(value, "it"),
        {"format": FORMAT, "version": VERSION, "statement": {}, "verdict": "proved", "evidence": {}},
        "evidence more, statement more",
    ),
}
"""What reads each kind of value, one of them, and what may stand in its parts, or may be missing, as well."""


def spoil(value: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """Yield a value with one change, and a description of the change."""
    yield from ((f"{at} {json.dumps(other)}", other) for other in OTHERS if json.dumps(other) != json.dumps(value))
    if isinstance(value, dict):
        yield f"{at} more", {**value, "zzz": ["use", "zzz"]}
        for key, inner in value.items():
            yield f"{key} less", {other: said for other, said in value.items() if other != key}
            yield from (
                (place, {**value, key: changed}) for place, changed in spoil(inner, key) if at or key != "rules"
            )
    elif isinstance(value, list):
        yield f"{at} more", [*value, "zzz"]
        for n, inner in enumerate(value):
            before, after = value[:n], value[n + 1 :]
            yield f"{at}[] less", before + after
            yield from ((place, [*before, changed, *after]) for place, changed in spoil(inner, f"{at}[]"))


def accepted(parse: Callable[[Any], object], value: Any) -> list[str]:
    """Return the changes of a value that are not refused."""
    found = set()
    for place, changed in spoil(value):
        try:
            parse(changed)
            found.add(place.replace('"', "'"))
        except (SpecError, CertificateError) as error:
            if "defect" in error.args:
                raise
    return sorted(found)


@pytest.mark.parametrize("kind", FORMS)
def test_a_changed_part_of_a_statement_is_refused(kind: str) -> None:
    """It is refused unless the changed statement has a meaning."""
    parse, value, others = FORMS[kind]
    assert ", ".join(accepted(parse, value)) == others


BELIEVED = {
    "steps-images": "shown[][] [], shown[][][] less",
    "steps-models": "shown[][] [], shown[][][] less",
    "steps-refuted": "refutations less",
    "misere-invariant": " {}, refutations less",
    "invariant-of-all-plays": " {}",
    "board-symmetries": "symmetries[] less",
    "refuted-up-to-symmetry": "symmetries[] less",
    "symmetries-under-a-legal-clause": "symmetries less",
    "replies-left-out-by-the-opponent": "wins less",
    "weights-and-pairs": "XO.... less, pairs less, pairs {}",
    "refuted-by-a-line-that-runs-on": "line[] less",
    "steps-end-within": "line less",
}
"""Where a refutation is left out a solver is believed; all plays of those with an invariant can be walked through; and
some small tables and lines show the same with less."""


@pytest.mark.usefixtures("derived_once")
@pytest.mark.parametrize(
    "path", [pytest.param(path, marks=[pytest.mark.slow] * ("misere" in path.stem), id=path.stem) for path in VALID]
)
def test_a_changed_part_of_evidence_is_refused(path: pathlib.Path) -> None:
    """This includes tables. It is refused unless the changed evidence shows less."""
    case = read(path)
    statement, evidence, files = unfold(case)
    verdict = case["certificate"]["verdict"]

    def decide_by(changed: Any) -> None:
        require_shape(changed, dict, "evidence")  # as that of a certificate is
        decide(statement, verdict, changed, files.__getitem__)

    def decide_by_table(changed: Any) -> None:
        data = pack(changed)
        decide(statement, verdict, {**evidence, "table": hash_bytes(data)}, lambda *_: data)

    found = accepted(decide_by, evidence)
    found += accepted(decide_by_table, case["table"]) if "table" in evidence else []
    assert ", ".join(found) == BELIEVED.get(path.stem, "")
