from tests.lines import PROOFS, graph_of, line_to_win, reach, shipped_guide, strategy_graph
from verifier.kernel.certificate import read_index


def test_every_move_leads_where_the_game_says() -> None:
    """By the rules, the move of each edge leads to the edge's position. Olivia has every legal move."""
    graph = strategy_graph()
    for number in range(0, len(graph.positions), 37):
        position = graph.positions[number]
        for edge in graph.edges[number]:
            assert graph.game.play(position, edge.move) == graph.positions[edge.to]
        if graph.movers[number] == "O":
            assert sorted(edge.move for edge in graph.edges[number]) == sorted(graph.game.legal_moves(position))


def test_xavier_moves_by_a_rule_and_olivia_by_none() -> None:
    graph = strategy_graph()
    for mover, edges in zip(graph.movers, graph.edges, strict=True):
        assert all(bool(edge.rule) == (mover == "X") for edge in edges)


def test_the_soonest_and_the_latest_win() -> None:
    """From the start, wins are at plies 29 to 43, and there are plays that end at either ply."""
    graph = strategy_graph()
    guide = graph.guide
    assert (len(graph.edges), sum(map(len, graph.edges))) == (63960, 102529)
    assert {end for end, edges in zip(guide.ends, graph.edges, strict=True) if not edges} == {"X wins"}
    assert (guide.shortest[0], guide.longest[0]) == (29, 43)
    for plies in (29, 43):
        number = reach(graph, line_to_win(graph, plies))
        assert guide.ends[number] == "X wins"
        assert graph.game.ply(graph.positions[number]) == plies


def test_the_plies_to_a_win_follow_from_the_moves() -> None:
    """A position needs one ply more than the smallest, or largest, number among the positions after its moves."""
    graph = strategy_graph()
    for number in range(0, len(graph.edges), 11):
        following = [edge.to for edge in graph.edges[number]]
        if following:
            assert graph.guide.shortest[number] == 1 + min(graph.guide.shortest[to] for to in following)
            assert graph.guide.longest[number] == 1 + max(graph.guide.longest[to] for to in following)


def test_a_guide_has_the_moves_and_rules_of_the_graph() -> None:
    """The moves at a position, and their rules."""
    graph = strategy_graph()
    guide, positions = graph.guide, graph.positions
    for number in range(0, len(positions), 101):
        moves = guide.moves(positions[number])
        assert {(move, rule, guide.find(after)) for move, (rule, after) in moves.items()} == {
            (edge.move, edge.rule, edge.to) for edge in graph.edges[number]
        }


def test_a_folded_graph_leads_to_images() -> None:
    """After a move, the permutation maps the board to the position that the move leads to. No move is missing."""
    guide = shipped_guide(read_index(PROOFS).filed["sim-second-player/as-stated"])
    assert guide is not None
    graph = graph_of(guide)
    positions = graph.positions
    game = graph.game
    for position, mover, edges in zip(positions, graph.movers, graph.edges, strict=True):
        if mover == "X":
            assert [edge.move for edge in edges] == list(game.legal_moves(position))
        else:
            assert len(edges) == bool(mover)
        for edge in edges:
            turn = graph.turns[edge.turn]
            after = game.play(position, edge.move)
            images = [sum(1 << turn[s] for s in range(15) if mask >> s & 1) for mask in after]
            assert images == list(positions[edge.to])
    assert graph.guide.longest[0] <= 15
    for position, edges in zip(positions[::50], graph.edges[::50], strict=True):
        assert list(guide.moves(position)) == [edge.move for edge in edges]
