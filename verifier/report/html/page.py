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
from verifier.report.errata.collect import Errata, collect_errata
from verifier.report.html.claims import Chapter, ClaimView, list_chapters, view_claims
from verifier.report.html.coverage import list_sentences
from verifier.report.html.divergences import place_notes, read_lines
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
        filled = self.templates.get_template(template).render(shared, **values)
        return Markup(filled)  # noqa: S704 - the templates escape every value


def render(report: Report) -> str:
    """Return the whole page."""
    with collection_paused():
        documents, errata = list_documents(report), collect_errata(report)
        claims = tuple(view_claims(report, [document.id for document in documents], errata))
        page = Page(report, documents, errata, claims, list_chapters(report, claims), _templates())
        sections = [section for build in BUILDERS if (section := build(page)) is not None]
        style = "\n".join([_read("style.css"), board_style(), *(section.style for section in sections)])
        script = "\n".join([_read("board.js"), _read("page.js"), *(section.script for section in sections)])
        policy = _policy(script)
        fronts = view_fronts(report, documents, claims, errata)
        text = page.fill(
            "page.html.j2",
            sections=sections,
            style=Markup(style),  # noqa: S704 - files of this package
            script=Markup(script),  # noqa: S704 - files of this package
            policy=policy,
            front=fronts[0] if len(fronts) == 1 else None,
            rows=view_rows(documents, fronts, claims, errata),
            summary=summarise(report, claims),
            version=describe_provenance(report).versions[0][1],
        )
    return f"{text}\n"


def _read_this(page: Page) -> Section:
    return Section("how-to-read", "How to read this, and what you have to believe", page.fill("believe.html.j2"))


def _documents(page: Page) -> Section:
    notes = place_notes(read_lines(page.report.specs), {claim.result.id: claim.label for claim in page.claims})
    return Section(
        "documents",
        "What was read, and the rules of the games",
        page.fill("documents.html.j2", rules=list_rules(page.report), departs=notes.get("", ())),
        style=_read("documents.css"),
    )


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
    if not any(item.entries for item in page.errata):
        return None
    boards = {
        (entry.claim, entry.reading): Markup(  # noqa: S704 - drawn by svg.py, which escapes what it is given
            draw_svg(entry.board.game, entry.board.position, entry.board.last)
        )
        for item in page.errata
        for entry in item.entries
        if entry.board
    }
    return Section("errata", "Errata", page.fill("errata.html.j2", boards=boards))


def _claims(page: Page) -> Section:
    known = {claim.result.id for claim in page.claims}
    opened = next((document.id for document in page.documents if not document.is_ours), "")
    html = page.fill("claims.html.j2", known=known, opened=opened)
    return Section("claims", "Claim by claim", html)


def _sources(page: Page) -> Section:
    files = list_sources(page.report.library)
    return Section("sources", "Definitions and strategies", page.fill("sources.html.j2", files=files))


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


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _policy(script: str) -> str:
    """Return the Content-Security-Policy: this script and no other, and nothing from anywhere."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
