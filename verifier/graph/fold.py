"""The folded strategy graph: the positions of a certificate's plays, in a few groups.

The kernel's *walk* is the list of all positions of the plays. Each position is in one group, and each move of the walk
is counted in one edge. The groups are:

- The phases of the strategy in force: the claimant's strategy or, if he has none, the opponent's. If the player with
  this strategy is to move, the position belongs to the phase of the rule that he uses. If the other player is to move,
  the position belongs to the phase of its predecessor: the first position in the walk that has a move to it. Usually,
  this is the phase of the move just made. The replies to the move are then counted in the same phase. Positions before
  the first move of the strategy are a group of their own. If all rules are of one phase, and there are at most
  ``MAX_GROUPS`` rules, there is a group for each rule instead.
- Plies, if no player has a strategy. Then the moves come from a table, or every legal move is made. If there are more
  than ``MAX_GROUPS`` plies, a group has several plies.
- The ends of plays: a group for each way in which a play ends.

If play may go on for ever, positions do not include the number of moves made. Then the ply of a position is the
smallest number of moves that lead to it from the start, or from one of the starts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import networkx as nx

from verifier.graph.build import HELD, describe_position, find_rules, label_edges, start_graph
from verifier.graph.plays import CertificateWalk, Walk, find_plies, list_starts
from verifier.kernel.games import OTHER
from verifier.kernel.plays import Node
from verifier.kernel.statement import Statement
from verifier.kernel.words import counted
from verifier.presentation.family import describe_end
from verifier.presentation.registry import find_presentation

MAX_GROUPS = 12
"""Maximum number of groups of plies or rules. A picture with more groups is hard to read."""

BEFORE = "before the strategy"
"""The group of the positions before the first move of the strategy."""

BROKEN, GOAL = "a strategy breaks down", "goal"
"""Two of the ways in which a play can end: a strategy breaks down (``BROKEN``), or the goal is reached (``GOAL``).

