"""Print medians of the times the project promises: ``python -m tests.bench [RUNS]``."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time

FIRST_CLAIMS = [
    *("paper/1-introduction", "paper/2-strategy", "paper/3-analysis", "examples"),
    *("lemma-3", "lemma-3-corner-line", "lemma-3-edge-line", "remark-1"),
]
COMMANDS = {
    "check, shipped evidence, nothing remembered (60 s)": ["check", "--no-cache"],
    "check of §§1 to 3 and Lemma 3, every search anew": ["check", "--no-cache", "--anew", *FIRST_CLAIMS],
    "show lemma-3 (2 s)": ["show", "lemma-3"],
    "explain theorem-1 (2 s)": ["explain", "theorem-1"],
    "list (2 s)": ["list"],
    "recheck (60 s)": ["recheck"],
    "--help (0.3 s)": ["--help"],
}


def main() -> None:
    """Run each command a few times and print the median of its wall time."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    for name, arguments in COMMANDS.items():
        times = []
        for _ in range(runs):
            begin = time.perf_counter()
            subprocess.run([sys.executable, "-m", "verifier", *arguments], stdout=subprocess.DEVNULL, check=True)
            times.append(time.perf_counter() - begin)
        print(f"{name}: median {statistics.median(times):.2f} s of {runs}", flush=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"largest process: {peak:.0f} MiB")


if __name__ == "__main__":
    main()
