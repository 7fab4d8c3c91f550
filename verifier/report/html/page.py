"""The page: its sections, its style sheet, its script, and the policy that keeps it from loading anything else."""

from __future__ import annotations

import base64
import hashlib
import json
import pathlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import jinja2
from markupsafe import Markup

from verifier.audit.ledger import Standing
from verifier.graph.ledger import build_ledger_graph, fold_families, tell_apart
from verifier.graph.picture import draw_claim_graph, page_style
from verifier.kernel.words import counted
from verifier.language.about import CoverageFile
from verifier.language.collection import collection_paused
from verifier.presentation.svg import board_style, draw_svg
from verifier.report.errata.collect import collect_errata
from verifier.report.errata.letter import Errata
from verifier.report.html import claims as views
from verifier.report.html.divergences import list_others, read_lines
from verifier.report.html.documents import DocumentView, describe_provenance, list_documents, list_rules, say_standings
from verifier.report.html.explorer import name_claims, recall_data
from verifier.report.html.front import Front, count_standings, view_fronts
from verifier.report.order import label_of
from verifier.report.printable import make_printable
from verifier.report.registry import Report
from verifier.report.sentence import say_found, standing_of, trust_of

if TYPE_CHECKING:
    from verifier.graph.build import Graph

_FOLDER = pathlib.Path(__file__).parent


class Section(NamedTuple):
    """A section of the page. To add one, write a function that makes it of a ``Page`` and name it in ``BUILDERS``.

    Attributes:
        id: the fragment that leads to it; views inside it are ``#ID?key=value&…`` (see ``page.js``).
        title: its heading, and its entry in the contents; one without a title is laid out as it is.
        style, script: what is added to the page's style sheet, and to its script after ``board.js`` and ``page.js``.
        data: JSON for the script: ``readData("ID-data")`` returns it.
        is_printed: whether it is part of the printed report.
    """

    id: str
    title: str
    html: Markup
    style: str = ""
    script: str = ""
    data: str = ""
    is_printed: bool = True


@dataclass(frozen=True, slots=True)
class Page:
    """What the sections are built from."""

    report: Report
    documents: list[DocumentView]
    errata: list[Errata]
    claims: tuple[views.ClaimView, ...]
    chapters: list[views.Chapter]
    fronts: dict[str, Front]
    templates: jinja2.Environment

    def fill(self, template: str, **values: object) -> Markup:
        """Return a template with its values in it, each of them escaped."""
        shared = {key: getattr(self, key) for key in ("claims", "chapters", "documents", "errata", "fronts")}
        shared |= {"known": {claim.result.id for claim in self.claims}, "ledger": self.report.ledger}
        filled = self.templates.get_template(template).render(shared | values)
        return Markup(filled)  # noqa: S704 - the templates escape every value


def open_page(report: Report) -> Page:
    """Return what the sections of a report are built from."""
    documents, errata = list_documents(report), collect_errata(report)
    claims = tuple(views.view_claims(report, [document.id for document in documents]))
    fronts = view_fronts(report, documents, claims)
    return Page(report, documents, errata, claims, views.list_chapters(report, claims), fronts, _templates())


