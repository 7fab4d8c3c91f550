"""Claims as the templates show them: everything is looked up here, so that a template only places it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from verifier.checkers.ledger import ClaimResult, ReadingResult
from verifier.kernel.games.nested import HAS_LINE, Position
from verifier.kernel.verdict import Verdict
from verifier.report.html.formal import Texts
from verifier.report.html.obligations import Family, list_obligations
from verifier.report.html.witness import Witness, draw_witness
from verifier.report.registry import Report
from verifier.report.svg import draw_svg
from verifier.report.trust import in_words, key_of, name_of, trust_in_full, trust_of_claim, trust_of_reading
from verifier.spec.library import needed_claims
from verifier.spec.model import Claim, Conjunction, Reading, Replay, StrategyFile
from verifier.spec.rulesets import find_rules

METHODS = {
    "exhaustive": "about the plays that these strategies allow, against every reply",
    "enumeration": "about every play up to a ply, visited by a compiled search",
    "bound": "a search finds the moves, the kernel follows them",
    "induction": "a step from any position that satisfies the hypotheses",
    "entailment": "what follows in any position that satisfies the hypotheses",
    "replay": "a described line is played",
    "tables": "the kernel solves the game and makes its tables anew",
    "conjunction": "some claims together",
}


@dataclass(frozen=True, slots=True)
class Picture:
    """A diagram as the source prints it, or the rows of numbers where only those are known."""

    title: str
    board: Markup | None = None
    rows: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class ReadingView:
    """A reading as the page shows it."""

    id: str
    method: str
    how: str
    found: str
    expected: str
    is_expected: bool
    repairs: tuple[str, ...]
    because: str
    note: str
    in_words: str
    reason: str
    trouble: str
    trust: str
    joins: tuple[str, ...]
    stats: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    statement: str
    strategies: tuple[tuple[str, str], ...]
    path: str
    sha256: str
    witness: Witness | None
    obligations: tuple[Family, ...]


@dataclass(frozen=True, slots=True)
class ClaimView:
    """A claim as the page shows it.

    Attributes:
        is_ours: its document does not say it: it is a question of the auditors.
        is_outside_play: some reading is refuted, and each such by a position that play does not reach.
        trust: the key of what the verdicts on its own readings rest on; empty where there is none.
        trust_full: the key of what it rests on together with all the claims below it.
        weak: claims below it that keep it from being fully proved.
    """

    id: str
    title: str
    document: str
    place: str
    is_ours: bool
    is_outside_play: bool
    says: str
    rules: str
    standing: str
    is_fully_proved: bool
    summary: str
    trust: str
    trust_full: str
    uses: tuple[str, ...]
    used_by: tuple[str, ...]
    weak: tuple[str, ...]
    shared: str
    includes: tuple[str, ...]
    file: str
    readings: tuple[ReadingView, ...]
    pictures: tuple[Picture, ...]

    @property
    def word(self) -> str:
        """The standing as one word, for classes and filters."""
        return self.standing.replace(" ", "-")

    @property
    def trust_in_ledger(self) -> str:
        """The key of what it rests on with all the claims below it; empty where nothing was decided."""
        return self.trust and (self.trust_full or self.trust)

    @property
    def trust_name(self) -> str:
        """What the verdicts rest on, in words."""
        return name_of(self.trust_in_ledger) if self.trust_in_ledger else "nothing was decided in this run"

    @property
    def trust_own(self) -> str:
        """What its own verdicts rest on, in words."""
        return name_of(self.trust) if self.trust else "nothing was decided in this run"

    @property
    def trust_below(self) -> str:
        """What the claims below it add to what its own verdicts rest on, in words; empty where that is nothing."""
        more = frozenset(self.trust_full.split()) - frozenset(self.trust.split())
        return name_of(key_of(more)).removeprefix("the kernel and ").removeprefix("the kernel, ") if more else ""


def view_claims(report: Report) -> list[ClaimView]:
    """Return every claim of the ledger, in the order of the documents."""
    claims = {claim.id: claim for claim in report.ledger.claims}
    users: dict[str, list[str]] = {}
    for claim in report.ledger.claims:
        for name in needed_claims(claim.model):
            users.setdefault(name, []).append(claim.id)
    texts = Texts(report.specs)
    return [_view_claim(report, claim, claims, users, texts) for claim in sorted(claims.values(), key=_place_key)]


def _place_key(claim: ClaimResult) -> tuple[Any, ...]:
    document = claim.model.source.document
    words = [int(word) if word.isdigit() else word for word in re.split(r"(\d+)", claim.model.source.place)]
    return (
        document != "paper",
        document,
        [(isinstance(word, str), str(word), word if isinstance(word, int) else 0) for word in words],
    )


def _view_claim(
    report: Report, claim: ClaimResult, claims: Mapping[str, ClaimResult], users: Mapping[str, list[str]], texts: Texts
) -> ClaimView:
    model, spec = claim.model, report.library.claims[claim.id]
    needed = needed_claims(model)
    return ClaimView(
        id=claim.id,
        title=model.title,
        document=model.source.document,
        place=model.source.place,
        is_ours=report.library.is_ours(model.source),
        is_outside_play=_is_outside_play(claim),
        says=" ".join(model.source.says.split()),
        rules=model.rules,
        standing=claim.standing,
        is_fully_proved=claim.fully_proved,
        summary=_summary(claim, is_ours=report.library.is_ours(model.source)),
        trust=key_of(trust_of_claim(claim, claims)) if any(map(_is_decided, claim.readings)) else "",
        trust_full=key_of(trust_in_full(claim.id, claims)),
        uses=tuple(needed),
        used_by=tuple(users.get(claim.id, ())),
        weak=tuple(name for name in needed if name not in claims or not claims[name].fully_proved),
        shared=texts.shared(spec),
        includes=tuple(model.includes),
        file=spec.document.file,
        readings=tuple(_view_reading(report, claim, reading, claims, texts) for reading in claim.readings),
        pictures=tuple(_pictures(model)),
    )


def _summary(claim: ClaimResult, *, is_ours: bool) -> str:
    """Say in a few sentences how a claim stands, by which readings, and what a repair adds."""
    subject = "It" if is_ours else "The claim"
    if claim.standing == "proved as stated":
        return f"{subject} holds as it is stated."
    if claim.standing == "not run":
        return "Nothing of this claim was checked in this run: its readings are slow, and the run left these out."
    if claim.standing == "undetermined":
        return "Neither a proof nor a counterexample was found for some reading."
    fails = f"{subject} is wrong" if claim.standing == "refuted" else f"As it is stated, {subject.lower()} fails"
    words = [f"{fails} ({', '.join(f'“{result.reading}”' for result in _refuted(claim))})."]
    if _is_outside_play(claim):
        words.append("The counterexample is a position that satisfies the hypotheses, but that play does not reach.")
    if claim.standing == "refuted":
        words.append("No reading here repairs all of it.")
    for result in claim.readings:
        model = claim.model.readings[result.reading]
        if model.repairs and not result.skipped and result.verdict == Verdict.PROVED:
            words.append(
                f"Repaired, it holds (“{result.reading}”); the repair: {' '.join((model.because or '').split())}"
            )
    return " ".join(words)


def _refuted(claim: ClaimResult) -> list[ReadingResult]:
    return [result for result in claim.readings if not result.skipped and result.verdict == Verdict.REFUTED]


def _is_outside_play(claim: ClaimResult) -> bool:
    found = [result.witness for result in _refuted(claim)]
    return bool(found) and all(witness and witness.get("reachable") is False for witness in found)


_STATS = {"shortest_win_ply": "earliest win of {}, ply", "longest_win_ply": "latest win of {}, ply"}


def _stat_name(model: Reading, name: str) -> str:
    """Return what a number counts, in words."""
    strategies = getattr(model, "strategies", None) or {}
    player = getattr(model, "claimant", None) or (next(iter(strategies)) if len(strategies) == 1 else "the claimant")
    return _STATS[name].format(player) if name in _STATS else name.replace("_", " ")


def _count(number: int) -> str:
    return f"{number:,}".replace(",", "\u202f")


def _view_reading(
    report: Report, claim: ClaimResult, result: ReadingResult, claims: Mapping[str, ClaimResult], texts: Texts
) -> ReadingView:
    model = claim.model.readings[result.reading]
    strategies = dict(getattr(model, "strategies", None) or {})
    named = [*strategies.values(), getattr(model, "strategy", None), getattr(model, "reachable_in", None)]
    files = {name.partition("#")[0] for name in named if name}
    return ReadingView(
        id=result.reading,
        method=result.method,
        how=METHODS.get(result.method, ""),
        found="not run" if result.skipped else str(result.verdict),
        expected=str(result.expected),
        is_expected=result.is_expected,
        repairs=tuple(model.repairs),
        because=model.because or "",
        note=model.note or "",
        in_words=in_words(model),
        reason=result.reason,
        trouble=result.trouble,
        trust=_trust_line(model, result, claims),
        joins=tuple(model.of) if isinstance(model, Conjunction) else (),
        stats=tuple((_stat_name(model, name), _count(count)) for name, count in result.stats.items()),
        notes=result.notes,
        statement=texts.part(report.library.claims[claim.id], ("readings", result.reading)),
        strategies=tuple((name, _strategy_title(report, name)) for name in sorted(files)),
        path=result.path,
        sha256=result.sha256,
        witness=draw_witness(claim.model.rules, result.witness, first=_first_number(model)) if result.witness else None,
        obligations=tuple(list_obligations(report.library, report.proofs, result)),
    )


def _first_number(model: Reading) -> int:
    """Return the number of the first mark in a game that a reading shows, as the source's diagram counts them."""
    rows = model.numbered_rows if isinstance(model, Replay) else None
    return 1 if rows is None else min(number for row in rows for number in row)


