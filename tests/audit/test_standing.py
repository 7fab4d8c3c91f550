"""Standings follow the table of ``find_standing``, and no trick gets a better standing than was shown."""

from dataclasses import replace
from typing import Any

import pytest

from verifier.audit.ledger import ClaimResult, Ledger, Standing
from verifier.audit.standing import conclude, find_standing
from verifier.coq import Theorem
from verifier.kernel.verdict import Belief, Verdict
from verifier.language.model import Claim
from verifier.questions.registry import GRAMMAR
from verifier.questions.result import CertificateFile, DecisionStatus, Limit, ReadingResult, pending_result

SOLVER, COQ = Belief.SOLVER, Belief.COQ
STEP = {"steps": {"a part": {"conclude": ["True"]}}}
"""The keys of a reading about a step. Only the verdict on it matters here."""
PLAYS = {"plays": "all", "strategies": {"X": "any"}, "objectives": {"a": {"keep": "True", "at": "every"}}}


def claim(name: str = "lemma", **readings: dict[str, Any]) -> Claim:
    """Return a claim with readings. Each is a step with the given keys, and ``_`` in its name stands for ``-``."""
    source = {"document": "paper", "place": "part 1", "says": "It is so."}
    models = {
        key.replace("_", "-"): {"expect": "proved", **({} if {"plays", "joins"} & {*value} else STEP), **value}
        for key, value in readings.items()
    }
    return GRAMMAR.claim.model_validate(
        {"claim": name, "title": "A lemma", "source": source, "rules": "paper", "readings": models}
    )


REPAIR = {"repairs": ["as-stated"], "note": "This is what was missing."}


def found(model: Claim, name: str, word: str, *beliefs: Belief) -> ReadingResult:
    """Return a result with the verdict in ``word``. If it is *supported*, the default belief is that in a solver."""
    verdict = Verdict[word.upper()]
    named = frozenset(beliefs or [SOLVER]) if verdict is Verdict.SUPPORTED else frozenset[Belief]()
    return replace(pending_result(model, name), verdict=verdict, beliefs=named)


def stand(model: Claim, words: str, results: dict[str, ClaimResult] | None = None, **more: Any) -> ClaimResult:
    """Conclude on a claim, given a verdict for each reading, in order; ``-`` if the reading is not part of the run."""
    pairs = zip(model.readings, words.split(), strict=True)
    return conclude(model, [found(model, name, word) for name, word in pairs if word != "-"], results or {}, **more)


TWO = claim(as_stated={}, other={})
MENDED = claim(as_stated={}, repaired=REPAIR)
BOTH = claim(as_stated={}, other={}, repaired=REPAIR)
TWICE = claim(as_stated={}, first=REPAIR, second=REPAIR)

CHAIN = claim(as_stated={}, first=REPAIR, second={"repairs": ["as-stated", "first"], "note": "This is it."})
HIDDEN = claim(as_stated={"repairs": ["trivial"], "note": "No."}, trivial={})
"""The claim itself repairs a trivial reading. Specs may not say this. If one did, the refutation would still count."""


