"""The command ``play``. ``tests/golden/dialogues/play.txt`` has games that a table answers."""

import pytest

from tests.commands import command
from tests.golden import require_golden
from tests.lines import line_to_win, strategy_graph
from verifier.api.certificate import Certificate
from verifier.api.play import Play


@pytest.fixture(autouse=True)
def walked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the kernel walk through the plays only once for all tests, because the walk takes some seconds."""
    monkeypatch.setattr(Certificate, "strategy", lambda lemma: Play(strategy_graph().guide, lemma.start))
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.parametrize("plies", [43, 29])
def test_a_whole_game(plies: int) -> None:
    """The certificate answers a typed play move by move to its end, and the end is shown."""
    line = line_to_win(strategy_graph(), plies)
    told = command("play", "lemma-3", typed=" ".join(line[1::2]))
    assert told.code == 0
    answers = [text.split()[2].rstrip(":") for text in told.out.splitlines() if text.startswith("X plays ")]
    assert answers == line[::2]
    assert told.out.rstrip().endswith(f"ply {plies}: X wins")


def test_a_game_on_the_screen() -> None:
    """Each certified move is shown with its rule in words. Every input is answered or refused."""
    typed = "help why hint undo 4.4 0.0 44 4.0 why moves rules undo hint q 4.1"
    require_golden("screens/play-80.txt", command("play", "lemma-3/as-stated", typed=typed).out)
