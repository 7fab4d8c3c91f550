"""The site: the parts of the page in files that link to each other."""

import html
import re
from itertools import pairwise

import pytest

from tests.report.tree import Element, Tree, by_id, find
from verifier.report.html.site import link, render_site
from verifier.report.registry import Report


@pytest.fixture(scope="module")
def files(report: Report, page: str) -> dict[str, str]:
    """The site, and the page that has all of it."""
    return {**dict(render_site(report)), "page.html": page}


@pytest.fixture(scope="module")
def pages(files: dict[str, str]) -> dict[str, list[Element]]:
    return {name: Tree(text).root.every() for name, text in files.items() if name.endswith(".html")}


def test_each_claim_has_a_page_with_its_name(report: Report, pages: dict[str, list[Element]]) -> None:
    for claim in report.ledger.claims:
        elements = pages[f"claim-{claim.id}.html"]
        (article,) = [item for item in find(elements, "article") if item.attributes["class"] == "claim"]
        assert article.attributes["id"] == f"claim-{claim.id}"
        assert html.unescape(claim.title) in find(elements, "title")[0].words


def test_each_document_has_a_page_with_its_claims(report: Report, pages: dict[str, list[Element]]) -> None:
    """A link to a document leads to its page, also from the table of documents."""
    for document in {claim.source.document for claim in report.ledger.claims}:
        elements = pages[f"document-{document}.html"]
        links = {element.attributes.get("href", "") for element in find(elements, "a")}
        claims = {f"claim-{claim.id}.html" for claim in report.ledger.claims if claim.source.document == document}
        assert claims <= links
        title = report.library.document(document).title
        assert title in html.unescape(find(elements, "title")[0].words)
        assert f"document-{document}.html" in {e.attributes.get("href") for e in pages["documents.html"]}


def test_each_page_of_the_site_is_printed_whole(pages: dict[str, list[Element]]) -> None:
    """Only the first page has a short edition for print."""
    for name, elements in pages.items():
        (root,) = find(elements, "html")
        assert (root.attributes.get("data-print") == "all") == (name not in ("index.html", "page.html")), name


def test_every_link_leads_to_an_element(files: dict[str, str], pages: dict[str, list[Element]]) -> None:
    """Everything that a page links to or loads is a file of the site, and has the named element."""
    ids = {name: {e.attributes["id"] for e in elements if "id" in e.attributes} for name, elements in pages.items()}
    for name, elements in pages.items():
        assert len(ids[name]) == sum("id" in e.attributes for e in elements)
        for element in elements:
            if href := element.attributes.get("href"):
                file, _, part = href.partition("#")
                assert (file or name) in files
                assert not part or part.split("?")[0] in ids[file or name], href
            for key in ("for", "aria-labelledby", "aria-describedby", "aria-controls"):
                assert set(element.attributes.get(key, "").split()) <= ids[name]
            if element.name == "script" and "src" in element.attributes:
                assert element.attributes["src"] in files


def test_the_parts_are_those_of_the_page(pages: dict[str, list[Element]]) -> None:
    """The site has the same words about a claim as the page."""
    whole = pages["page.html"]
    for name in ("hostile", "p4-note", "figure-7"):
        alone = by_id(pages[f"claim-{name}.html"], f"claim-{name}")
        assert alone.words.split() == by_id(whole, f"claim-{name}").words.split()


def test_headings_begin_with_level_one_and_skip_no_level(pages: dict[str, list[Element]]) -> None:
    for elements in pages.values():
        levels = [int(element.name[1]) for element in elements if re.fullmatch("h[1-6]", element.name)]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(after <= before + 1 for before, after in pairwise(levels))


def test_a_link_gets_the_file_that_has_its_element() -> None:
    """Links within a page stay. A view keeps its query. A text that looks like a link is not changed."""
    homes = {"claim-a": "claim-a.html", "rules-x": "documents.html", "ledger": "index.html", "top": "index.html"}
    text = '<p id="own"><a href="#own"><a href="#claim-a"><a href="#rules-x"><a href="#ledger?q=b"><a href="#top">'
    assert link(text + "href=&#34;#claim-a&#34;", "here.html", homes) == (
        '<p id="own"><a href="#own"><a href="claim-a.html"><a href="documents.html#rules-x">'
        '<a href="index.html#ledger?q=b"><a href="index.html">href=&#34;#claim-a&#34;'
    )
