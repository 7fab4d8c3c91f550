"""Games of cells, played in the browser, against the kernel."""

import pathlib
import random
from collections.abc import Iterator
from typing import Any

import pytest
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from tests.browser.conftest import Visit, open_at
from tests.browser.driver import screen, use_theme
from tests.browser.made import write_report
from tests.browser.test_accessibility import violations
from tests.lines import PROOFS
from tests.rules import specs
from verifier.audit.store import Store
from verifier.graph.plays import Guide, follow_plays
from verifier.kernel.certificate import read_certificate, read_index
from verifier.presentation.registry import find_presentation

CLAIMS = ["hounds-win", "wild-misere-first", "nobody-wins", "dots-turns", "thin-chomp"]
HOUNDS, WILD = "hounds-win/as-stated-by", "wild-misere-first/centre-then-opposite"
SAFE = "nobody-wins/blue-is-safe"


@pytest.fixture(scope="module")
def cells_path(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A report on games of cells, and on no other games."""
    path = tmp_path_factory.mktemp("cells") / "report.html"
    write_report(path, [], CLAIMS)
    return path


@pytest.fixture
def visit_cells(browser: WebDriver, cells_path: pathlib.Path) -> Iterator[Visit]:
    """Open this report at a fragment, and wait until the game is shown."""
    for go in open_at(browser, cells_path):

        def visit(fragment: str, go: Visit = go) -> WebDriver:
            driver = go(fragment)
            wait(driver)
            return driver

        yield visit


def wait(driver: WebDriver) -> None:
    ready = (By.CSS_SELECTOR, '#cells[aria-busy="false"] :is(#cells-board svg, #cells-trouble:not([hidden]))')
    WebDriverWait(driver, 20).until(lambda _: driver.find_elements(*ready))


def follow(name: str) -> Guide:
    """Return the kernel's walk of a shipped certificate."""
    guide = follow_plays(read_certificate(PROOFS, read_index(PROOFS).filed[name]), Store(PROOFS).read)
    assert guide is not None
    return guide


def buttons(driver: WebDriver) -> list[str]:
    """Return the moves that the page offers."""
    found = driver.find_elements(By.CSS_SELECTOR, "#cells-choices button")
    return [item.get_attribute("data-move") or "" for item in found]


def press(driver: WebDriver, move: str) -> None:
    (button,) = (
        item
        for item in driver.find_elements(By.CSS_SELECTOR, "#cells-choices button")
        if item.get_attribute("data-move") == move
    )
    button.click()


def line_of(driver: WebDriver) -> list[str]:
    """Return the moves that were made, without the players' names."""
    # One script reads them all, because the page may write the list anew between two requests.
    texts = driver.execute_script("return [...document.querySelectorAll('#cells-moves li')].map((li) => li.innerText)")
    return [text.split(" ")[1] for text in texts]


def said(driver: WebDriver) -> str:
    return driver.find_element(By.ID, "cells-say").text


def shown(driver: WebDriver) -> str:
    """Return the marks on the board, as in ``Look.marks``."""
    script = 'return [...document.querySelectorAll("#cells-board .cell")].map((cell) => cell.mark).join("")'
    return str(driver.execute_script(script))


def replay(guide: Guide, line: list[str]) -> Any:
    """Play a line by the rules of the kernel; each move of the claimant's has to be one of the certificate's moves."""
    game, position = guide.statement.game, guide.statement.start
    for text in line:
        move = game.parse_move(text)
        assert move in guide.moves(position)
        position = game.play(position, move)
    return position


def outcome(guide: Guide, line: list[str]) -> Any:
    """Return the kernel's result of a line."""
    game: Any = guide.statement.game
    return game.outcome(replay(guide, line))


def agree(driver: WebDriver, guide: Guide, reader: str) -> bool:
    """Require that the page shows the kernel's position and offers its legal moves. Return False if play has ended."""
    game, position = guide.statement.game, replay(guide, line_of(driver))
    assert shown(driver) == find_presentation(game, specs().drawings).look(position).marks
    legal = [game.format_move(move) for move in game.legal_moves(position)]
    assert buttons(driver) == legal
    assert not legal or game.turn(position) == reader
    return bool(legal)


@pytest.mark.parametrize("seed", range(3))
def test_the_hare_plays_to_the_end(visit_cells: Visit, seed: int) -> None:
    """Play as the hare by the page only. At each step it offers the kernel's legal moves; the hounds win by ply 23."""
    guide, chance = follow(HOUNDS), random.Random(seed)
    driver = visit_cells(f"cells?game={HOUNDS}")
    assert line_of(driver) == ["1-6"]
    while agree(driver, guide, "O"):
        left = guide.longest[guide.numbers[guide.stand_in(replay(guide, line_of(driver)))]]
        (win,) = driver.find_elements(By.CSS_SELECTOR, '#cells-facts [data-fact="win"]')
        assert win.text.endswith(f"{left} at the latest") or win.text in (f"in {left} more moves", "in 1 more move")
        best = driver.find_elements(By.CSS_SELECTOR, "#cells-choices .best")
        press(driver, chance.choice(buttons(driver)) if seed or not best else best[0].get_attribute("data-move") or "")
    assert outcome(guide, line_of(driver)) == "X"
    assert len(line_of(driver)) == 23 if not seed else len(line_of(driver)) <= 23
    assert said(driver).endswith("X wins.")


def test_the_board_can_be_clicked(visit_cells: Visit) -> None:
    """A click on a point to which the hare can go plays this move. A click elsewhere changes nothing."""
    driver = visit_cells(f"cells?game={HOUNDS}")
    live = driver.find_elements(By.CSS_SELECTOR, "#cells-board .live")
    assert sorted(item.get_attribute("data-cell") or "" for item in live) == sorted(buttons(driver))
    driver.find_element(By.CSS_SELECTOR, '#cells-board [data-cell="5"]').click()
    assert line_of(driver) == ["1-6"]
    live[0].click()
    assert len(line_of(driver)) == 3


def test_the_game_can_be_played_by_keyboard(visit_cells: Visit) -> None:
    """After each move the first of the next moves has the focus; at the end, the button for a new game has it."""
    driver = visit_cells(f"cells?game={HOUNDS}")
    driver.execute_script('document.querySelector("#cells-choices button").focus()')
    while buttons(driver):
        assert driver.switch_to.active_element.get_attribute("data-move") == buttons(driver)[0]
        before = len(line_of(driver))
        driver.switch_to.active_element.send_keys(Keys.ENTER)
        assert len(line_of(driver)) == before + 2
    assert said(driver).endswith("X wins.")
    assert driver.switch_to.active_element.get_attribute("id") == "cells-restart"


def test_a_strategy_answers(visit_cells: Visit) -> None:
    """Play against a strategy: the page names its rules, and nobody beats it."""
    guide, chance = follow(WILD), random.Random(5)
    driver = visit_cells(f"cells?game={WILD}")
    assert "“" in driver.find_element(By.ID, "cells-intro").text
    while agree(driver, guide, "O"):
        assert driver.find_elements(By.CSS_SELECTOR, '#cells-facts [data-fact="rule"]')
        press(driver, chance.choice(buttons(driver)))
    assert outcome(guide, line_of(driver)) != "O"


def test_play_can_go_on_for_ever(visit_cells: Visit) -> None:
    """Where plays return to a position, the page goes on as long as the reader does. A link leads back to any move."""
    guide, chance = follow(SAFE), random.Random(1)
    driver = visit_cells(f"cells?game={SAFE}")
    for _ in range(30):
        assert agree(driver, guide, "X")
        press(driver, chance.choice(buttons(driver)))
    line, board = line_of(driver), shown(driver)
    assert len(line) == 60
    assert len({tuple(line[:at]) for at in range(60)}) > len(guide.nodes)
    driver = visit_cells(driver.current_url.partition("#")[2])
    assert (line_of(driver), shown(driver)) == (line, board)
    driver.find_elements(By.CSS_SELECTOR, "#cells-moves a")[9].click()
    WebDriverWait(driver, 10).until(lambda _: line_of(driver) == line[:10])


def test_back_new_game_and_the_browsers_back(visit_cells: Visit) -> None:
    driver = visit_cells(f"cells?game={HOUNDS}")
    press(driver, buttons(driver)[0])
    first = line_of(driver)
    press(driver, buttons(driver)[0])
    assert len(line_of(driver)) == 5
    driver.find_element(By.ID, "cells-back").click()
    assert line_of(driver) == first
    driver.back()
    WebDriverWait(driver, 10).until(lambda _: len(line_of(driver)) == 5)
    driver.find_element(By.ID, "cells-restart").click()
    WebDriverWait(driver, 10).until(lambda _: line_of(driver) == ["1-6"])
    assert not driver.find_element(By.ID, "cells-back").is_enabled()


def test_the_form_offers_each_game(visit_cells: Visit) -> None:
    """A game can be chosen in the form. Its rules are beside it, and the claim is a link."""
    driver = visit_cells(f"cells?game={HOUNDS}")
    form = Select(driver.find_element(By.ID, "cells-game"))
    assert len(form.options) == 1 + len(CLAIMS)
    form.select_by_value(WILD)
    WebDriverWait(driver, 10).until(lambda _: "wild-misere-first" in driver.find_element(By.ID, "cells-intro").text)
    links = driver.find_elements(By.CSS_SELECTOR, "#cells-intro a, #cells-rules-from a")
    found = [(item.get_attribute("href") or "").partition("#")[2] for item in links]
    assert found[0] == "claim-wild-misere-first"
    assert found[1].startswith("rules-")
    assert driver.find_elements(By.CSS_SELECTOR, "#cells-rules li")


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("game=Q", "asks for a game “Q”, which this report does not offer"),
        (f"game={HOUNDS}&you=X", "has “you”, which is unknown here"),
        (f"game={HOUNDS}&moves=1-6+5", "“5” is not a move after 1 move"),
        (f"game={HOUNDS}&moves=%3Cb%3E", "“<b>” is not a move after 0 moves"),
    ],
)
def test_a_link_that_leads_nowhere_says_why(visit_cells: Visit, query: str, why: str) -> None:
    driver = visit_cells(f"cells?{query}")
    WebDriverWait(driver, 10).until(lambda _: why in driver.find_element(By.ID, "cells-trouble").text)


