from typing import Any

import pytest

from tests.kernel.asking import judge, reason_of
from tests.rules import rules_data
from verifier.kernel.certificate import require_shape
from verifier.kernel.kinds import KINDS, Kind, find_kind
from verifier.kernel.recheck import name_statement
from verifier.kernel.verdict import Result, Verdict


def parse_sky(data: Any) -> None:
    require_shape(data, {"kind": frozenset(["sky"]), "rules": dict, "color": str}, "the sky", is_statement=True)


def decide_sky(data: Any, is_proof: bool, *_: object) -> Result:
    parse_sky(data)
    return Result(Verdict.PROVED if is_proof else Verdict.REFUTED)


def test_a_kind_is_a_line_in_the_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new kind is decided, and no other module has to know it."""
    statement = {"kind": "sky", "rules": rules_data("paper"), "color": "blue"}
    assert judge(statement, {}) == "malformed"
    assert name_statement(statement).words == "a statement of kind 'sky'"
    monkeypatch.setitem(KINDS, "sky", Kind(parse_sky, decide_sky))
    assert [judge(statement, {}), judge(statement, {}, verdict="refuted")] == ["proved", "refuted"]
    assert judge({**statement, "color": 3}, {}) == "malformed"


@pytest.mark.parametrize("kind", ["wish", "", None, 3, ["play"], {"play": 1}])
def test_an_unknown_kind_is_refused(kind: Any) -> None:
    """So is a kind that is not a text."""
    assert reason_of(find_kind, {"kind": kind}) == "malformed"
    assert judge({"kind": kind}, {}) == "malformed"
    assert name_statement({"kind": kind}).words.startswith("a statement of kind ")
