"""The errata: graded by the specs alone, shown by the ledger alone, and ready to be copied.

Invalid ones are in ``tests/corpus/specs/invalid/errata``.
"""

import pathlib
import re
import shutil
import subprocess
from dataclasses import replace
from typing import Any, get_args

import pytest

from tests.audit.made import STARTS, check, edit, make_plan, read_spec, write_claim
from tests.commands import ROOT
from tests.golden import require_golden
from tests.lines import PROOFS
from tests.report.ledgers import make_report
from tests.report.test_text import ledger_as_expected
from tests.rules import SPECS, find_rules, load_library, specs
from verifier.audit.outlining import make_outline
from verifier.audit.standing import conclude
from verifier.audit.store import Store
from verifier.kernel.certificate import read_index
from verifier.kernel.games import Game
from verifier.kernel.verdict import Belief, Verdict
from verifier.language.outline import Severity, split_headline
from verifier.questions.result import DecisionStatus, Limit, pending_result
from verifier.report.errata.collect import collect_errata
from verifier.report.errata.latex import draw_picture, escape_latex
from verifier.report.errata.letter import Diagram, Errata, LetterReading, MainResult
from verifier.report.html.claims import list_beside
from verifier.report.html.documents import say_standings
from verifier.report.layout import Layout
from verifier.report.order import label_of, order_by_document
from verifier.report.registry import Report, render_report
from verifier.report.sentence import SEVERITIES
from verifier.report.show import show_claim

GRADED = read_spec("graded/errata")
DOCUMENT = read_spec("graded/document")


LAST = ("How to check this", "Appendix for programmers")
"""The headings that end each letter."""


def grade(report: Report, severity: str = "step", headline: str = "[mended]", text: str = GRADED) -> Report:
    """Describe the document of a test report, and write its errata."""
    words = {"SEVERITY": severity, "HEADLINE": headline, "READING": "mended/as-stated"}
    for word, value in words.items():
        text = text.replace(word, value)
    (report.specs / "document.yaml").write_text(DOCUMENT)
    (report.specs / "errata.yaml").write_text(text)
    return replace(report, known=load_library(report.specs))


def errata_of(report: Report) -> Errata:
    """Return the errata of the only document of a report."""
    (errata,) = collect_errata(report.ledger, report.library)
    return errata


def check_specs(specs: pathlib.Path, reading: str | None = None) -> Report:
    """Return the report on a folder of specs."""
    plan = make_plan(specs, reading=reading)
    return Report(check(plan), plan.library, specs, plan.folders.store, "")


@pytest.mark.parametrize("form", ["errata", "errata-latex"])
def test_a_graded_letter(form: str, tmp_path: pathlib.Path) -> None:
    """The most serious first: sentence, failure, repair with verdict, what rests on it, what was not run; escaped."""
    assert [*SEVERITIES] == [*reversed(get_args(Severity)), ""]
    require_golden(f"letter-{form}.txt", render_report(form, grade(make_report(tmp_path), "hypothesis")))


def test_severities_are_explained_as_on_the_page_about_verdicts() -> None:
    page = (ROOT / "docs/verdicts.md").read_text(encoding="utf-8")
    for key, name in SEVERITIES.items():
        assert not key or f"| `{key}` | {name.one} | {name.meaning} |" in page


def test_a_statement_names_the_errata_in_its_parts() -> None:
    """Each erratum in a part, such as a proof, is on the page of the whole statement, and ``show`` names it too."""
    ledger = ledger_as_expected()
    report = Report(ledger, specs(), SPECS, Store(), "")
    errata = collect_errata(ledger, specs())
    beside, outline = list_beside(report, errata), make_outline(specs())
    shown = {"lemma-2", "lemma-3", "lemma-6", "lemma-7", "lemma-1", "remark-2"}
    assert shown <= beside.keys()
    assert [entry.claim for entry in beside["lemma-3"]["proof"]] == ["lemma-3-edge-line"]
    for name, parts in beside.items():
        (claim,) = [claim for claim in ledger.claims if claim.id == name]
        told = show_claim(claim, outline, Layout(200))
        for part, entries in parts.items():
            for entry in entries:
                where = "its proof" if part == "proof" else f"“{part}”"
                kind = "remark" if entry.severity == "remark" else "correction"
                assert told.count(f"{where} has a {kind}: verifier show {entry.claim}\n") == 1


