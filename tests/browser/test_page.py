import re

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from tests.browser.conftest import Visit
from tests.browser.driver import read_script, screen, use_theme
from tests.browser.test_accessibility import violations

BOX = "return arguments[0].getBoundingClientRect()"


def test_the_ledger_is_filtered(visit: Visit) -> None:
    """Words and choices filter the rows, the count says how many fit, and the address restores the choice."""
    driver = visit("ledger")
    rows = driver.find_elements(By.CSS_SELECTOR, "#ledger-table tbody tr")
    driver.find_element(By.ID, "filter-q").send_keys("ply 43")
    left = [row for row in rows if row.is_displayed()]
    assert 0 < len(left) < len(rows)
    assert all("ply 43" in row.text.lower() for row in left)
    assert driver.find_element(By.ID, "filter-count").text == f"{len(left)} of {len(rows)} claims"
    driver.find_element(By.CSS_SELECTOR, '#filters button[type="reset"]').click()
    WebDriverWait(driver, 5).until(lambda _: all(row.is_displayed() for row in rows))
    Select(driver.find_element(By.ID, "filter-standing")).select_by_visible_text("refuted")
    assert [row.get_attribute("data-standing") for row in rows if row.is_displayed()] == ["refuted"]
    driver = visit(driver.current_url.partition("#")[2])
    rows = driver.find_elements(By.CSS_SELECTOR, "#ledger-table tbody tr")
    assert [row.get_attribute("data-standing") for row in rows if row.is_displayed()] == ["refuted"]


def test_a_filter_without_a_match_says_so(visit: Visit) -> None:
    """If no claim fits, the table is replaced by a sentence and a button that shows every claim again."""
    driver = visit("ledger?q=no-such-claim")
    table, note = (driver.find_element(By.CSS_SELECTOR, name) for name in ("#ledger-table", ".ledger-empty"))
    assert not table.is_displayed()
    assert note.text.startswith("No claim matches")
    note.find_element(By.TAG_NAME, "button").click()
    WebDriverWait(driver, 5).until(lambda _: table.is_displayed())
    assert not note.is_displayed()
    assert all(row.is_displayed() for row in table.find_elements(By.CSS_SELECTOR, "tbody tr"))


def test_a_link_to_something_missing_says_so(visit: Visit) -> None:
    status = visit("graph?claim=lemma-99").find_element(By.ID, "graph-status")
    assert "The link asks for a claim “lemma-99”, which is not in this graph." in status.text


OVERFLOWING = read_script("overflowing")


@pytest.mark.parametrize("width", [320, 400])
def test_the_page_never_scrolls_sideways(visit: Visit, width: int) -> None:
    """In a narrow window, wide tables scroll in their own boxes, which the keyboard can reach. The page does not."""
    driver = visit("ledger")
    with screen(driver, width):
        assert driver.execute_script(OVERFLOWING) == [0, []]
        script = "return [...document.querySelectorAll('.scroll')].filter((box) => box.scrollWidth > box.clientWidth)"
        for box in driver.execute_script(script):
            assert box.get_attribute("tabindex") == "0"
            assert box.get_attribute("aria-label")


def test_nothing_overflows_a_printed_page(visit: Visit) -> None:
    """Paper cannot be scrolled: long code is broken at the edge, in texts and in tables."""
    driver = visit("claims")
    with screen(driver, 673, media="print"):  # the width of A4 without the margins, in pixels
        long = "X[0,1]" * 60
        script = """
            const places = ".reading pre code, .facts dd code, p code";
            for (const place of document.querySelectorAll(places))
                place.textContent = arguments[0];
        """
        driver.execute_script("document.querySelectorAll('details').forEach(fill)")
        driver.execute_script(script, long)
        assert driver.execute_script(OVERFLOWING.replace('"auto", "scroll", "hidden"', "")) == [0, []]


def test_no_text_is_small(visit: Visit) -> None:
    driver = visit("explorer?you=lemma-3%2Fas-stated&moves=4.4")
    assert driver.execute_script(read_script("small-text")) == []