def render(report: Report) -> str:
    """Return the whole page."""
    with collection_paused():
        page = open_page(report)
        sections = list_sections(page)
        style = "\n".join([common_style(), *(section.style for section in sections)])
        script = "\n".join([common_script(), *(section.script for section in sections)])
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        return lay_out(
            page,
            sections,
            policy=f"script-src 'sha256-{digest}'; style-src 'unsafe-inline'",
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
        sections: what the document shows.
        policy: where scripts and styles may come from: nothing else is loaded.
        values: ``head``, ``script``, ``masthead``, ``contents`` and ``kept``, as in the template; ``under``: the
            section in whose entry of the contents the chapters stand.
    """
    text = page.fill(
        "page.html.j2",
        sections=sections,
        policy=f"default-src 'none'; {policy}; img-src data:; base-uri 'none'; form-action 'none'",
        titles={document.id: document.title for document in page.documents},
        **{"title": name_report(page), "index": ""} | values,
    )
    return f"{text}\n"


def draw_front(page: Page) -> Markup:
    """Return the first screen."""
    counts = [count_standings(page.report.ledger, ours=ours) for ours in (False, True)]
    return page.fill("front.html.j2", counts=counts)


def name_report(page: Page) -> str:
    """Return what the report is called: by its document, where one alone has a first screen."""
    titles = [front.document.title for front in page.fronts.values()]
    of = f"{titles[0]}: claim report" if len(titles) == 1 else "Claim report"
    return f"{of}: {counted(len(page.claims), 'claim')}, {counted(len(page.report.ledger.readings), 'reading')}"


def _read_this(page: Page) -> Section:
    return Section("how-to-read", "How to read this, and what you have to believe", page.fill("believe.html.j2"))


def _documents(page: Page) -> Section:
    library = page.report.library
    labels = {name: label_of(library, name) for name in library.claims}
    documents = {document.id for document in page.documents}
    own = [name for name in labels if library.claim(name).source.document in documents]
    departs = list_others(read_lines(page.report.specs), labels, own)
    html = page.fill("documents.html.j2", rules=list_rules(page.report), departs=departs)
    return Section("documents", "What was read, and the rules of the games", html, style=_read("documents.css"))


def _coverage(page: Page) -> Section | None:
    models = [spec.model for spec in page.report.library.coverage.values() if isinstance(spec.model, CoverageFile)]
    documents = {document.id for document in page.documents}
    found = [model for model in models if model.coverage in documents]
    html = page.fill("coverage.html.j2", coverage=found, stands=say_standings(page.report))
    return Section("coverage", "The documents, sentence by sentence", html) if found else None


def _ledger(page: Page) -> Section:
    standings = [name for name in Standing if any(claim.result.standing is name for claim in page.claims)]
    return Section("ledger", "The ledger", page.fill("ledger.html.j2", standings=standings))


def open_graph(report: Report) -> Graph:
    """Return the graph of a ledger's claims, and of those that they rest on, by their documents' own names."""
    labels = {name: label_of(report.library, name) for name in report.library.claims}
    return build_ledger_graph(report.library, report.ledger.standings, labels)


def _graph(page: Page) -> Section:
    graph, claims = open_graph(page.report), page.report.library.claims
    folded = fold_families(graph, {name: claims[name].document.file for name in graph})
    picture = draw_claim_graph(tell_apart(folded), "", is_file=False)
    html = page.fill("graph.html.j2", picture=Markup(picture))  # noqa: S704 - the picture escapes what it shows
    return Section("graph", "What rests on what", html, page_style() + _read("graph.css"), _read("graph.js"))


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
    html = page.fill("claims.html.j2", blanks=views.list_blanks(page.claims), around="", h=4, seen={})
    return Section("claims", "Claim by claim", html)


def _sources(page: Page) -> Section | None:
    files = views.list_sources(page.report)
    html = page.fill("sources.html.j2", files=files)
    return Section("sources", "Definitions and strategies", html) if files else None


def _provenance(page: Page) -> Section:
    html = page.fill("provenance.html.j2", provenance=describe_provenance(page.report))
    return Section("provenance", "How this report was made", html)


def _explorer(page: Page) -> Section | None:
    games, data = recall_data(page.report)
    if not data["games"]:
        return None
    drawn = (draw_svg(game, game.start, title="The board", is_large=True) for game in games)
    boards = list(map(Markup, drawn))
    html = page.fill("explorer.html.j2", boards=boards, names=name_claims(data["games"]))
    script = "\n".join(map(_read, ("explorer-race.js", "explorer-games.js", "explorer.js")))
    packed = json.dumps(data, separators=(",", ":"))
    return Section("explorer", "Play against the proof", html, _read("explorer.css"), script, packed, is_printed=False)


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


_FILTERS = (
    *(views.does_step_fail, views.say_believed, views.say_question, views.summarise, views.text_shared),
    *(make_printable, say_found, standing_of, trust_of),
)
"""What the templates put into words."""


def _templates() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["counted"] = counted
    made.filters |= {function.__name__: function for function in _FILTERS}
    return made


def common_style() -> str:
    """Return the style sheet of what every section may have."""
    return "\n".join([_read("style.css"), board_style()])


def common_script() -> str:
    """Return the script of what every section may have."""
    return "\n".join([_read("board.js"), _read("page.js")])


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
