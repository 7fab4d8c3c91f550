"""What the strategy explorer could offer and does not: games that a report leaves out, and how to have them."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from verifier.kernel.games.nested import PAPER
from verifier.language.library import Library
from verifier.language.model import Bound, Exhaustive
from verifier.report.registry import Report

_FEW = 4
"""So many claims are named in a command."""


def find_missing(report: Report, offered: Container[tuple[str, str]], best: int | None) -> list[dict[str, Any]]:
    """Return the readings that would be games here if this run had proved them, grouped by why it has not.

    Only what the specs say is looked at: plays in which one player's strategy wins from the start of the game, sooner
    than by the ply ``best``; and bounds in which every first move counts. ``why`` is a heading of the readings, and
    ``command`` makes a report that offers them.
    """
    results = {(result.claim, result.id): result for result in report.ledger.readings}
    found: dict[str, list[tuple[str, str]]] = {"failed": [], "left": []}
    for claim in sorted(report.library.claims):
        for name in report.library.claim(claim).readings:
            if (claim, name) not in offered and _would_be_a_game(report.library, claim, name, best):
                result = results.get((claim, name))
                key = "left" if result is None or not result.is_run else "failed"
                found[key].append((claim, name))
    left = list(dict.fromkeys(claim for claim, _ in found["left"]))
    names = "".join(f" {claim}" for claim in left) if len(left) <= _FEW else ""
    reasons = {
        "failed": ("Not proved in this run", ""),
        "left": ("Not part of this report", f"verifier report{names}"),
    }
    return [
        {"why": why, "command": command, "readings": found[key]}
        for key, (why, command) in reasons.items()
        if found[key]
    ]


def _would_be_a_game(library: Library, claim: str, name: str, best: int | None) -> bool:
    """Say whether a reading states what the explorer can offer, as far as its spec says."""
    model = library.claim(claim)
    reading, game = model.readings[name], library.rules.game(model.rules_of(name))
    if game != PAPER or reading.expect != "proved":
        return False
    if isinstance(reading, Exhaustive):
        if reading.start is not None or reading.horizon is not None or len(reading.strategies) != 1:
            return False
        goal = f"{next(iter(reading.strategies))}_wins"
        wins = [item.by for item in reading.objectives.values() if item.reach == goal and item.by is not None]
        return bool(wins) and (best is None or min(wins) < best)
    if isinstance(reading, Bound):
        return all(case.first is None and case.but is None for case in reading.cases.values())
    return False