``HELD`` and the results of ``describe_end`` are the other ways.
"""


class GroupKey(NamedTuple):
    """What the positions of a group share.

    Attributes:
        kind: ``phase``, ``rule``, ``plies``, ``end`` or ``position``.
        name: the phase, the rule, the plies, how plays end, or the name of the single position.
    """

    kind: str
    name: str

    def __str__(self) -> str:
        return self.name if self.kind == "position" else f"{self.kind} {self.name}"


@dataclass(slots=True)
class _Moves:
    """Counts moves: all moves, all replies, the moves of each rule, and the replies that each rule answers.

    The rules are those of the strategy. A *reply* is a move of the other player (``fold_plays``).
    """

    moves: int = 0
    replies: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)

    def add(self, rule: str, answer: str, count: int, *, is_reply: bool) -> None:
        """Add ``count`` moves of one rule, or ``count`` replies that one rule answers."""
        self.moves += count
        self.replies += count * is_reply
        if rule and not is_reply:
            self.rules[rule] += count
        if answer and is_reply:
            self.answers[answer] += count

    def describe(self) -> dict[str, Any]:
        counts = {"rules": dict(self.rules), "answers": dict(self.answers)}
        return {"moves": self.moves, "replies": self.replies, **counts}


def fold_plays(walked: CertificateWalk, depth: int = -1) -> nx.DiGraph[str]:
    """Return the folded graph of a walk.

    The graph's attribute ``player`` is the player with the strategy; if there is none, the claimant. An edge has these
    attributes:

    - ``moves``: the number of its moves;
    - ``replies``: the number of replies, which are moves of the player without the strategy or, if nobody has a
      strategy, of the claimant's opponent;
    - ``rules``: for each rule of the strategy, the number of moves by this rule;
    - ``answers``: for each rule of the strategy, the number of replies that this rule answers.

    A node has the same attributes, added up for all moves from its positions, and these:

    - ``label``, and ``kind``: ``phase``, ``rule``, ``plies`` or ``end``;
    - ``positions`` and ``plies``: the number of its positions, in all and at each ply;
    - ``most_replies``: the greatest number of replies in one of its positions;
    - ``first`` and ``last``: the first and the last ply of its positions;
    - ``example``: one of its positions;
    - ``line``: moves from the start to the example, or to a position that is symmetric to the example; missing if plays
      have several starts;
    - ``first_line``: the same as ``line``, but for the first of its positions, at the ply ``first``;
    - ``reason``: how plays end; only if ``kind`` is ``end``.

    Args:
        walked: the walk of a certificate.
        depth: positions that are at most this many plies after the start are nodes of their own, with the attributes of
            a strategy graph. Their ``kind`` is ``position``.
    """
    statement, nodes = walked.statement, walked.nodes
    plies = find_plies(statement, nodes)
    keys = find_groups(walked, depth)
    members = dict[GroupKey, list[Node]]()
    player = find_player(statement)
    answers = {node.position: node.edges[0][0] for node in nodes if node.edges and node.mover == player}
    other = OTHER[player or statement.claimant]
    most = dict.fromkeys(keys.values(), 0)
    alike = Counter[tuple[GroupKey, GroupKey, str, str, bool]]()  # there are many moves, but of few kinds
    for node in nodes:
        key, is_reply = keys[node.position], node.mover == other
        members.setdefault(key, []).append(node)
        most[key] = max(most[key], len(node.edges) * is_reply)
        alike.update((key, keys[after], label, answers.get(after, ""), is_reply) for label, after in node.edges)
    leaving = {key: _Moves() for key in members}
    moves = dict[tuple[GroupKey, GroupKey], _Moves]()
    for (key, to, label, answer, is_reply), count in alike.items():
        for counted_moves in (leaving[key], moves.setdefault((key, to), _Moves())):
            counted_moves.add(label, answer, count, is_reply=is_reply)
    graph = start_graph(statement, kind="folded")
    graph.graph |= {"positions": len(nodes), "moves": sum(len(node.edges) for node in nodes)}
    graph.graph["player"] = player or statement.claimant
    graph.graph["symmetric"] = walked.symmetries is not None
    rules = find_rules(nodes) if depth >= 0 else {}
    examples = {key: _choose_example(statement, key, own).position for key, own in members.items()}
    firsts = {key: min(own, key=lambda node: plies[node.position]).position for key, own in members.items()}
    ways = walked.find_lines({*examples.values(), *firsts.values()})
    lines = {position: " ".join(map(statement.game.format_move, moves)) for position, moves in ways.items()}
    for key, own in members.items():
        data = {"kind": key.kind, "positions": len(own)}
        if key.kind == "position":
            position = own[0].position
            data |= describe_position(statement, own[0], plies[position], rules[position])
        else:
            data |= _describe_group(statement, key, own, plies) | leaving[key].describe()
            data["most_replies"] = most[key]
            data["example"] = statement.game.format_position(examples[key])
        if statement.given is None:
            data["line"] = lines[examples[key]]
            data |= {} if key.kind == "position" else {"first_line": lines[firsts[key]]}
        graph.add_node(str(key), **data)
    for (key, to), found in moves.items():
        graph.add_edge(str(key), str(to), **found.describe())
    _name_moves(graph, walked, members)
    return graph


def add_sentences(graph: nx.DiGraph[str], said: Mapping[str, str]) -> None:
    """Give each group of a phase in a folded graph the sentence about this phase, as ``says``. This changes the graph.

    Nothing is added to groups of other kinds, such as groups of rules.
    """
    for phase in said:
        if f"phase {phase}" in graph:
            graph.nodes[f"phase {phase}"]["says"] = said[phase]


def find_groups(walked: CertificateWalk, depth: int = -1) -> dict[Any, GroupKey]:
    """Return, for each position of a walk, the group that it belongs to."""
    statement, nodes = walked.statement, walked.nodes
    plies = find_plies(statement, nodes)
    first = plies[nodes[0].position]  # the nodes begin with the starts
    find_group = _group_by_phase(statement, nodes) if find_player(statement) else _group_by_ply(nodes, plies)
    keys = dict[Any, GroupKey]()
    for number, node in enumerate(nodes):
        if plies[node.position] - first <= depth:
            keys[node.position] = GroupKey("position", f"n{number}")
        elif node.edges:
            keys[node.position] = find_group(node.position)
        else:
            keys[node.position] = GroupKey("end", find_reason(statement, node))
    return keys


def find_player(statement: Statement) -> str:
    """Return the player whose strategy is in force: the claimant, else the opponent; empty if neither has one."""
    players = (statement.claimant, OTHER[statement.claimant])
    return next((player for player in players if player in statement.strategies), "")


def find_reason(statement: Statement, node: Node) -> str:
    """Return how plays end in a position. The words do not name the ply, so that ends of one kind are one group."""
    if node.mover:
        return HELD
    if node.breakdown:
        return BROKEN
    reason = describe_end(statement, node.position) or ""
    is_goal = reason == "horizon" and statement.until is not None and statement.until(node.position)
    return GOAL if is_goal else reason


def _group_by_phase(statement: Statement, nodes: Walk) -> Callable[[Any], GroupKey]:
    player = find_player(statement)
    # All choices of a strategy in one position are of one phase. If they are of several rules, take the first rule.
    own = {node.position: node.edges[0][0] for node in nodes if node.edges and node.mover == player}
    rules, before = {*own.values()}, GroupKey("phase", BEFORE)
    is_one_phase = len({_phase_of(rule) for rule in rules}) == 1 and len(rules) <= MAX_GROUPS
    keys = dict.fromkeys(list_starts(statement, nodes), before)
    for node in nodes:
        if rule := own.get(node.position):
            keys[node.position] = GroupKey("rule", rule) if is_one_phase else GroupKey("phase", _phase_of(rule))
        for _, after in node.edges:
            keys.setdefault(after, keys[node.position])
    return lambda position: keys[position]


def _phase_of(rule: str) -> str:
    return rule.partition(".")[0]


def _group_by_ply(nodes: Walk, plies: Mapping[Any, int]) -> Callable[[Any], GroupKey]:
    there = [plies[node.position] for node in nodes if node.edges] or [0]
    first, last = min(there), max(there)
    size = -(-(last - first + 1) // MAX_GROUPS)

    def find_range(position: Any) -> GroupKey:
        start = first + (plies[position] - first) // size * size
        end = min(start + size - 1, last)
        return GroupKey("plies", f"{start}" if start == end else f"{start} to {end}")

    return find_range


def _describe_group(statement: Statement, key: GroupKey, nodes: list[Node], plies: Mapping[Any, int]) -> dict[str, Any]:
    counts = Counter(plies[node.position] for node in nodes)
    first, last = min(counts), max(counts)
    data = {
        "label": "\n".join([*_say_name(statement, key, first, last), counted(len(nodes), "position")]),
        "first": first,
        "last": last,
        "plies": dict(counts),
    }
    return data | ({"reason": key.name} if key.kind == "end" else {})


def _say_name(statement: Statement, key: GroupKey, first: int, last: int) -> Iterable[str]:
    names = {f"{player} wins": f"{name} wins" for player, name in find_presentation(statement.game).players.items()}
    names |= {"horizon": "the claim ends here", GOAL: "the goal is reached"}
    one, many = ("ply ", "plies ") if statement.has_number else ("moves from the start: ",) * 2
    when = f"{one}{first}" if first == last else f"{many}{first} to {last}"
    name = key.name.partition(".")[2] if key.kind == "rule" else names.get(key.name, key.name)
    return [when] if key.kind == "plies" else [name, when]


def _choose_example(statement: Statement, key: GroupKey, nodes: list[Node]) -> Node:
    """Return the position that is shown as an example of a group.

    In a group of ends, this is the soonest end. In other groups, look at the positions in which one player is to move:
    the player with the strategy or, if there is no strategy, the claimant. If there are no such positions, look at all
    positions of the group. Return the middle one.
    """
    if key.kind == "end":
        return nodes[0]
    player = find_player(statement) or statement.claimant
    own = [node for node in nodes if node.mover == player] or nodes
    return own[len(own) // 2]


def _name_moves(graph: nx.DiGraph[str], walked: CertificateWalk, members: Mapping[GroupKey, list[Node]]) -> None:
    """Give each edge between single positions the attributes of an edge in a strategy graph. This changes the graph."""
    game = walked.statement.game
    single = {nodes[0].position: str(key) for key, nodes in members.items() if key.kind == "position"}
    for nodes in [nodes for key, nodes in members.items() if key.kind == "position"]:
        node = nodes[0]
        moves = walked.find_moves(node)
        for after, labels in label_edges(node).items():
            if after in single:
                to = graph.nodes[single[after]]
                looks = {"ply": to["ply"], "position": to["position"]}
                move, rule = game.format_move(moves[after]), "|".join(labels)
                graph.edges[single[node.position], single[after]].update(move=move, rule=rule, **looks)
