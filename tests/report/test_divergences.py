"""Notes on where the formal text departs from a document's stand beside the claims that they are about."""

import pathlib
import re

import pytest

from tests.rules import specs
from verifier.report.html.divergences import FILE, list_others, place_notes
from verifier.report.order import label_of

SPECS = pathlib.Path(__file__).parents[2] / "specs"

NOTES = """\
# Title
Words that are no note.

- A *round* in Lemma 2 is two plies, as `start`
  says.
- `variant-*` and `lemma-1/repaired` are ours; so is <b>.

| place | text | so |
|---|---|---|
| P1 | a | b |
| Lemmas 2 and 3 | c | d |
"""
LABELS = {"lemma-1": "Lemma 1", "lemma-2": "Lemma 2", "lemma-20": "Lemma 20", "variant-a": "our own", "p1": "P1"}


def test_notes_stand_beside_what_they_name() -> None:
    """A note goes to each claim that it names, by its id or as the document does; a row says what its columns are."""
    notes = place_notes(NOTES.splitlines(), LABELS)
    assert {name: len(found) for name, found in notes.items()} == {"lemma-2": 2, "lemma-1": 1, "variant-a": 1, "p1": 1}
    assert notes["lemma-2"][0] == "A <em>round</em> in Lemma 2 is two plies, as <code>start</code> says."
    assert notes["lemma-2"][1] == "Lemmas 2 and 3. text: c; so: d."
    assert notes["lemma-1"][0].endswith('<a href="#claim-lemma-1">lemma-1/repaired</a> are ours; so is &lt;b&gt;.')


@pytest.mark.parametrize(
    ("own", "found"), [(["lemma-1"], ["One.", "Three."]), (["variant-a"], ["Two.", "Three."]), ([], ["Three."])]
)
def test_a_note_about_no_claim_is_of_the_documents_of_its_part(own: list[str], found: list[str]) -> None:
    """What names no claim stands in the reports of the documents whose claims the rest of its part names, or in all."""
    lines = ["## A", "- One.", "- Lemma 1: x.", "## B", "- Two.", "- `variant-*`: x.", "## C", "- Three."]
    assert list_others(lines, LABELS, own) == found


def test_marks_are_read_as_markdown_reads_them() -> None:
    """Two stars are strong, one is emphasised, and none of either is left."""
    (note,) = list_others(["- *Turn* counts **plies**, marks. A *round* is two."], {}, [])
    assert note == "<em>Turn</em> counts <strong>plies</strong>, marks. A <em>round</em> is two."


@pytest.fixture(scope="module")
def labels() -> dict[str, str]:
    library = specs()
    return {name: label_of(library, name) for name in library.claims}


def test_the_shipped_notes_name_claims_that_there_are(labels: dict[str, str]) -> None:
    """Every fault that is listed stands beside a claim, and what looks like a claim of ours is one."""
    text = (SPECS / FILE).read_text(encoding="utf-8")
    faults = text.partition("## Faults found")[2].partition("##")[0].splitlines()
    assert place_notes(faults, labels)
    assert not list_others(faults, labels, labels)
    named = re.findall(r"`((?:lemma|figure|rules|remark|threesome|variant)-[a-z0-9-]+)[`/]", text)
    assert set(named) <= set(labels)
    assert len(named) > 20
