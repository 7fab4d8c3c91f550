"""Record Olivia's replies in races, in the order in which the kernel asks for them.

The docstring of the package says what a *race* is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from verifier.kernel import certificate as files
from verifier.kernel.games.nested import ANY
from verifier.kernel.race.bound import Lemma, LemmaWalk, Race, Reply, ReplyChooser
from verifier.kernel.race.relaxation import Fields, format_race


def record(frontier: int, given: Iterable[Race], roots: Iterable[Race], choose: ReplyChooser) -> dict[str, Any]:
    """Return a table of the replies that ``choose`` returns. The table also lists the given races that occur in play.

    Args:
        frontier: if Xavier has at most this many marks left, no reply is written down.
        given: races in which other tables prove that Olivia can keep Xavier from winning.
        roots: the races that this table is to prove.
        choose: returns Olivia's reply in a race.
    """
    texts: dict[int, list[str]] = {}

    def note(fields: Fields, active: int, marks: int) -> Reply:
        reply = choose(fields, active, marks)
        texts.setdefault(marks, []).append("".join(map(str, reply if active == ANY else reply[1:])))
        return reply

    ordered = tuple(sorted(roots, key=lambda race: (-race[2], race)))
    walk = LemmaWalk(Lemma(frontier, frozenset(given), ordered, {}), note, lambda *_: None)
    walk.run()
    return {
        "format": files.REPLIES_FORMAT,
        "version": files.VERSION,
        "frontier": frontier,
        "given": [format_race(*race) for race in sorted(walk.met)],
        "roots": [format_race(*race) for race in ordered],
        "replies": {str(marks): "".join(parts) for marks, parts in texts.items()},
    }


def make_lookup(replies: dict[str, str]) -> Callable[[Fields, int, int], Reply]:
    """Return a function that looks up the reply in a race. ``replies`` has each reply as ``f.s``, by race."""

    def choose(fields: Fields, active: int, marks: int) -> Reply:
        text = replies[format_race(fields, active, marks)]
        return int(text[0]), int(text[2])

    return choose
