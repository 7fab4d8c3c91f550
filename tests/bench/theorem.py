"""Measure what shipped lower bounds cost the kernel: ``python -m tests.bench.theorem [CLAIM ...]``.

For each claim of the index (Theorem 1 unless others are named): tables in bytes, replies, races left below them, races
looked into, and processor seconds of plain Python, with and without what the replies leave. What claims share is
decided once.
"""

from __future__ import annotations

import functools
import pathlib
import sys
import time
from typing import Any

from verifier.kernel import certificate as files
from verifier.kernel.race.replies import Memo, check_bound, parse_bound
from verifier.kernel.recheck import read_index

PROOFS = pathlib.Path(__file__).parents[2] / "proofs"


def read(sizes: dict[str, int], name: str) -> Any:
    """Return a table, and note its size."""
    path = f"tables/{name[:16]}.json.gz"
    data = files.read_bytes(PROOFS, path)
    sizes[name] = len(data)
    return files.unpack(data, path)


def main() -> None:
    """Print a line for each bound and each way."""
    claims = sys.argv[1:] or ["theorem-1"]
    for full in (False, True):
        memo: Memo = {}
        sizes: dict[str, int] = {}
        begin = time.process_time()
        for entry in read_index(PROOFS):
            if entry.claim not in claims:
                continue
            value = files.unpack(files.read_bytes(PROOFS, entry.path), entry.path)
            shown = files.parse_certificate(value, entry.path)
            if shown.statement["kind"] == "bound":
                bound = parse_bound(shown.statement)
                found = check_bound(bound, shown.evidence, functools.partial(read, sizes), full=full, memo=memo)
                print(f"{entry.claim}/{entry.reading}: {found.verdict}, {dict(found.stats)}", flush=True)
        spent = time.process_time() - begin
        way = "everything decided" if full else "the replies followed"
        print(f"{way}: {spent:.0f} s of processor time, {len(sizes)} tables, {sum(sizes.values())} bytes", flush=True)


if __name__ == "__main__":
    main()