def _is_decided(result: ReadingResult) -> bool:
    return not result.skipped and result.verdict != Verdict.UNKNOWN


def _trust_line(model: Reading, result: ReadingResult, claims: Mapping[str, ClaimResult]) -> str:
    if isinstance(model, Conjunction) and _is_decided(result):
        return f"{result.trust}: {name_of(key_of(trust_of_reading(result, claims)))}"
    return result.trust if _is_decided(result) else ""


def _strategy_title(report: Report, name: str) -> str:
    spec = report.library.strategies.get(name)
    return spec.model.title if spec is not None and isinstance(spec.model, StrategyFile) else name


def _pictures(model: Claim) -> list[Picture]:
    """Return the diagrams of a claim as its source prints them."""
    game = find_rules(model.rules)
    found = []
    for name, text in model.diagrams.items():
        board = draw_svg(game, _read_diagram(text), title=f"{name}, as printed", is_picture=True)
        found.append(Picture(f"{name}, as printed", Markup(board)))  # noqa: S704 - drawn by svg.py, which escapes
    for reading in model.readings.values():
        if isinstance(reading, Replay) and reading.numbered_rows is not None:
            rows = tuple(tuple(row) for row in reading.numbered_rows)
            found.append(Picture("the numbers in each row of the board, as printed", rows=rows))
    return found


def _read_diagram(text: str) -> Position:
    rows = text.split()
    x = o = x_fields = o_fields = 0
    for f in range(9):
        cells = [rows[f // 3 * 3 + s // 3][f % 3 * 3 + s % 3] for s in range(9)]
        own = {mark: sum(1 << s for s in range(9) if cells[s] == mark) for mark in "XO"}
        x |= own["X"] << 9 * f
        o |= own["O"] << 9 * f
        if HAS_LINE[own["X"]] != HAS_LINE[own["O"]]:  # where both have a line, the picture does not say who was first
            x_fields |= HAS_LINE[own["X"]] << f
            o_fields |= HAS_LINE[own["O"]] << f
    return Position(x, o, x_fields, o_fields, 9)
