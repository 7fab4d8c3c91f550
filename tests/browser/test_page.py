from __future__ import annotations

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from tests.browser.conftest import Visit
from tests.browser.driver import use_theme


def test_the_ledger_is_filtered(visit: Visit) -> None:
    """Words and choices leave the rows that fit, the count says how many, and the address brings the choice back."""
    driver = visit("ledger")
    rows = driver.find_elements(By.CSS_SELECTOR, "#ledger-table tbody tr")
    driver.find_element(By.ID, "filter-q").send_keys("ply 43")
    left = [row for row in rows if row.is_displayed()]
    assert 0 < len(left) < len(rows)
    assert all("ply 43" in row.text.lower() for row in left)
    assert driver.find_element(By.ID, "filter-count").text == f"{len(left)} of {len(rows)} claims"
    driver.find_element(By.CSS_SELECTOR, '#filters button[type="reset"]').click()
    assert all(row.is_displayed() for row in rows)
    Select(driver.find_element(By.ID, "filter-standing")).select_by_visible_text("refuted")
    assert [row.get_attribute("data-standing") for row in rows if row.is_displayed()] == ["refuted"]
    driver = visit(driver.current_url.partition("#")[2])
    rows = driver.find_elements(By.CSS_SELECTOR, "#ledger-table tbody tr")
    assert [row.get_attribute("data-standing") for row in rows if row.is_displayed()] == ["refuted"]


def test_a_witness_steps(visit: Visit) -> None:
    """A witness steps back to the start and forward again, and its board shows as many marks as plies."""
    driver = visit("claim-lowest-spot-keeps-fields")
    figure = driver.find_element(By.CSS_SELECTOR, '.witness[id^="witness-lowest-spot-keeps-fields"]')
    marks = ".after .cell.x, .after .cell.o"
    whole = len(figure.find_elements(By.CSS_SELECTOR, marks))
    back, forward = (
        figure.find_element(By.CSS_SELECTOR, f'[aria-label="One step {way}"]') for way in ("back", "forward")
    )
    back.click()
    assert len(figure.find_elements(By.CSS_SELECTOR, marks)) == whole - 1
    figure.find_element(By.CSS_SELECTOR, '[aria-label="To the start"]').click()
    assert not figure.find_elements(By.CSS_SELECTOR, marks)
    assert not back.is_enabled()
    for count in range(1, whole + 1):
        forward.click()
        assert len(figure.find_elements(By.CSS_SELECTOR, marks)) == count
    assert not forward.is_enabled()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_follows_the_system(visit: Visit, theme: str) -> None:
    """The page is light or dark as the system is, and a choice on the page wins."""
    driver = visit("ledger")
    use_theme(driver, theme)
    script = "return getComputedStyle(document.body).backgroundColor"
    ground = driver.execute_script(script)
    brightness = sum(int(part) for part in ground.strip("rgb()").split(","))
    assert (brightness > 3 * 128) == (theme == "light")
    other = "dark" if theme == "light" else "light"
    Select(driver.find_element(By.ID, "theme")).select_by_value(other)
    assert driver.execute_script(script) != ground
    Select(driver.find_element(By.ID, "theme")).select_by_value("auto")
    assert driver.execute_script(script) == ground