def test_the_graph_shows_one_document_at_a_time(visit: Visit) -> None:
    """At first only the paper's claims are shown, as wide as the window, under the legend."""
    driver = visit("graph")
    with screen(driver, 1400, 1000):
        panels = driver.find_elements(By.CSS_SELECTOR, "#graph [data-document]")
        assert [panel.get_attribute("data-document") for panel in panels if panel.is_displayed()] == ["paper"]
        box = driver.find_element(By.CSS_SELECTOR, ".graph-scroll")
        assert driver.execute_script("return arguments[0].scrollWidth <= arguments[0].clientWidth", box)
        select = Select(driver.find_element(By.ID, "graph-document"))
        select.select_by_value("beyond")
        assert [panel.get_attribute("data-document") for panel in panels if panel.is_displayed()] == ["beyond"]
        legend = driver.find_element(By.CSS_SELECTOR, '#graph [aria-label="legend"]')
        first, second = (driver.execute_script(BOX, part) for part in (legend, panels[1]))
        assert 0 < first["top"] < first["bottom"] <= second["top"] + 1
        assert abs(first["left"] - second["left"]) < 40


def test_a_link_to_a_claim_of_the_graph_shows_its_document(visit: Visit) -> None:
    """The claim in the address is chosen, and its document is shown. Escape clears the choice."""
    driver = visit("graph?claim=theorem-1")
    shown = driver.find_elements(By.CSS_SELECTOR, "#graph [data-document]")
    assert [panel.get_attribute("data-document") for panel in shown if panel.is_displayed()] == ["beyond"]
    chosen = driver.find_element(By.CSS_SELECTOR, "#graph .chosen")
    assert chosen.get_attribute("data-claim") == "theorem-1"
    assert "Theorem 1 rests on" in driver.find_element(By.ID, "graph-status").text
    chosen.send_keys(Keys.ESCAPE)
    assert not driver.find_elements(By.CSS_SELECTOR, "#graph .chosen")


def test_the_whole_graph_fits_the_window(visit: Visit) -> None:
    """A button shows every document, in the width and the height of a window of any shape, without scrolling."""
    driver = visit("graph")
    for width, height in ((1280, 1000), (1280, 500), (500, 900)):
        with screen(driver, width, height):
            box = driver.find_element(By.CSS_SELECTOR, ".graph-scroll")
            select = Select(driver.find_element(By.ID, "graph-document"))
            select.select_by_value("")
            script = "const b = arguments[0]; return [b.scrollWidth - b.clientWidth, b.scrollHeight - b.clientHeight]"
            assert driver.execute_script(script, box) == [0, 0]
            # But for fractions of a pixel; what is above may be laid out late.
            fits = "const r = arguments[0].getBoundingClientRect(); return Math.min(r.top, innerHeight - r.bottom) > -1"
            WebDriverWait(driver, 5).until(lambda driver, fits=fits, box=box: driver.execute_script(fits, box))  # type: ignore[misc]
            shape = "const r = arguments[0].getBoundingClientRect(), v = arguments[0].viewBox.baseVal;"
            ratio = f"{shape} return (r.width / r.height) / (v.width / v.height)"
            assert driver.execute_script(ratio, box.find_element(By.TAG_NAME, "svg")) == pytest.approx(1, abs=0.02)
            select.select_by_value("paper")


def test_a_witness_can_be_stepped(visit: Visit) -> None:
    """It steps back to the start and forward again, and its board has as many marks as plies."""
    driver = visit("claim-lowest-spot-keeps-fields")
    figure = driver.find_element(By.CSS_SELECTOR, '.witness[id^="witness-lowest-spot-keeps-fields"]')
    marks = ".after .cell.x, .after .cell.o"
    whole = len(figure.find_elements(By.CSS_SELECTOR, marks))
    find = figure.find_element
    back, forward = (find(By.CSS_SELECTOR, f'[aria-label="One step {way}"]') for way in ("back", "forward"))
    back.click()
    assert len(figure.find_elements(By.CSS_SELECTOR, marks)) == whole - 1
    figure.find_element(By.CSS_SELECTOR, '[aria-label="To the start"]').click()
    assert not figure.find_elements(By.CSS_SELECTOR, marks)
    assert not back.is_enabled()
    for count in range(1, whole + 1):
        forward.click()
        assert len(figure.find_elements(By.CSS_SELECTOR, marks)) == count
        numbers = figure.find_elements(By.CSS_SELECTOR, ".after .line + .plies .ply:not(.off)")
        assert {int(number.text) for number in numbers} == set(range(1, count + 1))
    assert not forward.is_enabled()


