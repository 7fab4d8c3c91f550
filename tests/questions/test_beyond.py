"""The numbers of ``specs/beyond/README.md`` are those of the claims, of the kernel and of the evidence."""

import functools
import itertools
import pathlib
import re
from typing import Any

import pytest
import yaml

from tests.kernel.asking import reason_of
from tests.lines import PROOFS
from tests.rules import SPECS, specs
from verifier.kernel.certificate import files_of, read_certificate, read_index, unpack
from verifier.kernel.decide import Memo
from verifier.kernel.games.nested import LINES
from verifier.kernel.race.bound import LemmaResult, decide_bound, parse_lemma
from verifier.kernel.race.relaxation import field_table
from verifier.kernel.relabel import SYMMETRIES
from verifier.kernel.verdict import Verdict
from verifier.questions.bound.evidence import FRONTIER
from verifier.questions.joins.model import JoinsReading
from verifier.recheck import plan

PAGE = (SPECS / "beyond/README.md").read_text()
ROW = re.compile(r"^\| (\d) \| (\d) \| (\d?) ?\| (\d*) ?\| (\d+) \| (.*) \|$", re.MULTILINE)


def count_evidence(theorem: int) -> str:
    """Return the row of a theorem in the table of evidence."""
    files = files_of(PROOFS)
    names: dict[str, None] = {}
    for request in plan(read_index(PROOFS), frozenset({f"theorem-{theorem}"})):
        shown = read_certificate(PROOFS, request.key)
        if shown.statement["kind"] == "bound":
            names |= dict.fromkeys(shown.evidence["tables"])
    tables = [files(name) for name in names]
    lemmas = [parse_lemma(unpack(data, name), name) for data, name in zip(tables, names, strict=True)]
    assert {lemma.frontier for lemma in lemmas} == {FRONTIER}
    texts = "".join(text for lemma in lemmas for text in lemma.replies.values())
    numbers = (len(names), sum(len(lemma.roots) for lemma in lemmas), len(texts))
    cells = [f"{number:,}" for number in (*numbers, sum(map(len, tables)))]
    return f"| Theorem {theorem} | {' | '.join(cells)} |"


@pytest.mark.parametrize("theorem", [1, 2, 3, 4, 5])
def test_the_table_of_evidence_is_that_of_the_evidence(theorem: int) -> None:
    """The page says how much evidence shows each theorem."""
    assert count_evidence(theorem) in PAGE.splitlines()


def test_the_table_of_openings_is_that_of_the_claims() -> None:
    """Each row names the claims that Theorem 4 joins, their plies, and the third field of the line."""
    library = specs()
    reading = library.claim("theorem-4").readings["as-stated"]
    assert isinstance(reading, JoinsReading)
    joined = set(reading.joins)
    rows = ROW.findall(PAGE)
    for i, f, k, won_by, held_by, claims in rows:
        thirds = [set(line) - {int(i), int(f)} for line in LINES if {int(i), int(f)} < set(line)]
        assert [{int(k)}] == thirds if k else thirds == []
        named = re.findall("`([a-z0-9-]+)`", claims)
        opening = f"beyond-opening-{i}-{f}"
        assert f"{opening}/not-by-{held_by}" in joined
        if won_by:
            assert named == [f"beyond-win-{i}-{f}", opening]
            assert f"beyond-win-{i}-{f}/by-{won_by}" in joined
            assert int(won_by) == int(held_by) + 2 == (41 if k == "4" else 43)
            joined.discard(f"beyond-win-{i}-{f}/by-{won_by}")
        else:
            assert (named, held_by) == ([opening], "45")
        joined = {name for name in joined if not name.startswith(f"{opening}/")}
    assert (len(rows), joined) == (12, {"beyond-odd-plies/as-stated", "theorem-4/the-table"})


def test_every_claim_that_the_page_names_is_one() -> None:
    """A name in backticks that looks like the name of a claim is the name of a claim."""
    library = specs()
    named = set(re.findall(r"`((?:theorem|beyond|lemma)-[a-z0-9-]+)`", PAGE))
    assert len(named) > 25
    assert [name for name in sorted(named) if name not in library.claims] == []


def statement_of(name: str) -> dict[str, Any]:
    return read_certificate(PROOFS, read_index(PROOFS).filed[name]).statement