@pytest.mark.parametrize(
    ("model", "words", "standing", "beliefs"),
    [
        (TWO, "proved -", Standing.NOT_RUN, set()),
        (TWO, "refuted -", Standing.NOT_RUN, set()),
        (TWO, "proved proved", Standing.PROVED, set()),
        (TWO, "proved supported", Standing.SUPPORTED, {SOLVER}),
        (TWO, "supported supported", Standing.SUPPORTED, {SOLVER}),
        (TWO, "proved refuted", Standing.DEPENDS, set()),
        (TWO, "supported refuted", Standing.DEPENDS, {SOLVER}),
        (TWO, "refuted refuted", Standing.REFUTED, set()),
        (TWO, "refuted unknown", Standing.REFUTED, set()),
        (TWO, "proved unknown", Standing.UNDETERMINED, set()),
        (TWO, "unknown unknown", Standing.UNDETERMINED, set()),
        (MENDED, "proved -", Standing.PROVED, set()),
        (MENDED, "- proved", Standing.NOT_RUN, set()),
        (MENDED, "refuted proved", Standing.REPAIRED, set()),
        (MENDED, "refuted supported", Standing.REPAIRED_SUPPORTED, {SOLVER}),
        (MENDED, "refuted unknown", Standing.REFUTED, set()),
        (MENDED, "refuted refuted", Standing.REFUTED, set()),
        (MENDED, "refuted -", Standing.NOT_RUN, set()),
        (BOTH, "refuted proved -", Standing.NOT_RUN, set()),
        (TWICE, "refuted - refuted", Standing.NOT_RUN, set()),
        (TWICE, "refuted - proved", Standing.REPAIRED, set()),
        (MENDED, "unknown proved", Standing.UNDETERMINED, set()),
        (BOTH, "refuted proved proved", Standing.REPAIRED, set()),
        (BOTH, "refuted supported proved", Standing.REPAIRED_SUPPORTED, {SOLVER}),
        (BOTH, "refuted unknown proved", Standing.UNDETERMINED, set()),
        (BOTH, "refuted unknown unknown", Standing.REFUTED, set()),
        (BOTH, "refuted refuted proved", Standing.REFUTED, set()),
        (TWICE, "refuted supported proved", Standing.REPAIRED, set()),
        (TWICE, "refuted unknown supported", Standing.REPAIRED_SUPPORTED, {SOLVER}),
        # A refuted repair counts for the standing.
        (TWICE, "refuted refuted proved", Standing.REFUTED, set()),
        (MENDED, "proved refuted", Standing.DEPENDS, set()),
        (CHAIN, "refuted refuted proved", Standing.REPAIRED, set()),
        (HIDDEN, "refuted proved", Standing.DEPENDS, set()),
    ],
)
def test_the_first_line_of_the_table_that_fits_is_the_standing(
    model: Claim, words: str, standing: Standing, beliefs: frozenset[Belief]
) -> None:
    result = stand(model, words)
    assert (result.standing, result.beliefs) == (standing, beliefs)
    left = [reading.decided is DecisionStatus.NOT_RUN for reading in result.readings]
    assert left == [word == "-" for word in words.split()]


def test_a_claim_with_a_lost_reading_is_not_run() -> None:
    known = stand(TWO, "proved refuted").readings
    lost = [replace(result, verdict=Verdict.UNKNOWN, decided=DecisionStatus.LOST) for result in known]
    for readings in ((lost[0], known[1]), (known[0], lost[1])):
        assert find_standing(readings)[0] is Standing.NOT_RUN
    refuted, repaired = stand(MENDED, "refuted proved").readings
    assert (
        find_standing((refuted, replace(repaired, verdict=Verdict.UNKNOWN, decided=DecisionStatus.LOST)))[0]
        is Standing.NOT_RUN
    )


# -- joins ----------------------------------------------------------------------------------------------------------


def joining(*names: str, has_step: bool = False) -> Claim:
    """Return a claim whose only reading joins others."""
    return claim("above", as_stated={"joins": list(names), **(STEP if has_step else {})})


BOTH_READINGS = "as-stated other"


