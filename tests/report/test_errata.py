"""The errata: graded by the specs alone, shown by the ledger alone, and fit to be copied."""

from __future__ import annotations

import pathlib
import re
from collections import Counter
from dataclasses import replace

import pytest

from tests.audit.made import check, make_plan, write_claim
from tests.report.ledgers import make_report
from tests.rules import specs
from verifier.audit.ledger import ClaimResult, Decided
from verifier.audit.standing import blank_result, conclude
from verifier.kernel.verdict import Belief, Verdict
from verifier.language.library import Library, load_library
from verifier.language.problem import SpecProblemsError
from verifier.report.errata.collect import SEVERITIES, collect_errata, count_in_words, label_of, order_claims
from verifier.report.html.coverage import list_sentences
from verifier.report.registry import Report, render

GRADED = """    erratum:
      severity: SEVERITY
      headline: HEADLINE
      sentence: It holds at the *first* ply.
      breaks: The count is at 0, not at 1 & <more>.
      instead: Begin with 0_, 100% of α.
"""
DOCUMENT = """document: test
title: A paper & its <title>
authors: [Ann Author]
about: It is made for tests.
headline: [plain, mended]
contents: {Part: {wrong: Lemma 9, mended: Lemma 2}}
"""


@pytest.fixture(scope="module")
def shipped() -> Library:
    return specs()


def renew(library: Library, claim: ClaimResult) -> ClaimResult:
    """Return a result with what specs that have been changed since say of errata and joins."""
    said = [blank_result(library.claim(claim.id), reading.id) for reading in claim.readings]
    pairs = zip(claim.readings, said, strict=True)
    return replace(claim, readings=tuple(replace(r, erratum=b.erratum, joins=b.joins) for r, b in pairs))


def grade(report: Report, severity: str = "step", headline: str = "[mended]", text: str = GRADED) -> Report:
    """Describe the document of a report for tests, and grade what is refuted of its claim ``mended``."""
    path = report.specs / "part" / "mended.yaml"
    block = text.replace("SEVERITY", severity).replace("HEADLINE", headline)
    old = "  as-stated:\n    {method: entailment, at: start, expect: refuted, parts: {start: {conclude: [ply == 1]}}}\n"
    new = "  as-stated:\n    method: entailment\n    at: start\n    expect: refuted\n"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, f"{new}{block}    parts: {{start: {{conclude: [ply == 1]}}}}\n"))
    (report.specs / "document.yaml").write_text(DOCUMENT)
    library = load_library(report.specs)
    claims = [renew(library, claim) for claim in report.ledger.claims]
    return replace(report, library=library, ledger=replace(report.ledger, claims=tuple(claims)))


def test_an_erratum_says_what_the_spec_says_and_the_ledger_shows(tmp_path: pathlib.Path) -> None:
    """Sentence, break, severity and repair; the repair with the verdict of the reading that shows it."""
    (errata,) = collect_errata(grade(make_report(tmp_path)))
    graded, ungraded = errata.entries
    assert (graded.claim, graded.reading, graded.label, graded.severity) == ("mended", "as-stated", "Lemma 2", "step")
    assert graded.breaks == "The count is at 0, not at 1 & <more>."
    assert graded.repairs == (("repaired", "proved"),)
    assert graded.headline == (
        '“A bell \x07, "quotes", <tags> & 100% | of: commas,\nlines” (proved after repair): this is the claim itself',
    )
    assert (ungraded.claim, ungraded.severity, ungraded.instead) == ("wrong", "", "")
    assert count_in_words(errata) == "1 wrong step, 1 not graded"


def test_what_the_ledger_does_not_refute_is_no_erratum(tmp_path: pathlib.Path) -> None:
    """An erratum in a spec is printed for a reading that is refuted in this run, and for no other."""
    for changes in ({"verdict": Verdict.PROVED}, {"verdict": Verdict.UNKNOWN}, {"decided": Decided.NOT_RUN}):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        base = {"verdict": Verdict.UNKNOWN} if "decided" in changes else {}
        (errata,) = collect_errata(grade(make_report(folder, mended__as_stated={**base, **changes})))
        assert [entry.claim for entry in errata.entries] == ["wrong"]


