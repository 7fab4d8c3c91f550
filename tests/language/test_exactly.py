"""``exactly``: a reading that says by which ply and by none sooner joins two, each decided by itself."""

from tests.audit.made import MADE, check, make_plan, verdicts
from tests.rules import load_library
from verifier.language.compile import compile_reading

SPECS = MADE / "exactly"
VERDICTS = {
    "at-2": {"r": "refuted", "r-by": "refuted", "r-not-sooner": "proved"},
    "at-3": {"r": "proved", "r-by": "proved", "r-not-sooner": "proved"},
    "at-4": {"r": "refuted", "r-by": "proved", "r-not-sooner": "refuted"},
}


def test_by_a_ply_and_not_sooner() -> None:
    """X wins with his second mark, exactly at ply 3; where one of the two is refuted, so is the whole."""
    wanted = {f"{claim}/{name}": verdict for claim, found in VERDICTS.items() for name, verdict in found.items()}
    assert verdicts(check(make_plan(SPECS))) == wanted


def test_the_two_statements_are_those_that_one_would_write() -> None:
    """The claimant reaches the goal by the ply; the other player prevents it through the one before."""
    library = load_library(SPECS)
    by, sooner = (compile_reading(library, "at-3", f"r-{part}").statement for part in ("by", "not-sooner"))
    assert by is not None
    assert sooner is not None
    assert (by["claimant"], sooner["claimant"]) == ("X", "O")
    assert by["objectives"] == [{"name": "won", "type": "reach", "goal": ["X_wins"], "by": 3}]
    assert sooner["objectives"] == [{"name": "won sooner", "type": "prevent", "goal": ["X_wins"], "through": 2}]
    assert library.claim("at-3").readings["r"].note == "Some note."
