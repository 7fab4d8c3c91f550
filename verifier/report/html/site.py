"""The report as a site: the sections of the page as files of a folder that link to each other, and a file a claim.

``index.html`` has the first screen and the ledger with its search; ``claim-ID.html`` a claim; ``errata-DOCUMENT.html``
what to correct in a document; every other section is a file of its name. The parts, their looks and their scripts are
those of the page: what links to an element of another file is led there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from markupsafe import Markup

from verifier.language.collection import collection_paused
from verifier.report.html.claims import Chapter, ClaimView, list_blanks
from verifier.report.html.graph import draw_neighbours, open_graph
from verifier.report.html.page import (
    Page,
    common_script,
    common_style,
    draw_errata,
    draw_front,
    lay_out,
    list_sections,
    open_page,
    title_of,
)
from verifier.report.html.sections import Section
from verifier.report.registry import Report

INDEX = "index.html"
_POLICY = "script-src 'self'; style-src 'self' 'unsafe-inline'"
_ID, _LINK = re.compile(r' id="([^"]+)"'), re.compile(r'href="#([^"?]+)(\?[^"]*)?"')


def render_site(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the files of a site: names and texts."""
    with collection_paused():
        page = open_page(report)
        sections = {section.id: section for section in list_sections(page)}
        yield "page.css", "\n".join([common_style(), *(section.style for section in sections.values())])
        yield "page.js", common_script()
        yield from ((f"{name}.js", section.script) for name, section in sections.items() if section.script)
        files = dict(_list_files(page, sections))
        homes = {name: file for file, section in files.items() for name in _names(section)} | {"top": INDEX}
        contents = [(_first_name(file, section), section.title) for file, section in files.items() if section.title]
        for file, section in files.items():
            text = lay_out(
                replace(page, chapters=_chapters_beside(page, file)),
                [section],
                policy=_POLICY,
                head=Markup('<link rel="stylesheet" href="page.css">'),
                script=_scripts(section),
                masthead=draw_front(page) if file == INDEX else _masthead(page, file),
                contents=contents,
                under="ledger",
                index=INDEX,
                title=_title(page, file, section),
                kept="The site loads nothing from elsewhere, and opens from a disk as well.",
            )
            yield file, link(text, file, homes)


def _list_files(page: Page, sections: Mapping[str, Section]) -> Iterator[tuple[str, Section]]:
    """Yield the name of each file with the section that it shows."""
    yield INDEX, sections["ledger"]
    for item in page.errata:
        if item.entries:
            yield f"errata-{item.document}.html", replace(draw_errata(page, [item]), title=f"Errata: {item.document}")
    for name, section in sections.items():
        if name not in ("ledger", "errata", "claims"):
            yield f"{name}.html", section
    graph = open_graph(page.report)
    for claim in page.claims:
        html = page.fill("blanks.html.j2", blanks=list_blanks([claim]))
        around = Markup(draw_neighbours(graph, claim.result.id))  # noqa: S704 - the picture escapes what it shows
        html += page.fill("claim.html.j2", claim=claim, known=page.known, around=around, h=2, seen={})
        yield f"claim-{claim.result.id}.html", Section(f"claim-{claim.result.id}", "", html)


def _names(section: Section) -> Iterator[str]:
    """Yield the names of the elements that links may lead to."""
    yield section.id
    yield from _ID.findall(section.html)


def _first_name(file: str, section: Section) -> str:
    """Return the element that the contents lead to: the document's own, where several files have the same section."""
    return file.removesuffix(".html") if section.id == "errata" else section.id


def link(text: str, here: str, homes: Mapping[str, str]) -> str:
    """Return a file with its links to elements of other files led there."""
    own = {*_ID.findall(text)}

    def lead(found: re.Match[str]) -> str:
        name, query = found[1], found[2] or ""
        home = homes.get(name, here)
        if name in own or home == here:
            return found[0]
        is_whole = not query and home in (f"{name}.html", INDEX) and name != "ledger"
        return f'href="{home}"' if is_whole else f'href="{home}#{name}{query}"'

    return _LINK.sub(lead, text)


def _claim_of(page: Page, file: str) -> ClaimView | None:
    return next((claim for claim in page.claims if file == f"claim-{claim.result.id}.html"), None)


def _chapters_beside(page: Page, file: str) -> list[Chapter]:
    """Return the chapters that the contents list: those of the claim's document."""
    claim = _claim_of(page, file)
    return [item for item in page.chapters if claim and item.document == claim.result.source.document]


def _masthead(page: Page, file: str) -> Markup:
    claim = _claim_of(page, file)
    of = claim.result.source.document if claim else file.removesuffix(".html").removeprefix("errata-")
    titles = {document.id: document.title for document in page.documents}
    title = titles.get(of, title_of(page))
    return Markup('<p class="kicker"><a href="#top">Claim report</a></p><h1 class="running">{}</h1>').format(title)


def _title(page: Page, file: str, section: Section) -> str:
    claim = _claim_of(page, file)
    own = f"{claim.label}: {claim.result.title}" if claim else section.title
    return title_of(page) if file == INDEX else f"{own} – {title_of(page)}"


def _scripts(section: Section) -> Markup:
    names = ["page.js", *([f"{section.id}.js"] if section.script else [])]
    return Markup("\n").join(Markup('<script src="{}"></script>').format(name) for name in names)