def test_a_repair_that_is_not_shown_is_not_printed(tmp_path: pathlib.Path) -> None:
    """Where the readings that repair it are refuted or unknown, nothing is told to be written instead."""
    report = grade(make_report(tmp_path, mended__repaired={"verdict": Verdict.UNKNOWN}))
    entry = collect_errata(report)[0].entries[0]
    assert (entry.instead, entry.repairs) == ("", ())
    assert "**Instead:** no repair is shown." in render("errata", report)


def test_what_was_not_run_is_counted(tmp_path: pathlib.Path) -> None:
    """Silence about a reading that is not in the run is not taken for praise."""
    report = grade(make_report(tmp_path))
    assert "1 reading of its claims is not in this run, and nothing is said of them." in render("errata", report)


def test_the_gravest_stand_first(tmp_path: pathlib.Path) -> None:
    """The order is that of the severities, and then that of the document."""
    assert list(SEVERITIES) == ["statement", "step", "hypothesis", "slip", ""]
    text = render("errata", grade(make_report(tmp_path), "slip"))
    assert re.findall(r"^###+ (.*)$", text, re.M) == ["Slips of the pen", "1. Lemma 2", "Not graded", "2. Lemma 9"]


@pytest.mark.parametrize("form", ["errata", "errata-latex"])
def test_foreign_text_stays_text(tmp_path: pathlib.Path, form: str) -> None:
    """Signs that Markdown or LaTeX would obey are escaped, and what cannot be seen is named by its number."""
    text = render(form, grade(make_report(tmp_path)))
    assert "\x07" not in text
    if form == "errata":
        assert r"at the \*first\* ply" in text
        assert r"not at 1 & \<more\>" in text
        assert r"0\_, 100% of α" in text
    else:
        assert r"not at 1 \& $<$more$>$" in text
        assert r"0\_, 100\% of $\alpha$" in text
        assert text.count(r"\begin{verbatim}") == text.count(r"\end{verbatim}")
        outside = re.sub(r"\\begin\{verbatim\}.*?\\end\{verbatim\}", "", text, flags=re.S)
        assert not re.findall(r"(?<!\\)[&#_]", outside)


def test_latex_is_given_letters_that_it_knows(tmp_path: pathlib.Path) -> None:
    """Greek letters are mathematics, dashes and accents what they are; any other sign is named, as LaTeX would stop."""
    text = GRADED.replace("100% of α", "é – λ ο ≤ ∀ [α]")
    assert r"é -- $\lambda$ [greek small letter omicron] [less-than or equal to] [for all] [$\alpha$]" in render(
        "errata-latex", grade(make_report(tmp_path), text=text)
    )


@pytest.mark.parametrize(
    ("severity", "headline", "text", "reason"),
    [
        ("bad", "[]", GRADED, "severity"),
        ("step", "[wrong]", GRADED, "'wrong' is not in the headline of 'test'"),
        ("step", "[]", GRADED.rpartition("      instead")[0], "says 'instead' where, and only where, a reading"),
        ("step", "[]", GRADED + "    erratum_of: mended/as-stated\n", "stands alone"),
        ("step", "[]", "    erratum_of: plain/as-stated\n", "no reading 'plain/as-stated' with an erratum"),
    ],
)
def test_a_bad_erratum_is_refused(tmp_path: pathlib.Path, severity: str, headline: str, text: str, reason: str) -> None:
    """A severity that is none, a headline that is none, and a repair that no reading shows are faults of the spec."""
    with pytest.raises(SpecProblemsError) as caught:
        grade(make_report(tmp_path), severity, headline, text)
    assert any(reason in str(problem) for problem in caught.value.problems)


def test_an_erratum_of_what_is_not_refuted_is_refused(tmp_path: pathlib.Path) -> None:
    """The key goes with a reading that is expected to be refuted, and with no claim of the auditors' own."""
    report = make_report(tmp_path)
    path = report.specs / "part" / "mended.yaml"
    whole = path.read_text()
    path.write_text(
        whole.replace("at: start\n    expect: proved", "at: start\n    expect: proved\n    erratum_of: a/b")
    )
    with pytest.raises(SpecProblemsError, match="goes with 'expect: refuted'"):
        load_library(report.specs)
    path.write_text(whole.replace("part 2,", "part 2, ours: true,"))
    with pytest.raises(SpecProblemsError) as caught:
        grade(report)
    assert any("the auditors' own" in str(problem) for problem in caught.value.problems)


