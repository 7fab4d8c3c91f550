"""Print what the report promises: ``python -m tests.bench.report [RUNS]`` (needs Chromium and its driver).

The time to write the page and its size; then, in headless Chromium, the first paint (below 1 s) and the time from a
click in the explorer to the changed page (below 100 ms): medians.
"""

from __future__ import annotations

import pathlib
import statistics
import sys
import tempfile
import time

from tests.browser.driver import address, find_browser, open_browser
from tests.browser.made import write_report
from tests.lines import line_to_win, strategy_graph

PAINT = """
    const done = arguments[arguments.length - 1];
    const look = () => {
      const [entry] = performance.getEntriesByName("first-contentful-paint");
      if (entry) done(entry.startTime); else setTimeout(look, 10);
    };
    look();
"""
CLICK = """
    const [move, done] = arguments;
    const cell = document.querySelector(`.explorer [data-cell="${move}"]`);
    const begin = performance.now();
    cell.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    const answered = performance.now() - begin;
    requestAnimationFrame(() => setTimeout(() => done([answered, performance.now() - begin])));
"""


def main() -> None:
    """Write the report, open it a few times, and play a whole game in it each time."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    paths = find_browser()
    if paths is None:
        raise SystemExit("no Chromium with its driver on this machine")
    line = line_to_win(strategy_graph(), 43)
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "report.html"
        begin = time.perf_counter()
        write_report(page)
        print(
            f"checking the browser tests' claims and writing the page: {time.perf_counter() - begin:.1f} s", flush=True
        )
        print(f"size of the page: {page.stat().st_size / 1e6:.2f} MB (10 MB)", flush=True)
        measure(page, paths, line, runs)


def measure(page: pathlib.Path, paths: tuple[str, str], line: list[str], runs: int) -> None:
    """Print the medians of first paints and of clicks."""
    paints: list[float] = []
    answers: list[float] = []
    updates: list[float] = []
    driver = open_browser(paths)
    try:
        for _ in range(runs):
            driver.get("about:blank")
            driver.get(address(page))
            paints.append(driver.execute_async_script(PAINT))
            driver.get("about:blank")
            driver.get(address(page, "explorer?you=O"))
            for move in line[1::2]:
                answered, updated = driver.execute_async_script(CLICK, move)
                answers.append(answered)
                updates.append(updated)
    finally:
        driver.quit()
    print(f"first paint (1000 ms): median {statistics.median(paints):.0f} ms of {runs}")
    print(f"click to changed page (100 ms): median {statistics.median(answers):.1f} ms of {len(answers)}")
    print(f"click to next frame: median {statistics.median(updates):.1f} ms, most {max(updates):.1f} ms")


if __name__ == "__main__":
    main()
