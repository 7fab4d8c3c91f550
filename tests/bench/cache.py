"""Print how long ``check`` takes with an empty and with a full cache: ``python -m tests.bench.cache [CLAIM …]``.

Without claims it is every claim. The first run finds shipped evidence and remembers nothing; the warm ones remember all
of it. ``--filled DIR`` measures a cache that is full already.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 5


def main() -> None:
    """Time one cold run and some warm ones, which have to print the same."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("claims", nargs="*", metavar="CLAIM")
    parser.add_argument("--filled", type=pathlib.Path, metavar="DIR")
    arguments = parser.parse_args()
    command = [sys.executable, "-m", "verifier", "check", "--format", "json", *arguments.claims]
    with tempfile.TemporaryDirectory() as folder:
        cache = arguments.filled or pathlib.Path(folder)
        command += ["--cache", str(cache)]
        wall, processor, cold = measure(command)
        print(
            f"{'first run' if arguments.filled else 'cold'}: {wall:.2f} s, {processor:.2f} s of processor", flush=True
        )
        warm = [measure(command) for _ in range(RUNS)]
    if any(text.replace("remembered", "decided now") != cold.replace("remembered", "decided now") for *_, text in warm):
        sys.exit("a warm run prints something else than the first one")
    wall, processor = (statistics.median(times) for times in zip(*[(run[0], run[1]) for run in warm], strict=True))
    print(f"warm (1 s): median {wall:.2f} s, {processor:.2f} s of processor, of {RUNS}")


def measure(command: list[str]) -> tuple[float, float, str]:
    """Run a command; return its wall time, its processor time, and what it printed."""
    began, before = time.perf_counter(), os.times()
    text = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - began, used, text


if __name__ == "__main__":
    main()
