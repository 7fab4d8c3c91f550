from __future__ import annotations

import pytest
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium_axe_python.axe import Axe

from tests.browser.conftest import Visit
from tests.browser.driver import screen, use_theme


def violations(driver: WebDriver) -> list[str]:
    """Return what axe finds fault with, and where."""
    axe = Axe(driver)
    axe.inject()  # type: ignore[no-untyped-call]
    driver.set_script_timeout(120)
    found = axe.run()["violations"]
    return [f"{item['id']} ({item['impact']}): {node['target']}" for item in found for node in item["nodes"]]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("fragment", ["ledger?q=no-such-claim", "explorer?you=O&moves=4.4-4.0-0.4", "explorer?you=Q"])
def test_no_fault_is_found(visit: Visit, theme: str, fragment: str) -> None:
    """Axe finds no fault of any impact in the page, in either theme, wherever it is opened."""
    driver = visit(fragment)
    use_theme(driver, theme)
    assert violations(driver) == []


def test_no_fault_is_found_in_a_narrow_window(visit: Visit) -> None:
    """Axe finds no fault either where tables scroll in their own boxes."""
    driver = visit("ledger")
    with screen(driver, 320):
        assert violations(driver) == []
