"""Olivia's replies in the tables of bounds, by the races that they are for.

A table names no race: its replies are met by following them (``kernel/race/bound.py``). Here they are followed once
more, down to ``LEAST`` marks left to Xavier. Below, trying everything takes no longer than a moment, and nothing more
is needed to play on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from verifier.kernel.race import relaxation
from verifier.kernel.race.bound import Lemma, Race, Replies, Reply, Walk

LEAST = 11
"""With fewer marks left to Xavier a reply is found by trying everything."""


def collect_replies(lemmas: Iterable[Lemma], least: int = LEAST) -> dict[Race, Reply]:
    """Return the replies of some tables for races with so many marks left or more.

    Where two tables have one for the same race, the first is kept: either holds what the other does.
    """
    found: dict[Race, Reply] = {}
    for lemma in lemmas:
        stream = Replies(lemma)

        def choose(fields: relaxation.Fields, active: int, marks: int, stream: Replies = stream) -> Reply:
            reply = stream.choose(fields, active, marks)
            found.setdefault((fields, active, marks), reply)
            return reply

        Walk(replace(lemma, frontier=max(lemma.frontier, least - 1)), choose, lambda *_: None).run()
    return found
