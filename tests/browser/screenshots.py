"""Write the pictures of README: ``python -m tests.browser.screenshots [FOLDER]`` (needs Chromium).

They show the whole report. Claims that no earlier run has decided are decided first, which takes minutes.
"""

import argparse
import pathlib
import tempfile

from tests.browser.driver import address, find_browser, open_browser, screen, use_theme
from tests.lines import line_to_win, strategy_graph
from verifier.cli import main as run

FOLDER = pathlib.Path(__file__).parent / "screenshots"


def main() -> None:
    """Write each view in both themes."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.screenshots", description=__doc__)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=FOLDER, help="where to write them")
    folder = parser.parse_args().folder
    paths = find_browser()
    if paths is None:
        raise SystemExit("no Chromium with its driver on this machine")
    line = line_to_win(strategy_graph(), 43)
    views = {
        "front": ("top", 1400, 1000),
        "front-phone": ("top", 400, 900),
        "errata": ("errata", 1400, 1000),
        "claim": ("claim-lemma-3-edge-line", 1400, 1000),
        "claim-phone": ("claim-lemma-3-edge-line", 400, 900),
        "explorer": (f"explorer?you=lemma-3%2Fas-stated&moves={'-'.join(line[:37])}", 1100, 914),
        "explorer-phone": (f"explorer?you=lemma-3%2Fas-stated&moves={'-'.join(line[:37])}", 400, 900),
        "graph": ("graph", 1400, 1000),
        "ledger-phone": ("ledger-table", 400, 900),
    }
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        page = pathlib.Path(temporary) / "report.html"
        if run(["check", "--report", f"html={page}"]):
            raise SystemExit("the report is not as expected")
        print(f"{page.name}: {page.stat().st_size // 1000} kB")
        driver = open_browser(paths)
        try:
            for theme in ("light", "dark"):
                for name, (fragment, width, height) in views.items():
                    driver.get("about:blank")
                    with screen(driver, width, height):
                        use_theme(driver, theme)
                        driver.get(address(page, fragment))
                        section = fragment.split("?")[0]
                        driver.execute_script(f"document.getElementById('{section}').scrollIntoView()")
                        target = folder / f"{name}-{theme}.png"
                        target.write_bytes(driver.get_screenshot_as_png())
                    print(f"{target}: {target.stat().st_size // 1000} kB")
        finally:
            driver.quit()


if __name__ == "__main__":
    main()
