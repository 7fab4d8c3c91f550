import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import pytest
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.expected_conditions import staleness_of
from selenium.webdriver.support.ui import Select, WebDriverWait

from tests.browser.conftest import Visit
from tests.browser.driver import read_script, screen, wait_for_game
from tests.lines import PROOFS, line_to_win, random_line, reach, strategy_graph
from tests.rules import specs
from verifier.graph.plays import Guide, follow_plays
from verifier.kernel.certificate import files_of, read_certificate, read_index, read_named, unpack
from verifier.kernel.formula import FormulaCompiler
from verifier.kernel.games.nested import PAPER, NestedPosition
from verifier.kernel.race.bound import Race, Reply, parse_lemma
from verifier.kernel.race.endgame import Endgames
from verifier.kernel.race.relaxation import coarsen, image_of_race, least, needs_of, race_of
from verifier.kernel.relabel import SYMMETRIES
from verifier.presentation.family import in_pair
from verifier.presentation.registry import find_presentation
from verifier.presentation.svg import draw_svg
from verifier.report.html.explorer import collect_replies
from verifier.search.bounded.moves import wins_race

GAME = PAPER
OLIVIA, XAVIER = "explorer?you=lemma-3%2Fas-stated", "explorer?you=beyond-value-43%2Fat-least"


def click(driver: WebDriver, move: str) -> None:
    driver.find_element(By.CSS_SELECTOR, f'.explorer [data-cell="{move}"]').click()


def said(driver: WebDriver) -> str:
    return driver.find_element(By.ID, "explorer-say").text


def trouble(driver: WebDriver) -> str:
    """Return what the page says is wrong with the link."""
    return driver.find_element(By.ID, "explorer-trouble").text


def links(driver: WebDriver, place: str) -> list[str]:
    """Return the targets of the links in a part of the explorer."""
    found = driver.find_elements(By.CSS_SELECTOR, f"#explorer-{place} a")
    return [(item.get_attribute("href") or "").partition("#")[2] for item in found]


def facts(driver: WebDriver) -> dict[str, str]:
    found = driver.find_elements(By.CSS_SELECTOR, "#explorer-facts dd")
    return {item.get_attribute("data-fact") or "": item.text for item in found}


def moves(driver: WebDriver) -> list[str]:
    return [address_of(item.text[2:]) for item in driver.find_elements(By.CSS_SELECTOR, "#explorer-moves li")]


def address_of(move: str) -> str:
    """Return a move at the beginning of a text, as addresses have it: 4.0 for (4, 0)."""
    return re.sub(r"^\((\d+), (\d+)\)", r"\1.\2", move).split()[0]


def shown(driver: WebDriver) -> str:
    """Return the marks and the owners on the board, as in the text of a position."""
    script = """
        const of = (e, x, o) => e.classList.contains(x) ? "X" : e.classList.contains(o) ? "O" : ".";
        const all = (selector) => [...document.querySelectorAll(".explorer svg " + selector)];
        const owners = all(".field").map(e => of(e, "won-x", "won-o")).join("");
        return [all(".cell").map(e => of(e, "x", "o")).join(""), owners];
    """
    cells, owners = driver.execute_script(script)
    return f"{'/'.join(cells[at : at + 9] for at in range(0, 81, 9))} {owners}"


def playable(driver: WebDriver) -> set[str]:
    found = driver.find_elements(By.CSS_SELECTOR, '.explorer .cell[aria-disabled="false"]')
    return {item.get_attribute("data-cell") or "" for item in found}


def replay(line: list[str], start: NestedPosition = GAME.start) -> NestedPosition:
    for move in line:
        start = GAME.play(start, GAME.parse_move(move))
    return start


def told(driver: WebDriver) -> dict[str, str]:
    """Return the text in each free spot of the board."""
    script = """return [...document.querySelectorAll(".explorer .cell:not(.x, .o)")].map((cell) =>
        [cell.dataset.cell, cell.querySelector(".spot").textContent]).filter(([, text]) => text)"""
    return {str(cell): str(text) for cell, text in driver.execute_script(script)}


@pytest.mark.parametrize("seed", range(2))
def test_every_reply_says_how_long_it_lasts(visit: Visit, seed: int) -> None:
    """Each spot that Olivia may mark has the last ply at which Xavier wins after it, by the certificate."""
    graph = strategy_graph()
    line = random_line(graph, seed)
    for at in (1, 9, 17, 25):
        driver = visit(f"{OLIVIA}&moves={'-'.join(line[:at])}")
        edges = graph.edges[reach(graph, line[:at])]
        lasts = {graph.game.format_move(edge.move): at + 1 + graph.guide.longest[edge.to] for edge in edges}
        assert told(driver) == {move: str(ply) for move, ply in lasts.items()}
        best = {item.get_attribute("data-cell") for item in driver.find_elements(By.CSS_SELECTOR, ".explorer .best")}
        is_equal = len({*lasts.values()}) == 1
        assert best == {move for move, ply in lasts.items() if ply == max(lasts.values()) and not is_equal}
        note = driver.find_element(By.ID, "explorer-told").text
        assert ("hold out equally long" in note) == (is_equal and len(lasts) > 1)
        cell = driver.find_element(By.CSS_SELECTOR, f'.explorer [data-cell="{min(lasts)}"]')
        assert str(cell.get_attribute("aria-label")).endswith(f", until ply {lasts[min(lasts)]}")


