"""The page: its sections, its style sheet, its script, and the policy that forbids the page to load other files."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import pathlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import jinja2
from markupsafe import Markup

from verifier.audit.ledger import Standing
from verifier.graph.ledger import build_ledger_graph, fold_families, tell_apart
from verifier.graph.picture import draw_claim_graph, page_style
from verifier.kernel.games import Game
from verifier.kernel.words import counted
from verifier.language.sharing import collection_paused
from verifier.pool import open_pool
from verifier.presentation.svg import board_style, draw_svg
from verifier.report.errata.collect import collect_errata
from verifier.report.errata.letter import Diagram, Errata, LetterEntry
from verifier.report.html import claims as views
from verifier.report.html.cells import CellGames, recall_cells
from verifier.report.html.deflate import deflate
from verifier.report.html.documents import (
    DocumentView,
    count_by_standing,
    describe_provenance,
    list_documents,
    list_rules,
    say_standings,
)
from verifier.report.html.explorer import find_raced, recall_data
from verifier.report.html.front import Front, view_fronts
from verifier.report.html.markdown import render_markdown
from verifier.report.html.titles import write_titles
from verifier.report.html.trees import TreeView, list_rule_words, view_trees
from verifier.report.order import count_claims, label_of
from verifier.report.printable import (
    flatten,
    label_printably,
    make_lines_printable,
    make_printable,
    make_texts_printable,
    show_unprintable,
)
from verifier.report.registry import Report
from verifier.report.sentence import SEVERITIES, say_expected, say_found, standing_of, trust_of
from verifier.report.show import say_stats

_FOLDER = pathlib.Path(__file__).parent

MANY_CLAIMS = 150
"""If a page has more claims, each chapter is packed until the script has loaded. A page with fewer claims can be read
without the script."""

MANY_POSITIONS = 50_000
"""If the plays of a report have at most this many positions, one process follows them: others would start too late."""


class Section(NamedTuple):
    """A section of the page; ``list_sections`` names them all.

    Attributes:
        id: the fragment that leads to it; views inside it have the fragments ``#ID?key=value&…`` (see ``page.js``).
        title: its heading, and its entry in the contents. Empty: the section has neither.
        data: JSON that the script gets by ``readData("ID-data")``. The page in print has no section with data.
    """

    id: str
    title: str
    html: Markup
    data: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """The values from which the sections are built.

    Attributes:
        beside: the errata in parts of statements, such as their proofs (``list_beside``).
        trees: the strategy trees of claims, by claim.
        played: the games that the explorer offers, and the data of the explorer.
        opened: the claims whose plays the explorer has, each with the key of its game in the explorer.
        raced: the claims whose bound the explorer lets a reader test, each with the key of its game in the explorer.
        cells: the games of cells that the explorer offers.
        departs: a text of the specs that says where they differ from the documents (``DIVERGENCES``); may be empty.
    """

    report: Report
    documents: list[DocumentView]
    errata: list[Errata]
    claims: tuple[views.ClaimView, ...]
    chapters: list[views.Chapter]
    fronts: dict[str, Front]
    beside: dict[str, dict[str, list[LetterEntry]]]
    trees: dict[str, TreeView]
    played: tuple[list[Game], dict[str, Any]]
    opened: dict[str, str]
    raced: dict[str, str]
    cells: CellGames
    departs: str

    def fill(self, template: str, **values: object) -> Markup:
        """Fill a template with values. Each value is escaped."""
        names = ["beside", "claims", "chapters", "departs", "documents", "errata", "fronts", "opened", "raced", "trees"]
        shared = {name: getattr(self, name) for name in [*names, "cells"]}
        titles = {claim.result.id: claim.result.title for claim in self.claims}
        shared |= {
            "known": titles.keys(),
            "titles_of": titles,
            "ledger": self.report.ledger,
            "many_claims": MANY_CLAIMS,
        }
        of_specs = (views.list_terms, views.look_of_entry, list_rule_words)
        shared |= {function.__name__: functools.partial(function, self.report.library) for function in of_specs}
        filled = _templates().get_template(template).render(shared | values)
        return Markup(filled)  # noqa: S704 - the templates escape every value

    def section(self, name: str, title: str, **values: object) -> Section:
        """Return a section, filled from the template with its name."""
        return Section(name, title, self.fill(f"{name}.html.j2", **values))


def open_page(report: Report) -> Page:
    """Return the values from which the sections of a report are built."""
    documents, errata = list_documents(report), collect_errata(report.ledger, report.library)
    claims = tuple(views.view_claims(report))
    chapters, departs = views.list_chapters(report, claims), _departs(report)
    positions = sum(result.stats.get("positions", 0) for result in report.ledger.readings)
    with open_pool(report.jobs if positions > MANY_POSITIONS else 1) as pool:
        shown = recall_data(report, pool)
        opened = {claim: game["key"] for game in shown[1]["games"] if "lists" in game for claim in game["claims"]}
        cells = recall_cells(report, pool)
        trees = view_trees(report, opened, pool)
    fronts = view_fronts(report, documents, claims, errata, opened)
    beside = views.list_beside(report, errata)
    raced = find_raced(report, shown[1]["games"])
    return Page(
        report, documents, errata, claims, chapters, fronts, beside, trees, shown, opened, raced, cells, departs
    )


def _departs(report: Report) -> str:
    """Return the text that says where specs differ from documents; empty if it names no claim of the report."""
    text = report.library.departs
    named = {*re.findall(r"`([\w-]+)", text)}
    return text if any(claim.id in named for claim in report.ledger.claims) else ""


def render(report: Report) -> str:
    """Return the whole page."""
    with collection_paused():
        page = open_page(report)
        sections = list_sections(page)
        style = read_style(sections)
        contents = [(section.id, section.title) for section in sections]
        letters = [(f"errata-{item.document}", f"Errata: {item.title}") for item in page.errata if item.entries]
        titles = write_titles(page.claims, page.documents, [*contents, *letters], list_rules(report))
        script = titles + read_script(sections)
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        return lay_out(
            page,
            sections,
            policy=f"script-src 'sha256-{digest}'; style-src 'unsafe-inline'",
            head=Markup(f"<style>\n{style}\n</style>"),  # noqa: S704 - files of this package
            script=Markup(f"<script>{script}</script>"),  # noqa: S704 - files of this package
            masthead=draw_front(page),
            contents=contents,
            letters=(),
            under="claims",
            kept="The page is one file and loads nothing else.",
        )


def list_sections(page: Page) -> list[Section]:
    """Return the sections that have something to show, in order."""
    audited, stands = page.report.library.coverage, say_standings(page.report)
    broken, files = [item for item in page.errata if item.entries], [*views.list_sources(page.report)]
    coverage = [audited[item.id].model for item in page.documents if item.id in audited]
    standings = [name for name in Standing if any(claim.result.standing is name for claim in page.claims)]
    blanks, may_be_empty = views.list_blanks(page.claims), {"errata": broken, "coverage": coverage, "sources": files}
    found = (
        page.section("errata", "Errata", errata=broken),
        page.section("claims", "Claim by claim", blanks=blanks, h=4, seen={}),
        _explorer(page),
        page.section("ledger", "The ledger", standings=standings),
        _graph(page),
        page.section("how-to-read", "How to read this, and what you have to trust"),
        page.section("documents", "What was read, and the rules of the games", rules=list_rules(page.report)),
        page.section("coverage", "The documents, sentence by sentence", coverage=coverage, stands=stands),
        page.section("sources", "Definitions and strategies", files=files),
        page.section("provenance", "How this report was made", provenance=describe_provenance(page.report)),
    )
    return [section for section in found if section is not None and may_be_empty.get(section.id, True)]


def lay_out(page: Page, sections: list[Section], *, policy: str, **values: object) -> str:
    """Return an HTML document with some sections.

    Args:
        page: the values of the report.
        sections: the sections that the document shows.
        policy: where scripts and styles may come from. Nothing else is loaded.
        values: for the template. ``under`` is the section whose entry in the contents lists the chapters. ``letters``
            has the id and the title of the errata of each document, except the document of the first screen.
    """
    text = page.fill(
        "page.html.j2",
        sections=sections,
        policy=f"default-src 'none'; {policy}; img-src data:; base-uri 'none'; form-action 'none'",
        titles={document.id: document.model.title for document in page.documents},
        **{"title": name_report(page), "index": ""} | values,
    )
    return show_unprintable(f"{text}\n")


def draw_front(page: Page, *, is_site: bool = False) -> Markup:
    """Return the first screen. In a site, the titles of documents lead to their pages."""
    counts = [count_by_standing(page.report.ledger, ours=ours) for ours in (False, True)]
    return page.fill("front.html.j2", counts=counts, is_site=is_site)


def name_report(page: Page) -> str:
    """Return the title of the report. It names the document if only one document has a first screen."""
    titles = [front.document.model.title for front in page.fronts.values()]
    of = f"{titles[0]}: claim report" if len(titles) == 1 else "Claim report"
    claims = count_claims([claim.result for claim in page.claims])
    return f"{of}: {claims}; {counted(len(page.report.ledger.readings), 'reading')}"


def _explorer(page: Page) -> Section | None:
    data = dict(page.played[1])
    if not data["games"] and not page.cells.data:
        return None
    section = Section("explorer", "Play against the proof", _draw_explorer(page) if data["games"] else Markup())
    if page.cells.data:
        data["cells"] = page.cells.data
        section = section._replace(html=section.html + page.fill("cells.html.j2", has_boards=bool(data["games"])))
    return section._replace(data=json.dumps(make_texts_printable(data), separators=(",", ":")))


def _draw_explorer(page: Page) -> Markup:
    """Return the part of the explorer for the games that its script plays by tables of their rules."""
    games, data = page.played
    drawings = page.report.library.drawings
    drawn = (draw_svg(game, game.start, title="The board", drawings=drawings) for game in games)
    firsts = [each["first"] for each in data["games"] if each.get("first")]
    fails = [item["claim"] for first in firsts for item in first["fails"]]
    names = dict.fromkeys([*(name for each in data["games"] for name in each["claims"]), *fails])
    sets, game_of_rules = list_rules(page.report), page.report.library.game
    rules = [next((item for item in sets if game_of_rules(str(item["id"])) == game), None) for game in games]
    return page.fill("explorer.html.j2", boards=list(map(Markup, drawn)), names=names, rules=rules)


def _graph(page: Page) -> Section:
    library = page.report.library
    labels = {name: label_of(library, name) for name in library.claims}
    graph = build_ledger_graph(library, page.report.ledger.standings, labels)
    label_printably(graph)
    folded = fold_families(graph, {name: library.claims[name].document.file for name in graph})
    picture = draw_claim_graph(tell_apart(folded), is_file=False)
    drawn = Markup(picture)  # noqa: S704 - the picture escapes what it shows
    return page.section("graph", "What rests on what", picture=drawn)


def draw_board(board: Diagram) -> Markup:
    """Return the board of an erratum."""
    drawn = draw_svg(board.game, board.position, board.last, is_still=True, drawings=board.drawings)
    return Markup(drawn)  # noqa: S704 - drawn by svg.py, which escapes what it is given


def fold_chapter(content: Markup, *, packed: bool) -> Markup:
    """Return the claims of a chapter as text, which the browser does not lay out until the chapter is opened."""
    if not packed:
        return Markup("<noscript>\n{}</noscript>").format(content)
    kept = deflate(show_unprintable(content))  # ``lay_out`` does this for the whole page, but cannot see what is packed
    said = "To read this part, let the browser run scripts. A site needs no script for it: verifier report --out DIR/"
    return Markup('<noscript data-packed="{}"><p>{}</p></noscript>').format(kept, said)


_FILTERS = (
    *(
        fold_chapter,
        views.does_step_fail,
        views.list_repairs,
        views.say_believed,
        views.say_question,
        views.summarise,
        views.text_shared,
    ),
    *(draw_board, flatten, make_printable, render_markdown, say_expected, say_found, say_stats),
    *(standing_of, trust_of),
)
"""The filters of the templates."""


@functools.cache
def _templates() -> jinja2.Environment:
    """Return the templates of all reports. A process compiles each of them once."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        finalize=_show,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"counted": counted, "severities": SEVERITIES}
    made.filters |= {function.__name__: function for function in _FILTERS}
    return made


def _show(value: object) -> object:
    """Return a value as the page shows it. Control characters in texts of the specs are replaced by their numbers."""
    return make_lines_printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def read_style(sections: Iterable[Section]) -> str:
    """Return the style sheets of boards and of pictures, the sheet for all sections, and the sheet of each section."""
    return "\n".join([board_style(), page_style(), _read(sections, ".css", "style.css")])


def read_script(sections: Iterable[Section]) -> str:
    """Return the scripts that all sections share, and the scripts of each section. Scripts ignore missing sections."""
    return _read(sections, ".js", "board.js", "page.js", "search.js", "previews.js")


def _read(sections: Iterable[Section], end: str, *shared: str) -> str:
    own = (path.name for section in sections for path in sorted(_FOLDER.glob(f"{section.id}*{end}")))
    return "\n".join((_FOLDER / name).read_text(encoding="utf-8") for name in (*shared, *own))
