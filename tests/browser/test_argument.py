"""The report as a referee reads it: the first screen, the errata, a claim, the ledger on a phone, and on paper."""

import itertools
import pathlib

import pytest
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from tests.browser.conftest import Visit
from tests.browser.driver import address, pages_on_paper, read_script, screen

TOP = "return arguments[0].getBoundingClientRect().top"


def test_the_first_screen_tells_the_whole_story(visit: Visit) -> None:
    """Document, authors, value, what to click, and the statements with their corrections fit on 1400 by 1000 pixels."""
    with screen(driver := visit("top"), 1400, 1000):
        header = driver.find_element(By.ID, "top")
        seen = [
            "At Most 43 Moves",
            "Guillaume Bertholon",
            "Xavier, the first player, can force a win by move 43, and not sooner.",
        ]
        seen += ["not before move 29", "Play against the proof", "See the strategy", "correction", "Lemma 3"]
        seen += [
            "The game: Xavier (X) and Olivia (O) mark a spot in turn",
            "The lemma says that six facts about the board",
        ]
        assert [text for text in seen if text not in header.text] == []
        bottom = "return arguments[0].getBoundingClientRect().bottom"
        assert driver.execute_script(bottom, header.find_element(By.CSS_SELECTOR, ".strip")) <= 1000


def test_on_a_phone_the_first_screen_has_document_and_headline(visit: Visit) -> None:
    """At 400 by 900 pixels the title, the value and what to click are seen without scrolling."""
    with screen(driver := visit("top"), 400, 900):
        for name in ("h1", ".authors", ".result", ".span", ".actions a"):
            assert 0 < driver.execute_script(TOP, driver.find_element(By.CSS_SELECTOR, name)) < 800


@pytest.mark.parametrize(("width", "height"), [(1400, 1000), (400, 900)])
def test_a_refutation_is_within_a_screen_of_the_heading(visit: Visit, width: int, height: int) -> None:
    with screen(driver := visit("claims"), width, height):
        found = driver.execute_script("""
            document.querySelectorAll("details").forEach(fill);
            document.querySelectorAll("details").forEach((part) => { part.open = part.matches(".chapter"); });
            return [...document.querySelectorAll(".claim:has(> .fault .board)")].map((claim) => [claim.id,
                claim.querySelector(":scope > .fault .board").getBoundingClientRect().top
                - claim.querySelector("h4").getBoundingClientRect().top]);
        """)
        assert {"claim-p4-note", "claim-lemma-3-edge-line", "claim-threesome-rules"} <= {name for name, _ in found}
        assert [name for name, distance in found if not 0 < distance < height * 0.8] == []


@pytest.mark.parametrize("page", ["visit", "visit_packed"])
def test_a_link_to_something_folded_unfolds_it(page: str, request: pytest.FixtureRequest) -> None:
    """The address of a claim leads to it, in any chapter. So does its entry in the contents."""
    visit: Visit = request.getfixturevalue(page)
    driver = visit("claim-lowest-spot-keeps-fields")
    claim = WebDriverWait(driver, 20).until(lambda _: driver.find_element(By.ID, "claim-lowest-spot-keeps-fields"))
    WebDriverWait(driver, 20).until(lambda _: claim.is_displayed() and 0 <= driver.execute_script(TOP, claim) < 200)
    driver = visit("top")
    link = driver.find_element(By.CSS_SELECTOR, '.contents a[href="#claim-threesome-rules"]')
    assert not driver.find_elements(By.ID, "claim-threesome-rules")
    driver.execute_script("arguments[0].click()", link)
    claim = driver.find_element(By.ID, "claim-threesome-rules")
    assert claim.is_displayed()
    assert 0 <= driver.execute_script(TOP, claim) < 200


def test_the_page_offers_to_print_all_of_it(visit: Visit) -> None:
    assert visit("provenance").find_element(By.ID, "print-whole").is_displayed()


def test_a_site_does_not_offer_to_print_all_of_it(browser: WebDriver, site_path: pathlib.Path) -> None:
    """Each of its pages is printed whole."""
    browser.get(address(site_path / "provenance.html"))
    assert not browser.find_element(By.ID, "print-whole").is_displayed()


def test_the_strategy_tree_is_printed_from_a_page_of_a_site(browser: WebDriver, site_path: pathlib.Path) -> None:
    """It is unpacked although no reader comes near, and it is as wide as the sheet. No sheet has a footer only."""
    script = "IntersectionObserver = class { observe() {} unobserve() {} };"
    command = "Page.addScriptToEvaluateOnNewDocument"
    added = browser.execute_cdp_cmd(command, {"source": script})
    try:
        with screen(browser, 673, 200, media="print"):
            browser.get(address(site_path / "claim-sim-second-player.html"))
            (picture,) = WebDriverWait(browser, 20).until(
                lambda _: browser.find_elements(By.CSS_SELECTOR, ".tree-scroll:not([data-picture])")
            )
            drawn = picture.find_element(By.CSS_SELECTOR, "svg.plays")
            assert 0 < drawn.size["width"] <= 673
            assert picture.value_of_css_property("overflow-x") == "visible"
            assert not browser.find_element(By.CLASS_NAME, "colophon").is_displayed()
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


LINKS = read_script("links")
AT_THE_END = "return Math.abs(scrollY + innerHeight - document.documentElement.scrollHeight) < 2"
CENTRE = "unfold(arguments[0].closest('[id]').id); arguments[0].scrollIntoView({block: 'center'})"