def test_the_longest_replies_last_to_ply_43(visit: Visit) -> None:
    """A button plays the reply after which the game lasts longest. With these replies a game lasts to ply 43."""
    driver = visit(OLIVIA)
    for _ in range(21):
        driver.find_element(By.ID, "explorer-stubborn").click()
    assert "Xavier has won at ply 43: Xavier has the fields" in said(driver)
    assert not driver.find_element(By.ID, "explorer-stubborn").is_enabled()


def test_both_last_moves_are_marked_and_numbers_come_when_asked_for(visit: Visit) -> None:
    """Both players' last marks are framed. The digits of the spots are on the board only if the reader wants them.

    The fields always have their numbers.
    """
    driver = visit(f"{OLIVIA}&moves=4.4-4.0-0.4")
    last = driver.find_elements(By.CSS_SELECTOR, ".explorer .last")
    assert {item.get_attribute("data-cell") for item in last} == {"4.0", "0.4"}
    assert set(told(driver)) == playable(driver)
    driver.find_element(By.ID, "explorer-numbers").click()
    assert {name[2] == digit for name, digit in told(driver).items()} == {True}
    assert len(told(driver)) == 78
    names = driver.find_elements(By.CSS_SELECTOR, ".explorer svg.board .name")
    assert [name.text for name in names if name.is_displayed()] == list("012345678")


def test_on_a_phone_the_board_and_its_words_fit_the_window(visit: Visit) -> None:
    """On 400 by 800 pixels the board is as wide as the window, and the words about it are in the window too."""
    driver = visit(f"{OLIVIA}&moves=4.4-4.0-0.4")
    with screen(driver, 400, 800):
        board, dock = (driver.find_element(By.CSS_SELECTOR, name) for name in (".explorer .board", ".explorer-dock"))
        assert board.size["width"] >= 360

        def bring_to(top: int) -> bool:
            """Scroll to the board. Parts that come into the window are laid out only then: this may need two calls."""
            move = "scrollBy(0, arguments[0].getBoundingClientRect().top - arguments[1])"
            driver.execute_script(move, board, top)
            return bool(abs(driver.execute_script("return arguments[0].getBoundingClientRect().top", board) - top) < 1)

        bottom = "return arguments[0].getBoundingClientRect().bottom"
        words, top = driver.find_element(By.ID, "explorer-say"), "return arguments[0].getBoundingClientRect().top"
        WebDriverWait(driver, 10).until(lambda _: bring_to(130) and bring_to(130))
        assert driver.execute_script(bottom, words) <= 130
        assert driver.execute_script(bottom, board) < driver.execute_script(bottom, dock) <= 801
        WebDriverWait(driver, 10).until(lambda _: bring_to(0) and bring_to(0))
        assert 40 <= driver.execute_script(top, words) < driver.execute_script(bottom, words) <= 130
        WebDriverWait(driver, 10).until(lambda _: bring_to(400) and bring_to(400))
        assert driver.execute_script(bottom, dock) == pytest.approx(800, abs=1)
        for button in dock.find_elements(By.TAG_NAME, "button"):
            assert button.size["height"] >= 44
        cell = driver.find_element(By.CSS_SELECTOR, '.explorer [data-cell="4.1"]')
        assert cell.size["width"] >= 24


@pytest.mark.parametrize("draw", [43, 29, "at random"])
def test_a_full_game_to_a_win(visit: Visit, draw: int | str) -> None:
    """Click Olivia's moves of a longest, a shortest and a random play: the certificate's moves answer them.

    At each turn the page's marks, owners and legal spots are those of the kernel.
    """
    graph = strategy_graph()
    line = line_to_win(graph, draw) if isinstance(draw, int) else random_line(graph, 1)
    driver = visit(OLIVIA)
    for at in range(1, len(line), 2):
        position = replay(line[:at])
        assert moves(driver) == line[:at]
        assert shown(driver) == GAME.format_position(position)[:-2]
        assert playable(driver) == {GAME.format_move(move) for move in GAME.legal_moves(position)}
        click(driver, line[at])
        assert f"Olivia {in_pair(line[at])}. Xavier answers {in_pair(line[at + 1])}." in said(driver)
    assert moves(driver) == line
    assert f"Xavier has won at ply {len(line)}: Xavier has the fields" in said(driver)
    assert not playable(driver)
    assert shown(driver) == GAME.format_position(replay(line))[:-2]


