"""Print how long ``check`` takes with an empty and with a full cache: ``python -m tests.bench.cache [CLAIM …]``.

Without claims it is every claim, the slow readings too, which takes minutes the first time. ``--filled DIR`` measures a
cache that is full already; ``--checkpoint DIR`` lets the long searches of the cold run go on from checkpoints.
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
    parser.add_argument("--checkpoint", type=pathlib.Path, metavar="DIR")
    arguments = parser.parse_args()
    command = [sys.executable, "-m", "verifier", "check", "--slow", *arguments.claims]
    with tempfile.TemporaryDirectory() as folder:
        cache = arguments.filled or pathlib.Path(folder)
        command += ["--cache", str(cache)]
        first = ["--checkpoint", str(arguments.checkpoint)] if arguments.checkpoint else []
        wall, processor, cold = measure([*command, *first])
        print(
            f"{'first run' if arguments.filled else 'cold'}: {wall:.2f} s, {processor:.2f} s of processor", flush=True
        )
        warm = [measure(command) for _ in range(RUNS)]
    if any(text != cold for _, _, text in warm):
        sys.exit("a warm run prints something else than the first one")
    wall, processor = (statistics.median(times) for times in zip(*[(run[0], run[1]) for run in warm], strict=True))
    print(f"warm (2 s): median {wall:.2f} s, {processor:.2f} s of processor, of {RUNS}")
    print(cold.splitlines()[-1])


def measure(command: list[str]) -> tuple[float, float, str]:
    """Run a command; return its wall time, its processor time, and what it printed."""
    began, before = time.perf_counter(), os.times()
    text = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - began, used, text


if __name__ == "__main__":
    main()
