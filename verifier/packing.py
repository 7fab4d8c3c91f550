"""Packs evidence in the form that the kernel reads. The same evidence always gives the same bytes."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from typing import Any

from verifier.kernel.certificate import FORMAT, HEADER, VERSION, canonical_bytes


def pack_certificate(statement: Mapping[str, Any], verdict: str, evidence: Mapping[str, Any]) -> bytes:
    """Return the bytes of a certificate."""
    said = {"statement": statement, "verdict": verdict, "evidence": evidence}
    return pack({"format": FORMAT, "version": VERSION, **said})


def pack(value: Any) -> bytes:
    """Return the bytes of a file of evidence: canonical JSON and a line end, compressed (``pack_text``)."""
    return pack_text(canonical_bytes(value) + b"\n")


def pack_text(text: bytes) -> bytes:
    """Return a text, compressed. The same text always gives the same bytes (time stamp 0, no file name)."""
    # The header of ``gzip`` depends on the version of Python, so it is replaced by a fixed one.
    return HEADER + gzip.compress(text, compresslevel=6, mtime=0)[len(HEADER) :]