def find_ply(name: str) -> int:
    """Return the ply in the statement of some evidence: of a bound, of ``reach`` or of ``prevent``."""
    statement = statement_of(name)
    about = statement if statement["kind"] == "bound" else statement["objectives"][0]
    ply: int = about["through"] if "through" in about else about["by"]
    return ply


PROSE = " ".join(" ".join(re.sub("`[^`]*`", "`_`", line) for line in PAGE.splitlines() if line[:1] != "|").split())
"""The text without tables, names and line ends."""

PLIES: dict[str, list[str]] = yaml.safe_load(pathlib.Path(__file__).with_name("plies.yaml").read_text())


def test_every_ply_of_the_text_is_that_of_evidence() -> None:
    """Each number of the text is in a sentence built from a statement that has evidence."""
    value, bound, before = find_ply("lemma-3/as-stated"), find_ply("theorem-1/as-stated"), find_ply("lemma-4/as-stated")
    made = [text.replace("{}", str(find_ply(name))) for name, texts in PLIES.items() for text in texts]
    made += [f"Up to ply {bound + 1} he places no more marks than up to ply {bound}, so"]
    made += [f"cannot force a win by ply {find_ply('beyond-value-43/at-least')}. \u220e"]
    made += [f"hold out through ply {before} (Lemma 4", f"close the gap between {before + 1} and {value}; - say"]
    paper = specs().document("paper")
    assert paper is not None
    made += [f"“{paper.title.partition(':')[0]}” (the paper"]
    assert value == bound + 2
    assert [sentence for sentence in made if PROSE.count(sentence) != 1] == []
    rest = PROSE
    for sentence in made:
        rest = rest.replace(sentence, re.sub(r"\d\d", "n", sentence))
    assert re.findall(r".{30}(?<![\d,.-])\d\d(?![\d,]).{9}", rest) == []


def test_what_the_text_counts_are_the_rows_of_its_table() -> None:
    """The page has the right numbers of positions, of the evidence for Theorem 1, and of the kernel."""
    words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    rows = ROW.findall(PAGE)
    every, won = words[len(rows)], words[sum(bool(row[3]) for row in rows)]
    lost = words[sum(not row[3] for row in rows)]
    uses = specs().claim("theorem-1").uses
    chosen = [re.findall(r"\d", name)[:2] for name in uses if name.startswith("beyond-opening-")]
    made = [
        f"leaves {len(field_table().shape):,} different fields",
        f"or where {words[FRONTIER]} marks are left to him",
        f"of the {every} positions that can stand after a full opening, up to symmetry, {lost} have no win",
        f"there are {every} such positions",
        f"from the {lost} positions without k",
        f"wins all {won} positions that have a k",
        f"for each of its {every} positions",
        f"{every} beyond-opening-I-F, {won} beyond-win-I-F",
        f"her order has chosen the last field f: {', '.join(f'{f} after ({i},{i})' for i, f in chosen)}.",
    ]
    assert [sentence for sentence in made if sentence not in PROSE] == []


def test_the_orders_of_the_text_are_those_of_the_claims() -> None:
    """Olivia's order after each kind of double, and how many of his replies Theorem 3 speaks of."""
    library = specs()
    for where, i in (("middle", 4), ("corner", 0), ("edge", 1)):
        said = library.claim(f"beyond-replies-{where}").source.says
        (spots,) = re.findall(r"on the spots ([\d, ]*) in this order", said)
        assert {*map(int, spots.split(", "))} == {*range(9)} - {i}
        assert f"{spots} for i = {i}" in PROSE
    cases = statement_of("theorem-3/as-stated")["cases"]
    exchanges = [case["start"].split(" ")[0].count("O") for case in cases]
    assert len(exchanges) == 9 * len({*exchanges})
    assert PROSE.count(f"of his first {['six', 'seven', 'eight'][len({*exchanges}) - 6]} answers") == 5


EXCHANGES = [1, 2, 3, 4, 5, 6]
"""How many exchanges come before an answer of which Theorem 5 speaks; its first answer has a claim of another kind."""


def test_theorem_5_joins_a_claim_for_each_answer() -> None:
    """The answers are counted in the statement, and none is left out."""
    reading = specs().claim("theorem-5").readings["as-stated"]
    assert isinstance(reading, JoinsReading)
    joined = [f"beyond-any-order-{exchanges}/by-43" for exchanges in EXCHANGES]
    assert list(reading.joins) == ["beyond-second-move/by-46", *joined]
    assert len({find_ply(name) for name in joined}) == 1
    answers = ["six", "seven", "eight"][len(reading.joins) - 6]
    assert f"in whatever order she places them. If one of his first {answers} answers is another move" in PROSE


