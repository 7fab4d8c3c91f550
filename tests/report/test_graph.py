from __future__ import annotations

import pytest

from tests.report.tree import Element, Tree, by_id
from verifier.language.references import needed_claims
from verifier.report.registry import Report


@pytest.fixture(scope="module")
def section(page: str) -> list[Element]:
    return by_id(Tree(page).root.every(), "graph").every()


def test_the_graph_shows_the_ledger(report: Report, section: list[Element]) -> None:
    """Each claim of the ledger is drawn once, with its standing, and leads to what the report says about it."""
    standings = {claim.id: claim.standing for claim in report.ledger.claims}
    links = {e.attributes["data-claim"]: e for e in section if e.name == "a" and "data-claim" in e.attributes}
    assert set(links) == set(standings)
    for name, element in links.items():
        assert element.attributes["href"] == f"#claim-{name}"
        assert f" – {standings[name]} (" in element.attributes["aria-label"]


def test_what_was_not_checked_is_there_without_a_link(report: Report, section: list[Element]) -> None:
    """A claim that a checked one needs is drawn as not run; nothing is said of what it needs itself."""
    checked = {claim.id for claim in report.ledger.claims}
    needed = {other for name in checked for other in needed_claims(report.library.claim(name))} - checked
    assert needed
    guests = {e.attributes["data-claim"]: e for e in section if e.name == "g" and "data-claim" in e.attributes}
    assert set(guests) == needed
    assert all("not run" in e.children[0].words for e in guests.values())
    edges = {(e.attributes["data-from"], e.attributes["data-to"]) for e in section if "data-from" in e.attributes}
    assert edges == {(name, other) for name in checked for other in needed_claims(report.library.claim(name))}


def test_the_page_is_whole_without_its_script(section: list[Element]) -> None:
    """What only the script can do is hidden until it runs."""
    tools = [e for e in section if {"graph-help", "graph-tools"} & set(e.attributes.get("class", "").split())]
    assert len(tools) == 2
    assert all("hidden" in e.attributes for e in tools)
    assert by_id(section, "graph-status").attributes["role"] == "status"
