"""Tables from all given positions up to a permutation of cells, against an enumeration without the tool."""

from typing import Any

import pytest

from tests.kernel.asking import judge_table
from tests.kernel.test_cell_symmetries import WAYS, closed_games, moved, positions, powers
from tests.kernel.test_general import nim
from tests.kernel.test_rounds import Graph, Side, State, answer, force, longest, met, never
from tests.kernel.test_starts import formula_of, objectives_of
from tests.statements import KEPT, play
from verifier.kernel import rounds
from verifier.kernel.verdict import Result


@pytest.mark.parametrize("count", [25, pytest.param(1500, marks=pytest.mark.slow)])
def test_given_positions_up_to_symmetry_are_decided_as_an_enumeration_says(count: int) -> None:
    """A table up to symmetry shows a claim if and only if the claim holds in each given position itself."""
    told: dict[str, int] = {}
    for rng, data, formula, way in closed_games(count):
        graph, ways = Graph(data, positions()), [WAYS[0], *powers(way)]
        least = {here: min(moved(here, one) for one in ways) for here in graph.after}
        claimant = rng.choice("XO")
        opponent = {"X": "O", "O": "X"}[claimant]
        goal = {here for here in graph.after if graph.says(here, formula)}
        folded = {here: {text: least[to] for text, to in after.items()} for here, after in graph.after.items()}
        for kind in ("reach", "prevent"):
            player = claimant if kind == "reach" else opponent
            forced = force(player, {h: {} if h in goal else a for h, a in graph.after.items()}, goal)
            going = sorted(here for here, after in graph.after.items() if after)
            kept = [here for here in going if (here in forced) == (kind == "reach")]
            starts = {*rng.sample(kept if kept and rng.random() < 0.6 else going, 1)}
            starts |= {*rng.sample(sorted(kept) or going, min(3, len(kept)))}
            held = starts & {*forced} if kind == "reach" else starts - {*forced}
            is_proof = held == starts
            is_forced = is_proof == (kind == "reach")
            said = play(
                data,
                graph.text(min(starts)),
                objectives_of(formula, True)[kind],
                given=formula_of(starts),
                claimant=claimant,
            )
            side = Side(graph, claimant if is_proof else opponent, folded, goal if is_forced else set())
            best: dict[State, list[str]] = {}
            for here, legal in folded.items():
                rank = sorted(legal, key=lambda text, legal=legal: forced.get(legal[text], 999))  # type: ignore[misc]
                best[here] = rank[:1] if is_forced else [t for t in rank if legal[t] not in forced][:1] or rank[:1]
            begin = {least[start] for start in starts} if is_proof else {rng.choice(sorted(starts - held))}
            verdict, evidence = "proved", dict[str, Any]()
            if not is_proof:
                verdict, evidence = "refuted", {"objective": "it", "start": graph.text(min(begin))}
            evidence["symmetries"] = [[*way]]
            for moves in (best, *({h: [rng.choice([*a])] if a else [] for h, a in folded.items()} for _ in range(3))):
                made = side.plays(moves)
                here_met = set().union(*(met(start, made) for start in begin))
                listed = [h for h in here_met if made[h] and " XO"[h[2]] == side.player]
                table = {graph.text(here): moves[here] for here in listed}
                is_shown = not begin & never(made, goal) if is_forced else not here_met & goal
                assert is_shown or moves is not best
                found = answer(said, verdict, evidence, table)
                assert isinstance(found, Result) == is_shown, (found, said)
                if isinstance(found, Result):
                    assert found.stats["positions"] == len(here_met)
                    if is_forced:
                        assert found.stats["bound"] == max(longest(start, made, goal) for start in begin)
                    if not is_proof:
                        assert not isinstance(answer(said, "proved", {"symmetries": [[*way]]}, table), Result)
                told[f"{verdict} {is_shown}"] = told.get(f"{verdict} {is_shown}", 0) + 1
                gone = rng.choice(sorted(table)) if table else None
                if gone and is_shown:
                    less = {text: entry for text, entry in table.items() if text != gone}
                    assert answer(said, verdict, evidence, less) == "missing-entry"
            outside = {h for h in graph.after if least[h] in {least[s] for s in starts - held}} - starts
            for other in sorted(outside)[:1]:  # the claim is false there, but it says nothing of this image
                elsewhere = {**evidence, "objective": "it", "start": graph.text(other)}
                assert answer(said, "refuted", elsewhere, {}) == "not-refuted"
                told["elsewhere"] = told.get("elsewhere", 0) + 1
    assert len(told) == 5, told
    assert min(told.values()) >= count // 25, told


def test_given_positions_are_counted_up_to_symmetry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two heaps of up to 15 stones have 512 positions with a player to move, and 272 up to the order of the heaps."""
    said = play(
        nim(2, 2),
        "2.2 X 0",
        {"name": "it", "type": "prevent", "goal": ["==", 0, 1], "through": None},
        given=True,
        claimant="X",
    )
    for most, reason in ((272, "missing-entry"), (271, "limit")):
        monkeypatch.setattr(rounds, "MAX_STARTS", most)
        assert judge_table(said, {"moves": {}}, symmetries=[[1, 0]]) == reason
    assert judge_table(said, {"moves": {}}) == "limit"


def test_symmetries_of_given_positions_need_a_claim_that_they_keep() -> None:
    """A ``keep``, a number of moves, and ``old`` are refused as they are without ``given``, or without symmetries."""
    said = play(
        nim(2, 2), "2.2 X 0", {"name": "it", "type": "prevent", "goal": ["X_wins"], "through": None}, given=True
    )
    for changes, reason in (
        ({"objectives": [KEPT]}, "not-a-symmetry"),
        ({"given": ["<", ["ply"], 3]}, "malformed"),
        ({"given": True, "horizon": 4}, "malformed"),
    ):
        assert judge_table({**said, **changes}, {"moves": {}}, symmetries=[[1, 0]]) == reason
    for ways in ([[0, 1, -1]], [[1]], [[1, 1]], []):
        assert judge_table(said, {"moves": {}}, symmetries=ways) == "malformed"
