import os
import pathlib
from collections.abc import Callable, Iterator

import pytest
from selenium.webdriver.chrome.webdriver import WebDriver

from tests.browser.driver import address, find_browser, open_browser, requests_of, wait_for_game
from tests.browser.made import GAMES, write_report, write_site

REQUIRED = os.environ.get("VERIFIER_REQUIRE_BROWSER") == "1"
"""Continuous integration installs a browser: there a missing one is a failure."""

Visit = Callable[[str], WebDriver]


@pytest.fixture(scope="session")
def report_path(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(path)
    return path


@pytest.fixture(scope="session")
def packed_path(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The same report, with each chapter packed as in a report of many claims."""
    path = tmp_path_factory.mktemp("packed") / "report.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("verifier.report.html.page.MANY_CLAIMS", 0)
        write_report(path)
    return path


@pytest.fixture(scope="session")
def games_path(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A report on games of several documents."""
    path = tmp_path_factory.mktemp("games") / "report.html"
    write_report(path, [], GAMES)
    return path


@pytest.fixture(scope="session")
def site_path(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The folder of a site."""
    folder = tmp_path_factory.mktemp("site")
    write_site(folder)
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[WebDriver]:
    paths = find_browser()
    if paths is None:
        reason = "no Chromium with its driver on this machine (Debian: apt-get install chromium chromium-driver)"
        if REQUIRED:
            pytest.fail(reason)
        pytest.skip(reason)
    driver = open_browser(paths)
    yield driver
    driver.quit()


@pytest.fixture
def visit(browser: WebDriver, report_path: pathlib.Path) -> Iterator[Visit]:
    """Open the report at a fragment. Afterwards, require that only the page was loaded and that nothing went wrong."""
    yield from open_at(browser, report_path)


@pytest.fixture
def visit_packed(browser: WebDriver, packed_path: pathlib.Path) -> Iterator[Visit]:
    """Do the same with a report whose chapters are packed."""
    yield from open_at(browser, packed_path)


@pytest.fixture
def visit_games(browser: WebDriver, games_path: pathlib.Path) -> Iterator[Visit]:
    """Do the same with the report on games of several documents."""
    yield from open_at(browser, games_path)


def open_at(browser: WebDriver, path: pathlib.Path) -> Iterator[Visit]:
    """Yield a function that opens a page at a fragment."""
    page = address(path)

    def go(fragment: str) -> WebDriver:
        browser.get("about:blank")
        browser.get(address(path, fragment))
        wait_for_game(browser)
        return browser

    requests_of(browser)
    browser.get_log("browser")  # type: ignore[no-untyped-call]
    yield go
    assert {url.split("#")[0] for url in requests_of(browser)} <= {page, "about:blank"}
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]
