"""What a referee needs to decide a claim again: how far its plays are followed, commands, and theorems of Coq."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from verifier.audit.ledger import ClaimResult
from verifier.audit.store import Store
from verifier.coq import find_places, find_theorem
from verifier.files import find_shipped
from verifier.kernel.certificate import read_index
from verifier.kernel.errors import CertificateError
from verifier.presentation.family import in_words
from verifier.questions.result import ReadingResult
from verifier.report.place import specs_option
from verifier.report.registry import Report

_MAX_NAMED = 3
"""Maximum number of readings that are named for a limit."""


class CoqTheorem(NamedTuple):
    """A theorem of ``proofs/coq`` that says the same as a reading: the reading, the theorem, and the file with it."""

    reading: str
    name: str
    file: str


class HowToDecide(NamedTuple):
    """How a reader can decide a claim again.

    Attributes:
        check: the command that decides it from its spec; empty if the claim was made in Python.
        recheck: the command that decides it from its evidence alone; empty if its evidence is not shipped.
        is_bare: whether ``recheck`` needs nothing but a copy of the repository and Python's standard library.
        theorems: the theorems of Coq that say the same.
    """

    check: str
    recheck: str
    is_bare: bool
    theorems: tuple[CoqTheorem, ...]


def list_filed(store: Store) -> frozenset[str]:
    """Return the claims that ``recheck`` knows by name: the index of the shipped evidence names them."""
    with contextlib.suppress(CertificateError):
        if store.shipped is not None:
            index = read_index(store.shipped)
            return frozenset(name.partition("/")[0] for name in (*index.filed, *index.joins))
    return frozenset()


def say_how_to_decide(report: Report, claim: str, filed: Collection[str]) -> HowToDecide:
    """Return how to decide a claim again. ``filed`` has the claims that ``recheck`` knows by name."""
    is_made = report.known.file_of(claim) in (spec.file for spec in report.made)
    # Without --no-cache the command would only print the verdict that is remembered.
    check = "" if is_made else f"verifier check {claim} --no-cache{specs_option(report.specs)}"
    is_bare = report.store.shipped is not None and report.store.shipped == find_shipped("proofs")
    run = "python3 -S -m verifier" if is_bare else "verifier"
    recheck = f"{run} recheck {claim}" if claim in filed else ""
    return HowToDecide(check, recheck, is_bare, tuple(_find_theorems(report, claim)))


def _find_theorems(report: Report, claim: str) -> Iterator[CoqTheorem]:
    shipped = report.store.shipped
    for name, model in report.library.claim(claim).readings.items():
        file = find_theorem(find_places(shipped).sources, model.coq) if shipped and model.coq else ""
        if model.coq and file:
            yield CoqTheorem(name, model.coq, f"proofs/coq/{file}")


def say_how_far(report: Report, claim: ClaimResult, results: Mapping[str, ReadingResult]) -> str:
    """Say which readings are only about the first moves of a play, and how many moves; empty if there are none.

    If a reading joins others, these are named. ``results`` has the readings of the report by name.
    """
    found = dict[str, str]()
    for result in claim.readings:
        joined = [results[name] for name in result.joins if name in results and results[name].limit]
        for each in (joined or [result]) if result.holds and result.limit else ():
            name = each.id if each.claim == claim.id else each.name
            found[name] = _say_first(report, each) if each.limit else ""
    groups = dict[str, list[str]]()
    for name, text in found.items():
        groups.setdefault(text, []).append(name)
    most = f" A play can have {claim.limit.of} moves" if claim.limit and claim.limit.of else ""
    after = f" They say nothing about later moves.{most and f'{most}, those of both players counted.'}"
    said = "; ".join(f"{_name_some(names)}: {text}" for text, names in groups.items())
    return f"{said}.{after}" if said else ""


def _say_first(report: Report, result: ReadingResult) -> str:
    """Say how many moves a reading is about, and why not about more."""
    through = 0 if result.limit is None else result.limit.through
    moves = "the first move" if through == 1 else f"the first {through} moves"
    if result.joins:
        return f"about {moves}" if result.limit and not result.limit.is_partial else f"in part about {moves} only"
    is_cut = getattr(report.library.claim(result.claim).readings[result.id], "horizon", None) == through
    return f"about {moves}, {'where the check stops' if is_cut else 'as it says itself'}"


def _name_some(names: list[str]) -> str:
    left = len(names) - _MAX_NAMED
    shown = [f"“{name}”" for name in (names if left <= 1 else names[:_MAX_NAMED])]
    return in_words([*shown, f"{left} more"]) if left > 1 else in_words(shown)
