"""The HTML report: whole, self-contained, well formed, escaped, and true to the ledger."""

import base64
import hashlib
import json
import os
import pathlib
import re
from collections import Counter
from dataclasses import replace

import pytest

from tests.audit.made import order
from tests.lines import PROOFS
from tests.report.ledgers import as_expected, conclude_as_expected
from tests.report.tree import Element, Tree, by_id, find, unpack_chapters
from tests.rules import SPECS, find_rules, rule_sets, specs
from verifier.api.loading import load
from verifier.audit.ledger import ClaimResult, Ledger, Standing
from verifier.audit.store import Store
from verifier.kernel.verdict import Verdict
from verifier.language.outline import split_headline
from verifier.presentation.family import in_pair
from verifier.presentation.registry import find_presentation
from verifier.questions.result import Counterexample, DecisionStatus, Line
from verifier.report.html.again import CoqTheorem, list_filed, say_how_to_decide
from verifier.report.html.claims import look_of
from verifier.report.html.documents import describe_provenance
from verifier.report.html.witness import draw_witness, find_terms
from verifier.report.registry import Report, render_report
from verifier.report.sentence import verdict_of

LOADS = {"src", "srcset", "action", "formaction", "poster", "data", "background", "ping", "xlink:href", "style"}


@pytest.fixture(scope="module")
def elements(page: str) -> list[Element]:
    return Tree(page).root.every()


def test_the_page_is_one_well_formed_document(page: str, elements: list[Element]) -> None:
    """It has a doctype, a language and a title. Every element is closed in order (the parser requires it).

    In a browser, axe tests that controls, tables, boards and regions have names.
    """
    assert page.startswith("<!DOCTYPE html>\n")
    assert find(elements, "html")[0].attributes["lang"] == "en"
    title, headings = find(elements, "title")[0].words, find(elements, "h1")
    assert title == "Claim report: 8 claims, and 2 of our own; 14 readings"
    assert len(headings) == 1
    assert all(find(table.every(), "th") for table in find(elements, "table"))
    assert {cell.attributes.get("scope") for cell in find(elements, "th")} == {"row", "col"}