@pytest.mark.parametrize("exchanges", EXCHANGES)
def test_the_cases_of_theorem_5_are_all_up_to_symmetry(exchanges: int) -> None:
    """Every set of earlier exchanges, with every next mark of hers, is the image of a case; (t,4) alone is left out."""
    found = set()
    for case in statement_of(f"beyond-any-order-{exchanges}/by-43")["cases"]:
        fields, _, active = case["start"].split(" ")
        t, middle = int(active), fields.split("/")[4]
        earlier = {s for s in range(9) if middle[s] == "O"} - {t}
        assert {f"{t}.{s}" for s in range(9)} - {*case["first"]} == {f"{t}.4"}
        assert all(fields.split("/")[s] == ("....X...." if s in earlier else ".........") for s in range(9) if s != 4)
        found |= {(frozenset(image[s] for s in earlier), image[t]) for image in SYMMETRIES}
    ring = [s for s in range(9) if s != 4]
    sets = [frozenset(chosen) for chosen in itertools.combinations(ring, exchanges)]
    assert found == {(chosen, t) for chosen in sets for t in ring if t not in chosen}


@pytest.mark.parametrize("exchanges", EXCHANGES)
def test_the_tables_of_theorem_5_show_nothing_more(exchanges: int) -> None:
    """The kernel refuses the same tables for a statement that is false, or has another number of his marks."""
    files, shown = (
        files_of(PROOFS),
        read_certificate(PROOFS, read_index(PROOFS).filed[f"beyond-any-order-{exchanges}/by-43"]),
    )
    # The tables need not be followed here: this test is about what the kernel makes of their roots.
    stats = dict.fromkeys(("replies", "leaves", "visited"), 0)
    tables = {name: parse_lemma(unpack(files(name), name), name) for name in shown.evidence["tables"]}
    memo = Memo(tables={name: LemmaResult(lemma.given, lemma.roots, stats) for name, lemma in tables.items()})
    ask = functools.partial(decide_bound, is_proof=True, evidence=shown.evidence, read=files, memo=memo)
    assert ask(shown.statement).verdict is Verdict.PROVED
    with_the_answer = [{**case, "first": None} for case in shown.statement["cases"]]
    assert reason_of(ask, {**shown.statement, "cases": with_the_answer}) == "no-reply"
    through = shown.statement["through"]
    assert ask({**shown.statement, "through": through + 1}).verdict is Verdict.PROVED  # he has no more marks by then
    for other in (through - 2, through - 1, through + 2):
        assert reason_of(ask, {**shown.statement, "through": other}) == "no-reply"


def test_how_many_last_fields_have_a_line() -> None:
    """All eight around the middle; around a corner and an edge all but one and two classes of mirror images."""
    rows = ROW.findall(PAGE)
    without = {i: sum(not k for j, _, k, *_ in rows if j == i) for i in "401"}
    assert without == {"4": 0, "0": 1, "1": 2}
    assert "If i is the middle, each f has a k" in PROSE
    missing = {i: [f for f in range(9) if not any({i, f} <= {*line} for line in LINES)] for i in (0, 1)}
    assert [len(missing[i]) for i in (0, 1)] == [2, 4]
    assert "If i is a corner, two fields f have no k, and these two are images of each other;" in PROSE
    assert "if i is the middle of an edge, four fields f have no k" in PROSE
    lines = {len([line for line in LINES if k in line]) for k in range(9)}
    assert (lines, len([line for line in LINES if 4 in line])) == ({2, 3, 4}, 4)
    assert "field k, which he owns first, is on four lines of fields instead of two or three" in PROSE


def test_the_first_move_that_is_left_is_the_one_that_evidence_leaves_out() -> None:
    """Theorem 2 is about all first moves but one."""
    (case,) = statement_of("theorem-2/as-stated")["cases"]
    assert {f"{f}.{s}" for f in range(9) for s in range(9)} - {*case["first"]} == {"4.4"}
    assert "If the first move is not (4,4)," in PROSE
    assert "after Theorem 2 it is (4,4)" in PROSE