def test_the_words_about_a_position_are_those_of_the_graph(visit: Visit) -> None:
    """They name the rule, its place in the paper, and the number of plies to the win."""
    graph = strategy_graph()
    line = line_to_win(graph, 43)
    driver = visit(f"{OLIVIA}&moves={'-'.join(line[:3])}")
    told = "The centre of the field that she has sent him to, which sends her back to the middle field."
    assert facts(driver)["rule"] == f"{told} (§2.1, step 2)"
    assert facts(driver)["win"] == "at ply 29 at the earliest, 43 at the latest"
    found = facts(visit(f"{OLIVIA}&moves={'-'.join(line[:37])}"))
    assert "(§2.3)" in found["rule"]
    latest = 37 + graph.guide.longest[reach(graph, line[:37])]
    assert found["win"].endswith(f"{latest} at the latest") or found["win"] == "at ply 43"


def test_the_claims_that_are_named_are_links(visit: Visit) -> None:
    assert links(visit(OLIVIA), "intro") == ["claim-lemma-3", "claim-beyond-value-43"]
    assert links(visit(XAVIER), "intro") == ["claim-beyond-value-43"]


def test_a_win_is_marked_on_the_board(visit: Visit) -> None:
    """The fields and spots of the winning line are marked as in the kernel's drawing, and not one turn earlier."""
    line = line_to_win(strategy_graph(), 43)
    driver = visit(f"{OLIVIA}&moves={'-'.join(line)}")
    board = driver.find_element(By.CSS_SELECTOR, ".explorer svg.board")
    drawn = draw_svg(GAME, replay(line), GAME.parse_move(line[-1]))
    script = """
        const there = document.createElement("div");
        there.innerHTML = arguments[1];
        const seen = (svg) => [
            [...svg.querySelectorAll(".aligned")].map(e => e.dataset.field || e.dataset.cell),
            svg.querySelector("path.line").getAttribute("d"), svg.querySelector("title").textContent];
        return [seen(arguments[0]), seen(there.querySelector("svg"))];
    """
    seen, wanted = driver.execute_script(script, board, drawn)
    assert seen == wanted
    assert len(seen[0]) == 3 * 4
    driver.find_element(By.ID, "explorer-back").click()
    assert driver.execute_script(script, board, drawn)[0][:2] == [[], ""]


def test_a_line_that_is_no_row_is_drawn(visit_games: Visit) -> None:
    """On a plane the winning line joins its spots, as in the kernel's drawing."""
    driver = visit_games("explorer?you=affine-plane-4%2Fas-stated")
    stubborn = driver.find_element(By.ID, "explorer-stubborn")
    while stubborn.is_enabled():
        stubborn.click()
    library = specs()
    game = library.game(library.claim("affine-plane-4").rules)
    position = game.start
    for move in moves(driver):
        position = game.play(position, game.parse_move(move))
    assert game.is_over(position)
    (drawn,) = re.findall(r'<path class="line" d="([^"]+)"', draw_svg(game, position))
    path = driver.find_element(By.CSS_SELECTOR, ".explorer svg.board path.line")
    assert path.get_attribute("d") == drawn


def test_back_forward_and_restart(visit: Visit) -> None:
    """Back and forward go between your turns. A different move removes the turns after it."""
    driver = visit(OLIVIA)
    for move in ("4.0", "4.1"):
        click(driver, move)
    undone = By.CSS_SELECTOR, "#explorer-moves .undone"
    assert not driver.find_elements(*undone)
    driver.find_element(By.ID, "explorer-back").click()
    assert "Olivia (4, 0). Xavier answers (0, 4)." in said(driver)
    assert [move.text for move in driver.find_elements(*undone)] == ["O (4, 1)", "X (1, 4)"]
    assert driver.find_element(By.ID, "explorer-undone").is_displayed()
    driver.find_element(By.ID, "explorer-forward").click()
    assert not driver.find_element(By.ID, "explorer-undone").is_displayed()
    assert "Olivia (4, 1). Xavier answers (1, 4)." in said(driver)
    assert not driver.find_element(By.ID, "explorer-forward").is_enabled()
    driver.find_element(By.ID, "explorer-back").click()
    click(driver, "4.8")
    assert moves(driver) == ["4.4", "4.0", "0.4", "4.8", "8.4"]
    driver.find_element(By.ID, "explorer-restart").click()
    wait_for_game(driver)
    assert moves(driver) == ["4.4"]


def test_a_permalink_restores_the_position(visit: Visit) -> None:
    """If the address after some moves is opened again, it shows the same board and the same words, for both sides."""
    for start, played in ((OLIVIA, ("4.0", "4.1", "4.2")), (XAVIER, ("0.0", "1.0"))):
        driver = visit(start)
        for move in played:
            click(driver, move)
        before, where = (facts(driver), shown(driver), told(driver)), driver.current_url
        driver = visit(where.partition("#")[2])
        assert (facts(driver), shown(driver), told(driver)) == before
        assert driver.current_url == where


