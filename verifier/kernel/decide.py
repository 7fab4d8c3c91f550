"""Decide whether evidence shows a verdict on a statement.

This module is trusted for every verdict. ``decide`` is the only way from a statement and its evidence to a ``Result``.
If something goes wrong, for example if a limit is reached, ``decide`` raises a ``CertificateError``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from verifier.kernel.certificate import Data, FileReader
from verifier.kernel.errors import CertificateError, IllegalMoveError, SpecError
from verifier.kernel.games.solution import solution_of
from verifier.kernel.invariant import Closures
from verifier.kernel.kinds import find_kind
from verifier.kernel.limits import run_limited
from verifier.kernel.plays import Node
from verifier.kernel.race.bound import LemmaResult
from verifier.kernel.statement import Statement
from verifier.kernel.verdict import Result

MAX_KEPT_POSITIONS, MAX_WALKS = 100_000, 3
"""Maximum number of positions in a walk that a memo keeps, and maximum number of these walks."""


@dataclass(slots=True)
class Memo:
    """Results of this run that help to decide other statements."""

    walks: dict[str, tuple[list[Node], int]] = field(default_factory=dict)  # by hash: a walk's nodes, and its work
    tables: dict[str, LemmaResult] = field(default_factory=dict)  # by hash: what a table of replies shows
    closures: Closures = field(default_factory=dict)
    last: list[Node] = field(default_factory=list)  # the last statement's walk; empty if none was kept
    statement: Statement | None = None  # the last statement, if it was about plays

    def has_room(self, nodes: Sequence[Node]) -> bool:
        """Say whether a walk with these nodes is small enough to be kept."""
        return len(nodes) <= MAX_KEPT_POSITIONS

    def keep_walk(self, key: str, nodes: list[Node], work: int) -> None:
        """Keep a walk for other statements, and forget the oldest walks if there are too many."""
        while len(self.walks) >= MAX_WALKS:
            del self.walks[next(iter(self.walks))]
        self.walks[key] = nodes, work


def decide(statement: Data, verdict: str, evidence: Data, read: FileReader, memo: Memo | None = None) -> Result:
    """Decide whether evidence, with the files that ``read`` returns, shows a verdict: ``proved`` or ``refuted``.

    The call uses and modifies the memo of this run's results. A ``CertificateError`` says that the evidence does not
    show the verdict, or that a limit was reached.
    """
    memo = Memo() if memo is None else memo
    memo.last, memo.statement = [], None
    if verdict not in ("proved", "refuted"):
        raise CertificateError("malformed", f"a verdict must be proved or refuted, not {str(verdict)[:20]!r}")
    solution_of.cache_clear()  # so that the cost of a statement does not depend on the statements before it
    try:
        return run_limited(lambda: find_kind(statement).decide(statement, verdict == "proved", evidence, read, memo))
    except CertificateError:
        raise
    except SpecError as error:
        raise CertificateError("malformed", str(error)) from None
    except IllegalMoveError as error:
        raise CertificateError("illegal-move", str(error)) from None
    except Exception as error:
        raise CertificateError("defect", f"{type(error).__name__}: {str(error)[:200]}") from error