def test_the_shipped_errata_are_graded_and_placed(shipped: Library) -> None:
    """Every refuted reading of a document's own claim has an erratum or belongs to one; every claim has its place."""
    counts: Counter[str] = Counter()
    for name in shipped.claims:
        claim = shipped.claim(name)
        if shipped.is_ours(claim.source):
            continue
        for reading in claim.readings.values():
            if reading.expect == "refuted" and not reading.control:
                others = [other.expect for other in claim.readings.values() if not other.repairs and not other.control]
                is_open = reading.erratum is None and set(others) > {"refuted"}
                assert is_open or (reading.erratum is None) != (reading.erratum_of is None), name
                counts[reading.erratum.severity if reading.erratum else ""] += 1
    assert counts == {"statement": 2, "hypothesis": 2, "slip": 6, "": 6}
    for document in ("paper", "seed-004"):
        placed = [name for part in shipped.document(document).contents.values() for name in part]  # type: ignore[union-attr]
        stated = [name for name in shipped.claims if shipped.claim(name).source.document == document]
        assert sorted(placed) == sorted(stated)
        assert [name for name in order_claims(shipped, shipped.claims) if name in placed] == placed
    assert label_of(shipped, "lemma-2") == "Lemma 2"
    assert label_of(shipped, "theorem-1") == "Theorem 1"


def test_what_a_headline_rests_on_is_followed_through_joins(tmp_path: pathlib.Path) -> None:
    """The repair of a claim that a headline claim joins, at however many removes, is one that it needs."""
    report = grade(make_report(tmp_path), headline="[]")
    path = report.specs / "part" / "plain.yaml"
    text = path.read_text().replace("  as-stated: {", "  as-stated: {joins: [mended/repaired], ")
    path.write_text(text)
    path = report.specs / "part" / "mended.yaml"
    path.write_text(path.read_text().replace("uses: [plain]\n", ""))
    library = load_library(report.specs)
    results = {claim.id: renew(library, claim) for claim in report.ledger.claims}
    results["plain"] = conclude(library.claim("plain"), results["plain"].readings, results)
    ledger = replace(report.ledger, claims=tuple(results.values()))
    entry = collect_errata(replace(report, library=library, ledger=ledger))[0].entries[0]
    assert entry.headline[0] == "“A claim for tests” (proved after repair): rests here on the repair of this"


def test_what_the_text_argues_through_is_told_from_what_rests_on_the_repair(tmp_path: pathlib.Path) -> None:
    """A headline claim that the spec names, and whose evidence joins no repair, is said to be argued through it."""
    entry = collect_errata(grade(make_report(tmp_path), headline="[plain]"))[0].entries[0]
    assert entry.headline[0].startswith("“A claim for tests” (proved as stated): the text's argument goes through this")


def test_a_repair_that_fails_is_no_erratum(tmp_path: pathlib.Path) -> None:
    """The document does not say it: that the auditors' first try is refuted shows nothing of the text."""
    failed = make_report(tmp_path, mended__repaired={"verdict": Verdict.REFUTED})
    (errata,) = collect_errata(failed)
    assert [(entry.claim, entry.reading) for entry in errata.entries] == [
        ("mended", "as-stated"),
        ("wrong", "as-stated"),
    ]
    assert errata.entries[0].repairs == ()


JOINED = """readings:
  one: {method: replay, expect: refuted, line: ["0", "1"], holds: [X_wins]ERRATUM}
  two: {method: replay, expect: proved, line: ["0", "1"], holds: [ply == 2]}
  whole: {method: conjunction, expect: refuted, joins: [joined/one, joined/two]}
  mended: {method: replay, expect: proved, repairs: [whole], because: That is so., line: ["0"], holds: [ply == 1]}
"""