TWO = GRADED.replace("READING", "mended/as-stated, wrong/as-stated").partition("  the-other")[0]
UNKNOWN, NOT_RUN = {"verdict": Verdict.UNKNOWN}, {"verdict": Verdict.UNKNOWN, "decided": DecisionStatus.NOT_RUN}
VARIANTS: dict[str, tuple[dict[str, Any], dict[str, str]]] = {
    "the reading of the first entry holds": ({"mended__as_stated": {"verdict": Verdict.PROVED}}, {}),
    "nobody knows whether it holds": ({"mended__as_stated": UNKNOWN}, {}),
    "it is not checked": ({"mended__as_stated": NOT_RUN}, {}),
    "nobody knows whether its repair holds": ({"mended__repaired": UNKNOWN}, {}),
    "its repair fails: the document does not say it": ({"mended__repaired": {"verdict": Verdict.REFUTED}}, {}),
    "the text argues through it, and our proof does not": ({}, {"headline": "[plain]"}),
    "an entry of two readings": ({}, {"text": TWO}),
    "of which the first is unknown": ({"mended__as_stated": UNKNOWN}, {"text": TWO}),
}
"""How readings come out, and how they are graded."""


def test_letters_of_other_ledgers(tmp_path: pathlib.Path) -> None:
    """An erratum is printed for a reading that is refuted in this run, with a repair that was shown in it."""
    told = []
    for number, (name, (changes, grading)) in enumerate(VARIANTS.items()):
        (tmp_path / str(number)).mkdir()
        report = grade(make_report(tmp_path / str(number), **changes), **grading)
        letter = render_report("errata", report).partition("To: Ann Author.")[2].strip().replace("\n\n", "\n")
        told.append(f"=== {name}\n{letter}\n")
    require_golden("letters.txt", "\n".join(told))


def test_claims_that_a_report_does_not_name_are_counted(tmp_path: pathlib.Path) -> None:
    """A report on one claim of a document does not look like a report on all of them."""
    report = make_report(tmp_path)
    write_claim(report.specs, "another", STARTS, "tictactoe")
    edit(report.specs / "another.yaml", "document: examples", "document: test")
    letter = render_report("errata", grade(report))
    assert "This letter is not complete. Checks that were not made: 2 of 6." in letter


@pytest.mark.parametrize(("name", "is_shown"), [("plain", True), ("mended", True), ("wrong", False)])
def test_our_own_results_are_said_once_they_are_proved(name: str, is_shown: bool, tmp_path: pathlib.Path) -> None:
    """A result beside the document's is told with the way to check it, if the ledger shows its claim."""
    text = GRADED.replace("contents:", f"beyond: {{{name}: It is even more.}}\ncontents:", 1)
    errata = errata_of(grade(make_report(tmp_path), text=text))
    told = [result.paragraph for result in errata.results]
    assert told == [f"It is even more. (In the command below: {name}.)"] * is_shown
    assert bool(errata.left_out) != is_shown
    assert errata.check.command.split().count(name) == 1


def test_a_result_that_was_not_checked_is_named_by_its_title(tmp_path: pathlib.Path) -> None:
    """The sender learns which result the letter leaves out, in a comment that its readers do not see."""
    report = make_report(tmp_path)
    write_claim(report.specs, "another", STARTS, "tictactoe")
    edit(report.specs / "another.yaml", "document: examples", "document: test")
    report = grade(report, text=GRADED.replace("contents:", "beyond: {another: More.}\ncontents:", 1))
    title = report.library.claim("another").title
    left = f"Left out of the letter, because this run did not prove it: “{title}” (another)."
    assert (errata_of(report).results, errata_of(report).left_out) == ((), left)
    assert f"<!-- {left} -->" in render_report("errata", report)
    assert f"% {left}" in render_report("errata-latex", report)


