"""Measure what shipped lower bounds cost the kernel: ``python -m tests.bench.theorem [CLAIM ...]``.

For each claim of the index (Theorems 1 to 4 unless others are named), and what it joins: tables in bytes, replies,
races left below them, races looked into, and processor seconds of plain Python. What claims share is decided once.
"""

from __future__ import annotations

import pathlib
import sys
import time

from verifier.kernel.race.bound import Memo, check_bound, parse_bound
from verifier.kernel.store import files_of, read_certificate, read_index
from verifier.recheck import plan

PROOFS = pathlib.Path(__file__).parents[2] / "proofs"


def main() -> None:
    """Print a line for each bound."""
    claims = frozenset(sys.argv[1:] or ["theorem-1", "theorem-2", "theorem-3", "theorem-4"])
    files = files_of(PROOFS)
    requests = plan(read_index(PROOFS), claims)
    memo: Memo = {}
    sizes: dict[str, int] = {}

    def read(name: str, suffix: str) -> bytes:
        data = files(name, suffix)
        sizes[name] = len(data)
        return data

    begin = time.process_time()
    for request in requests:
        shown = read_certificate(PROOFS, request.key)
        if shown.statement["kind"] == "bound":
            found = check_bound(parse_bound(shown.statement), shown.evidence, read, memo=memo)
            print(f"{request.names[0]}: {found.verdict}, {dict(found.stats)}", flush=True)
    spent = time.process_time() - begin
    print(f"{spent:.0f} s of processor time, {len(sizes)} tables, {sum(sizes.values())} bytes", flush=True)


if __name__ == "__main__":
    main()