@pytest.mark.parametrize(
    ("moves", "why"),
    [
        ("4.4-3.3", "3.3, move 2: the next mark goes to field 4"),
        ("4.4-4.4", "4.4, move 2: the spot is taken"),
        ("4.4-4.0-1.1", "1.1, move 3: the certificate has another move"),
        ("4.4-4.9", "“4.9” is not a move"),
    ],
)
def test_a_link_that_leads_nowhere_says_why(visit: Visit, moves: str, why: str) -> None:
    """If the moves of a link are not a play of the certificate, the page follows them as far as it can and says why."""
    driver = visit(f"{OLIVIA}&moves={moves}")
    assert why in trouble(driver)
    click(driver, "4.1")
    assert not trouble(driver)


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("you=Q", "asks for a game “Q”, which this report does not offer"),
        ("you=Q&moves=4.4-4.0", "asks for a game “Q”, which this report does not offer"),
        ("you=", "asks for a game “”"),
        ("me=O", "has “me”, which is unknown here, or is in the link twice"),
        ("you=lemma-3%2Fas-stated&you=X", "has “you”, which is unknown here, or is in the link twice"),
        ("you=lemma-3%2Fas-stated&moves=4.4--4.0", "“” is not a move"),
        ("you=lemma-3%2Fas-stated&moves=4.4-4.0-", "“” is not a move"),
        ("you=lemma-3%2Fas-stated&moves=4.4-4.0%3Cb%3E", "“4.0<b>” is not a move"),
    ],
)
def test_a_link_with_errors_gives_one_message(visit: Visit, query: str, why: str) -> None:
    """The message names the part that cannot be understood, and the named game is at its start."""
    driver = visit(f"explorer?{query}")
    assert why in trouble(driver)
    assert "You see the start of a game." in trouble(driver)
    assert moves(driver) == ["4.4"]
    assert len(driver.find_elements(By.CSS_SELECTOR, '#explorer [role="alert"]:not([hidden])')) == 1


def test_a_link_into_the_shown_game_keeps_later_moves(visit: Visit) -> None:
    """A move of the list shows its position. Forward still works, and the section's own link changes nothing."""
    driver = visit(OLIVIA)
    for move in ("4.0", "4.1"):
        click(driver, move)
    driver.find_elements(By.CSS_SELECTOR, "#explorer-moves a")[2].click()
    assert "Olivia (4, 0). Xavier answers (0, 4)." in said(driver)
    assert moves(driver) == ["4.4", "4.0", "0.4", "4.1", "1.4"]
    driver.find_element(By.CSS_SELECTOR, 'nav a[href="#explorer"]').click()
    assert moves(driver) == ["4.4", "4.0", "0.4", "4.1", "1.4"]
    driver.find_element(By.ID, "explorer-forward").click()
    assert "Olivia (4, 1). Xavier answers (1, 4)." in said(driver)


def test_the_game_can_be_played_by_keyboard(visit: Visit) -> None:
    """Arrow keys move over the whole board, Enter plays, and each spot has a name."""
    driver = visit(OLIVIA)
    cell = driver.find_element(By.CSS_SELECTOR, '.explorer [data-cell="4.4"]')
    driver.execute_script("arguments[0].focus()", cell)
    for key in (Keys.ARROW_LEFT, Keys.ARROW_UP):
        driver.switch_to.active_element.send_keys(key)
    focused = driver.switch_to.active_element
    assert focused.get_attribute("aria-label") == "field 4 spot 0, until ply 43"
    focused.send_keys(Keys.ENTER)
    assert "Olivia (4, 0). Xavier answers (0, 4)." in said(driver)
    assert focused.get_attribute("aria-label") == "field 4 spot 0, Olivia"
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert "(4, 0) cannot be played: the spot is taken" in said(driver)
    assert len(driver.find_elements(By.CSS_SELECTOR, '.explorer .cell[tabindex="0"]')) == 1


def test_olivia_holds_xavier_to_ply_42(visit: Visit) -> None:
    """Against his longest play, the page answers move by move up to ply 42, and he has not won."""
    driver = visit(XAVIER)
    assert "supported" not in driver.find_element(By.ID, "explorer-intro").text
    stubborn = driver.find_element(By.ID, "explorer-stubborn")
    while len(moves(driver)) < 42:
        position = replay(moves(driver))
        assert shown(driver) == GAME.format_position(position)[:-2]
        assert playable(driver) == {GAME.format_move(move) for move in GAME.legal_moves(position)}
        stubborn.click()
    assert len(moves(driver)) == 42
    assert GAME.winner(replay(moves(driver))) is None
    assert "Ply 42, and you have not won: Olivia has held out." in said(driver)


def test_bounds_that_are_equal_are_not_in_the_spots(visit: Visit) -> None:
    """If the bounds on all moves of a position are the same, a sentence says so. Otherwise each spot has its bound."""
    click(driver := visit(XAVIER), "4.4")
    words = note_of(driver)
    assert not told(driver)
    assert re.fullmatch(
        r"After any of the \d moves here: no win before ply \d+, even if she does not hinder you\.", words
    )
    stubborn = driver.find_element(By.ID, "explorer-stubborn")
    while len(set(told(driver).values())) < 2:
        stubborn.click()
    assert len(told(driver)) == len(playable(driver))
    assert "For example" in note_of(driver)


def note_of(driver: WebDriver) -> str:
    return driver.find_element(By.ID, "explorer-told").text


