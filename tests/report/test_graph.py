import pytest

from tests.report.tree import Element, Tree, by_id
from tests.rules import specs
from verifier.graph.ledger import build_ledger_graph
from verifier.language.outline import needed_claims
from verifier.report.order import label_of
from verifier.report.registry import Report


@pytest.fixture(scope="module")
def section(page: str) -> list[Element]:
    return by_id(Tree(page).root.every(), "graph").every()


def members(element: Element) -> list[str]:
    """Return the claims for which a box stands."""
    return element.attributes.get("data-members", element.attributes["data-claim"]).split()


def test_the_graph_shows_the_ledger(report: Report, section: list[Element]) -> None:
    """Each claim of the ledger is drawn once, alone or in its family. The box leads to the words on the first claim."""
    standings = {claim.id: claim.standing for claim in report.ledger.claims}
    links = [e for e in section if e.name == "a" and "data-claim" in e.attributes]
    assert sorted(name for element in links for name in members(element)) == sorted(standings)
    for element in links:
        name = element.attributes["data-claim"]
        assert element.attributes["href"] == f"#claim-{name}"
        assert f" – {standings[name]} (" in element.attributes["aria-label"]
        assert element.attributes["aria-label"].startswith(label_of(report.library, name).split()[0])


def test_a_family_is_one_box(section: list[Element]) -> None:
    (family,) = [e for e in section if "data-members" in e.attributes]
    assert members(family) == ["classic-first-player", "classic-second-player"]
    assert "(2)" in family.words


def test_a_needed_claim_that_was_not_checked_has_no_link(report: Report, section: list[Element]) -> None:
    """It is drawn as not run, and the claims that it needs itself are not drawn."""
    checked = {claim.id for claim in report.ledger.claims}
    needed = {other for name in checked for other in needed_claims(report.library.claim(name))} - checked
    assert needed
    guests = [e for e in section if e.name == "g" and "data-claim" in e.attributes]
    assert {name for element in guests for name in members(element)} == needed
    assert all("not checked" in e.children[0].words for e in guests)
    home = {name: e.attributes["data-claim"] for e in section if "data-claim" in e.attributes for name in members(e)}
    edges = {(e.attributes["data-from"], e.attributes["data-to"]) for e in section if "data-from" in e.attributes}
    wanted = {(home[name], home[other]) for name in checked for other in needed_claims(report.library.claim(name))}
    assert edges == {(one, other) for one, other in wanted if one != other}


def test_the_way_to_a_headline_is_marked(report: Report) -> None:
    """Claims that a main result joins, directly or not, are marked. Claims to read first are not."""
    graph = build_ledger_graph(
        specs(), dict.fromkeys(("abstract-43", "lemma-3"), "proved as stated"), {name: name for name in specs().claims}
    )
    assert {name for name, data in graph.nodes(data=True) if data["way"]} >= {"abstract-43", "lemma-3"}
    unread = {name for _, name, data in graph.edges(data=True) if data["because"] == "uses"}
    joined = {name for _, name, data in graph.edges(data=True) if data["because"] == "joins"}
    assert not any(graph.nodes[name]["way"] for name in unread - joined - {"abstract-43"})


def test_no_control_is_shown_that_needs_the_script(page: str) -> None:
    """Until the script runs, everything that needs it is hidden, including its help text. Links work without it."""
    controls = [e for e in Tree(page).root.every() if e.name in ("button", "select", "input")]
    helps = [e for e in Tree(page).root.every() if "graph-help" in e.attributes.get("class", "").split()]
    assert {e.name for e in controls} == {"button", "select", "input"}
    assert [e.attributes for e in (*controls, *helps) if not is_hidden(e)] == []
    assert helps


def is_hidden(element: Element) -> bool:
    """Return whether an element, or an element around it, is hidden."""
    return "hidden" in element.attributes or (element.parent is not None and is_hidden(element.parent))
