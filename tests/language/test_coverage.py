"""Coverage: the sentences of a document, numbered without a gap, and their claims."""

from __future__ import annotations

import pathlib

import pytest

from tests.language.test_documents import CLAIM, PAPER, write
from tests.rules import specs
from verifier.language.about import CoverageFile
from verifier.language.folder import load_library
from verifier.language.problem import SpecProblemsError

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


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            HEAD + FIRST + '    "3": {says: It is fine., left_out: an opinion}\n',
            "list.yaml:5:5: the sentences of '§1' are numbered from 1 without a gap: 2 is wanted, not 3",
        ),
        (
            HEAD + FIRST.replace("said]", "said, siad]"),
            "list.yaml:4:55: no claim 'siad' in these specs: did you mean 'said'?",
        ),
        (
            HEAD + FIRST.replace("said]", "said/repaired]"),
            "list.yaml:4:49: the claim 'said' has no reading 'repaired'",
        ),
        (
            HEAD + '    "1": {says: The board is empty., left_out: an opinion}\n',
            "list.yaml:3:3: the claim 'said' is of this document, and no sentence names it",
        ),
        (
            HEAD + '    "1": {says: The board is empty.}\n',
            "list.yaml:4:10: contents.§1.1: a sentence has either 'readings' or, in 'left_out', the reason why no "
            "claim is about it",
        ),
        (
            HEAD.replace("paper", "papre") + FIRST,
            "list.yaml:1:11: no document 'papre' in these specs: did you mean 'paper'?",
        ),
    ],
)
def test_problems_of_coverage_are_named_where_they_stand(tmp_path: pathlib.Path, text: str, problem: str) -> None:
    """A gap in the numbers, an unknown claim, a claim without a sentence: each with file, line and column."""
    with pytest.raises(SpecProblemsError) as caught:
        load_library(write(tmp_path, paper=PAPER, said=SAID, list=text))
    assert [str(item) for item in caught.value.problems] == [problem]