def test_the_command_checks_all_that_a_letter_rests_on(tmp_path: pathlib.Path) -> None:
    """These are all readings of an entry, what their claims use, and the main results."""
    how = errata_of(grade(make_report(tmp_path), text=TWO)).check
    assert how.command == "python3 -m verifier recheck plain mended wrong"
    assert how.rows == (
        "1: specs/part/mended.yaml: refuted as-stated; proved repaired",
        "1: specs/part/wrong.yaml: refuted as-stated",
    )


LIMITED = "checked for the first 6 moves of each play, those of both players counted"


@pytest.mark.parametrize(
    ("limit", "title", "is_told"),
    [
        (Limit(6, 9), "A claim", True),
        (Limit(6, 9), "Not beaten in move 6", False),
        (Limit(6, 9), "Not beaten before move 7", False),
        (Limit(6, 9), "Not beaten before move 67", True),
        (Limit(6, 9, is_partial=True), "A claim", False),
        (None, "A claim", False),
    ],
)
def test_a_limit_of_a_main_result_is_told(limit: Limit | None, title: str, is_told: bool) -> None:
    """It is told if all of the result has the limit, and if the sentence does not name the move itself."""
    said = MainResult(title, "holds as stated", limit, ()).words
    assert said == ("holds as stated" + f"; {LIMITED}" * is_told)


@pytest.mark.parametrize("is_partial", [False, True])
def test_a_limit_is_explained(is_partial: bool, tmp_path: pathlib.Path) -> None:
    """The limit of a correction stands beside it. The appendix has the limits of all readings."""
    limit = Limit(6, 9, is_partial=is_partial)
    report = grade(make_report(tmp_path, mended__repaired={"limit": limit}, plain__as_stated={"limit": limit}))
    errata = errata_of(report)
    told = dict(errata.entries[0].paragraphs).get("Checked")
    assert told == (None if is_partial else f"{LIMITED.removeprefix('checked for ').capitalize()}.")
    part = "in part " * is_partial
    assert (
        errata.check.rows[0]
        == f"1: specs/part/mended.yaml: refuted as-stated; proved repaired ({part}the first 6 moves)"
    )
    assert errata.check.rows[-1] == f"main result: specs/part/plain.yaml: as-stated ({part}the first 6 moves)"
    assert "moves of both players are counted" in errata.check.appendix


def test_a_row_of_the_appendix_names_a_few_of_many_readings(tmp_path: pathlib.Path) -> None:
    """A claim can have dozens of readings beside those of an entry."""
    errata = errata_of(grade(make_report(tmp_path)))
    entry = errata.entries[0]
    others = tuple(LetterReading(entry.refuted[0].file, entry.claim, f"r{number}", None) for number in range(11))
    row = errata._replace(entries=(entry._replace(others=others),)).check.rows[0]
    assert row.endswith("; also proved r0, r1, r2, r3, r4, r5, r6, r7 and 3 others")


def test_a_remark_needs_no_correction(tmp_path: pathlib.Path) -> None:
    """Where no change is needed, the letter need not offer one, even if a repair was proved."""
    text = GRADED.replace("    correction: Begin with 0_, 100% of α.\n", "")
    assert text != GRADED
    entry = errata_of(grade(make_report(tmp_path), "remark", text=text)).entries[-1]
    assert [label for label, _ in entry.paragraphs] == ["The text says, in our words", "Why"]