@pytest.mark.parametrize(
    ("model", "words", "joins", "own", "verdict", "standing"),
    [
        (TWO, "proved proved", BOTH_READINGS, "", Verdict.PROVED, Standing.PROVED),
        (TWO, "proved supported", BOTH_READINGS, "", Verdict.SUPPORTED, Standing.SUPPORTED),
        (TWO, "supported unknown", BOTH_READINGS, "", Verdict.UNKNOWN, Standing.UNDETERMINED),
        (TWO, "supported refuted", BOTH_READINGS, "", Verdict.REFUTED, Standing.REFUTED),
        (TWO, "refuted -", BOTH_READINGS, "", Verdict.REFUTED, Standing.REFUTED),
        (TWO, "- proved", "as-stated", "", Verdict.UNKNOWN, Standing.NOT_RUN),
        (None, "", "as-stated", "", Verdict.UNKNOWN, Standing.NOT_RUN),
        (None, "", "as-stated", "proved", Verdict.UNKNOWN, Standing.NOT_RUN),
        (None, "", "as-stated", "refuted", Verdict.REFUTED, Standing.REFUTED),
        (MENDED, "refuted proved", "as-stated", "", Verdict.REFUTED, Standing.REFUTED),
        (MENDED, "refuted proved", "as-stated", "proved", Verdict.UNKNOWN, Standing.UNDETERMINED),
        (MENDED, "refuted proved", "as-stated", "refuted", Verdict.REFUTED, Standing.REFUTED),
        (MENDED, "refuted proved", "repaired", "", Verdict.PROVED, Standing.REPAIRED),
        (MENDED, "refuted proved", "repaired", "proved", Verdict.PROVED, Standing.REPAIRED),
        (MENDED, "proved proved", "repaired", "proved", Verdict.PROVED, Standing.PROVED),
    ],
)
def test_a_reading_that_joins_others_has_the_weakest_verdict(
    model: Claim | None, words: str, joins: str, own: str, verdict: Verdict, standing: Standing
) -> None:
    """The verdict is that of the weakest joined reading, with the beliefs of all of them.

    A reading that its own evidence refutes is refuted, even if joined readings were not run. A reading that only joins
    others is refuted if one of these is. If a reading is proved with the help of a refuted lemma, it is unknown. The
    standing says *after repair* only if a joined repair was needed.
    """
    below = {} if model is None else {"lemma": stand(model, words)}
    above = joining(*(f"lemma/{name}" for name in joins.split()), has_step=bool(own))
    result = stand(above, own or "unknown", below)
    (reading,) = result.readings
    assert (reading.verdict, result.standing) == (verdict, standing)
    assert result.beliefs == ({SOLVER} if verdict is Verdict.SUPPORTED else set())
    assert (reading.decided is DecisionStatus.NOT_RUN) == (standing is Standing.NOT_RUN)
    assert standing is not Standing.NOT_RUN or "lemma/as-stated" in reading.reason


@pytest.mark.parametrize("has_step", [False, True])
def test_a_reading_that_joins_a_lost_reading_is_lost(has_step: bool) -> None:
    """But a reading that only joins others is refuted if one of the other joined readings is refuted."""
    above = joining("lemma/as-stated", "lemma/other", has_step=has_step)
    below = stand(TWO, "proved proved")
    lost = replace(below.readings[1], verdict=Verdict.UNKNOWN, decided=DecisionStatus.LOST)
    for first, decided in ((Verdict.PROVED, DecisionStatus.LOST), (Verdict.REFUTED, DecisionStatus.NOW)):
        readings = (replace(below.readings[0], verdict=first), lost)
        results = {"lemma": replace(below, readings=readings)}
        (result,) = stand(above, "proved", results).readings
        is_unknown = has_step or first is Verdict.PROVED
        assert result.decided is (DecisionStatus.LOST if is_unknown else decided)
        assert result.is_expected is False


@pytest.mark.parametrize(
    ("words", "standing"),
    [
        ("proved proved", Standing.PROVED),
        ("proved supported", Standing.SUPPORTED),
        ("proved refuted", Standing.REFUTED),
        ("proved unknown", Standing.UNDETERMINED),
        ("proved -", Standing.NOT_RUN),
    ],
)
def test_a_claim_stands_by_the_whole_and_not_by_its_parts(words: str, standing: Standing) -> None:
    """If a reading joins other readings of its claim, these do not count for the standing."""
    joins = ["lemma/first", "lemma/second"]
    model = claim(whole={"joins": joins}, first={}, second={})
    result = stand(model, f"unknown {words}")
    assert result.standing is standing
    assert [reading.id for reading in result.readings] == ["whole", "first", "second"]
    assert result.is_expected is (standing in (Standing.PROVED, Standing.NOT_RUN))


@pytest.mark.parametrize("keys", [{"control": True}, {"repairs": ["easy"], "note": "This was missing."}])
def test_parts_of_a_control_or_repair_still_count(keys: dict[str, Any]) -> None:
    """A refuted reading still counts for the claim if a control, or a repair of another reading, joins it."""
    whole = {"joins": ["lemma/as-stated"], "expect": "refuted", **keys}
    model = claim(as_stated={"expect": "refuted"}, easy={}, whole=whole)
    assert stand(model, "refuted proved unknown").standing is Standing.DEPENDS


def test_a_repair_of_a_reading_that_holds_gets_a_hint() -> None:
    """The verdicts stay the same. A repair is needed only if the repaired reading is refuted."""
    assert stand(MENDED, "proved proved").readings[1].hints == (
        "it repairs as-stated, which holds: there is nothing to repair",
    )
    assert stand(MENDED, "refuted proved").readings[1].hints == ()
    assert stand(MENDED, "- proved").readings[1].hints == ()


