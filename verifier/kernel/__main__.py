"""``python3 -S -m verifier.kernel FOLDER``: decide all certificates of a folder, and print the result of each.

This module is trusted for the exit code, which ``proofs/README.md`` explains in §2. The command loads only the kernel
and the standard library. Names from ``INDEX.json`` are printed in quotation marks, because a name can say anything.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import gc
import io
import os
import pathlib
import sys
from collections.abc import Iterator, Sequence

from verifier.kernel.decide import Memo
from verifier.kernel.recheck import answer, find_entries, lines_of, name_statement, plain, recheck


def main(arguments: Sequence[str] | None = None) -> int:
    """Decide the certificates of the folder that the arguments name, print the results, and return the exit code."""
    parser = argparse.ArgumentParser("python3 -S -m verifier.kernel", description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=pathlib.Path, help="the folder with INDEX.json, evidence/ and tables/")
    parser.add_argument(
        "--limit", type=float, metavar="SECONDS", help="processor time for each certificate (default: no limit)"
    )
    parser.add_argument("--say", action="store_true", help="print the canonical JSON of each statement")
    asked = parser.parse_args(arguments)
    if asked.limit is not None and not 0 < asked.limit < 1e9:
        parser.error("--limit must be a number of seconds above 0 and below 1e9")
    entries, faults = find_entries(asked.folder)
    for error in faults:
        print(plain(str(error)), file=sys.stderr)
    memo, describe = Memo(), functools.partial(name_statement, is_whole=asked.say)
    count, code = recheck(
        entries, lambda entry: answer(asked.folder, entry.key, memo, asked.limit, describe), lines_of, show_progress
    )
    print(count)
    if not all(error.is_undecided for error in faults):
        return 4
    return 2 if not entries else code or (1 if faults else 0)


@contextlib.contextmanager
def show_progress(text: str) -> Iterator[None]:
    """If standard error is a terminal, print which certificate is being decided."""
    if sys.stderr.isatty():
        print(f"\r{plain(text)[:78]:78}\r", end="", file=sys.stderr, flush=True)
    yield


if __name__ == "__main__":
    gc.set_threshold(200_000, 100, 100)  # collect garbage rarely: positions and formulas have no reference cycles
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # not every encoding has "…", which ends shortened texts
    try:
        sys.exit(main())
    except BrokenPipeError:  # the reader has closed the pipe: exit with the code that shells use for this
        os._exit(141)
