"""What to do where something from the cache turns out not to be what it was kept as: ask the kernel, and forget it.

To read all evidence at the start of each run would take longer than the rest of it. So an entry is held against what
it says of itself (``kept``), and its evidence is read where somebody wants it; only if that fails is it decided here
which entries are to blame.
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterable, Iterator

from verifier.checkers.ledger import ReadingResult
from verifier.kernel import certificate as files
from verifier.kernel.certificate import Certificate
from verifier.kernel.recheck import Walks, check_certificate
from verifier.spec.compile import compile_reading
from verifier.spec.library import Library


def find_unfounded(library: Library, root: pathlib.Path, results: Iterable[ReadingResult]) -> Iterator[ReadingResult]:
    """Yield the results whose evidence does not show what they say of a reading of these specs.

    Args:
        library: the specs.
        root: the folder in which the certificates are.
        results: results with evidence.
    """
    walks: Walks = {}
    for result in results:
        try:
            is_founded = _is_founded(library, root, result, walks)
        except Exception:  # noqa: BLE001 - whatever is wrong with it: what cannot be read shows nothing
            is_founded = False
        if not is_founded:
            yield result


def _is_founded(library: Library, root: pathlib.Path, result: ReadingResult, walks: Walks) -> bool:
    value = files.unpack(files.read_bytes(root, result.path), result.path)
    certificate = files.parse_certificate(value, result.path)
    statement = files.hash_value(compile_reading(library, result.claim, result.reading).statement)
    about = (certificate.claim, certificate.reading, certificate.verdict)
    if about != (result.claim, result.reading, str(result.verdict)) or result.statement != statement:
        return False
    decided = check_certificate(root, certificate, walks, statement, memo={}, full=True)
    return decided.verdict == result.verdict and has_cores(certificate)


def has_cores(certificate: Certificate) -> bool:
    """Say whether the list of what a proof needed, which is for people and not for the kernel, is about its parts."""
    parts = {str(part.get("part")) for part in certificate.statement.get("parts", ()) if isinstance(part, dict)}
    cores = certificate.evidence.get("cores", [])
    return isinstance(cores, list) and all(
        isinstance(item, list)
        and len(item) == 3
        and isinstance(item[0], str)
        and item[0] in parts
        and isinstance(item[2], list)
        and all(isinstance(name, str) for name in item[2])
        for item in cores
    )
