"""Boards, witnesses, certificates and ledgers as values, and how they are drawn."""

import functools
from dataclasses import replace
from xml.etree import ElementTree

import pytest

import verifier
from tests.commands import command
from tests.rules import SPECS, find_rules, rule_sets
from verifier.kernel.verdict import Verdict
from verifier.questions.result import DecisionStatus, pending_result
from verifier.report.registry import FORMATS

CAREFUL, LOWEST = "careful-first-is-safe", "lowest-spot-keeps-fields"


@functools.cache
def specs() -> verifier.Specs:
    return verifier.load(SPECS)


@pytest.mark.parametrize("rules", rule_sets())
def test_a_board_says_what_the_kernel_says(rules: str) -> None:
    """For each rules file: moves, turns and positions are equal along a play of first legal moves, to its end.

    If play may go on for ever, the play has up to a hundred moves.
    """
    game, board = find_rules(rules), specs().board(rules)
    position = game.start
    while board.moves and board.ply < 100:
        assert board.position == game.format_position(position)
        assert (board.ply, board.turn) == (game.ply(position), game.turn(position))
        assert [*board.moves] == list(map(game.format_move, game.legal_moves(position)))
        position = game.play(position, game.legal_moves(position)[0])
        board = board.play(next(iter(board.moves)))
        assert specs().board(rules, board.position).state == position
    assert board.is_over == game.is_over(position) == (not board.turn)
    assert board.is_over or game.last_ply is None
    wins = [mark for mark in "XO" if game.compile_atom(f"{mark}_wins", ())(position, position)]
    assert [board.winner] == (wins or [""])


def test_a_board_draws_itself() -> None:
    """It is drawn as text with the last move in brackets, and as an SVG file that describes it in words."""
    board = specs().board("paper").play("4.4", "4.0")
    assert "[O]" in str(board)
    root = ElementTree.fromstring(board._repr_svg_())  # noqa: S314 - our own text
    assert root.tag.endswith("svg")
    assert "Last move 4.0." in board.svg()
    assert "[O]" not in str(specs().board("paper", board.position))


def test_a_move_does_not_change_a_board() -> None:
    """Boards are values: they are equal if rules, position and last move are equal."""
    start = specs().board("tictactoe")
    assert start.play("4") == start.play("4")
    assert start.play() == start == specs().board("tictactoe", ".........")
    with pytest.raises(verifier.IllegalMoveError) as caught:
        start.play("4", "4")
    assert caught.value.reason == "taken"
    with pytest.raises(verifier.NotationError):
        start.play("9")


def test_the_graph_of_a_certificate() -> None:
    """Each node has its position and ply. Each edge has the move between two positions, and its rule."""
    graph = specs().certificate(CAREFUL).graph()
    assert (graph.graph["reading"], graph.graph["verdict"]) == (f"{CAREFUL}/as-stated", "proved")
    for one, other, data in graph.edges(data=True):
        board = specs().board("tictactoe", graph.nodes[one]["position"]).play(data["move"])
        assert board.position == graph.nodes[other]["position"]
        assert board.ply == graph.nodes[other]["ply"]
        assert (data["position"], data["ply"]) == (board.position, board.ply)
        assert bool(data["rule"]) == (graph.nodes[one]["mover"] == "claimant")


def test_the_repr_of_a_value_is_one_line() -> None:
    """The fields of a value would fill screens."""
    assert repr(specs().certificate(CAREFUL)) == f"<Certificate {CAREFUL}/as-stated: proved>"
    assert repr(specs().certificate(CAREFUL).strategy()) == "<Play .........>"
    assert str(specs()[CAREFUL]) == f"<Claim {CAREFUL}: {specs()[CAREFUL].title}; readings: as-stated>"
    fails = pending_result(specs()["p4-note"], "as-stated")
    assert repr(replace(fails, decided=DecisionStatus.NOT_RUN)) == "<p4-note/as-stated: unknown>"
    decided = replace(fails, decided=DecisionStatus.NOW, verdict=Verdict.REFUTED, reason="field 0 is full")
    assert repr(decided) == "<p4-note/as-stated: refuted, as expected: field 0 is full>"
    assert repr(replace(decided, verdict=Verdict.PROVED, reason="")) == "<p4-note/as-stated: proved, not as expected>"


