"""The search of titles while a reader types: on the page, and in a site that a browser opens from disk."""

import pathlib
import re

import pytest
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.browser.conftest import Visit
from tests.browser.driver import address, read_script, screen
from tests.browser.made import SITE
from tests.browser.test_accessibility import violations
from tests.rules import specs


def find_titles(driver: WebDriver, typed: str) -> list[str]:
    """Type into the field; return the addresses of the titles that are offered."""
    driver.find_element(By.ID, "find-q").send_keys(typed)
    found = driver.find_elements(By.CSS_SELECTOR, '#find-found [role="option"]')
    return [item.get_dom_attribute("href") or "" for item in found]


def chosen(driver: WebDriver) -> str | None:
    """Return the address of the title that the arrow keys have reached."""
    name = driver.find_element(By.ID, "find-q").get_attribute("aria-activedescendant")
    return driver.find_element(By.ID, name).get_dom_attribute("href") if name else None


def test_titles_are_found_while_one_types(visit: Visit) -> None:
    """An id or a whole name comes first; words fit in any order; what fits nothing is said."""
    driver = visit("ledger")
    field = driver.find_element(By.ID, "find-q")
    assert find_titles(driver, "Lemma 3")[0] == "#claim-lemma-3"
    assert field.get_attribute("aria-expanded") == "true"
    field.clear()
    assert find_titles(driver, "43 exactly value") == ["#claim-beyond-value-43"]
    field.clear()
    assert find_titles(driver, "at most 43 moves, at least")[0] == "#document-paper"
    field.clear()
    assert find_titles(driver, "zzz") == []
    assert driver.find_element(By.ID, "find-said").text.startswith("No title fits.")
    assert field.get_attribute("aria-expanded") == "false"


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("how to read", "#how-to-read"),
        ("letter", "#errata-paper"),
        ("rules as the paper plays", "#rules-paper"),
        ("glossary", "#how-to-read"),
    ],
)
def test_pages_and_rules_are_found(visit: Visit, typed: str, first: str) -> None:
    """By their titles, and by words under which readers look for them."""
    assert first in find_titles(visit("ledger"), typed)


def test_authors_are_found(visit: Visit) -> None:
    """Each author of a document leads to the document, with or without accents."""
    driver = visit("ledger")
    field = driver.find_element(By.ID, "find-q")
    for author in (*specs().document("paper").authors, "Remi Geraud", "Theo"):
        field.clear()
        assert "#document-paper" in find_titles(driver, author)


@pytest.mark.parametrize("typed", ["lema 3", "lemmma 3", "lemna 3", "lmema 3", "Lemma 3"])
def test_one_wrong_letter_is_forgiven(visit: Visit, typed: str) -> None:
    """A letter may be missing, too many, wrong, or swapped with the next one. A number has to be right."""
    driver = visit("ledger")
    found = find_titles(driver, typed)
    assert found[0] == "#claim-lemma-3"
    assert "#claim-lemma-2" not in found
    assert ("nearly" in driver.find_element(By.ID, "find-said").text) == (typed != "Lemma 3")


def test_a_title_is_chosen_by_keyboard(visit: Visit) -> None:
    """Arrow keys choose and come back to the field, Enter opens, Escape closes, and Enter alone searches the ledger."""
    driver = visit("ledger")
    field = driver.find_element(By.ID, "find-q")
    first, second, *_ = find_titles(driver, "lemma")
    field.send_keys(Keys.ARROW_DOWN)
    assert chosen(driver) == first
    field.send_keys(Keys.ARROW_DOWN)
    assert chosen(driver) == second
    field.send_keys(Keys.ARROW_UP, Keys.ARROW_UP)
    assert chosen(driver) is None
    field.send_keys(Keys.ARROW_DOWN, Keys.ENTER)
    WebDriverWait(driver, 5).until(lambda _: driver.current_url.endswith(first))
    assert driver.find_element(By.ID, first[1:]).is_displayed()
    field.clear()
    field.send_keys("remark", Keys.ESCAPE)
    assert not driver.find_element(By.ID, "find-found").is_displayed()
    field.send_keys(Keys.ENTER)
    WebDriverWait(driver, 5).until(lambda _: driver.current_url.endswith("#ledger?q=remark"))


def test_axe_reports_nothing_while_titles_are_shown(visit: Visit) -> None:
    driver = visit("ledger")
    assert find_titles(driver, "lemma")
    driver.find_element(By.ID, "find-q").send_keys(Keys.ARROW_DOWN)
    assert violations(driver) == []


def test_every_file_of_a_site_finds_every_title(browser: WebDriver, site_path: pathlib.Path) -> None:
    """The titles lead to the pages of claims and documents, without a server."""
    for name in ("graph.html", "claim-lemma-2.html", "document-paper.html"):
        for typed, file in (("theorem-1", "claim-theorem-1.html"), ("document paper", "document-paper.html")):
            browser.get(address(site_path / name))
            assert find_titles(browser, typed)[0] == file
            browser.find_element(By.ID, "find-q").send_keys(Keys.ARROW_DOWN, Keys.ENTER)
            WebDriverWait(browser, 5).until(lambda driver, file=file: driver.current_url.endswith(file))  # type: ignore[misc]
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("width", [1400, 390])
def test_a_document_has_a_page(browser: WebDriver, site_path: pathlib.Path, width: int) -> None:
    """Its claims lead there. It has their standings, it fits a phone, and axe reports nothing."""
    browser.get(address(site_path / "claim-lemma-2.html"))
    browser.find_element(By.CSS_SELECTOR, ".running a").click()
    assert browser.current_url.endswith("document-paper.html")
    with screen(browser, width):
        claims = browser.find_elements(By.CSS_SELECTOR, ".document-claims li")
        links = [item.find_element(By.TAG_NAME, "a").get_dom_attribute("href") or "" for item in claims]
        assert {re.sub(r"claim-(.*)\.html", r"\1", link) for link in links} == {"lemma-2", "lemma-4"} <= set(SITE)
        assert all(item.find_element(By.CSS_SELECTOR, ".verdict").text for item in claims)
        assert browser.execute_script(read_script("overflowing")) == [0, []]
        assert violations(browser) == []
