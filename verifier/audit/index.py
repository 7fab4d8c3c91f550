"""Reads and writes ``INDEX.json``: for each reading, its certificate, and the readings that this reading joins.

No verdict depends on the index. People read it, and ``verifier recheck`` finds certificates by its names.
"""

from __future__ import annotations

import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from verifier.audit.ledger import Ledger
from verifier.files import replace_whole
from verifier.kernel.certificate import (
    INDEX,
    INDEX_FORMAT,
    VERSION,
    Index,
    canonical_bytes,
    read_certificate,
    read_index,
)
from verifier.kernel.errors import CertificateError, UsageError
from verifier.kernel.verdict import Verdict

if TYPE_CHECKING:
    from verifier.language.library import Library
    from verifier.language.outline import AnyLibrary
    from verifier.questions.compiler import CompiledReading


def open_index(folder: pathlib.Path) -> Index:
    """Return the index of a folder; an empty index if the folder has none.

    Raises:
        UsageError: the index cannot be read. A run would overwrite it, so the user has to move it away first.
    """
    try:
        return read_index(folder) if (folder / INDEX).exists() else Index()
    except CertificateError as error:
        raise UsageError(
            f"{folder / INDEX} cannot be read: {error}; move it away first, because a run would overwrite it"
        ) from None


def write_index(folder: pathlib.Path, index: Index) -> None:
    """Write the index of a folder, with one line for each reading."""
    said = {"format": INDEX_FORMAT, "version": VERSION, "filed": dict(index.filed), "joins": dict(index.joins)}
    text = canonical_bytes(said).replace(b'","', b'",\n"') + b"\n"
    replace_whole(folder / INDEX, text)


def update_index(folder: pathlib.Path, library: AnyLibrary, ledger: Ledger) -> None:
    """Add the decided readings of a run to a folder's index, and remove readings that a claim no longer has."""
    known = open_index(folder)
    found = {result.name: result.certificate for result in ledger.readings if result.verdict is not Verdict.UNKNOWN}
    readings = {
        f"{claim}/{name}": item for claim in library.claims for name, item in library.claim(claim).readings.items()
    }
    gone = {name for name in {*known.filed, *known.joins} if name.partition("/")[0] in library.claims}
    replaced = found.keys() | (gone - readings.keys())
    filed = {name: key for name, key in known.filed.items() if name not in replaced}
    filed |= {name: certificate.key for name, certificate in found.items() if certificate is not None}
    joins = {name: others for name, others in known.joins.items() if name not in replaced}
    joins |= {name: tuple(readings[name].joins) for name in found if name in readings}
    write_index(folder, Index(filed, {name: others for name, others in joins.items() if others}))


def find_stale(
    library: Library, compiled: Mapping[tuple[str, str], CompiledReading], folder: pathlib.Path
) -> list[str]:
    """Return a line for each difference between a folder of evidence and the compiled specs."""
    index = read_index(folder)
    filed, joins, wrong = dict(index.filed), dict(index.joins), list[str]()
    for (claim, reading), stated in compiled.items():
        name = f"{claim}/{reading}"
        kept, joined = filed.pop(name, None), joins.pop(name, ())
        if stated.statement is None:
            fault = "has a certificate, but only joins other readings in these specs" if kept else ""
        else:
            fault = _find_fault(folder, stated.key, kept)
        if not fault and joined != tuple(library.claim(claim).readings[reading].joins):
            fault = "the readings that it joins are not the same in the index and in these specs"
        wrong += [f"{name}: {fault}"] if fault else []
    wrong += [f"{name}: has a certificate, but is not a reading in these specs" for name in filed]
    said = "is in the index, but is not a reading in these specs"
    return [*wrong, *(f"{name}: {said}" for name in joins if name not in filed)]


def _find_fault(folder: pathlib.Path, key: str, filed: str | None) -> str:
    """Return what is wrong with a reading's certificate; empty if nothing is wrong.

    ``key`` is the key of the certificate that the specs ask for. ``filed`` is the key in the index; None if the index
    lists no certificate for the reading.
    """
    if filed != key:
        return "no certificate" if filed is None else "the certificate states something else"
    try:
        read_certificate(folder, key)
    except CertificateError as error:
        return str(error)
    return ""
