"""What the claims are about: the documents, their words, and the rule sets."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from verifier.presentation.family import Said
from verifier.presentation.registry import show
from verifier.report.registry import Report


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A document as the page shows it.

    Attributes:
        id: how claims name it.
        title, authors, about: what the specs say of it; the id and nothing more where they describe it nowhere.
        is_ours: all its claims are the auditors' own.
        stated: how many claims of the report it makes itself.
        asked: how many are the auditors' own.
        terms: its words that claims use, with what they mean.
        left_out: what it says that no claim is about, and why.
    """

    id: str
    title: str
    authors: str
    about: str
    is_ours: bool
    stated: int
    asked: int
    terms: tuple[tuple[str, str], ...]
    left_out: tuple[str, ...]


class RulesView(NamedTuple):
    """A rule set as the page shows it: its id, its title, its clauses, where it stands, and how many claims use it."""

    id: str
    name: str
    rules: tuple[Said, ...]
    source: str
    claims: int


def list_documents(report: Report) -> list[DocumentView]:
    """Return the documents that the claims of a report are from, the auditors' own last."""
    claims = [(claim.source.document, claim.source.ours) for claim in report.ledger.claims]
    count = Counter(claims)
    names = dict.fromkeys(name for name, _ in claims)
    views = [_view_document(report, name, count[name, False], count[name, True]) for name in names]
    return sorted(views, key=lambda view: (view.is_ours, -view.stated - view.asked))


def _view_document(report: Report, name: str, stated: int, asked: int) -> DocumentView:
    model = report.library.document(name)
    if model is None:
        return DocumentView(name, name, "", "", False, stated, asked, (), ())
    terms = tuple((term, " ".join(text.split())) for term, text in model.terms.items())
    about, left_out = " ".join(model.note.split()), tuple(" ".join(text.split()) for text in model.left_out)
    return DocumentView(name, model.title, ", ".join(model.authors), about, model.ours, stated, asked, terms, left_out)


def list_rules(report: Report) -> list[RulesView]:
    """Return the rule sets in use, those of most claims first."""
    claims = [report.library.claim(claim.id) for claim in report.ledger.claims]
    used = Counter(name for claim in claims for name in {claim.rules_of(reading) for reading in claim.readings})
    return [
        _view_rules(report, name, count) for name, count in sorted(used.items(), key=lambda item: (-item[1], item[0]))
    ]


def _view_rules(report: Report, name: str, count: int) -> RulesView:
    rules = report.library.rules.find(name)
    source = rules.model.source
    ours = "our own, on " if report.library.is_ours(source) else ""
    return RulesView(
        name,
        rules.model.title,
        tuple(show(rules.game).say_rules(rules.model)),
        f"{ours}{source.document}, {source.place}",
        count,
    )