def test_play_goes_on_to_the_end_without_a_proof(visit: Visit) -> None:
    """After ply 42 the page says that nothing is proved, and plays until somebody wins or nobody can move."""
    driver = visit(XAVIER)
    stubborn = driver.find_element(By.ID, "explorer-stubborn")
    while stubborn.is_enabled():
        stubborn.click()
        if len(moves(driver)) == 44:
            assert facts(driver)["rule"].startswith("from no proof")
            assert not told(driver)
            assert "Nothing is proved" in driver.find_element(By.ID, "explorer-told").text
    position = replay(moves(driver))
    assert GAME.is_over(position)
    assert shown(driver) == GAME.format_position(position)[:-2]
    winner = GAME.winner(position)
    assert ({"X": "Xavier has won at", "O": "Olivia has won at"}[winner] if winner else "The game is drawn at") in said(
        driver
    )


def test_the_first_marks_say_what_is_proved_about_them(visit: Visit) -> None:
    """One first mark keeps a win by ply 43. The others are those of the bound that is proved about them."""
    driver = visit(XAVIER)
    (case,) = read_certificate(PROOFS, read_index(PROOFS).filed["theorem-2/as-stated"]).statement["cases"]
    graph = strategy_graph()
    (opening,) = graph.edges[0]
    first = graph.game.format_move(opening.move)
    assert told(driver) == {first: "43", **dict.fromkeys(case["first"], "–")}
    assert len(told(driver)) == 81
    assert links(driver, "told") == ["claim-lemma-3", "claim-beyond-value-43", "claim-theorem-2"]
    (best,) = driver.find_elements(By.CSS_SELECTOR, ".explorer .best")
    assert best.get_attribute("aria-label") == "field 4 spot 4, it keeps a win by ply 43"


def test_back_of_the_browser_takes_back_a_move(visit: Visit) -> None:
    """Each move is a step of the history, in both directions, and the window does not scroll."""
    driver = visit(OLIVIA)
    lines = [["4.4"], ["4.4", "4.0", "0.4"], ["4.4", "4.0", "0.4", "4.1", "1.4"]]
    click(driver, "4.0")
    click(driver, "4.1")
    assert moves(driver) == lines[2]
    top = driver.execute_script("return scrollY")

    def wait_for(line: list[str]) -> None:
        WebDriverWait(driver, 10).until(lambda _: shown(driver) == GAME.format_position(replay(line))[:-2])

    driver.back()
    wait_for(lines[1])
    driver.back()
    wait_for(lines[0])
    driver.forward()
    wait_for(lines[1])
    assert "Olivia (4, 0). Xavier answers (0, 4)." in said(driver)
    assert driver.execute_script("return scrollY") == top
    driver.find_elements(By.CSS_SELECTOR, "#explorer-cards button")[1].click()
    wait_for_game(driver)
    driver.back()
    wait_for(lines[1])


MARKS = """return [...document.querySelectorAll(".explorer .cell:is(.x, .o)")].map(
    (cell) => cell.dataset.cell + (cell.matches(".x") ? " X" : " O")).sort()"""
COPY = """navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); };
    document.getElementById("explorer-copy").click(); return window.copied"""


def state(driver: WebDriver) -> tuple[str, list[str]]:
    """Return the address, and the marks on the board."""
    return driver.current_url, driver.execute_script(MARKS)


@pytest.mark.parametrize("key", ["lemma-3/as-stated", "beyond-opening-0-8/not-by-39", "sim-second-player/as-stated"])
@pytest.mark.parametrize(
    "actions", ["stubborn stubborn back -1", "stubborn stubborn stubborn -1 +1", "stubborn restart other back -3"]
)
def test_the_board_shows_the_position_of_the_address(visit_games: Visit, key: str, actions: str) -> None:
    """A step in the history of the browser leads to the board that had this address, whatever Forward still keeps."""
    driver = visit_games(f"explorer?you={quote(key, safe='')}")
    history, at = list[tuple[str, list[str]]](), 0
    for action in actions.split():
        if action[0] in "+-":
            at += int(action)
            driver.execute_script(f"history.go({action})")
            WebDriverWait(driver, 10).until(lambda driver, wanted=history[at]: state(driver) == wanted)  # type: ignore[misc]
            assert driver.execute_script(COPY) == driver.current_url
            assert not trouble(driver)
            continue
        if action == "other":
            best = driver.find_elements(By.CSS_SELECTOR, ".explorer .best")[:1]
            click(driver, max(playable(driver) - {str(cell.get_attribute("data-cell")) for cell in best}))
        else:
            driver.find_element(By.ID, f"explorer-{action}").click()
        wait_for_game(driver)
        history = [*history[: at + 1], state(driver)]
        at = len(history) - 1
        assert quote(key, safe="") in driver.current_url


def test_a_win_in_two_lines_names_both(visit: Visit) -> None:
    """The words of the page are those of the presentation."""
    graph, look = strategy_graph(), find_presentation(GAME).look
    line = next(line for seed in range(99) if len(look(replay(line := random_line(graph, seed))).lines) == 2)
    driver = visit(f"{OLIVIA}&moves={'-'.join(line)}")
    WebDriverWait(driver, 10).until(lambda _: len(moves(driver)) == len(line))
    first, second = (", ".join(fields) for fields in look(replay(line)).lines)
    assert f"Xavier has the fields {first} and also {second} in line." in said(driver)
    title = driver.find_element(By.CSS_SELECTOR, ".explorer svg.board > title").get_attribute("textContent")
    assert title == find_presentation(GAME).say_turn(replay(line))