def test_the_shipped_letters_name_their_evidence() -> None:
    """Each claim whose readings a letter lists is one with evidence, or one that joins claims with evidence."""
    shipped, index = specs(), read_index(PROOFS)
    filed = {name.partition("/")[0] for name in (*index.filed, *index.joins)}
    for name, file in shipped.errata.items():
        named = {reading.partition("/")[0] for item in file.model.contents.values() for reading in item.readings}
        used = {other for claim in named for other in shipped.claim(claim).uses}
        assert {*named, *used, *split_headline(shipped, name)[0], *file.model.beyond} <= filed


def test_a_detail_that_needs_no_change_comes_last_and_without_a_board(tmp_path: pathlib.Path) -> None:
    """It is not counted as to be corrected, and nothing in it accuses."""
    report = grade(make_report(tmp_path), "remark")
    text, entry = render_report("errata", report), errata_of(report).entries[-1]
    assert (entry.severity, entry.board, entry.where) == ("remark", None, "")
    assert re.findall("^### (.*)$", text, re.M)[-3:] == ["Where no change is needed", *LAST]
    assert "**It could say:** Begin with 0" in text
    assert "To correct: 1 slip of the pen." in text


def test_the_letter_says_to_whom_it_goes_and_what_was_read(tmp_path: pathlib.Path) -> None:
    """What the specs say of the text and its readers comes first, and a place that is not the claim's replaces it."""
    text = GRADED.replace(
        "contents:", "to: the editors\nnote: >-\n  A page\n  of 1999.\n\n  We ask nothing.\ncontents:", 1
    )
    text = text.replace("    severity: SEVERITY", "    severity: SEVERITY\n    place: the last line", 1)
    report = grade(make_report(tmp_path), text=text)
    (report.specs / "coverage.yaml").write_text(
        "coverage: test\nread: a table\ncontents:\n  all:\n    '1': {says: All., readings: [plain, mended, wrong]}\n"
    )
    letter = render_report("errata", replace(report, known=load_library(report.specs)))
    assert "To: the editors.\n\nText: A page of 1999.\n\nWe ask nothing.\n\nHow it was read: only a table.\n" in letter
    assert ". The last line\n\n**The text says, in our words:**" in letter


def test_latex_gets_only_characters_that_it_knows(tmp_path: pathlib.Path) -> None:
    """Greek letters become mathematics; dashes and accents stay. Any other sign is named, because LaTeX would stop."""
    text = GRADED.replace("100% of α", "é – λ ο ≤ ∀ [α]")
    assert r"é -- $\lambda$ [greek small letter omicron] [less-than or equal to] [for all] [$\alpha$]" in render_report(
        "errata-latex", grade(make_report(tmp_path), text=text)
    )


def test_the_shipped_letters_say_what_was_read_and_to_whom_they_go() -> None:
    """Each document says how much of it was read, and each letter which text that was."""
    shipped = specs()
    assert {name for name in shipped.coverage if not shipped.read_of(name)} == set()
    assert {name for name, spec in shipped.errata.items() if spec.model.note is None} == set()
    assert {
        name for name in shipped.errata if not (shipped.errata[name].model.to or shipped.document(name).authors)
    } == set()


def test_the_shipped_errata_have_their_places() -> None:
    shipped = specs()
    assert {*shipped.errata} >= {"paper", "seed-004"}
    for document in shipped.errata:
        placed = [name for part in shipped.document(document).contents.values() for name in part]
        stated = [name for name in shipped.claims if shipped.claim(name).source.document == document]
        assert sorted(placed) == sorted(stated)
        assert [name for name in order_by_document(shipped, shipped.claims) if name in placed] == placed
    assert label_of(shipped, "lemma-2") == "Lemma 2"
    assert label_of(shipped, "theorem-1") == "Theorem 1"