def test_a_claim_leads_to_its_game(visit_cells: Visit) -> None:
    driver = visit_cells(f"cells?game={WILD}")
    driver.get(driver.current_url.partition("#")[0] + "#claim-hounds-win")
    (link,) = driver.find_elements(By.CSS_SELECTOR, "#claim-hounds-win .actions a")
    assert link.text == "Play this"
    driver.execute_script("arguments[0].click()", link)
    WebDriverWait(driver, 10).until(lambda _: line_of(driver) == ["1-6"])
    top = "return document.getElementById('cells').getBoundingClientRect().top"
    WebDriverWait(driver, 10).until(lambda _: abs(driver.execute_script(top)) < 1000)


def test_on_a_phone_nothing_is_wider_than_the_window(visit_cells: Visit) -> None:
    driver = visit_cells(f"cells?game={HOUNDS}")
    with screen(driver, 390, 800):
        assert driver.execute_script("return document.documentElement.scrollWidth") <= 390
        for button in driver.find_elements(By.CSS_SELECTOR, "#cells-choices button"):
            assert button.size["height"] >= 44


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (400, "dark")])
def test_axe_reports_nothing_about_a_game(visit_cells: Visit, width: int, theme: str) -> None:
    driver = visit_cells(f"cells?game={HOUNDS}&moves=1-6+3")
    with screen(driver, width):
        use_theme(driver, theme)
        assert violations(driver) == []
    use_theme(driver, "light")