def test_a_page_of_many_claims_packs_each_chapter_and_loses_nothing(
    report: Report, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unpacked as the script does it, the chapters are those of a page that does not pack them."""

    def read_chapters(text: str) -> list[str]:
        return [found.removeprefix("\n") for found in re.findall("<noscript>(.*?)</noscript>", text, re.DOTALL)]

    monkeypatch.setattr("verifier.report.html.page.MANY_CLAIMS", 1)
    packed = render_report("html", report)
    assert 'id="claim-p4-note"' not in packed
    assert read_chapters(unpack_chapters(packed)) == read_chapters(page)
    assert ['id="claim-p4-note"' in text for text in read_chapters(page)].count(True) == 1


def test_nothing_is_loaded_from_anywhere(page: str, elements: list[Element]) -> None:
    assert not find(elements, "link")
    assert not find(elements, "img")
    assert not find(elements, "iframe")
    assert not [element for element in elements if LOADS & set(element.attributes)]
    (style,) = find(elements, "style")
    assert not re.search(r"url\(|@import|https?:", style.words)
    for script in find(elements, "script"):
        assert not re.search(r"https?:|fetch\(|XMLHttpRequest|import\(|WebSocket|sendBeacon", script.words)
    assert "http://" not in page
    assert "https://" not in page
    assert not [name for element in elements for name in element.attributes if name.startswith("on")], "a handler"


def test_the_policy_allows_this_script_and_nothing_else(elements: list[Element]) -> None:
    """The Content-Security-Policy forbids every load, and has the hash of the page's one script."""
    (policy,) = [e.attributes["content"] for e in find(elements, "meta") if e.attributes.get("http-equiv")]
    (script,) = [e.words for e in find(elements, "script") if "type" not in e.attributes]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy.startswith(f"default-src 'none'; script-src 'sha256-{digest}';")
    assert "http" not in policy


def test_hostile_texts_stay_texts(page: str, elements: list[Element]) -> None:
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "<!-- a comment" not in page
    claim = by_id(elements, "claim-hostile")
    assert "<script>alert(1)</script> \"quoted\" & 'so on'" in claim.words
    assert "</style></script><img src=x onerror=alert(1)> and <!-- a comment" in claim.words
    assert not find(claim.every(), "b")
    assert not find(claim.every(), "i")
    assert {e.attributes["href"][0] for e in find(claim.every(), "a")} == {"#"}
    assert "verifier report 'a <b> claim'" in by_id(elements, "made").words


def test_the_ledger_has_a_row_for_every_claim(report: Report, elements: list[Element]) -> None:
    """Each row has the standing, the verdicts found and expected, and what you have to trust."""
    (body,) = find(by_id(elements, "ledger-table").every(), "tbody")
    assert len(body.children) == len(report.ledger.claims)
    rows = {find(row.every(), "a")[0].attributes["href"].removeprefix("#claim-"): row for row in body.children}
    for claim in report.ledger.claims:
        row = rows[claim.id]
        assert row.attributes["data-standing"] == claim.standing
        items = [" ".join(item.words.split()) for item in find(row.every(), "li")]
        assert len(items) == len(claim.readings)
        for item, reading in zip(items, claim.readings, strict=True):
            assert item.startswith(f"{reading.id}: ")
            assert verdict_of(reading) in item
    assert rows["p4-note"].attributes["data-verdict"] == "refuted|proved"
    assert rows["p4-note"].attributes["data-trust"] == "kernel"
    assert rows["classic-draw"].attributes["data-trust"] == "kernel"


def test_the_rules_in_use_are_stated(report: Report, elements: list[Element]) -> None:
    for name in {claim.rules for claim in report.ledger.claims}:
        items = [" ".join(item.words.split()) for item in find(by_id(elements, f"rules-{name}").every(), "li")]
        said = find_presentation(report.library.game(name)).say_rules(report.library.rules_file(name))
        assert items == [f"{clause.text} ({clause.place})" for clause in said]


def test_no_two_rule_sets_read_alike() -> None:
    files = {find_rules(name): specs().rules_file(name) for name in rule_sets()}
    texts = {tuple(clause.text for clause in find_presentation(game).say_rules(file)) for game, file in files.items()}
    assert len(texts) == len({file.title for file in files.values()}) == len(files) == len(rule_sets())


def test_a_witness_has_data_for_each_step(report: Report, elements: list[Element]) -> None:
    """The data are what the positions of the witness show, up to the last one drawn."""
    (result,) = [r for r in report.ledger.readings if r.claim == "lowest-spot-keeps-fields"]
    assert isinstance(result.witness, Line)
    figure = by_id(elements, "witness-lowest-spot-keeps-fields--as-stated")
    steps = json.loads(figure.attributes["data-steps"])
    game = find_rules("paper")
    position = game.start
    assert steps[0][:2] == ["." * 81, "." * 9]
    for move, step in zip(result.witness.moves, steps[1:], strict=True):
        position = game.play(position, game.parse_move(move))
        fields = " ".join(sorted({str(m[0]) for m in game.legal_moves(position)}))
        marks, owners, _ = game.format_position(position).split(" ")
        assert step[:4] == [marks.replace("/", ""), owners, fields, move]
    shown = [e.words.partition(" ")[2] for e in figure.every() if e.attributes.get("class") in ("x", "o")]
    assert shown == [in_pair(move) for move in result.witness.moves]
    (last,) = [e for e in figure.every() if "last" in e.attributes.get("class", "").split()]
    blank = by_id(elements, f"blank-{figure.attributes['data-blank']}")
    (cell,) = [e for e in blank.every() if e.attributes.get("data-cell") == result.witness.moves[-1]]
    assert last.attributes["transform"] == cell.attributes["transform"]
    assert "fails at ply 5" in figure.words


def test_a_conclusion_that_fails_comes_with_its_definitions(elements: list[Element]) -> None:
    """The names in it are unfolded once, and the definition links to its file. How play reaches it comes first."""
    figure = by_id(elements, "witness-p4-note--as-stated")
    fails = next(e.words for e in figure.every() if e.attributes.get("class") == "broken")
    (defined,) = [e for e in figure.every() if e.attributes.get("class") == "defined"]
    assert fails == "all(won_by_X[i] for i in A(f))"
    assert " ".join(defined.words.split()).startswith("A(f) is defined as [i for i in FIELDS if")
    assert [link.attributes["href"] for link in find(defined.every(), "a")] == ["#definitions-last-field"]


def test_legal_play_is_told_apart_from_the_play_of_the_text() -> None:
    """“Legal play reaches it” and “the position is not from that play” would contradict each other."""
    library, found = specs(), dict[str, ClaimResult]()
    for name in order(SPECS, "lemma-2"):
        found[name] = conclude_as_expected(name, found)
    game = library.game("paper")
    before = game.format_position(game.play(game.start, game.parse_move("4.8")))
    moves, line = ("8.0", "0.0"), ("4.8",)
    witness = Counterexample("round[f=0]", before, moves, "", "P5(f)", True, "", True, line, "counterexample")
    claim = found["lemma-2"]
    readings = [replace(item, witness=witness if item.id == "the-six-alone" else None) for item in claim.readings]
    ledger = Ledger((replace(claim, readings=tuple(readings)),))
    page = render_report("html", Report(ledger, library, SPECS, Store(SPECS), ""))
    (said,) = re.findall(r'<figure class="witness counterexample.*?</figcaption>', page, re.DOTALL)
    assert "The position of board 1 satisfies the hypotheses of the step, with f = 0." in said
    assert "On board 3, after (8, 0), (0, 0), this conclusion fails" in said
    assert "Legal play reaches it, but not the play that the text is about. Reached by: (4, 8)" in said
    assert "<code>P5(f)</code> is defined as" in said


def test_a_claim_says_how_to_decide_it_again() -> None:
    """Commands are named, and the theorem of Coq. Each theorem that the specs name is stated in a file of proofs/coq.

    Only evidence that is shipped can be decided without the specs.
    """
    library = specs()
    report = Report(Ledger(()), library, SPECS, Store(PROOFS), "")
    filed = list_filed(report.store)
    told = say_how_to_decide(report, "abstract-43", filed)
    assert told.recheck == "python3 -S -m verifier recheck abstract-43"
    assert told.check == "verifier check abstract-43 --no-cache"
    assert told.theorems == (CoqTheorem("as-stated", "at_most_43", "proofs/coq/Upper.v"),)
    for name, claim in library.claims.items():
        named = [reading.coq for reading in claim.model.readings.values() if reading.coq]
        assert [theorem.name for theorem in say_how_to_decide(report, name, filed).theorems] == named
    assert list_filed(Store(None)) == frozenset()
    other = say_how_to_decide(replace(report, store=Store(None)), "abstract-43", list_filed(Store(None)))
    assert (other.recheck, other.theorems) == ("", ())


def test_a_label_is_said_in_words_and_its_spots_are_framed() -> None:
    """P5 for last field 0 is about the spots of A in fields 0 and 8. After (8, 0) and (0, 0) it fails."""
    library, moves = specs(), ("8.0", "0.0")
    game = library.game("paper")
    positions = [game.play(game.start, game.parse_move("4.8"))]
    for move in moves:
        positions.append(game.play(positions[-1], game.parse_move(move)))
    before, _, after = map(game.format_position, positions)
    witness = Counterexample("round[f=0]", before, moves, after, "P5(f)", True, "", True, (), "counterexample")
    result = replace(as_expected("lemma-2/the-six-alone"), witness=witness)
    view = draw_witness(Report(Ledger(()), library, SPECS, Store(PROOFS), ""), result, witness)
    assert [term for term, _ in view.said] == ["P5"]
    assert view.is_asked
    assert [words for words, _ in view.frames] == [
        "1. Before: Olivia (O) to move in field 8",
        "2. Olivia plays (8, 0): Xavier (X) to move in field 0",
        "3. Xavier answers (0, 0): Olivia (O) to move in field 0",
    ]
    assert len({position for _, position in view.frames}) == 3
    (frames,) = re.findall(r'<path class="asked" d="([^"]*)"', view.board)
    assert frames.count("M") == 12


def test_amber_is_for_statements_that_change(report: Report) -> None:
    """A slip in a proof, a gap in an argument and a remark are grey. A hypothesis that a statement lacks is amber."""
    library = specs()

    def look(name: str, severity: str) -> str:
        claims = dict[str, ClaimResult]()
        for each in order(SPECS, name):
            claims[each] = conclude_as_expected(each, claims)
        assert claims[name].severity == severity
        return look_of(library, claims[name])

    changed, kept = "proved-after-repair", "proved-after-repair kept"
    assert look("lemma-2", "hypothesis") == look("remark-1", "slip") == changed
    assert look("lemma-3-edge-line", "slip") == look("p4-note", "gap") == look("p5-note", "remark") == kept


def test_terms_are_found_as_words() -> None:
    """A range uses its members, too. A label of one letter is not the article at the beginning of a sentence."""
    terms = {"A": "six fields", "P1": "the first", "P1 to P6": "all six", "P5": "the fifth", "LBS": "a strategy"}
    all_six = [("P1", "the first"), ("P1 to P6", "all six"), ("P5", "the fifth")]
    assert find_terms(terms, "A move: P1 to P6 hold.") == all_six
    assert find_terms(terms, "By P5(f), one spot of A") == [("A", "six fields"), ("P5", "the fifth")]
    assert find_terms(terms, "P15 and aLBS") == []


def test_a_figure_is_beside_the_position_that_play_reaches(elements: list[Element]) -> None:
    boards = find(by_id(elements, "claim-figure-7").every(), "svg")

    def marks(board: Element) -> list[tuple[str, set[str]]]:
        fields = [e for e in board.children if "field" in e.attributes.get("class", "").split()]
        cells = [
            (
                cell.attributes["transform"] + field.attributes["transform"],
                set(cell.attributes["class"].split()) & {"x", "o"},
            )
            for field in fields
            for cell in field.children
            if "cell" in cell.attributes.get("class", "").split()
        ]
        return [(place, found) for place, found in cells if found]

    assert len(boards) == 3, "the picture, where the line starts, and where it ends"
    assert marks(boards[0]) == marks(boards[-1]) != marks(boards[1])
    rows = [row.words.split()[2:] for row in find(by_id(elements, "claim-figure-2").every(), "tr")]
    assert ["10", "1", "13"] in rows


def test_the_page_names_its_versions_rules_hashes_and_command(report: Report, elements: list[Element]) -> None:
    found = describe_provenance(report)
    words = by_id(elements, "made").words
    for text in (found["specs"], found["evidence"], report.command, f"z3-solver {found['versions']['z3-solver']}"):
        assert text in words
    assert set(found["rules"]) == {"paper", "tictactoe", "threesome4x4"}
    for reading in report.ledger.readings:
        if reading.certificate is not None:
            assert f"sha256 {reading.certificate.sha256}" in by_id(elements, f"claim-{reading.claim}").words


def test_the_hash_of_the_specs_changes_with_any_file(report: Report, tmp_path: pathlib.Path) -> None:
    """A changed byte in a spec file changes the hash. A pipe or a folder with such a name does no harm."""
    folder = tmp_path
    (folder / "a.yaml").write_text("a: 1\n")
    (folder / "b.yaml").mkdir()
    os.mkfifo(folder / "c.yaml")
    before = describe_provenance(replace(report, specs=folder))["specs"]
    (folder / "a.yaml").write_text("a: 2\n")
    assert describe_provenance(replace(report, specs=folder))["specs"] != before


def test_the_same_report_is_the_same_page(report: Report, page: str) -> None:
    assert render_report("html", report) == page
    assert len(page.encode()) < 1_000_000


def test_a_claim_that_was_not_run_says_so(report: Report) -> None:
    """This includes a claim with some readings that were not run. There is nothing to trust for it."""
    claim = next(claim for claim in report.ledger.claims if claim.id == "figure-2")
    unknown = replace(claim.readings[0], verdict=Verdict.UNKNOWN, witness=None, certificate=None)
    left = replace(claim, readings=(replace(unknown, decided=DecisionStatus.NOT_RUN),), standing=Standing.NOT_RUN)
    tree = Tree(render_report("html", replace(report, ledger=replace(report.ledger, claims=(left,))))).root.every()
    words = " ".join(by_id(tree, "claim-figure-2").words.split())
    assert "A reading that decides this has not been checked" in words
    assert "You have to trust: not all of it is checked." in words
    assert "the kernel alone" not in words
    (row,) = find(find(by_id(tree, "ledger-table").every(), "tbody")[0].every(), "tr")
    assert row.attributes["data-trust"] == ""
    assert row.attributes["data-verdict"] == "not checked"


def test_a_report_of_one_document_has_nothing_of_another() -> None:
    """It has only the document's own sentences, the files that its claims use, and the notes on departures from it."""
    specs = load(SPECS, cache=False)
    page = specs.render(specs.look("newell-simon"))
    tree = Tree(page).root.every()
    assert "not in this report" not in page
    assert "Where our formal text differs" not in page
    sources = {item.attributes["id"] for item in find(tree, "article") if item.attributes["class"] == "source"}
    used = re.findall(r'href="#((?:strategy|definitions)-[^"]+)"', page)
    assert set(used) <= sources
    files = [item.words for item in find(by_id(tree, "sources").every(), "p") if item.attributes["class"] == "id"]
    assert len(files) > 5
    assert all(" in newell-simon/" in words for words in files)


@pytest.mark.parametrize("asked", [["newell-simon"], ["newell-simon", "threesome"]])
def test_the_first_screen_is_about_the_named_documents(asked: list[str]) -> None:
    """The document with most claims gives its title and has its statements shown; each other one has a row."""
    specs = load(cache=False)
    page = specs.render(specs.look(asked))
    found = re.search(r"<h1>(.*?)</h1>", page)
    assert found is not None
    stated = Counter(claim.source.document for claim in specs.look(asked).claims if not claim.source.ours)
    assert found[1] == specs.library.document(max(stated, key=lambda name: stated[name])).title
    assert re.findall(r'class="chip ', page)
    rows = re.findall(r'<tr><th scope="row"><a href="#claim-([\w-]+)">(.*?)</a>', page)
    assert len(rows) == len(stated) - 1
    assert all(f'id="claim-{claim}"' in page for claim, _ in rows)


def test_what_has_a_wrong_statement_is_never_green() -> None:
    """The sentence on the main results of Harary's table, some of which are wrong, does not look like a proof."""
    names = split_headline(specs(), "harary")[0]
    found: dict[str, ClaimResult] = {}
    for name in order(SPECS, *names):
        found[name] = conclude_as_expected(name, found)
    report = Report(Ledger(tuple(found[name] for name in names)), specs(), SPECS, Store(SPECS), "")
    elements = Tree(render_report("html", report)).root.every()
    assert by_id(elements, "glance-headline").attributes["class"] == "verdict proved-after-repair"


def test_the_first_screen_is_for_people_who_do_not_know_the_document() -> None:
    """It says the rules, and in plain words what is wrong. The tiles say in words whether the statements hold."""
    names = [*split_headline(specs(), "paper")[0], "abstract-next-field", "lemma-2", "lemma-3"]
    found: dict[str, ClaimResult] = {}
    for name in order(SPECS, *names):
        found[name] = conclude_as_expected(name, found)
    report = Report(Ledger(tuple(found[name] for name in names)), specs(), SPECS, Store(SPECS), "")
    elements = Tree(render_report("html", report)).root.every()
    said = {
        name: [" ".join(each.words.split()) for each in elements if name in each.attributes.get("class", "").split()]
        for name in ("rules", "example", "chip")
    }
    assert said["rules"][0].startswith(
        "The game: Xavier (X) and Olivia (O) mark a spot in turn; the board has nine fields"
    )
    assert ": The lemma says that six facts about the board" in said["example"][0]
    assert "P1" not in said["example"][0]
    assert said["chip"] == [
        "Abstract 4 proved as stated 1 proved after repair The document’s summary: 5 claims, 4 of them main results. "
        "on one of them: remark, no change needed",
        "Lemma 2 proved after repair The properties P1 to P6 of the board still hold after a round to correct: missing "
        "hypothesis",
        "Lemma 3 proved as stated The strategy wins by ply 43",
    ]
