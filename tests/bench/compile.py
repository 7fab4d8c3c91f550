"""Compile every reading, and have the kernel read every statement: processor time, sizes, names.

With ``--only`` it compiles, and nothing else.
"""

from __future__ import annotations

import gzip
import pathlib
import sys
import time
from collections.abc import Callable
from typing import Any

from verifier.kernel.certificate import canonical_bytes
from verifier.kernel.statement import parse_statement
from verifier.kernel.steps import parse_steps
from verifier.language.compile import compile_library
from verifier.language.folder import load_library

SPECS = pathlib.Path(__file__).parents[2] / "specs"
PARSERS: dict[str, Callable[[Any], object]] = {"play": parse_statement, "steps": parse_steps}


def main() -> None:
    """Print what compiling costs."""
    library = load_library(SPECS)
    begin = time.process_time()
    found, problems = compile_library(library)
    print(f"compile: {time.process_time() - begin:.1f} s of processor time, {len(found)} readings")
    if problems:
        raise SystemExit(str(problems[0]))
    if "--only" in sys.argv[1:]:
        return
    statements = [compiled.statement for compiled in found.values() if compiled.statement is not None]
    texts = [canonical_bytes(statement) for statement in statements]
    packed = sum(len(gzip.compress(text)) for text in texts)
    names = sum(len(statement.get("formulas", ())) for statement in statements)
    print(f"statements: {len(texts)}, {sum(map(len, texts))} bytes, {packed} compressed, {names} names")
    begin = time.process_time()
    for statement in statements:
        if statement["kind"] in PARSERS:
            PARSERS[statement["kind"]](statement)
    print(f"read by the kernel: {time.process_time() - begin:.1f} s of processor time")


if __name__ == "__main__":
    main()