def test_a_repair_is_seen_through_several_joins() -> None:
    above = joining("lemma/repaired")
    below = {"above": stand(above, "unknown", {"lemma": stand(MENDED, "refuted proved")})}
    third = joining("above/as-stated").model_copy(update={"claim": "third"})
    assert stand(third, "unknown", below).standing is Standing.REPAIRED


def test_beliefs_of_joined_readings_add_up() -> None:
    """If a reading is supported by a solver and joins other readings, it rests on the beliefs of all of them."""
    below = claim(as_stated={}, other={})
    results = [found(below, "as-stated", "proved"), found(below, "other", "supported", COQ)]
    lower = {"lemma": conclude(below, results, {})}
    above = joining("lemma/as-stated", "lemma/other", has_step=True)
    result = stand(above, "supported", lower)
    assert (result.standing, result.beliefs) == (Standing.SUPPORTED, frozenset({SOLVER, COQ}))


def test_uses_changes_no_verdict() -> None:
    model = TWO.model_copy(update={"uses": ["refuted-one"]})
    assert stand(model, "proved proved").standing is Standing.PROVED


# -- expectations ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expected", "met"),
    [("proved", {"proved"}), ("supported", {"supported", "proved"}), ("refuted", {"refuted"})],
)
def test_a_weaker_verdict_does_not_meet_an_expectation(expected: str, met: set[str]) -> None:
    model = claim(as_stated={"expect": expected})
    for verdict in map(str, Verdict):
        result = stand(model, verdict)
        assert Ledger((result,)).exit_code == (0 if verdict in met else 1)
        assert bool(result.readings[0].notes) == (expected == "supported" and verdict == "proved")


def test_a_control_has_to_be_refuted_and_does_not_count() -> None:
    """The other readings decide the standing. A control that is not refuted is not as expected."""
    model = claim(as_stated={}, wrong={"control": True, "expect": "refuted"})
    assert stand(model, "proved refuted").standing is Standing.PROVED
    assert Ledger((stand(model, "proved refuted"),)).exit_code == 0
    assert Ledger((stand(model, "proved proved"),)).exit_code == 1


def test_two_methods_that_disagree_decide_nothing() -> None:
    """If one method supports a reading and the other refutes it, this is trouble, with exit code 4."""
    model = claim(by_steps={"expect": "supported"}, by_plays={**PLAYS, "agrees_with": "by-steps"})
    result = stand(model, "supported refuted")
    assert result.readings[1].trouble
    assert Ledger((result,)).exit_code == 4
    assert not stand(model, "supported proved").readings[1].trouble


def test_nothing_rests_on_what_two_methods_disagree_about() -> None:
    """A reading that joins one of two readings that disagree is undecided too."""
    whole = {"joins": ["lemma/by-plays", "lemma/other"]}
    wrong = {"control": True, "expect": "refuted"}
    model = claim(as_stated=whole, by_plays={**PLAYS, "agrees_with": "by-steps"}, other={}, by_steps=wrong)
    result = stand(model, "unknown proved proved refuted")
    assert [str(item.verdict) for item in result.readings] == ["unknown", "unknown", "proved", "refuted"]
    assert result.standing is Standing.UNDETERMINED
    assert result.readings[0].reason == "lemma/by-plays is unknown"
    agreed = stand(model, "unknown proved proved proved")
    assert agreed.standing is Standing.PROVED


THEOREMS = {"no_win": Theorem("no_win", ("Uint63.add_spec",))}
IN_COQ = claim(as_stated={"coq": "no_win"}, other={})


def conclude_with_coq(words: str) -> ClaimResult:
    """Conclude on a claim whose first reading names a theorem that Coq has proved."""
    return stand(IN_COQ, words, theorems=THEOREMS)


@pytest.mark.parametrize("word", ["proved", "supported"])
def test_what_coq_has_proved_changes_no_verdict(word: str) -> None:
    """The theorem is shown beside the verdict of the reading that names it, and nowhere else."""
    named, other = conclude_with_coq(f"{word} proved").readings
    plain = stand(IN_COQ, f"{word} proved").readings[0]
    assert named.in_coq == THEOREMS["no_win"]
    assert other.in_coq is plain.in_coq is None
    assert (named.verdict, named.beliefs) == (plain.verdict, plain.beliefs)


