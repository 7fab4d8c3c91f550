"""The documentation: the output that pages show is right, links lead somewhere, and README is short."""

import importlib.util
import json
import pathlib
import re

import pytest
import yaml

import verifier
from tests.audit.made import read_spec
from tests.commands import without_packages
from tests.docs.notebook import NOTEBOOK, run_notebook
from tests.docs.pages import BLOCK, DOCS, fits, in_an_empty_folder, run_page
from tests.report.ledgers import conclude_as_expected
from tests.rules import SPECS
from verifier.api.new import make_folder
from verifier.audit.ledger import ClaimResult, Ledger
from verifier.audit.needs import join_claims, order_claims
from verifier.audit.outlining import make_outline
from verifier.cli import COMMANDS, build_parser
from verifier.kernel.plays import MAX_EDGES
from verifier.report.layout import Layout
from verifier.report.show import show_claim
from verifier.report.text import document_lines

ROOT = DOCS.parent
PAGES = sorted(DOCS.glob("*.md"))
TYPED = [page for page in PAGES if "```console" in page.read_text(encoding="utf-8")]
SCREEN = 50
CAREFUL = "strategies/careful.yaml"


@pytest.mark.slow
@pytest.mark.parametrize("page", TYPED, ids=lambda page: page.stem)
def test_the_output_on_a_page_is_what_is_printed(page: pathlib.Path) -> None:
    """A reader who writes the files and types the commands, in order, gets the output on the page."""
    text = page.read_text(encoding="utf-8")
    assert in_an_empty_folder(lambda: run_page(text)) == text


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            CAREFUL,
            '"free[s] and X_makes[s]"',
            "free[s] and X_makes[s]",
            "not YAML: … put quotes around text that contains any of …",
        ),
        (CAREFUL, "X_makes[s]", "X_make", "'X_make' is not defined"),
        (CAREFUL, "X_makes[s]", "X_make[s]", "'X_make' is not defined"),
        ("first-player-never-loses.yaml", "rules:", "says: x\nrules:", "the key 'says' does not belong here"),
        (CAREFUL, "X_makes[s]", "X[s + 1]", "the index must be an integer between 0 and 8, not 9"),
        (CAREFUL, "      side", "      # side", "the strategy of X has no move after ply 2"),
    ],
)
def test_the_messages_of_the_tutorial_are_printed(
    file: str, old: str, new: str, message: str, tmp_path: pathlib.Path
) -> None:
    """Each message of the tutorial's list is printed for the fault that it describes. The last one is a reason."""
    make_folder(tmp_path / "x")
    path = tmp_path / "x/specs" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    if "after ply" in message:  # stuck where neither a corner nor the centre is free
        path.write_text(re.sub(r"      (corner|centre).*\n", "", path.read_text()))
    assert f"`{message}`" in (DOCS / "tutorial.md").read_text(encoding="utf-8")
    specs = verifier.load(tmp_path / "x/specs", partial=True, cache=False)
    told = [*map(str, specs.problems)]
    if len(specs) > 0:  # a strategy that cannot be read takes with it every claim that names it: here all
        ledger = specs.check()
        told += [*map(str, ledger.faults), *(result.trouble or result.reason for result in ledger.readings)]
    wanted = ".*".join(map(re.escape, re.sub(r"ply \d+", "ply", message).split("…")))
    assert any(re.search(wanted, re.sub(r"ply \d+", "ply", line)) for line in told), told


def test_the_limit_that_the_tutorial_names_is_the_kernels() -> None:
    assert f"`more than {MAX_EDGES} moves`" in (DOCS / "tutorial.md").read_text(encoding="utf-8")


def test_the_wishes_of_new_rules_are_valid_clauses(tmp_path: pathlib.Path) -> None:
    (rows,) = re.findall(
        r"^## Frequent wishes\n\n(.*?)\n\n", (DOCS / "new-rules.md").read_text(), re.MULTILINE | re.DOTALL
    )
    clauses = [yaml.safe_load(row.split("`")[1]) for row in rows.splitlines()[2:]]
    assert len(clauses) == 7
    base = yaml.safe_load(read_spec("wish"))
    (made,) = (clause for clause in clauses if "marks" in clause)
    (shared,) = (clause for clause in clauses if "line and O_turn" in str(clause))
    shared.update(made)
    for number, clause in enumerate(clauses):
        if clause == made:
            continue
        head = {key: base[key] for key in ("title", "source")} if "like" in clause else base
        file = {"rules": f"wish-{number}", **head, **clause}
        (tmp_path / f"wish-{number}.yaml").write_text(yaml.safe_dump(file, sort_keys=False))
    (tmp_path / "claim.yaml").write_text((SPECS / "paper/1-introduction/rules-start.yaml").read_text())
    specs = verifier.load(tmp_path, cache=False)
    wishes = [name for name in specs.library.rules if name.startswith("wish-")]
    assert len(wishes) == 6
    for name in wishes:
        assert specs.board(name).moves


