from dataclasses import replace

from tests.rules import find_rules, specs
from verifier.kernel.verdict import Verdict
from verifier.questions.compile import compile_reading
from verifier.questions.finding import Task
from verifier.questions.line.evidence import show
from verifier.questions.plays.evidence import search
from verifier.questions.result import Line, pending_result


def test_a_refuted_line_shows_how_far_it_goes() -> None:
    """Every refuted line of the specs has a legal line as its witness, and a reason why this line cannot go on."""
    library = specs()
    reasons = []
    for claim in library.claims:
        for name, reading in library.claim(claim).readings.items():
            if reading.question != "line" or reading.expect != "refuted":
                continue
            task = Task(library, claim, name, compile_reading(library, claim, name))
            first = search(task)
            found = first if first.verdict is Verdict.REFUTED or first.fallback is None else first.fallback()
            assert found is not None
            assert found.verdict is Verdict.REFUTED
            assert found.evidence is not None
            result = replace(pending_result(library.claim(claim), name), verdict=Verdict.REFUTED)
            witness = show(task, result, found.evidence).witness
            assert isinstance(witness, Line)
            game = find_rules(library.claim(claim).rules)
            position = game.parse_position(witness.start)
            for move in witness.moves:
                position = game.play(position, game.parse_move(move))
            assert game.format_position(position) == witness.position
            reasons.append(witness.reason)
    assert any("the next move, 0.1, is not legal" in reason for reason in reasons)
    assert any("legal, but at its end 'plain_by_columns(spot(2, 2))' does not hold" in reason for reason in reasons)