def test_what_a_headline_rests_on_is_followed_through_joins(tmp_path: pathlib.Path) -> None:
    """A headline claim needs each repair of a claim that it joins, even through several joins."""
    report = grade(make_report(tmp_path), headline="[]")
    path = report.specs / "part" / "plain.yaml"
    text = path.read_text().replace("  as-stated: {", "  as-stated: {joins: [mended/repaired], ")
    path.write_text(text)
    path = report.specs / "part" / "mended.yaml"
    path.write_text(path.read_text().replace("uses: [plain]\n", ""))
    library = load_library(report.specs)
    results = {claim.id: claim for claim in report.ledger.claims}
    renewed = pending_result(library.claim("plain"), "as-stated").joins
    plain = tuple(replace(item, joins=renewed) for item in results["plain"].readings)
    results["plain"] = conclude(library.claim("plain"), plain, results)
    ledger = replace(report.ledger, claims=tuple(results.values()))
    entry = errata_of(replace(report, known=library, ledger=ledger)).entries[0]
    told = "The proof of “A claim for tests” (holds once corrected) that was checked relies on the correction."
    assert entry.headline[0] == told


JOINED = """readings:
  one: {expect: refuted, line: ["0", "1"], conclude: [X_wins]}
  two: {expect: proved, line: ["0", "1"], conclude: [ply == 2]}
  whole: {expect: refuted, joins: [joined/one, joined/two]}
  mended: {expect: proved, repairs: [whole], note: That is so., line: ["0"], conclude: [ply == 1]}
"""
FAILING = "  mended: {expect: proved, repairs: [one], note: That is so., line: ['0'], conclude: [ply == 2]}\n"


@pytest.mark.parametrize("repaired", ["whole", "one"])
def test_a_part_and_the_whole_are_one_erratum(repaired: str, tmp_path: pathlib.Path) -> None:
    """Without an errata file, a claim stands by the whole, which is shown with the board of its part."""
    write_claim(tmp_path, "joined", JOINED.replace("repairs: [whole]", f"repairs: [{repaired}]"), "tictactoe")
    (entry,) = errata_of(check_specs(tmp_path)).entries
    assert (entry.reading, entry.where, entry.board is None) == ("whole", "after 0 1", False)
    assert entry.caption == "This position shows it (2 marks, X to move). After 0 1"
    assert entry._replace(is_open=True).caption.startswith("This position shows it for one reading (")
    assert entry.correction == "That is so."


def test_a_repair_of_one_part_does_not_repair_the_whole(tmp_path: pathlib.Path) -> None:
    """If another part fails, even of another claim, the suggested correction would not hold."""
    text = JOINED.replace("repairs: [whole]", "repairs: [one]").replace("joined/two", "other/one")
    before, _, rest = text.partition("  two:")
    write_claim(tmp_path, "joined", before + rest.partition("\n")[2], "tictactoe")
    write_claim(tmp_path, "other", JOINED.partition("  two")[0], "tictactoe")
    (entry,) = [entry for entry in errata_of(check_specs(tmp_path)).entries if entry.claim == "joined"]
    assert (entry.reading, entry.correction) == ("whole", "")


def test_a_sentence_with_an_open_reading_is_not_an_erratum(tmp_path: pathlib.Path) -> None:
    """If a run leaves out another reading of the sentence, nothing is known to be wrong yet."""
    write_claim(tmp_path, "joined", JOINED.partition("  whole")[0], "tictactoe")
    report = check_specs(tmp_path, "one")
    errata = errata_of(report)
    assert (len(errata.entries), errata.run, errata.left) == (0, 1, 1)
    assert "Nothing to correct" not in render_report("errata", report)
    (tmp_path / "joined.yaml").unlink()
    write_claim(tmp_path, "fine", STARTS, "tictactoe")
    assert "Nothing to correct was found in: " in render_report("errata", check_specs(tmp_path))


@pytest.mark.parametrize("is_graded", [True, False])
def test_what_depends_on_the_reading_has_a_section_of_its_own(tmp_path: pathlib.Path, is_graded: bool) -> None:
    """Another reading of the sentence holds. The letter asks for a clearer sentence, and calls nothing wrong."""
    write_claim(tmp_path, "joined", JOINED.partition("  whole")[0], "tictactoe")
    entry = "{readings: [joined/one], severity: wording, note: One fails., correction: Say two.}"
    if is_graded:
        (tmp_path / "errata.yaml").write_text(f"errata: examples\ncontents:\n  open: {entry}\n")
    text = render_report("errata", check_specs(tmp_path))
    assert re.findall("^### (.*)$", text, re.M) == ["Where it depends on the reading", *LAST]
    assert f"**Correction:** {'Say two.' if is_graded else 'say that joined/two is meant'}" in text