@pytest.mark.parametrize("works", [True, False])
def test_the_link_is_copied(visit: Visit, works: bool) -> None:
    """The link leads to the position. If the browser does not copy, the page shows the link, selected."""
    driver = visit(OLIVIA)
    click(driver, "4.0")
    end = "window.copied = text; return Promise.resolve();" if works else "return Promise.reject(new Error());"
    driver.execute_script(f"navigator.clipboard.writeText = (text) => {{ {end} }};")
    driver.find_element(By.ID, "explorer-copy").click()
    note, field = driver.find_element(By.ID, "explorer-copied"), driver.find_element(By.ID, "explorer-link")
    WebDriverWait(driver, 5).until(lambda _: note.text)
    assert field.is_displayed() != works
    link = driver.execute_script("return window.copied") if works else field.get_property("value")
    assert isinstance(link, str)
    assert played(visit(link.partition("#")[2])) == ["4.4", "4.0", "0.4"]


def played(driver: WebDriver) -> list[str]:
    """Return the moves of the position that a link has opened."""
    WebDriverWait(driver, 10).until(lambda _: len(moves(driver)) == 3)
    return moves(driver)


def test_the_rules_are_below_the_board(visit_games: Visit) -> None:
    """They are the rules of the game that is shown, clause by clause. Above the board, they are said in short."""
    library = specs()
    for key in ("lemma-3/as-stated", "sim-second-player/as-stated"):
        driver = visit_games(f"explorer?you={quote(key, safe='')}")
        found = [each for each in driver.find_elements(By.CSS_SELECTOR, ".explorer-rules") if each.is_displayed()]
        short, rules = found
        name = library.claim(key.partition("/")[0]).rules
        assert short.text == f"In short: {' '.join(library.rules_file(name).source.says.split())}"
        rules.find_element(By.TAG_NAME, "summary").click()
        clauses = find_presentation(library.game(name)).say_rules(library.rules_file(name))
        wanted = [f"{clause.text} ({clause.place})" for clause in clauses]
        assert [item.text for item in rules.find_elements(By.TAG_NAME, "li")] == wanted


def test_the_page_says_what_xavier_still_needs(visit: Visit) -> None:
    """The fewest marks for a win, the fields of these marks, the marks that are left, and the source of her answer."""
    driver = visit(XAVIER)
    click(driver, "4.4")
    found, (fields, _) = facts(driver), race_of(replay(moves(driver)))
    fewest = least(needs_of(fields))
    assert re.fullmatch(rf"at least {fewest} more marks \(fields \d, \d, \d: \d \+ \d \+ \d\)", found["needs"])
    assert sum(map(int, found["needs"].rpartition(":")[2].strip(" )").split(" + "))) == fewest
    assert found["plies"] == "20 marks left up to ply 42"
    assert found["rule"] == "from the table of the certificate"
    open_cells = driver.find_elements(By.CSS_SELECTOR, '.explorer .cell[aria-disabled="false"]')
    ends = [re.search(r"no win before ply (\d+)$", str(cell.get_attribute("aria-label"))) for cell in open_cells]
    assert ends
    assert all(end is not None and int(end[1]) % 2 for end in ends)


MANY = read_script("play-many")


def play_many(driver: WebDriver, key: str, count: int) -> list[dict[str, Any]]:
    """Return plays that the page makes by itself against random moves. Moves that last longest are drawn more often."""
    driver.set_script_timeout(300)
    found = driver.execute_async_script(MANY, key, [seed * 7919 + 17 for seed in range(count)])
    assert isinstance(found, list), found
    return found


def expected_answers(answers: Mapping[Race, Reply], position: NestedPosition, marks: int) -> set[tuple[int, int]]:
    """Return the replies of the tables to a position, or to any of its images."""
    fields, active = race_of(position)
    found = set()
    for number, permutation in enumerate(SYMMETRIES):
        reply = answers.get((*image_of_race(number, coarsen(fields, marks), active), marks))
        if reply is not None:
            found.add((permutation.index(reply[0]), permutation.index(reply[1])))
    return found


