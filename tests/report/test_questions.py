"""The questions of a referee, and where the report answers them.

In this ledger every reading is as its spec expects; the tests are about what the page says. A real run, below, shows
which rules make the strategy fail. How long Olivia can last after a reply is tested in a browser:
``test_every_reply_says_how_long_it_lasts`` in ``tests/browser/test_explorer.py``.
"""

import pathlib
from collections.abc import Collection

import pytest
import yaml

from tests.audit.made import check, make_plan
from tests.golden import require_golden
from tests.report.ledgers import conclude_as_expected
from tests.report.tree import Element, Tree, by_id, unpack_chapters
from tests.rules import SPECS, specs
from verifier.audit.ledger import ClaimResult, Ledger
from verifier.audit.needs import order_claims
from verifier.audit.store import Store
from verifier.coq import Theorem
from verifier.report.registry import Report, render_report

QUESTIONS = yaml.safe_load(pathlib.Path(__file__).with_name("questions.yaml").read_text(encoding="utf-8"))


def read_page(folder: pathlib.Path, *theorems: str, documents: Collection[str] = ("paper", "beyond")) -> list[Element]:
    """Return the elements of the page about some documents, with theorems that Coq has proved."""
    library, proved = specs(), {name: Theorem(name, ()) for name in theorems}
    results: dict[str, ClaimResult] = {}
    for claim in order_claims(library, list(library.claims)):
        results[claim] = conclude_as_expected(claim, results, theorems=proved)
    shown = [result for result in results.values() if result.source.document in documents]
    report = Report(Ledger(tuple(shown)), library, SPECS, Store(folder), "verifier report")
    return Tree(unpack_chapters(render_report("html", report))).root.every()


@pytest.fixture(scope="module")
def elements(tmp_path_factory: pytest.TempPathFactory) -> list[Element]:
    return read_page(tmp_path_factory.mktemp("none"), documents=("paper", "beyond", "seed-004"))


def test_the_first_screen_answers_for_the_paper(tmp_path: pathlib.Path) -> None:
    """Which paper, whether its headline holds, how much is wrong and how serious it is, and what you have to trust."""
    top = by_id(read_page(tmp_path), "top")
    require_golden("front.txt", "".join(f"{line}\n" for line in top.lines))


def test_a_headline_all_of_which_is_proved_in_coq_says_so(tmp_path: pathlib.Path) -> None:
    theorems = ["corollary_1", "at_most_43", "at_least_29", "optimal_first_two_moves"]
    whole = " ".join(by_id(read_page(tmp_path, *theorems), "top").words.split())
    assert "All 4 main results hold; in Coq as well." in whole
    assert "in Coq as well" not in by_id(read_page(tmp_path, *theorems[1:]), "top").words


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_report_answers_the_questions_of_a_reader(elements: list[Element], question: str) -> None:
    words = " ".join(by_id(elements, QUESTIONS[question]["place"]).words.split())
    assert [answer for answer in QUESTIONS[question]["answers"] if answer not in words] == [], words[:2000]


def test_the_report_says_which_rules_make_the_strategy_fail_and_when(tmp_path: pathlib.Path) -> None:
    """The claim about the rules that close an owned field has the play: the strategy's move is illegal after ply 8."""
    plan = make_plan(SPECS, "variant-strategy-any-spot", cache=tmp_path)
    report = Report(check(plan), plan.library, SPECS, plan.folders.store, "verifier report")
    claim = by_id(Tree(render_report("html", report)).root.every(), "claim-variant-strategy-any-spot")
    words = " ".join(claim.words.split())
    assert "names the illegal move 0.4 after ply 8" in words
    assert "closed-any-spot" in words