def test_a_strategy_is_followed_move_by_move() -> None:
    """Moves and positions are written as in specs. Illegal moves, and moves that no play has, give different errors."""
    start = specs().certificate(CAREFUL).strategy()
    play = start.after("4", "0")
    assert (start.board.position, play.board.position, play.board.last) == (".........", "O...X....", "0")
    assert set(play.moves.values()) == {"all.corner"}
    assert (start.after("4").shortest, start.after("4").longest) == (4, None)
    assert play.after("2", "8", "6").end == "X wins"
    assert start.after(4, 0).board == play.board
    assert (play.after("2", "8", "6").longest, play.after("2", "8", "6").moves) == (0, {})
    with pytest.raises(verifier.IllegalMoveError, match="the spot is taken"):
        play.after("4")
    with pytest.raises(verifier.UsageError, match="does not have the move 1 here; its moves: 2 6 8"):
        play.after("1")
    with pytest.raises(verifier.NotationError):
        play.after("4.4")


def test_a_single_refuting_play_has_no_strategy() -> None:
    with pytest.raises(verifier.UsageError, match="no strategy to play against"):
        specs().evidence(LOWEST, "as-stated").strategy()


def test_a_witness_shows_what_fails() -> None:
    witness = specs().witness(specs().check(LOWEST)[f"{LOWEST}/as-stated"])
    assert witness is not None
    boards = [board for _, board in witness.boards]
    assert boards[0] == specs().board("paper")
    assert len(boards) == 6
    assert boards[-1] == boards[0].play(*(move for move, _ in witness.boards[1:]))
    assert witness._repr_html_().count("<svg") == 6


def test_a_step_that_fails_is_a_witness_too() -> None:
    """It begins in a position, and says whether play reaches this position."""
    result = specs().check("lemma-2", reading="the-six-alone")["lemma-2/the-six-alone"]
    witness = specs().witness(result)
    assert result.verdict is verifier.Verdict.REFUTED
    assert witness is not None
    assert witness.title.endswith("(reachable in legal play)")


@pytest.mark.parametrize("form", FORMATS)
def test_a_ledger_is_rendered_as_the_command_prints_it(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each format is what ``check --format`` prints, except for the command in it. The default is HTML."""
    monkeypatch.setattr("sys.argv", ["verifier"])
    loaded = verifier.load(SPECS)
    loaded.check(LOWEST)  # which is remembered, for both
    told = command("check", LOWEST, "--jobs", 1, "--format", form).out
    made_by = {"html": "<code>{}</code>", "sarif": '"commandLine": "{}"'}.get(form, "made by {}")
    ledger = loaded.check(LOWEST)
    assert loaded.render(ledger, form) == told.replace(made_by.format("verifier"), made_by.format(""))
    assert form != "html" or loaded.render(ledger) == loaded.render(ledger, form)


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("careful-first-is-safe", "CLAIM/READING, such as careful-first-is-safe/as-stated"),
        ("careful-first-is-saf", "did you mean 'careful-first-is-safe' or"),
        ("careful-first-is-safe/as-state", "did you mean 'careful-first-is-safe/as-stated'"),
    ],
)
def test_an_unknown_reading_of_a_ledger_is_a_key_error(name: str, near: str) -> None:
    with pytest.raises(KeyError, match=near):
        _ = specs().look("careful-first-is-safe")[name]


def test_a_notebook_shows_a_short_table_of_a_ledger() -> None:
    """There is a row for each claim. If there are many claims, the last row says how many more there are."""
    assert specs().look("examples")._repr_html_().count("<tr>") == 2
    every = specs().look()
    assert every._repr_html_().count("<tr>") == 13
    assert f"and {len(every.claims) - 12} more claims" in every._repr_html_()