def commands_of(page: pathlib.Path) -> list[list[str]]:
    """Return the commands of this project that are on lines of their own, as lists of words."""
    lines = re.findall(r"^(?: {4}|\$ )(.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    parts = [part.split() for line in lines for part in re.split(r" \| |;|&&", line.split("#")[0].split(" > ")[0])]
    return [words[1:] for words in parts if words[:1] == ["verifier"]]


NAMING = [
    ROOT / name for name in ("README.md", "CONTRIBUTING.md", "specs/README.md", "specs/MORE.md", "proofs/README.md")
]


@pytest.mark.parametrize("page", [*NAMING, *PAGES], ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_every_named_command_exists(page: pathlib.Path) -> None:
    """Commands on lines of their own parse, with all options. Commands in sentences exist."""
    for words in commands_of(page):
        build_parser().parse_args(words)
    named = set(re.findall(r"`verifier ([a-z]+)\b", page.read_text(encoding="utf-8")))
    assert named <= set(COMMANDS)


def test_the_page_about_commands_names_every_command() -> None:
    assert {words[0] for words in commands_of(DOCS / "commands.md")} == set(COMMANDS)


@pytest.mark.slow
def test_the_output_in_readme_is_right() -> None:
    """The verdicts on the paper, and the games that refute a claim, with their ends."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    specs = verifier.load(SPECS, proofs=ROOT / "proofs", cache=False)
    results: dict[str, ClaimResult] = {}
    for name in order_claims(specs.library, join_claims(specs.library, specs.select("paper"))):
        results[name] = conclude_as_expected(name, results)
    ledger = Ledger(tuple(results[name] for name in specs.select("paper")))
    lines = [*document_lines(ledger, specs.library, Layout())]
    wanted = "\n".join(lines[lines.index(next(line for line in lines if line.startswith("paper: "))) :])
    block = text.partition("$ verifier check paper\n    ...\n")[2].partition("\n\n")[0]
    # Limits come from the statements, which are not made here.
    said = re.sub(r"(part of it only )?for the first \d+ moves \(of at most 81\): ", "", " ".join(block.split()))
    assert said == " ".join(wanted.split())
    (claim,) = specs.check(["second-never-loses"]).claims
    told = [line.strip() for line in show_claim(claim, make_outline(specs.library), Layout()).splitlines()]
    games = re.findall(r"^      (play: .*)\n((?:         .*\n){3})", text, re.MULTILINE)
    assert len(games) == 2
    for line, board in games:
        at = told.index(line)
        assert told[at + 2 : at + 5] == [row.strip() for row in board.splitlines()]


def test_the_first_run_of_readme_needs_no_installation() -> None:
    """A clone and Python are enough for the first verdict. Other commands say in one line what is missing."""
    words, long = re.findall(r"python3 -S -m verifier ([\w -]+?) +#", (ROOT / "README.md").read_text(encoding="utf-8"))
    done = without_packages("-m", "verifier", *words.split())
    assert (done.code, done.err) == (0, "")
    first, *_, last = done.out.splitlines()
    assert (first.split("  ")[0], last) == ("proved", "1 certificate, 0 rejected, 0 not decided")
    # The second takes a minute; a limit shows that it begins.
    done = without_packages("-m", "verifier", *long.split(), "--limit", "1")
    assert (done.code, done.out.splitlines()[-1]) == (1, "1 certificate, 0 rejected, 1 not decided")
    done = without_packages("-m", "verifier", "list")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "is not installed: 'make check' or 'pip install .' installs it" in done.err


@pytest.mark.parametrize(
    ("printed", "expected", "is_fit"),
    [
        ("a\n1/2 0:07 b\n", "a\n1/2 0:01 b\n", True),
        ("a\nb\nc\n", "a\n...\nc\n", True),
        ("a\nc\n", "a\n...\nc\n", True),
        ("a\nb\nc\n", "a\nc\n", False),
        ("a\nb\n", "a\n...\nc\n", False),
        ("proved\n", "refuted\n", False),
    ],
)
def test_a_page_may_leave_out_lines_and_other_times(printed: str, expected: str, is_fit: bool) -> None:
    """Times may differ, and lines may be missing where the page says so. Nothing else may differ."""
    assert fits(printed, expected) == is_fit


@pytest.mark.parametrize("page", [*NAMING, *PAGES], ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_every_link_leads_somewhere(page: pathlib.Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        path, _, heading = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert target.is_relative_to(ROOT)
        if page.parent == DOCS:
            assert "/" not in path or path.startswith(("../specs/", "../proofs/")), "no wheel carries that"
        if heading:
            titles = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("name", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_named_path_exists(name: str) -> None:
    """Files and folders of this repository are named by their whole paths, except parts in capitals or brackets."""
    text = (ROOT / name).read_text(encoding="utf-8")
    named = re.findall(r"`((?:verifier|tests|specs|proofs|docs|\.github)/[^`\s]*)`", text)
    missing = [path for path in named if not re.search("[A-Z<*]{2,}|<", path) and not (ROOT / path).exists()]
    assert not missing
    modules = re.findall(r"python -m ([\w.]+)", text)
    assert all(importlib.util.find_spec(module) for module in modules), modules


def test_the_entry_page_links_to_every_page() -> None:
    assert "docs/README.md" in (ROOT / "README.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\(([\w.-]+)\)", (DOCS / "README.md").read_text(encoding="utf-8")))
    assert linked >= {path.name for path in DOCS.iterdir() if path.name != "README.md"}


def test_readme_fits_on_two_screens() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 2 * SCREEN


def test_blocks_are_closed() -> None:
    """Every opening fence has a closing one, and the pages with typed commands are found."""
    assert {"tutorial", "new-rules", "moving-pieces"} <= {page.stem for page in TYPED}
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert len(re.findall(r"^```", text, re.MULTILINE)) == 2 * len(BLOCK.findall(text)), page.name


@pytest.mark.slow
def test_the_notebook_has_the_output_of_its_cells() -> None:
    """``python -m tests.docs.notebook`` writes the same bytes again. Drawn boards are among them."""
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert in_an_empty_folder(lambda: run_notebook(text)) == text
    shown = [output for cell in json.loads(text)["cells"] for output in cell.get("outputs", [])]
    assert any("<svg" in "".join(output.get("data", {}).get("text/html", "")) for output in shown)
