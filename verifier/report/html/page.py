"""The page: its sections, its style sheet, its script, and the policy that keeps it from loading anything else."""

from __future__ import annotations

import base64
import hashlib
import pathlib
from collections.abc import Callable
from dataclasses import dataclass

import jinja2
from markupsafe import Markup

from verifier.graph.svg import page_style
from verifier.kernel.words import counted
from verifier.language.collection import collection_paused
from verifier.presentation.svg import board_style, draw_svg
from verifier.report.errata.collect import collect_errata, label_of
from verifier.report.errata.letter import Errata
from verifier.report.html.claims import Chapter, ClaimView, list_blanks, list_chapters, view_claims
from verifier.report.html.coverage import list_sentences
from verifier.report.html.divergences import list_others, read_lines
from verifier.report.html.documents import DocumentView, list_documents, list_rules
from verifier.report.html.explorer import explorer_section
from verifier.report.html.formal import list_sources
from verifier.report.html.front import view_fronts, view_rows
from verifier.report.html.graph import draw_ledger_graph
from verifier.report.html.provenance import describe_provenance
from verifier.report.html.sections import Section
from verifier.report.html.summary import summarise
from verifier.report.registry import Report

_FOLDER = pathlib.Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Page:
    """What the sections are built from."""

    report: Report
    documents: list[DocumentView]
    errata: list[Errata]
    claims: tuple[ClaimView, ...]
    chapters: list[Chapter]
    templates: jinja2.Environment

    def fill(self, template: str, **values: object) -> Markup:
        """Return a template with its values in it, each of them escaped."""
        shared = {"claims": self.claims, "chapters": self.chapters, "documents": self.documents, "errata": self.errata}
        filled = self.templates.get_template(template).render(shared | values)
        return Markup(filled)  # noqa: S704 - the templates escape every value

    @property
    def known(self) -> set[str]:
        """The claims that links can lead to."""
        return {claim.result.id for claim in self.claims}


def open_page(report: Report) -> Page:
    """Return what the sections of a report are built from."""
    documents, errata = list_documents(report), collect_errata(report)
    claims = tuple(view_claims(report, [document.id for document in documents], errata))
    return Page(report, documents, errata, claims, list_chapters(report, claims), _templates())


def render(report: Report) -> str:
    """Return the whole page."""
    with collection_paused():
        page = open_page(report)
        sections = list_sections(page)
        style = "\n".join([common_style(), *(section.style for section in sections)])
        script = "\n".join([common_script(), *(section.script for section in sections)])
        return lay_out(
            page,
            sections,
            policy=f"script-src '{_digest(script)}'; style-src 'unsafe-inline'",
            head=Markup(f"<style>\n{style}\n</style>"),  # noqa: S704 - files of this package
            script=Markup(f"<script>{script}</script>"),  # noqa: S704 - files of this package
            masthead=draw_front(page),
            contents=[(section.id, section.title) for section in sections],
            under="claims",
            kept="The page loads nothing from anywhere and can be kept as it is.",
        )


def list_sections(page: Page) -> list[Section]:
    """Return the sections that have something to show."""
    return [section for build in BUILDERS if (section := build(page)) is not None]


def lay_out(page: Page, sections: list[Section], *, policy: str, **values: object) -> str:
    """Return an HTML document.

    Args:
        page: what the report has.
        sections: what the document shows; one without a title is laid out as it is.
        policy: where scripts and styles may come from: nothing else is loaded.
        values: ``head``, ``script``, ``masthead``, ``contents`` and ``kept``, as in the template; ``under``: the
            section in whose entry of the contents the chapters stand.
    """
    text = page.fill(
        "page.html.j2",
        sections=sections,
        policy=f"default-src 'none'; {policy}; img-src data:; base-uri 'none'; form-action 'none'",
        version=describe_provenance(page.report).versions[0][1],
        titles={document.id: document.title for document in page.documents},
        **{"title": title_of(page), "index": ""} | values,
    )
    return f"{text}\n"


