"""The report as a site: a folder of files that link to each other, with a file for each section and for each claim.

``index.html`` has the first screen and the ledger with its search. ``claim-ID.html`` has a claim, ``document-ID.html``
a document, and ``errata-ID.html`` the errata of a document. Each other section has a file named after it. Sections,
styles and scripts are those of the page (the report in one file). Links to elements of other files are rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from markupsafe import Markup

from verifier.language.sharing import collection_paused
from verifier.report.html import page as parts
from verifier.report.html.claims import ClaimView, list_blanks
from verifier.report.html.documents import list_rules
from verifier.report.html.page import Page, Section, name_report
from verifier.report.html.titles import write_titles
from verifier.report.printable import make_printable
from verifier.report.registry import Report

INDEX_PAGE = "index.html"
_POLICY = "script-src 'self'; style-src 'self' 'unsafe-inline'"
_ID, _LINK = re.compile(r' id="([^"]+)"'), re.compile(r'href="#([^"?]+)(\?[^"]*)?"')


def render_site(report: Report) -> Iterator[tuple[str, str]]:
    """Yield each file of a site: its name and its text."""
    with collection_paused():
        page = parts.open_page(report)
        sections = {section.id: section for section in parts.list_sections(page)}
        yield "page.css", parts.read_style(sections.values())
        yield "page.js", parts.read_script(sections.values())
        files = dict(_list_files(page, sections))
        homes = {name: file for file, item in files.items() for name in (item.id, *_ID.findall(item.html))}
        homes["top"] = INDEX_PAGE
        # The section of every errata file has the id "errata". So the contents link to the id "errata-DOCUMENT", which
        # is in one file only.
        firsts = {file: file.removesuffix(".html") if item.id == "errata" else item.id for file, item in files.items()}
        contents = [(firsts[file], section.title) for file, section in files.items() if section.title]
        letters = {f"errata-{item.document}": f"Errata: {item.title}" for item in page.errata}
        named = [(name, letters.get(name, title)) for name, title in contents]
        rules = list_rules(report)
        yield (
            "titles.js",
            write_titles(page.claims, page.documents, named, rules, lambda name: _lead(name, homes[name])),
        )
        first = f"errata-{next(iter(page.fronts), '')}"  # the document that the first screen is about
        folded = {name: title for name, title in letters.items() if name != first}
        shown = [item for item in contents if item[0] not in folded]
        others = [(name, folded[name].removeprefix("Errata: ")) for name, _ in contents if name in folded]
        claims = {f"claim-{claim.result.id}.html": claim for claim in page.claims}
        documents = {f"document-{document.id}": document.model.title for document in page.documents}
        for file, section in files.items():
            claim = claims.get(file)
            beside = [item for item in page.chapters if claim and item.document == claim.result.source.document]
            title = f"{claim.label}: {claim.result.title}" if claim else section.title or documents[section.id]
            text = parts.lay_out(
                replace(page, chapters=beside),
                [section],
                policy=_POLICY,
                head=Markup('<link rel="stylesheet" href="page.css">'),
                script=Markup('<script src="titles.js"></script><script src="page.js"></script>'),
                masthead=parts.draw_front(page, is_site=True) if file == INDEX_PAGE else _masthead(page, file, claim),
                contents=shown,
                letters=others,
                under="ledger",
                index=INDEX_PAGE,
                title=name_report(page) if file == INDEX_PAGE else f"{title} – {name_report(page)}",
                kept="The site loads nothing from elsewhere; a browser can also open it from disk.",
            )
            yield file, link(text, file, homes)


def _list_files(page: Page, sections: Mapping[str, Section]) -> Iterator[tuple[str, Section]]:
    """Yield the name of each file with the section that it shows."""
    yield INDEX_PAGE, sections["ledger"]
    for item in page.errata:
        if item.entries:
            yield f"errata-{item.document}.html", page.section("errata", f"Errata: {item.title}", errata=[item])
    for name, section in sections.items():
        if name not in ("ledger", "errata", "claims"):
            yield f"{name}.html", section
    for claim in page.claims:
        html = page.fill("blanks.html.j2", blanks=list_blanks([claim]))
        html += page.fill("claim.html.j2", claim=claim, h=2, seen={})
        yield f"claim-{claim.result.id}.html", Section(f"claim-{claim.result.id}", "", html)
    for document in page.documents:
        groups = [chapter for chapter in page.chapters if chapter.document == document.id]
        html = page.fill("document.html.j2", document=document, groups=groups)
        yield f"document-{document.id}.html", Section(f"document-{document.id}", "", html)


def link(text: str, here: str, homes: Mapping[str, str]) -> str:
    """Return the text of a file. Links to elements of other files are changed, so that they lead to these files."""
    own = {*_ID.findall(text)}

    def lead(found: re.Match[str]) -> str:
        name, query = found[1], found[2] or ""
        home = homes.get(name, here)
        # If an element has a file of its own, the link leads there, even if this file has an element of the same name.
        is_made = name == "top" or home == f"{name}.html"
        if home == here or (name in own and not is_made):
            return found[0]
        return f'href="{_lead(name, home, query)}"'

    return _LINK.sub(lead, text)


def _lead(name: str, home: str, query: str = "") -> str:
    """Return the address of an element in the file ``home``. An element that is a whole file needs no fragment."""
    is_whole = not query and home in (f"{name}.html", INDEX_PAGE) and name != "ledger"
    return home if is_whole else f"{home}#{name}{query}"


def _masthead(page: Page, file: str, claim: ClaimView | None) -> Markup:
    of = claim.result.source.document if claim else file.removesuffix(".html").removeprefix("errata-")
    titles = {document.id: document.model.title for document in page.documents}
    if of not in titles and len(titles) == 1:
        (of,) = titles
    if of not in titles:
        return Markup('<h1 class="running"><a href="#top">Claim report</a></h1>')
    title = Markup('<a href="#document-{}">{}</a>').format(of, make_printable(titles[of]))
    return Markup('<p class="kicker"><a href="#top">Claim report</a></p><h1 class="running">{}</h1>').format(title)
