"""Documents: what specs say about them, which claims are the auditors' own, and which sentences are covered.

Invalid ones are in ``tests/corpus/specs/invalid/documents`` and ``sentences``.
"""

import fnmatch
import re

from tests.anew import SLOW, find_quick
from tests.audit.made import MADE, ROOT
from tests.rules import load_library, specs
from verifier.kernel.circuit import Circuit
from verifier.kernel.games import nested
from verifier.kernel.games.registry import unknown
from verifier.language.shape import CoverageFile


def test_a_claim_belongs_to_its_document_unless_it_is_ours() -> None:
    """A source may be marked as ours. Every claim of a document that is ours is ours."""
    library = load_library(MADE / "documents")
    assert [name for name in library.claims if library.is_ours(library.claim(name).source)] == ["asked", "noted"]
    paper = library.document("paper")
    assert (paper.authors, paper.terms) == (["One", "Another"], {"double": "a move"})
    assert (library.document("x").title, library.document("x").authors) == ("x", [])


def test_without_document_files_a_source_may_name_any_document() -> None:
    """If a document has no file, its claims are its own."""
    library = load_library(MADE / "three")
    assert library.document("test").title == "test"
    assert not library.is_ours(library.claim("plain").source)


def test_no_claim_of_a_document_is_only_supported() -> None:
    library = specs()
    expected = {reading.expect for name in library.claims for reading in library.claim(name).readings.values()}
    assert expected == {"proved", "refuted"}


def test_ci_searches_again_for_claims_of_each_document() -> None:
    """Slow claims are listed once, by patterns that all fit something. All bounds beyond the paper are slow."""
    library = specs()
    for pattern in SLOW:
        assert fnmatch.filter(library.claims, pattern), pattern
    folders = {library.claims[name].document.file.split("/")[0] for name in find_quick()}
    assert folders == {spec.document.file.split("/")[0] for spec in library.claims.values()} - {"beyond"}


def test_the_reference_lists_the_assumptions_about_positions() -> None:
    """The reference explains each assumption of the symbolic checks, and the claim that proves it names it."""
    assumed = unknown(Circuit(), nested.PAPER).invariant()
    page = (ROOT / "specs" / "MORE.md").read_text()
    assert re.findall(r"`(position\.\w+)`[:,]", page) == [*assumed, "position.open", "position.cells"]
    assert set(re.findall(r"position\.\w+", specs().claim("rules-positions").source.says)) == set(assumed)


def test_divergences_name_existing_claims() -> None:
    """Every word that looks like a claim of ours is one."""
    page = (ROOT / "specs" / "DIVERGENCES.md").read_text()
    named = re.findall(r"`((?:lemma|figure|rules|remark|threesome|variant)-[a-z0-9-]+)[`/]", page)
    assert set(named) <= set(specs().claims)
    assert len(named) > 20


def test_what_divergences_call_open_depends_on_the_reading() -> None:
    """For each claim in the table "Where it depends on the reading", some stated reading holds, and one fails."""
    library = specs()
    page = (ROOT / "specs" / "DIVERGENCES.md").read_text()
    table = page.split("## Where it depends on the reading")[1].split("\n## ")[0]
    names = re.findall(r"`([a-z0-9-]+)[`/]", table)
    assert len(names) >= 2
    for name in names:
        readings = library.claim(name).readings.values()
        assert {"proved", "refuted"} == {one.expect for one in readings if not one.control and not one.repairs}, name


def test_every_document_of_others_is_covered() -> None:
    """The shipped specs number the sentences of each document that is not ours, and name all its claims there."""
    library = specs()
    ours = {name for name in library.documents if library.document(name).ours}
    others = set(library.documents) - ours - {"examples"}
    assert {"paper", "seed-004", "newell-simon"} <= others <= set(library.coverage)


def test_a_sentence_has_claims_or_a_reason() -> None:
    model = load_library(MADE / "documents").coverage["paper"].model
    assert isinstance(model, CoverageFile)
    assert [sentence.readings for sentence in model.contents["§1"].values()] == [["said"], [], ["said/as-stated"]]