@pytest.mark.parametrize("width", [1400, 390])
def test_a_link_to_a_claim_shows_what_it_says(visit: Visit, width: int) -> None:
    """A link to a claim has a preview in the window: for the pointer and for the keyboard.

    Escape closes it. The pointer can move onto it.
    """
    driver = visit("explorer?you=lemma-3%2Fas-stated")
    with screen(driver, width, 900):
        link = driver.find_element(By.CSS_SELECTOR, '.explorer a[href="#claim-lemma-3"]')
        preview = driver.find_element(By.ID, "claim-preview")
        driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", link)
        assert not preview.is_displayed()
        ActionChains(driver).move_to_element(link).perform()
        WebDriverWait(driver, 5).until(lambda _: preview.is_displayed())
        assert preview.text.splitlines()[:2] == ["The strategy wins by ply 43", "proved as stated"]
        assert link.get_attribute("aria-describedby") == "claim-preview"
        box = driver.execute_script(BOX, preview)
        assert 0 <= box["left"] < box["right"] <= width
        assert 0 <= box["top"] < box["bottom"] <= 900
        ActionChains(driver).move_to_element(preview).pause(0.6).perform()
        assert preview.is_displayed()
        assert driver.execute_script(OVERFLOWING) == [0, []]
        assert violations(driver) == []
        ActionChains(driver).send_keys(Keys.ESCAPE).perform()
        assert not preview.is_displayed()
        driver.execute_script("arguments[0].focus({ focusVisible: true })", link)
        assert preview.is_displayed()
        ActionChains(driver).send_keys(Keys.TAB).perform()
        assert "The strategy wins" not in preview.text


def test_a_statement_of_the_first_screen_shows_what_it_says(visit: Visit) -> None:
    """The first screen has previews of claims, with the signs of their boxes. The ledger says it all, and has none."""
    driver = visit("top")
    preview = driver.find_element(By.ID, "claim-preview")
    for link in driver.find_elements(By.CSS_SELECTOR, ".chip, .glance a[href^='#claim-']"):
        driver.execute_script("arguments[0].focus({ focusVisible: true })", link)
        assert preview.is_displayed()
        look, sign = (
            item.get_dom_attribute("class") for item in (link, preview.find_element(By.CLASS_NAME, "verdict"))
        )
        assert (look or "").removeprefix("chip ") in ("", sign.removeprefix("verdict "))
    row = driver.find_element(By.CSS_SELECTOR, "#ledger-table a")
    driver.execute_script("arguments[0].focus({ focusVisible: true })", row)
    assert not preview.is_displayed()


def test_the_contents_show_where_the_reader_is(visit: Visit) -> None:
    """The entry of the claim on the screen is in view, also in a low window."""
    with screen(driver := visit("top"), 1400, 400):
        driver.execute_script("unfold('claim-theorem-2').scrollIntoView()")
        script = """
            const link = document.querySelector('.contents [aria-current]').getBoundingClientRect();
            return link.top >= 0 && link.bottom <= innerHeight && link.height > 0
                && document.querySelector('.contents').scrollTop > 0;
        """
        WebDriverWait(driver, 5).until(lambda driver: driver.execute_script(script))


@pytest.mark.parametrize("table", [".documents", ".coverage", ".departs table"])
def test_on_a_phone_a_row_of_a_table_is_a_card(visit: Visit, table: str) -> None:
    """Nothing has to be scrolled sideways to be read."""
    with screen(driver := visit("documents"), 390):
        tables = driver.find_elements(By.CSS_SELECTOR, table)
        assert tables
        wide = "const box = arguments[0].parentNode; return box.scrollWidth - box.clientWidth"
        assert [driver.execute_script(wide, table) for table in tables] == [0] * len(tables)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_uses_the_theme_of_the_system(visit: Visit, theme: str) -> None:
    """Text is dark on light or light on dark, as the system prefers."""
    driver = visit("ledger")
    use_theme(driver, theme)
    look = "const style = getComputedStyle(document.body); return [style.backgroundColor, style.color]"
    ground, ink = (sum(map(int, re.findall(r"\d+", color)[:3])) for color in driver.execute_script(look))
    assert (ground > 600, ink < 200) == (theme == "light",) * 2
    assert (ground < 200, ink > 500) == (theme == "dark",) * 2
