"""Search for evidence of a *bound*: a reading which says that Xavier cannot force a win by some ply.

The evidence is tables of Olivia's replies. The tables end where Xavier can place only a few more marks by that ply. A
*race* is a position of an easier game, in which only Xavier can win. Olivia *holds* a race if she can keep him from
winning it with the marks that he has left. A bound has *cases*: positions where play starts. If Xavier is to move, each
of his first moves leads to a race; otherwise the start gives one race. If Olivia holds all races of all cases, the
bound is *proved*. If Xavier can win one of them, the bound is *unknown*, because he may still fail to win the game. So
a bound is never *refuted*. A reading with ``can: X`` asks whether he can win the game.

A claim can use claims with other bounds (``uses``). These bounds are its *pieces*: their tables show that Olivia holds
some of the races that the claim's own table leads to.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.certificate import hash_bytes, unpack
from verifier.kernel.errors import CertificateError
from verifier.kernel.race.bound import Race, Reply, open_races, parse_bound, parse_lemma
from verifier.kernel.race.relaxation import Fields, canonical, coarsen, format_race, is_held_at_once, least, needs_of
from verifier.kernel.verdict import Verdict
from verifier.language.library import Library
from verifier.packing import pack
from verifier.questions.bound.model import BoundReading
from verifier.questions.compile import compile_reading
from verifier.questions.finding import Finding, Task
from verifier.search.bounded.moves import free_spots_of, play_mark

LAST_BY_NUMBERS = 8
"""The search ``solve`` stops when Xavier has this many marks left; in some races it stops up to ``LATER`` marks sooner.
``Deepening`` chooses the missing replies."""

FRONTIER = 4
"""If Xavier has at most this many marks left, a table has no replies, and the kernel tries every move. A smaller number
makes tables many times longer. A larger number makes the kernel many times slower."""

MAX_LATER = 1
"""After a reply that ``Opening`` finds, at most this many moves of Xavier lead to races that ``Opening`` has to search
further. (Other moves lead to races that Olivia holds at once, or to races of the pieces.)"""


def search(task: Task) -> Finding:
    """Search for evidence that Xavier cannot force a win by the ply that the reading names."""
    return _find(task, task.claim, task.name)


def _find(task: Task, claim: str, reading: str) -> Finding:
    """Find replies for a bound. Before that, find replies for its pieces.

    A *piece* is a bound of a claim in ``uses`` that gives Xavier the same number of marks (``_marks_of``).
    """
    known, library = task.memo.bounds.get((claim, reading)), task.library
    if known is None:
        statement = compile_reading(library, claim, reading).statement or {}
        marks = _marks_of(library, claim, reading)
        others = [(other, name) for other in library.claim(claim).uses for name in library.claim(other).readings]
        pieces = [_find(task, *other) for other in others if _marks_of(library, *other) == marks]
        bad = next((piece for piece in pieces if piece.verdict is not Verdict.PROVED), None)
        known = bad or _search(task, statement, pieces)
        task.memo.bounds[claim, reading] = known
    return known


def _marks_of(library: Library, claim: str, reading: str) -> int | None:
    """Return how many marks Xavier can place by the ply of a bound; None if the reading is not a bound."""
    model = library.claim(claim).readings[reading]
    return (model.bound + 1) // 2 if isinstance(model, BoundReading) else None


def _search(task: Task, statement: dict[str, Any], pieces: list[Finding]) -> Finding:
    from verifier.search.bounded.deepen import Deepening
    from verifier.search.bounded.prove import LATER
    from verifier.search.bounded.record import make_lookup, record
    from verifier.search.bounded.work import solve

    tables = {name: data for piece in pieces for name, data in piece.files.items()}
    names = list(dict.fromkeys(name for piece in pieces for name in (piece.evidence or {})["tables"]))
    given = {race for name in names for race in parse_lemma(unpack(tables[name], name), name).roots}
    bound = parse_bound(statement)
    try:
        races = [race for race in open_races(bound) if race not in given]
    except CertificateError as error:
        return Finding(Verdict.UNKNOWN, f"{error}; {_hint(bound.through)}")
    opening = Opening(given)
    unsolved = [race for race in races if not opening.covers(*race)]
    replies: dict[str, str] = {}
    for race, solved in zip(unsolved, solve(unsolved, LAST_BY_NUMBERS, task.resources), strict=True):
        if isinstance(solved, str):
            return Finding(Verdict.UNKNOWN, f"{solved}: {format_race(*race)}; {_hint(bound.through)}")
        for name, text in solved.items():
            replies.setdefault(name, text)
    searched, deepening = make_lookup(replies), Deepening(task.resources.memory_mib)

    def choose(fields: Fields, active: int, marks: int) -> Reply:
        reply = opening.replies.get((fields, active, marks))
        if reply is not None:
            return reply
        try:
            return searched(fields, active, marks)
        except KeyError:
            if marks > LAST_BY_NUMBERS + LATER:
                raise
        return deepening.choose(fields, active, marks)

    if races:
        try:
            table = record(FRONTIER, given, races, choose)
        except (CertificateError, KeyError) as error:
            return Finding(Verdict.UNKNOWN, f"the replies found, or read from a checkpoint, are wrong: {error}")
        packed = pack(table)
        names.append(hash_bytes(packed))
        tables[names[-1]] = packed
    return Finding(Verdict.PROVED, "", {"tables": names}, tables)


def _hint(through: int) -> str:
    return (
        "a 'bound' is never refuted: to claim that Xavier can win, write a reading with 'can: X' and "
        f"{{reach: X_wins, by: {through}}}"
    )


@dataclass(slots=True)
class Opening:
    """Finds replies with which Olivia leads every play to races of the pieces, or to races that she holds at once.

    Attributes:
        given: the races of the pieces, each in canonical form.
        replies: for each race that was examined, the reply of Olivia that was found; None if none was found.
    """

    given: set[Race]
    replies: dict[Race, tuple[int, int] | None] = field(default_factory=dict)

    def covers(self, fields: Fields, active: int, marks: int) -> bool:
        """Search for replies with which Olivia, who is to move, holds a race. Return True if they are found.

        False: she may still hold the race by other replies. ``fields`` must be coarsened (``coarsen``).
        """
        if (*canonical(fields, active), marks) in self.given:
            return True
        race = (fields, active, marks)
        if race not in self.replies:
            self.replies[race] = None
            good = (move for move in free_spots_of(fields, active) if self._leads(race, move))
            self.replies[race] = next(good, None)
        return self.replies[race] is not None

    def _leads(self, race: Race, move: tuple[int, int]) -> bool:
        """Say whether a move of Olivia leads to races that she holds, whatever Xavier answers.

        Each answer has to lead to a race of the pieces, or to a race that ``is_held_at_once`` decides. Up to
        ``MAX_LATER`` answers may lead to other races, for which ``covers`` is True. False if an answer wins at once.
        """
        fields, active = play_mark(race[0], *move, is_xavier=False)
        marks = race[2] - 1
        later: list[Race] = []
        for f, s in free_spots_of(fields, active):
            after, to = play_mark(fields, f, s, is_xavier=True)
            need = needs_of(after)
            if not least(need):
                return False  # he has won
            if least(need) > marks or is_held_at_once(after, need, to, marks):
                continue
            after = coarsen(after, marks)
            if (*canonical(after, to), marks) not in self.given:
                later.append((after, to, marks))
                if len(later) > MAX_LATER:
                    return False
        return all(self.covers(*other) for other in later)