@pytest.mark.slow
def test_olivia_s_answers_are_those_of_the_kernel(visit: Visit) -> None:
    """In thousands of positions her answer is the table's, or the kernel finds by trying everything that it holds."""
    certificate = read_certificate(PROOFS, read_index(PROOFS).filed["beyond-value-43/at-least"])
    tables = [unpack(read_named(files_of(PROOFS), name), name) for name in certificate.evidence["tables"]]
    answers, endgames = collect_replies(parse_lemma(table, "a table") for table in tables), Endgames()
    listed = tried = 0
    for play in play_many(visit(XAVIER), "beyond-value-43/at-least", 200):
        position = GAME.start
        for number, told, rule in play["line"]:
            move, marks = divmod(number, 9), 21 - (GAME.ply(position) + 1) // 2
            assert move in GAME.legal_moves(position)
            is_listed = rule == "from the table of the certificate"
            if is_listed:
                assert move in expected_answers(answers, position, marks)
            position = GAME.play(position, move)
            fields, active = race_of(position)
            if rule is not None and not is_listed and not GAME.is_over(position):
                assert not wins_race(endgames, coarsen(fields, marks), active, marks)
            if told is not None and GAME.ply(position) > 1:
                soonest = GAME.ply(position) + 2 * least(needs_of(fields))
                assert told == (f"≥{soonest}" if soonest <= 42 else "–")
            listed, tried = listed + is_listed, tried + (rule is not None and not is_listed)
        assert GAME.winner(position) != "X"
        assert play["places"][:81] == GAME.format_position(position).split(" ")[0].replace("/", "")
    assert min(listed, tried) > 1000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "by"),
    [
        ("lemma-3/as-stated", 43),
        ("sim-second-player/as-stated", 15),
        ("affine-plane-4/as-stated", 15),
        ("animal-elly/on-the-board", 7),
    ],
)
def test_the_player_who_is_said_to_win_wins(visit_games: Visit, key: str, by: int) -> None:
    """In hundreds of plays the moves are legal, and the claimant wins by the kernel's rules, in time."""
    library = specs()
    claim, _, reading = key.partition("/")
    game = library.game(library.claim(claim).rules_of(reading))
    names = [name for area in find_presentation(game).board.areas for name in area.spots]
    for play in play_many(visit_games(f"explorer?you={quote(key, safe='')}"), key, 150):
        position, last = game.start, by
        for number, told, _ in play["line"]:
            move = game.parse_move(names[number])
            assert move in game.legal_moves(position)
            position = game.play(position, move)
            if told is not None:
                assert int(told) <= last
                last = int(told)
        assert game.is_over(position)
        assert play["winner"] == ("O" if key.startswith("sim") else "X")
        assert FormulaCompiler(game).compile([f"{play['winner']}_wins"])(position, position)
        assert game.ply(position) <= last


def test_the_two_games_of_the_paper_are_cards(visit: Visit) -> None:
    driver = visit(OLIVIA)
    cards = driver.find_elements(By.CSS_SELECTOR, "#explorer-cards button")
    titles = [card.find_element(By.TAG_NAME, "b").text for card in cards]
    assert titles == ["Try to outlast Xavier", "Try to beat Olivia", "More positions"]
    assert not driver.find_element(By.ID, "explorer-choice").is_displayed()
    cards[1].click()
    wait_for_game(driver)
    assert facts(driver)["plies"] == "21 marks left up to ply 42"
    cards[2].click()
    wait_for_game(driver)
    assert re.fullmatch(r"16 of the \d+ that the proof is about", facts(driver)["ply"])


def test_other_games_are_in_a_list(visit_games: Visit) -> None:
    """A game of another document that is chosen there is shown on its own board, and answered."""
    driver = visit_games(OLIVIA)
    driver.find_elements(By.CSS_SELECTOR, "#explorer-cards button")[-1].click()
    choice = driver.find_element(By.ID, "explorer-side")
    wait_for_game(driver)
    assert choice.is_displayed()
    (sim,) = [option.text for option in Select(choice).options if "Sim" in option.text]
    Select(choice).select_by_visible_text(sim)
    wait_for_game(driver)
    assert len(driver.find_elements(By.CSS_SELECTOR, ".explorer .cell")) == 15
    click(driver, "0")
    assert len(moves(driver)) == 2


TREE = "tree?of=lemma-3%2Fas-stated"


def cards(driver: WebDriver) -> dict[str, str]:
    """Return the boards of the strategy tree: the first move that each is about, and where it leads."""
    found = driver.find_elements(By.CSS_SELECTOR, "#tree .tree-card")
    return {
        address_of(card.find_element(By.CSS_SELECTOR, "b, span").text.partition(" ")[2]): (
            card.get_attribute("href") or ""
        ).partition("#")[2]
        for card in found
    }


def wait_for_tree(driver: WebDriver, count: int) -> None:
    path = (By.CSS_SELECTOR, "#tree-path li")
    WebDriverWait(driver, 20).until(lambda _: len(driver.find_elements(*path)) == count + 1)


