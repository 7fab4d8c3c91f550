"""The plays of a shipped certificate: which entry is meant, and the walk that the kernel takes through it."""

from __future__ import annotations

import difflib
import pathlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from verifier.kernel.errors import UsageError
from verifier.kernel.plays import Node, scopes_of_label, standing_scopes, walk
from verifier.kernel.recheck import Memo, decide
from verifier.kernel.statement import UNIVERSAL, Statement, parse_statement
from verifier.kernel.store import files_of, read_certificate, read_index


@dataclass(frozen=True, slots=True)
class Entry:
    """A name of the index and the hash of the statement that is filed under it."""

    name: str
    statement: str

    @property
    def reading(self) -> str:
        """The name without the claim's."""
        return self.name.partition("/")[2]


@dataclass(frozen=True, slots=True)
class Walk:
    """Every position of a statement's plays, ply by ply."""

    nodes: tuple[Node, ...]


def walk_through(statement: Statement) -> Walk:
    """Return every play of a statement whose strategies leave the claimant no choice."""
    return Walk(tuple(walk(statement, None)))


def group_scopes(statement: Statement, nodes: Iterable[Node]) -> Mapping[str, Mapping[Any, None]]:
    """Return the positions of each scope."""
    found: dict[str, dict[Any, None]] = {}
    for node in nodes:
        for scope in standing_scopes(statement, node):
            found.setdefault(scope, {})[node.position] = None
        for label, after in node.edges:
            for scope in scopes_of_label("after", label):
                found.setdefault(scope, {})[after] = None
    return found


def find_entry(proofs: pathlib.Path, name: str) -> Entry:
    """Return the entry of ``CLAIM/READING``, or of the only reading of ``CLAIM`` that has plays.

    Raises:
        UsageError: there is none, there are several, or it has no plays.
    """
    entries = [Entry(*item) for item in read_index(proofs).filed.items()]
    claim, slash, reading = name.partition("/")
    own = [entry for entry in entries if entry.name.split("/")[0] == claim]
    if not own:
        close = difflib.get_close_matches(claim, sorted({entry.name.split("/")[0] for entry in entries}), 1)
        hint = f"did you mean {close[0]!r}?" if close else "a claim that joins others has none of its own"
        raise UsageError(f"no certificate of a claim {claim!r} in {proofs}: {hint}")
    names = ", ".join(entry.reading for entry in own)
    if slash:
        own = [entry for entry in own if entry.reading == reading]
        if not own:
            raise UsageError(f"no certificate of a reading {reading!r} of {claim!r}; there are: {names}")
    played = [entry for entry in own if _has_plays(proofs, entry)]
    if len(played) == 1:
        return played[0]
    if not played:
        raise UsageError(f"{name} has no plays to draw: its evidence ({names}) is about no walk through all plays")
    choices = ", ".join(entry.name for entry in played)
    raise UsageError(f"several readings of {claim!r} have plays: name one of {choices}")


def _has_plays(proofs: pathlib.Path, entry: Entry) -> bool:
    """Say whether a certificate is decided by a walk through all plays, before anything in it is checked."""
    certificate = read_certificate(proofs, entry.statement)
    if certificate.statement.get("kind") != "play":
        return False
    if certificate.verdict == "refuted":
        return "line" not in certificate.evidence
    return any(objective.type in UNIVERSAL for objective in parse_statement(certificate.statement).objectives)


def read_plays(proofs: pathlib.Path, entry: Entry) -> tuple[Statement, Walk]:
    """Have the kernel check a certificate; return its statement and its plays.

    Raises:
        CertificateError: it is rejected.
        UsageError: the kernel did not need to walk through all plays.
    """
    memo: Memo = {}
    shown = read_certificate(proofs, entry.statement)
    decide(shown.statement, shown.verdict, shown.evidence, files_of(proofs), full=True, memo=memo)
    for nodes in memo.values():
        return parse_statement(shown.statement), Walk(tuple(nodes))
    raise UsageError(f"{entry.name} has no plays to draw: what it states is about single lines")
