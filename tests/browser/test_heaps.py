"""A family of games that only the tests have, in the browser."""

import pathlib

from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By

import verifier
from tests.browser.driver import address
from tests.heaps.test_heaps import NAME, heaps_folder

__all__ = ["heaps_folder"]


def test_a_line_of_another_family_can_be_stepped(
    browser: WebDriver, folder: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """Each step shows the remaining stones, the last move and its words. The page has the pictures of the game."""
    specs = verifier.load(folder, cache=False)
    page = tmp_path / "page.html"
    page.write_text(specs.render(specs.check(), "html"), encoding="utf-8")
    browser.get(address(page, f"claim-{NAME}"))
    figure = browser.find_element(By.ID, f"witness-{NAME}--a-line")
    script = "return [...arguments[0].querySelectorAll('.after .cell circle')]"
    stones = f"{script}.map((stone) => stone.parentNode.dataset.cell)"
    assert browser.execute_script(stones, figure) == []
    figure.find_element(By.CSS_SELECTOR, '[aria-label="To the start"]').click()
    assert browser.execute_script(stones, figure) == ["0.0", "1.1", "1.0", "2.3", "2.2", "2.1", "2.0"]
    figure.find_element(By.CSS_SELECTOR, '[aria-label="One step forward"]').click()
    assert browser.execute_script(stones, figure) == ["0.0", "1.1", "1.0", "2.2", "2.1", "2.0"]
    assert "1 moves, O to move" in figure.find_element(By.TAG_NAME, "output").text