def test_a_reader_finds_the_best_reply_in_the_tree(visit: Visit) -> None:
    """From the folded strategy to a position, on to a reply by its board, into the explorer, and back."""
    driver = visit("claim-lemma-3")
    box = (By.CSS_SELECTOR, "#claim-lemma-3 .tree-stack a:has([data-node='phase middlegame'])")
    found = WebDriverWait(driver, 20).until(lambda _: driver.find_elements(*box))
    href = found[0].get_dom_attribute("href") or ""
    assert "#tree?of=lemma-3/as-stated&moves=4.4-" in href
    assert len(href.partition("moves=")[2].split("-")) == 16, "the middlegame begins at ply 16"
    assert found[0].text.endswith("Go through it ▸")
    opens = driver.find_element(By.CSS_SELECTOR, "#tree-of-lemma-3 .tree-open")
    assert opens.text == "Open the tree, reply by reply"
    assert str(opens.get_attribute("href")).endswith("#tree?of=lemma-3/as-stated")
    rules = driver.find_elements(By.CSS_SELECTOR, "#claim-lemma-3 .tree .node title")
    assert any("spot" in (rule.get_attribute("textContent") or "") for rule in rules)
    driver = visit(f"{TREE}&moves=4.4-4.0")
    wait_for_tree(driver, 2)
    (answer,) = cards(driver).items()
    assert answer[0] == "0.4"
    driver.find_element(By.CSS_SELECTOR, ".tree-card").click()
    wait_for_tree(driver, 3)
    assert driver.find_element(By.ID, "tree-last").text == "Olivia plays (4, 0).\nXavier answers (0, 4)"
    assert "by ply 43\n" in driver.find_element(By.ID, "tree-facts").text
    whole = driver.find_element(By.CSS_SELECTOR, "#tree-whole a")
    assert whole.is_displayed()
    assert str(whole.get_attribute("href")).endswith("#tree-of-lemma-3")
    labels = driver.find_elements(By.CSS_SELECTOR, "#tree-board :is(.name, .spot)")
    assert [label.is_displayed() for label in labels] == [True] * (9 + 81 - 3)
    assert {*cards(driver)} == {f"4.{spot}" for spot in (1, 2, 3, 5, 6, 7, 8)}
    driver.find_element(By.ID, "tree-play").click()
    wait_for_game(driver)
    WebDriverWait(driver, 20).until(lambda _: len(moves(driver)) == 3)
    link = driver.find_element(By.ID, "explorer-tree").get_attribute("href") or ""
    assert link.endswith("#tree?of=lemma-3%2Fas-stated&moves=4.4-4.0-0.4")


def test_a_spot_of_the_large_board_leads_on_in_the_tree(visit: Visit) -> None:
    """A click on her spot shows his answer too. The last position offers no play."""
    driver = visit(f"{TREE}&moves=4.4")
    wait_for_tree(driver, 1)
    assert driver.find_element(By.ID, "tree-play").is_displayed()
    driver.find_element(By.CSS_SELECTOR, "#tree-board [data-cell='4.0']").click()
    wait_for_tree(driver, 3)
    assert driver.find_element(By.ID, "tree-last").text == "Olivia plays (4, 0).\nXavier answers (0, 4)"
    cells = driver.find_elements(By.CSS_SELECTOR, "#tree-board .live")
    assert {cell.get_attribute("data-cell") for cell in cells} == {f"4.{spot}" for spot in (1, 2, 3, 5, 6, 7, 8)}
    while cells := driver.find_elements(By.CSS_SELECTOR, "#tree-board .live"):
        before = driver.current_url
        cells[-1].click()
        WebDriverWait(driver, 20).until(staleness_of(cells[-1]))
        assert driver.current_url != before
    assert not driver.find_element(By.ID, "tree-play").is_displayed()


def test_a_link_to_no_position_of_the_tree_says_so(visit: Visit) -> None:
    driver = visit(f"{TREE}&moves=4.4-4.4")
    text = (By.ID, "tree-trouble")
    WebDriverWait(driver, 20).until(lambda _: "has no move “4.4” after 1 moves" in driver.find_element(*text).text)


def positions_below(guide: Guide, number: int) -> set[int]:
    """Return the positions that come after a position of a walk."""
    found, left = set[int](), [number]
    while left:
        following = {guide.numbers[after] for _, after in guide.nodes[left.pop()].edges} - found
        found |= following
        left += following
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("key", "count"), [("lemma-3/as-stated", 3000), ("animal-elly/on-the-board", 500)])
def test_the_tree_agrees_with_the_kernel(visit_games: Visit, key: str, count: int) -> None:
    """At thousands of positions the moves, rules and plies are those of the kernel's walk; so are all below."""
    driver = visit_games(f"tree?of={quote(key, safe='')}")
    driver.set_script_timeout(120)
    found = driver.execute_async_script(read_script("walk-tree"), key, count)
    assert isinstance(found, list), found
    guide = follow_plays(read_certificate(PROOFS, read_index(PROOFS).filed[key]), files_of(PROOFS))
    assert guide is not None
    game = guide.statement.game
    names = [name for area in find_presentation(game).board.areas for name in area.spots]
    for line, told, wins, below in found:
        position = guide.statement.start
        for move in line:
            position = game.play(position, game.parse_move(names[move]))
        number = guide.find(position)
        assert number is not None
        # Of the claimant's moves that are symmetric to each other, the page may have another one than the guide.
        expected = {guide.find(after): rule for rule, after in guide.moves(position).values()}
        reached = [guide.find(game.play(position, game.parse_move(names[move]))) for move, _ in told]
        assert dict(zip(reached, (rule for _, rule in told), strict=True)) == expected
        if guide.node(position).mover != guide.statement.claimant:
            assert len(told) == len(guide.moves(position))
        late = guide.longest[number]
        assert wins == (None if late < 0 else [game.ply(position) + guide.shortest[number], game.ply(position) + late])
        if below is not None:
            assert below == len(positions_below(guide, number))
    assert len(found) >= count / 2
