"""Print what the report promises: ``python -m tests.bench.report [PAGE]`` (needs Chromium and its driver).

The weight of the page (at most 4 MB), in headless Chromium its elements (at most 25,000), the first paint (below 0.4
s), and the time from a click to the changed page (below 100 ms): in the explorer for either side, in the ledger, in
the claim graph, in what is folded, in a witness. Medians, the worst beside them, and the processor time of the page's
thread, which is what counts beside other work. How many pages it has on paper (at most 12), and how many faults axe
finds with all unfolded at 400 pixels, part by part (none), which takes minutes. Without a page, that of the browser
tests is made and measured; `verifier report --out PAGE` makes one of every claim.
"""

from __future__ import annotations

import pathlib
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator

from selenium.webdriver.chrome.webdriver import WebDriver

from tests.browser.driver import address, find_browser, open_browser, pages_on_paper, screen, use_theme
from tests.browser.made import write_report
from tests.browser.test_accessibility import UNFOLD, violations
from tests.lines import line_to_win, strategy_graph

RUNS = 5
Times = tuple[float, float]
"""What is measured by the clock, and by the thread's processor time."""

PAINT = """
    const done = arguments[arguments.length - 1];
    const look = () => {
      const [entry] = performance.getEntriesByName("first-contentful-paint");
      if (entry) done(entry.startTime); else setTimeout(look, 10);
    };
    look();
"""
ONE_PART = """
    const parts = [...document.querySelectorAll("main > :not(#claims), #claims .chapter")];
    parts.forEach((part, number) => { part.hidden = arguments[0] >= 0 && number !== arguments[0]; });
    return parts.length;
"""
"""Hides every part of the page but one; less than 0: shows them all, and says how many there are."""
CHANGE = """
    const [selector, value, done] = arguments;
    const element = document.querySelector(selector);
    const begin = performance.now();
    if (value === null) element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    else {
      element.value = value;
      for (const name of ["input", "change"]) element.dispatchEvent(new Event(name, { bubbles: true }));
    }
    document.body.getBoundingClientRect(); // the layout belongs to it
    const taken = performance.now() - begin;
    setTimeout(() => done(taken)); // so does what is painted, for the thread's time
"""
"""A click, or another value of a control: how long until the page is changed and laid out again."""


def main() -> None:
    """Measure a page, and say what is missed."""
    paths = find_browser()
    if paths is None:
        raise SystemExit("no Chromium with its driver on this machine")
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else f"{folder}/report.html")
        if len(sys.argv) == 1:
            begin = time.perf_counter()
            write_report(page)
            print(f"checking the browser tests' claims and writing the page: {time.perf_counter() - begin:.1f} s")
        text = page.read_text(encoding="utf-8")
        data = "".join(re.findall(r'<script type="application/json".*?</script>', text, re.DOTALL))
        print(f"the page: {len(text.encode()) / 1e6:.2f} MB, of which the explorer's data {len(data) / 1e6:.2f} MB")
        _print("the page, MB", [(len(text.encode()) / 1e6, 0)], 4)
        driver = open_browser(paths)
        try:
            for name, values, target in measure(driver, page):
                _print(name, values, target)
            driver.get(address(page))
            print(f"{'on paper, pages':46} {pages_on_paper(driver):7d}   target      12", flush=True)
            for theme in ("light", "dark"):
                count = count_faults(driver, page, theme)
                print(f"{f'axe, 400 pixels, {theme}, faults':46} {count:7d}   target       0", flush=True)
        finally:
            driver.quit()


def measure(driver: WebDriver, page: pathlib.Path) -> Iterator[tuple[str, list[Times], float]]:
    """Yield what was measured, its times and its target, in milliseconds."""
    driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return 1000 * float(next(item["value"] for item in metrics if item["name"] == "TaskDuration"))

    def visit(fragment: str) -> None:
        driver.get("about:blank")
        driver.get(address(page, fragment))

    def change(selector: str, value: str | None = None) -> Times:
        begin = spent()
        taken = float(driver.execute_async_script(CHANGE, selector, value))
        return taken, spent() - begin

    paints = []
    for _ in range(RUNS):
        driver.get("about:blank")
        begin = spent()
        driver.get(address(page))
        paints.append((float(driver.execute_async_script(PAINT)), spent() - begin))
    yield "first paint (processor: until all is loaded)", paints, 400
    count = driver.execute_script("return document.querySelectorAll('*').length")
    yield "elements of the page", [(float(count), 0)], 25_000
    line = line_to_win(strategy_graph(), 43)
    clicks = []
    for _ in range(RUNS):
        visit("explorer?you=O")
        clicks += [change(f'.explorer [data-cell="{move}"]') for move in line[1::2]]
    yield "explorer, a reply of Olivia's", clicks, 100
    visit("explorer?you=beyond-value-43%2Fat-least")
    clicks = []
    for field in range(9):
        clicks += [change(f'.explorer [data-cell="{field}.{field}"]'), change("#explorer-restart")]
    yield "explorer, a first move of Xavier's, and again", clicks, 100
    visit("ledger")
    yield "ledger, a filter", [change("#filter-q", word) for word in ("lemma", "ply 43", "", "solver", "")], 100
    heads = [f"#ledger-table th:nth-child({column}) button" for column in (1, 3, 5)]
    yield "ledger, sorted by a column", [change(head) for head in heads], 100
    visit("graph")
    names = [option.get_attribute("value") or "" for option in driver.find_elements("css selector", "#graph option")]
    yield "claim graph, another document", [change("#graph-document", name) for name in names], 100
    visit("claims")
    chapters = len(driver.find_elements("css selector", ".chapter"))
    folded = [f".chapter:nth-of-type({number + 1}) > summary" for number in range(chapters)]
    yield "claims, a part folded or unfolded", [change(summary) for summary in folded], 100
    visit("claim-lemma-3-edge-line")
    back = '#claim-lemma-3-edge-line .stepper [aria-label="One step back"]'
    yield "a witness, a step back", [change(back) for _ in range(RUNS)], 100
    yield "the appearance", [change("#theme", theme) for theme in ("dark", "light", "auto")], 100


def count_faults(driver: WebDriver, page: pathlib.Path, theme: str) -> int:
    """Return how many faults axe finds on a phone; it looks at one part after the other, each alone on the page."""
    driver.get("about:blank")
    driver.get(address(page, "ledger"))
    with screen(driver, 400):
        use_theme(driver, theme)
        driver.execute_script(UNFOLD)
        parts = int(driver.execute_script(ONE_PART, -1))
        count = 0
        for part in range(parts):
            driver.execute_script(ONE_PART, part)
            found = violations(driver)
            count += len(found)
            print("\n".join(found), end="\n" * bool(found), flush=True)
        return count


def _print(name: str, times: list[Times], target: float) -> None:
    middle = statistics.median(wall for wall, _ in times)
    missed = "  missed" if middle > target else ""
    worst, spent, most = max(times)[0], statistics.median(cpu for _, cpu in times), max(cpu for _, cpu in times)
    print(f"{name:46} {middle:7.1f}, at most {worst:7.1f}   target {target:5.0f}{missed}", end="")
    print(f"   processor {spent:7.1f}, at most {most:7.1f}", flush=True)


if __name__ == "__main__":
    main()
