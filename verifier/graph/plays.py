"""The plays of a shipped certificate: which entry is meant, and the walk that the kernel takes through it."""

from __future__ import annotations

import difflib
import pathlib

from verifier.kernel import certificate as files
from verifier.kernel.errors import UsageError
from verifier.kernel.plays import Walk
from verifier.kernel.recheck import Entry, Walks, read_index, recheck_entry
from verifier.kernel.statement import Statement, parse_statement


def find_entry(proofs: pathlib.Path, name: str) -> Entry:
    """Return the entry of ``CLAIM/READING``, or of the only reading of ``CLAIM`` that has plays.

    Raises:
        UsageError: there is none, there are several, or it has no plays.
    """
    entries = read_index(proofs)
    claim, slash, reading = name.partition("/")
    own = [entry for entry in entries if entry.claim == claim]
    if not own:
        close = difflib.get_close_matches(claim, sorted({entry.claim for entry in entries}), 1)
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
        raise UsageError(f"{name} has no plays to draw: its evidence ({names}) is no table of moves")
    choices = ", ".join(f"{claim}/{entry.reading}" for entry in played)
    raise UsageError(f"several readings of {claim!r} have plays: name one of {choices}")


def _has_plays(proofs: pathlib.Path, entry: Entry) -> bool:
    """Say whether a certificate has a table of moves, before anything in it is checked."""
    value = files.unpack(files.read_bytes(proofs, entry.path), entry.path)
    certificate = files.parse_certificate(value, entry.path)
    return certificate.statement.get("kind") == "play" and "table" in certificate.evidence


def read_plays(proofs: pathlib.Path, entry: Entry) -> tuple[Statement, Walk]:
    """Have the kernel check a certificate; return its statement and its plays.

    Raises:
        CertificateError: it is rejected.
        UsageError: the kernel did not need its table.
    """
    walks: Walks = {}
    certificate, _ = recheck_entry(proofs, entry, walks, {}, full=False)
    for walked in walks.values():
        return parse_statement(certificate.statement), walked
    raise UsageError(f"{entry.claim}/{entry.reading} has no plays to draw: what it states is about single lines")
