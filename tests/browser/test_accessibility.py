import pytest
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium_axe_python.axe import Axe

from tests.browser.conftest import Visit
from tests.browser.driver import screen, use_theme


def violations(driver: WebDriver) -> list[str]:
    """Return what axe reports, and where."""
    axe = Axe(driver)
    axe.inject()  # type: ignore[no-untyped-call]
    driver.set_script_timeout(120)
    found = axe.run()["violations"]
    return [f"{item['id']} ({item['impact']}): {node['target']}" for item in found for node in item["nodes"]]


UNFOLD = """
    for (const part of document.querySelectorAll("details")) { fill(part); part.open = true; }
    for (const part of document.querySelectorAll(":is(.claim, .erratum) svg.board > g")) part.remove();
"""
"""Boards are pictures with a name: what is in them is no text of the page, and costs axe minutes."""


MOVES = "explorer?moves=4.4-4.0-0.4"


@pytest.mark.parametrize(
    ("fragment", "theme"),
    [("ledger?q=no-such-claim", "light"), (MOVES, "light"), (MOVES, "dark"), ("explorer?you=Q", "dark")],
)
def test_axe_reports_nothing(visit: Visit, fragment: str, theme: str) -> None:
    driver = visit(fragment)
    use_theme(driver, theme)
    assert violations(driver) == []


@pytest.mark.parametrize(("width", "theme"), [(1400, "light"), (1400, "dark"), (400, "dark"), (320, "light")])
def test_axe_reports_nothing_if_everything_is_unfolded(visit: Visit, width: int, theme: str) -> None:
    """In a wide window, on a phone, and where tables scroll."""
    driver = visit("ledger")
    with screen(driver, width):
        use_theme(driver, theme)
        driver.execute_script(UNFOLD)
        assert violations(driver) == []
