"""The numbers of ``specs/beyond/README.md`` are those of the claims, of the kernel and of the evidence."""

from __future__ import annotations

import pathlib
import re

import pytest

from tests.rules import specs
from verifier.index import read_index
from verifier.kernel.certificate import unpack
from verifier.kernel.games.nested import LINES
from verifier.kernel.race.endgame import CONFINED_MARKS
from verifier.kernel.race.relaxation import field_table
from verifier.kernel.race.replies import QUICK_FRONTIER, parse_lemma
from verifier.kernel.store import TABLE, files_of, read_certificate
from verifier.language.model import Conjunction
from verifier.methods.bound import FRONTIER
from verifier.recheck import plan

ROOT = pathlib.Path(__file__).parents[2]
PROOFS = ROOT / "proofs"
PAGE = (ROOT / "specs/beyond/README.md").read_text()
ROW = re.compile(r"^\| (\d) \| (\d) \| (\d?) ?\| (\d*) ?\| (\d+) \| (.*) \|$", re.MULTILINE)


def count_evidence(theorem: int) -> str:
    """Return the row of a theorem in the table of evidence."""
    files = files_of(PROOFS)
    names: dict[str, None] = {}
    for request in plan(read_index(PROOFS), frozenset({f"theorem-{theorem}"})):
        shown = read_certificate(PROOFS, request.statement)
        if shown.statement["kind"] == "bound":
            names |= dict.fromkeys(shown.evidence["tables"])
    tables = [files(name, TABLE) for name in names]
    lemmas = [parse_lemma(unpack(data, name), name) for data, name in zip(tables, names, strict=True)]
    assert {lemma.frontier for lemma in lemmas} == {FRONTIER}
    texts = "".join(text for lemma in lemmas for text in lemma.replies.values())
    numbers = (len(names), sum(len(lemma.roots) for lemma in lemmas), len(texts), texts.count("c"))
    cells = [f"{number:,}" for number in (*numbers, sum(map(len, tables)))]
    return f"| Theorem {theorem} | {' | '.join(cells)} |"


@pytest.mark.parametrize("theorem", [1, 2, 3, 4])
def test_the_table_of_evidence_is_that_of_the_evidence(theorem: int) -> None:
    """What shows each theorem is counted on the page."""
    assert count_evidence(theorem) in PAGE.splitlines()


def test_the_table_of_openings_is_that_of_the_claims() -> None:
    """Each row names the claims that Theorem 4 joins, their plies, and the third field of the line."""
    library = specs()
    reading = library.claim("theorem-4").readings["as-stated"]
    assert isinstance(reading, Conjunction)
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
            assert (named, held_by) == ([opening], "43")
        joined = {name for name in joined if not name.startswith(f"{opening}/")}
    assert (len(rows), joined) == (12, set())


@pytest.mark.parametrize(
    "sentence",
    [
        f"leaves {len(field_table().shape):,} different fields",
        f"or where {['four', 'five', 'six'][FRONTIER - 4]} marks are left to him",
        f"and {['six', 'seven', 'eight'][CONFINED_MARKS - 6]} marks or fewer are left",
        f"follows replies down to {['six', 'seven', 'eight'][QUICK_FRONTIER - 6]} marks",
    ],
)
def test_the_numbers_of_the_text_are_those_of_the_kernel(sentence: str) -> None:
    """Frontiers and the number of fields are as in the code."""
    assert sentence in PAGE.replace("\n", " ")


def test_every_claim_that_the_page_names_is_one() -> None:
    """A name in backticks that looks like a claim's is one."""
    library = specs()
    named = set(re.findall(r"`((?:theorem|beyond|lemma)-[a-z0-9-]+)`", PAGE))
    assert len(named) > 25
    assert [name for name in sorted(named) if name not in library.claims] == []