def test_links_land_where_they_point_and_back_returns(visit: Visit) -> None:
    """A link shows its target at the top of the window. Back shows the earlier view at the same place."""
    driver = visit("claim-beyond-value-43")

    def is_at(element: WebElement, top: float) -> bool:
        return abs(float(driver.execute_script(TOP, element)) - top) < 8

    with screen(driver, 1400, 1000):
        links = driver.execute_script(LINKS)
        assert len(links) > 20
        for link in links[:: len(links) // 12]:
            driver.execute_script(CENTRE, link)
            before = driver.execute_script(TOP, link)
            driver.execute_script("arguments[0].click()", link)
            target = driver.find_element(By.ID, str(link.get_attribute("href")).partition("#")[2])
            wait = WebDriverWait(driver, 20)
            wait.until(lambda _, target=target: is_at(target, 51) or driver.execute_script(AT_THE_END))  # type: ignore[misc]
            driver.back()
            wait.until(lambda _, link=link, before=before: is_at(link, before))  # type: ignore[misc]


def test_the_contents_stay_beside_the_text(visit: Visit) -> None:
    """In a wide window they are always visible, and mark the current place. In a narrow window they unfold."""
    driver = visit("claim-lemma-2")
    contents = driver.find_element(By.CSS_SELECTOR, ".contents")
    with screen(driver, 1400, 1000):
        marked = (By.CSS_SELECTOR, "[aria-current]")
        # The page was opened in a smaller window: what stands above is shorter in this one.
        driver.execute_script("document.getElementById('claim-lemma-2').scrollIntoView()")
        wait = WebDriverWait(driver, 20)
        wait.until(lambda _: ["Lemma 2" in item.text for item in contents.find_elements(*marked)] == [True])
        assert driver.execute_script(TOP, contents) == 0
    with screen(driver, 400, 900):
        link = contents.find_element(By.CSS_SELECTOR, 'a[href="#errata"]')
        assert not link.is_displayed()
        contents.find_element(By.CSS_SELECTOR, "details > summary").click()
        link.click()
        assert not link.is_displayed()
        assert driver.current_url.endswith("#errata")


def test_folded_contents_stay_folded(visit: Visit) -> None:
    """A reader who folds the contents beside the text finds them folded on the next page, and the text is wider."""
    driver = visit("claim-lemma-2")
    with screen(driver, 1400, 1000):
        part, text = (driver.find_element(By.CSS_SELECTOR, name) for name in (".contents > details", "main"))
        width = text.size["width"]
        part.find_element(By.CSS_SELECTOR, "summary").click()
        assert text.size["width"] > width + 150
        driver.refresh()
        part = driver.find_element(By.CSS_SELECTOR, ".contents > details")
        assert not part.get_attribute("open")
        assert not driver.find_element(By.ID, "find").is_displayed()
        part.find_element(By.CSS_SELECTOR, "summary").click()
        assert driver.find_element(By.ID, "find").is_displayed()
        driver.refresh()
        assert driver.find_element(By.ID, "find").is_displayed()


def test_on_a_phone_the_ledger_is_cards_with_the_verdict_first(visit: Visit) -> None:
    """No row is wider than 400 pixels, and its standing is above its title."""
    with screen(driver := visit("ledger"), 400, 900):
        rows = driver.find_elements(By.CSS_SELECTOR, "#ledger-table tbody tr")
        assert rows
        for row in rows:
            title, standing = (row.find_element(By.CSS_SELECTOR, name) for name in ("th a", "td .verdict"))
            assert driver.execute_script(TOP, standing) < driver.execute_script(TOP, title)
            assert standing.is_displayed()
            assert row.size["width"] <= 400


def test_the_printed_report_is_short(visit: Visit) -> None:
    """On paper there are the first screen, the errata and the ledger, and no formal content."""
    driver = visit("top")
    assert 0 < pages_on_paper(driver) <= 12
    with screen(driver, 680, 1000, media="print"):
        parts = ("top", "errata", "ledger", "claims")
        assert [driver.find_element(By.ID, name).is_displayed() for name in parts] == [True, True, True, False]
        driver.execute_script("document.documentElement.dataset.print = 'all'")
        assert driver.find_element(By.ID, "claims").is_displayed()


@pytest.mark.parametrize(("width", "is_below"), [(1400, False), (800, True), (390, True)])
def test_the_phases_of_a_strategy_are_large_enough_to_read(visit: Visit, width: int, is_below: bool) -> None:
    """They are beside each other or, on a small screen, below each other. No letter is smaller than 12 pixels."""
    with screen(driver := visit("claim-lemma-3"), width):
        boxes = (By.CSS_SELECTOR, "#tree-of-lemma-3 .stacked .tree-stack svg")
        found = WebDriverWait(driver, 20).until(lambda _: driver.find_elements(*boxes))
        places = [driver.execute_script("return arguments[0].getBoundingClientRect()", box) for box in found]
        assert len(places) == 4
        if is_below:
            assert all(one["bottom"] <= other["top"] for one, other in itertools.pairwise(places))
        else:
            assert all(one["right"] <= other["left"] for one, other in itertools.pairwise(places))
            assert len({round(place["top"]) for place in places}) == 1
        script = """return [...document.querySelectorAll("#tree-of-lemma-3 .tree-stack text")]
            .map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"""
        assert min(driver.execute_script(script)) >= 12
        heading = driver.find_element(By.CSS_SELECTOR, "#tree-of-lemma-3 figcaption").text
        assert heading.startswith("The strategy tree of Lemma 3: The strategy wins by ply 43")
        words = driver.find_element(By.ID, "tree-of-lemma-3").text
        assert "after 8 replies of Olivia’s Xavier answers by “enter”" in words
        assert "The three phases, and how play ends" in words
