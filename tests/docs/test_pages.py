"""The documentation: what its pages say is printed, where they lead, and that README is short."""

from __future__ import annotations

import pathlib
import re

import pytest

from tests.docs.pages import BLOCK, DOCS, fits, in_an_empty_folder, run_page

ROOT = DOCS.parents[1]
PAGES = sorted(DOCS.glob("*.md"))
TYPED = [page for page in PAGES if "```console" in page.read_text(encoding="utf-8")]
SCREEN = 50


@pytest.mark.slow
@pytest.mark.parametrize("page", TYPED, ids=lambda page: page.stem)
def test_a_page_says_what_is_printed(page: pathlib.Path) -> None:
    """A reader who writes its files and types its commands, in this order, sees what stands there."""
    text = page.read_text(encoding="utf-8")
    assert in_an_empty_folder(lambda: run_page(text)) == text


def test_the_tutorial_and_new_rules_are_typed() -> None:
    """The pages that ask a reader to type something are among those that are run."""
    assert {"tutorial", "new-rules"} <= {page.stem for page in TYPED}


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
def test_what_fits(printed: str, expected: str, is_fit: bool) -> None:
    """Times may differ, and lines may be left out where the page says so; nothing else."""
    assert fits(printed, expected) == is_fit


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: pathlib.Path) -> None:
    """To a file of this repository, and to a heading that it has."""
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        path, _, heading = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert target.is_relative_to(ROOT)
        if heading:
            titles = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_page_is_reached_from_the_entry_page() -> None:
    """README links the entry page, and that one every other page."""
    assert "verifier/docs/README.md" in (ROOT / "README.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\(([\w.-]+)\)", (DOCS / "README.md").read_text(encoding="utf-8")))
    assert linked >= {path.name for path in DOCS.iterdir() if path.name != "README.md"}


def test_readme_fits_on_two_screens() -> None:
    """Facts beyond that stand in the documentation."""
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 2 * SCREEN


def test_blocks_are_closed() -> None:
    """Each fence that opens a block is met by one that closes it, so that none escapes the tests."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert len(re.findall(r"^```", text, re.MULTILINE)) == 2 * len(BLOCK.findall(text)), page.name
