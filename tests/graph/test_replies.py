from __future__ import annotations

import functools
import random
from typing import Any

import pytest

from tests.lines import PROOFS
from verifier.graph.replies import CUT, ENDS, TOO_FEW, ReplyGraph
from verifier.kernel.certificate import unpack
from verifier.kernel.games.nested import PAPER, Position
from verifier.kernel.index import read_index
from verifier.kernel.relabel import SYMMETRIES
from verifier.kernel.store import TABLE, files_of, read_certificate, read_named

GAME = PAPER


@functools.cache
def graph_of(claim: str) -> ReplyGraph:
    def read(digest: str) -> Any:
        return unpack(read_named(files_of(PROOFS), digest, TABLE), "the replies")

    graph = ReplyGraph(read)
    for name, statement in read_index(PROOFS).filed.items():
        if name.partition("/")[0] == claim:
            certificate = read_certificate(PROOFS, statement)
            graph.add(name, certificate.statement, certificate.evidence)
    return graph


@pytest.mark.parametrize("claim", ["beyond-opening-0-8", pytest.param("theorem-1", marks=pytest.mark.slow)])
@pytest.mark.parametrize("seed", range(40))
def test_the_replies_are_legal_and_hold(claim: str, seed: int) -> None:
    """Against any play of his, her replies are legal, all his moves are there, and he does not win before an end."""
    draw = random.Random(seed)
    graph = graph_of(claim)
    challenge = graph.challenges[0]
    position: Position = challenge.start
    node, lie = challenge.node, tuple(range(9))
    while True:
        reply = graph.replies[node - ENDS]
        if reply.move is not None:
            move = lie[reply.move[0]], lie[reply.move[1]]
            assert move in GAME.legal_moves(position)
            position = GAME.play(position, move)
        steps = {(lie[step.move[0]], lie[step.move[1]]): step for step in reply.steps}
        if GAME.winner(position) == "O":
            break
        assert sorted(steps) == sorted(GAME.legal_moves(position))
        back = [move for move in steps if move[1] == position.active or move[0] == move[1]]
        move = draw.choice(back or sorted(steps))
        position = GAME.play(position, move)
        assert GAME.winner(position) is None or GAME.ply(position) > challenge.through
        step = steps[move]
        node, lie = step.to, tuple(lie[digit] for digit in SYMMETRIES[step.symmetry])
        if node in (TOO_FEW, CUT):
            break
    assert GAME.ply(position) > GAME.ply(challenge.start)


@pytest.mark.slow
def test_theorem_1_has_all_its_replies() -> None:
    """The graph of the whole game has 81 first moves, and her replies to what follows."""
    graph = graph_of("theorem-1")
    (challenge,) = graph.challenges
    assert len(graph.replies[challenge.node - ENDS].steps) == 81
    assert sum(reply.move is not None for reply in graph.replies) == 55_207


@pytest.mark.slow
def test_her_first_reply_follows_the_symmetry() -> None:
    """The doubles in the four corners are one position, each lying its own way on the board."""
    graph = graph_of("theorem-1")
    steps = {step.move: step for step in graph.replies[graph.challenges[0].node - ENDS].steps}
    corners = [steps[f, f] for f in (0, 2, 6, 8)]
    assert len({step.to for step in corners}) == 1
    assert len({step.symmetry for step in corners}) == 4