@pytest.mark.parametrize("repaired", ["whole", "one"])
@pytest.mark.parametrize(
    ("erratum", "told"), [("", "whole"), (", erratum: {severity: slip, breaks: It breaks.}", "one")]
)
def test_a_part_and_the_whole_are_one_erratum(erratum: str, told: str, repaired: str, tmp_path: pathlib.Path) -> None:
    """The claim stands by the whole: that is told with the board of its part, unless the spec has graded the part."""
    text = JOINED.replace("repairs: [whole]", f"repairs: [{repaired}]")
    if repaired == "one":
        erratum = erratum.replace("It breaks.", "It breaks., instead: That is so.")
    write_claim(tmp_path, "joined", text.replace("ERRATUM", erratum), "tictactoe")
    plan = make_plan(tmp_path)
    (errata,) = collect_errata(Report(check(plan), plan.library, tmp_path, plan.folders.stores, ""))
    (entry,) = errata.entries
    assert (entry.reading, entry.where, entry.board is None) == (told, "after 0 1", False)
    assert entry.instead == "That is so."


def test_a_repair_of_one_part_repairs_no_whole_in_which_another_fails(tmp_path: pathlib.Path) -> None:
    """Also where the other one is of another claim: what is told to write instead has to hold."""
    text = (
        JOINED.replace("repairs: [whole]", "repairs: [one]").replace("ERRATUM", "").replace("joined/two", "other/one")
    )
    before, _, rest = text.partition("  two:")
    write_claim(tmp_path, "joined", before + rest.partition("\n")[2], "tictactoe")
    write_claim(tmp_path, "other", JOINED.partition("  two")[0].replace("ERRATUM", ""), "tictactoe")
    plan = make_plan(tmp_path)
    (errata,) = collect_errata(Report(check(plan), plan.library, tmp_path, plan.folders.stores, ""))
    (entry,) = [entry for entry in errata.entries if entry.claim == "joined"]
    assert (entry.reading, entry.instead, entry.repairs) == ("whole", "", ())


@pytest.mark.parametrize("erratum", ["", ", erratum: {severity: slip, breaks: It breaks.}"])
def test_a_sentence_of_which_a_reading_may_hold_is_no_erratum(erratum: str, tmp_path: pathlib.Path) -> None:
    """Where a run leaves out another reading of it, nothing is wrong as yet but what the spec has graded."""
    write_claim(tmp_path, "joined", JOINED.partition("  whole")[0].replace("ERRATUM", erratum), "tictactoe")
    plan = replace(make_plan(tmp_path), reading="one")
    (errata,) = collect_errata(Report(check(plan), plan.library, tmp_path, plan.folders.stores, ""))
    assert (len(errata.entries), errata.left) == (bool(erratum), 1)


def test_what_fails_by_an_erratum_that_is_not_shown_is_told_itself(tmp_path: pathlib.Path) -> None:
    """A ledger in which the other reading is not refuted, or is not at all, still has a refuted sentence."""
    for changes, told in (({}, ["mended"]), ({"verdict": Verdict.UNKNOWN}, ["wrong"])):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        report = grade(make_report(folder, mended__as_stated=changes))
        *others, wrong = report.ledger.claims
        wrong = replace(wrong, readings=tuple(replace(item, erratum_of="mended/as-stated") for item in wrong.readings))
        (errata,) = collect_errata(replace(report, ledger=replace(report.ledger, claims=(*others, wrong))))
        assert [entry.claim for entry in errata.entries] == told


def test_a_sentence_is_told_with_the_verdict_on_its_reading(tmp_path: pathlib.Path) -> None:
    """One that is not in this run is no unknown one, and a supported one says by what."""
    report = make_report(
        tmp_path, plain__as_stated={"verdict": Verdict.SUPPORTED, "beliefs": frozenset({Belief.SOLVER})}
    )
    names = "plain/as-stated, mended/repaired, wrong/long"
    text = f"coverage: test\nparts:\n  part 1:\n    '1': {{says: It holds., claims: [{names}, plain, mended, wrong]}}\n"
    (report.specs / "document.yaml").write_text(DOCUMENT)
    (report.specs / "coverage.yaml").write_text(text)
    (sentence,) = list_sentences(replace(report, library=load_library(report.specs)))
    told = [word for _, _, word in sentence.claims][:3]
    assert told == ["supported by a solver", "proved", "not in this run"]