def draw_front(page: Page) -> Markup:
    """Return the first screen."""
    fronts = view_fronts(page.report, page.documents, page.claims, page.errata)
    return page.fill(
        "front.html.j2",
        front=fronts[0] if len(fronts) == 1 else None,
        rows=view_rows(page.documents, fronts, page.claims, page.errata),
        summary=summarise(page.report, page.claims),
    )


def title_of(page: Page) -> str:
    """Return what the report is called: by its document, where one alone has a first screen."""
    fronts = view_fronts(page.report, page.documents, page.claims, page.errata)
    of = f"{fronts[0].document.title}: claim report" if len(fronts) == 1 else "Claim report"
    readings = sum(len(claim.readings) for claim in page.claims)
    return f"{of}: {counted(len(page.claims), 'claim')}, {counted(readings, 'reading')}"


def _read_this(page: Page) -> Section:
    return Section("how-to-read", "How to read this, and what you have to believe", page.fill("believe.html.j2"))


def _documents(page: Page) -> Section:
    return Section(
        "documents",
        "What was read, and the rules of the games",
        page.fill("documents.html.j2", rules=list_rules(page.report), departs=_list_departures(page)),
        style=_read("documents.css"),
    )


def _list_departures(page: Page) -> list[Markup]:
    """Return where our formal text departs from the documents, besides what is noted at a claim."""
    library = page.report.library
    labels = {name: label_of(library, name) for name in library.claims}
    documents = {document.id for document in page.documents}
    own = [name for name in labels if library.claim(name).source.document in documents]
    return list_others(read_lines(page.report.specs), labels, own)


def _coverage(page: Page) -> Section | None:
    sentences = list_sentences(page.report)
    html = page.fill("coverage.html.j2", sentences=sentences)
    return Section("coverage", "The documents, sentence by sentence", html) if sentences else None


def _ledger(page: Page) -> Section:
    return Section(
        "ledger",
        "The ledger",
        page.fill("ledger.html.j2", summary=summarise(page.report, page.claims)),
    )


def _graph(page: Page) -> Section:
    picture = draw_ledger_graph(page.report)
    html = page.fill("graph.html.j2", picture=Markup(picture))  # noqa: S704 - the picture escapes what it shows
    return Section(
        "graph", "What rests on what", html, style=page_style() + _read("graph.css"), script=_read("graph.js")
    )


def _errata(page: Page) -> Section | None:
    found = [item for item in page.errata if item.entries]
    return draw_errata(page, found) if found else None


def draw_errata(page: Page, errata: list[Errata]) -> Section:
    """Return the section of some documents' errata."""
    boards = {
        (entry.claim, entry.reading): Markup(  # noqa: S704 - drawn by svg.py, which escapes what it is given
            draw_svg(entry.board.game, entry.board.position, entry.board.last, is_still=True)
        )
        for item in errata
        for entry in item.entries
        if entry.board
    }
    return Section("errata", "Errata", page.fill("errata.html.j2", errata=errata, boards=boards))


def _claims(page: Page) -> Section:
    values = {"known": page.known, "blanks": list_blanks(page.claims), "around": "", "h": 4, "seen": {}}
    return Section("claims", "Claim by claim", page.fill("claims.html.j2", **values))


def _sources(page: Page) -> Section | None:
    files = list_sources(page.report)
    html = page.fill("sources.html.j2", files=files)
    return Section("sources", "Definitions and strategies", html) if files else None


def _provenance(page: Page) -> Section:
    return Section(
        "provenance",
        "How this report was made",
        page.fill("provenance.html.j2", provenance=describe_provenance(page.report)),
    )


def _explorer(page: Page) -> Section | None:
    return explorer_section(page.report)


BUILDERS: tuple[Callable[[Page], Section | None], ...] = (
    _errata,
    _claims,
    _explorer,
    _ledger,
    _graph,
    _read_this,
    _documents,
    _coverage,
    _sources,
    _provenance,
)
"""The sections of the page, in order; one that has nothing to show is left out."""


def _templates() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["counted"] = counted
    return made


def common_style() -> str:
    """Return the style sheet of what every section may have."""
    return "\n".join([_read("style.css"), board_style()])


def common_script() -> str:
    """Return the script of what every section may have."""
    return "\n".join([_read("board.js"), _read("page.js")])


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _digest(script: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"
