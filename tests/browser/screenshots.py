"""Write the pictures of the README: ``python -m tests.browser.screenshots [FOLDER]`` (needs Chromium)."""

from __future__ import annotations

import pathlib
import sys
import tempfile

from tests.browser.driver import address, find_browser, open_browser, use_theme
from tests.browser.made import write_report
from tests.lines import line_to_win, strategy_graph

FOLDER = pathlib.Path(__file__).parent / "screenshots"
MOST_BYTES = 150_000


def main() -> None:
    """Write each view in both themes."""
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    paths = find_browser()
    if paths is None:
        raise SystemExit("no Chromium with its driver on this machine")
    line = line_to_win(strategy_graph(), 43)
    views = {
        "ledger": "ledger",
        "claim": "claim-lowest-spot-keeps-fields",
        "explorer": f"explorer?you=O&moves={'-'.join(line[:37])}",
    }
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        page = pathlib.Path(temporary) / "report.html"
        write_report(page)
        driver = open_browser(paths, 1100, 914)
        try:
            for theme in ("light", "dark"):
                for name, fragment in views.items():
                    driver.get("about:blank")
                    use_theme(driver, theme)
                    driver.get(address(page, fragment))
                    section = fragment.split("?")[0]
                    driver.execute_script(f"document.getElementById('{section}').scrollIntoView()")
                    target = folder / f"{name}-{theme}.png"
                    target.write_bytes(driver.get_screenshot_as_png())
                    size = target.stat().st_size
                    print(f"{target}: {size // 1000} kB{'  LARGE' if size > MOST_BYTES else ''}")
        finally:
            driver.quit()


if __name__ == "__main__":
    main()