def test_a_reading_that_was_not_decided_is_not_in_coq() -> None:
    assert conclude_with_coq("unknown proved").readings[0].in_coq is None


def test_a_refuted_theorem_is_trouble() -> None:
    result = conclude_with_coq("refuted proved").readings[0]
    assert result.verdict is Verdict.UNKNOWN
    assert result.trouble == "two methods disagree: no_win is proved in Coq, this is refuted"
    assert Ledger((conclude_with_coq("refuted proved"),)).exit_code == 4


@pytest.mark.parametrize("word", ["proved", "refuted"])
def test_a_theorem_made_of_the_statement_needs_no_name_in_the_spec(word: str) -> None:
    """The theorem is shown beside the same verdict, proved or refuted. Beside the opposite verdict there is trouble."""
    model, statement = claim(as_stated={}), "a" * 64
    certificate = CertificateFile("evidence/a.json.gz", "b" * 64, statement)
    reading = replace(found(model, "as-stated", word), certificate=certificate)
    for verdict in ("proved", "refuted"):
        theorem = Theorem("lemma.lemma", (), verdict)
        (result,) = conclude(model, [reading], {}, theorems={statement: theorem}).readings
        assert (result.in_coq == theorem) is (verdict == word)
        assert bool(result.trouble) is (verdict != word)


def test_a_theorem_of_a_statement_is_not_about_joined_readings() -> None:
    model, statement = claim(as_stated={}), "a" * 64
    certificate = CertificateFile("evidence/a.json.gz", "b" * 64, statement)
    joining = replace(found(model, "as-stated", "proved"), certificate=certificate, joins=("other/as-stated",))
    others = {"other": stand(claim("other", as_stated={}), "proved")}
    (result,) = conclude(model, [joining], others, theorems={statement: Theorem("lemma.lemma", ())}).readings
    assert (result.verdict, result.in_coq) == (Verdict.PROVED, None)


def test_the_ledger_names_the_own_rules_of_a_reading() -> None:
    """If the rules of a reading are the rules of its claim, the ledger does not repeat them."""
    result = stand(
        claim(as_stated={}, same={"rules": "paper"}, other={"rules": "closed-any-spot"}), "proved proved proved"
    )
    assert [reading.rules for reading in result.readings] == ["", "", "closed-any-spot"]


def test_a_repair_that_asks_another_question_gets_a_hint() -> None:
    """Without the hint, nobody would notice that an unrelated repair makes a false sentence 'proved after repair'."""
    rest = {"plays": "all", "objectives": {"some play": {"some": "X_wins", "at": "end"}}}
    kept = {**rest, "objectives": {"no win": {"keep": "not X_wins", "at": "every"}}}
    model = claim(as_stated={**kept, "expect": "refuted"}, near={**kept, **REPAIR}, far={**rest, **REPAIR})
    near, far = stand(model, "refuted proved proved").readings[1:]
    assert near.hints == ()
    assert far.hints == (
        "it repairs as-stated, but asks something else (as-stated is about keep, this about some): is that intended?",
    )


def test_an_unknown_verdict_has_no_limit() -> None:
    """The verdict is unknown if methods disagree, or if a reading with evidence joins a refuted reading."""
    limit = Limit(4, 9)
    apart = claim(as_stated={**PLAYS, "agrees_with": "other"}, other={"steps": STEP["steps"]})
    limited = replace(found(apart, "as-stated", "proved"), limit=limit)
    assert conclude(apart, [limited, found(apart, "other", "proved")], {}).limit == Limit(4, 9, is_partial=True)
    disagree = conclude(apart, [limited, found(apart, "other", "refuted")], {})
    assert [result.limit for result in disagree.readings] == [None, None]
    base = stand(claim("base", as_stated={}), "refuted")
    user = claim(as_stated={**PLAYS, "joins": ["base/as-stated"]})
    result = conclude(user, [replace(found(user, "as-stated", "proved"), limit=limit)], {"base": base})
    assert (result.readings[0].verdict, result.readings[0].limit, result.limit) == (Verdict.UNKNOWN, None, None)
