"""Coverage: the sentences of a document, numbered without a gap, and their claims."""

from __future__ import annotations

import pathlib

from tests.golden import require_golden
from tests.language.test_documents import CLAIM, PAPER, fault_of, write
from tests.rules import specs
from verifier.language.about import CoverageFile
from verifier.language.folder import load_library

SPECS = pathlib.Path(__file__).parents[2] / "specs"
SAID = CLAIM.format(name="said", document="paper", more="")
HEAD = "coverage: paper\ncontents:\n  §1:\n"
FIRST = '    "1": {says: The board is empty., readings: [said]}\n'


def test_every_document_of_others_is_covered() -> None:
    """The shipped specs number the sentences of each document that is not our own, and so name all its claims."""
    library = specs()
    ours = {name for name in library.documents if getattr(library.document(name), "ours", False)}
    others = set(library.documents) - ours - {"examples"}
    assert {"paper", "seed-004", "newell-simon"} <= others <= set(library.coverage)


def test_a_sentence_has_claims_or_a_reason(tmp_path: pathlib.Path) -> None:
    """What is asserted is audited by claims or readings, or there is a reason why not."""
    more = '    "2": {says: A fine game., left_out: an opinion}\n    "3": {says: Again., readings: [said/as-stated]}\n'
    library = load_library(write(tmp_path, paper=PAPER, said=SAID, list=HEAD + FIRST + more))
    model = library.coverage["paper"].model
    assert isinstance(model, CoverageFile)
    assert [sentence.readings for sentence in model.contents["§1"].values()] == [["said"], [], ["said/as-stated"]]


FAULTS = [
    HEAD + FIRST + '    "3": {says: It is fine., left_out: an opinion}\n',
    HEAD + FIRST.replace("said]", "said, siad]"),
    HEAD + FIRST.replace("said]", "said/repaired]"),
    HEAD + '    "1": {says: The board is empty., left_out: an opinion}\n',
    HEAD + '    "1": {says: The board is empty.}\n',
    HEAD.replace("paper", "papre") + FIRST,
]


def test_problems_of_coverage_are_named_where_they_stand(tmp_path: pathlib.Path) -> None:
    """A gap in the numbers, an unknown claim, a claim without a sentence: each with file, line and column."""
    found = [fault_of(tmp_path / str(n), paper=PAPER, said=SAID, list=text) for n, text in enumerate(FAULTS)]
    require_golden("coverage.txt", "".join(f"{problem}\n" for problem in found))