@pytest.mark.parametrize("is_graded", [True, False])
def test_a_repair_that_fails_does_not_make_a_sentence_open(tmp_path: pathlib.Path, is_graded: bool) -> None:
    """The spec says that the sentence needs this repair, so no other reading is offered, even without a grade."""
    write_claim(tmp_path, "joined", JOINED.partition("  whole")[0] + FAILING, "tictactoe")
    entry = "{readings: [joined/one], severity: wording, note: One fails., correction: Say two.}"
    if is_graded:
        (tmp_path / "errata.yaml").write_text(f"errata: examples\ncontents:\n  open: {entry}\n")
    (found, *_) = errata_of(check_specs(tmp_path)).entries
    assert (found.reading, found.is_open, found.correction) == ("one", False, "")


def drawn() -> list[tuple[Game, str, str]]:
    """Return a game of each family, with a position and its last move."""
    won = "XXX....../OO......./O......../........./....X..../........./........./........./......... X........ 4"
    shown = [("paper", won, "0.2"), ("threesome4x4", "...X/..../..../....", "1,4"), ("nim", "3.5.6 X 0", "0.1")]
    return [(find_rules(name), position, last) for name, position, last in shown]


def test_a_picture_of_latex_has_every_mark() -> None:
    """The last mark has a frame, a field that is won a thick one, and words say who has won it."""
    game, position, last = drawn()[0]
    picture = draw_picture(Diagram(game, game.parse_position(position), game.parse_move(last)))
    marks = re.findall(r"\\(makebox|framebox)\(22,22\)\{([XO])\}", picture)
    assert sorted(marks) == [("framebox", "X"), *[("makebox", "O")] * 3, *[("makebox", "X")] * 3]
    assert picture.count(r"\linethickness{1.2pt}") == 1
    assert picture.endswith("\n\nX has won 0")


def test_a_picture_of_latex_has_numbers_above_nine() -> None:
    """A heap of twelve is drawn as 12, as on the page."""
    game = find_rules("nim")
    assert re.findall(r"\\makebox\(22,22\)\{(\w+)\}", draw_picture(Diagram(game, game.start, None))) == ["9", "5", "12"]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex")
def test_the_latex_document_compiles(tmp_path: pathlib.Path) -> None:
    """Plain pdflatex makes pages of it, with boards of each family and every text of the shipped errata."""
    entries = [item for name in specs().errata for item in specs().errata_of(name).values()]
    texts = [text for item in entries for text in (item.says, item.correction, item.note) if text]
    assert len(texts) > 50
    boards = [Diagram(game, game.parse_position(position), game.parse_move(last)) for game, position, last in drawn()]
    said = "\n\n".join([*map(escape_latex, texts), *map(draw_picture, boards)])
    written = render_report("errata-latex", grade(make_report(tmp_path)))
    (tmp_path / "errata.tex").write_text(written.replace(r"\end{document}", said + "\n\\end{document}"))
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "errata.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]


def test_each_sentence_has_the_verdict_on_its_reading(tmp_path: pathlib.Path) -> None:
    """A reading that is not checked is not called unknown, and a supported reading names what it rests on."""
    report = make_report(
        tmp_path, plain__as_stated={"verdict": Verdict.SUPPORTED, "beliefs": frozenset({Belief.SOLVER})}
    )
    stands = say_standings(report)
    told = [stands[name] for name in ("plain/as-stated", "mended/repaired", "wrong/long")]
    assert told == ["supported by a solver", "proved", "not checked"]
