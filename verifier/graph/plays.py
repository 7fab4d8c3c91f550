"""Follows the plays of a certificate move by move, and finds how many plies each position is away from a win.

All moves, rules and positions come from the kernel, which visits the positions when it decides the certificate. The
list of these positions is called a *walk*. A *guide* has a walk, and also says how its plays end, and how many plies
each position is away from a win.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from verifier.kernel.certificate import CertificateContent, FileReader
from verifier.kernel.decide import Memo, decide
from verifier.kernel.errors import CertificateError, UsageError
from verifier.kernel.games.lines import Images, Permutation
from verifier.kernel.plays import Node, oppose
from verifier.kernel.relabel import Symmetries
from verifier.kernel.rounds import find_starts
from verifier.kernel.statement import Statement, parse_statement
from verifier.kernel.words import counted
from verifier.presentation.family import describe_end

Walk = tuple[Node, ...]
"""Every position of a statement's plays, with the moves made there: ply by ply, in the order of the kernel."""

NO_WIN = -1
"""Stands in ``Guide.shortest`` if the claimant wins no play, and in ``Guide.longest`` if he does not win every play."""


MAX_FOLDED_POSITIONS = 500_000
"""Maximum number of positions in a walk that ``fold`` draws as groups of positions. This many take about 1 GB."""


@dataclass(frozen=True, slots=True)
class CertificateWalk:
    """The walk that the kernel made to decide a certificate.

    Attributes:
        statement: the statement that the plays are about. If the certificate refutes its statement with the
            opponent's moves, this is the opponent's claim.
        nodes: the walk; the positions where plays start are first.
        symmetries: if not None, a position of the walk stands for all its images under these symmetries. An image
            is, for example, the position on the turned or mirrored board.
        stats: what the kernel has counted, by name, such as ``positions``.
    """

    statement: Statement
    nodes: Walk
    symmetries: Symmetries | None
    stats: Mapping[str, int]

    def find_moves(self, node: Node) -> dict[Any, Any]:
        """Return the positions that can follow a node, each with the first legal move to it."""
        game, moves = self.statement.game, dict[Any, Any]()
        for move in game.legal_moves(node.position):
            moves.setdefault(find_stand_in(self.statement, self.symmetries, game.play(node.position, move)), move)
        return moves

    def find_lines(self, positions: Iterable[Any]) -> dict[Any, list[Any]]:
        """Return, for each given position of the walk, moves from a start to this position or to an image of it."""
        game, starts = self.statement.game, {*list_starts(self.statement, self.nodes)}
        came = dict[Any, Any]()
        for node in self.nodes:
            for _, after in node.edges:
                came.setdefault(after, node.position)
        lines = dict[Any, list[Any]]()
        for position in positions:
            way = [position]
            while way[-1] not in starts:
                way.append(came[way[-1]])
            at, lines[position] = way[-1], []
            for wanted in way[-2::-1]:
                found = ((move, game.play(at, move)) for move in game.legal_moves(at))
                move, at = next(
                    (move, after)
                    for move, after in found
                    if find_stand_in(self.statement, self.symmetries, after) == wanted
                )
                lines[position].append(move)
        return lines


def list_starts(statement: Statement, nodes: Walk) -> list[Any]:
    """Return the positions of a walk where plays start."""
    return [statement.start] if statement.given is None else [node.position for node in nodes if node.is_start]


def find_plies(statement: Statement, nodes: Walk) -> dict[Any, int]:
    """Return the ply of each position of a walk.

    If positions do not include the number of moves made, the ply is the smallest number of moves to the position.
    """
    if statement.has_number:
        return {node.position: statement.game.ply(node.position) for node in nodes}
    plies = dict.fromkeys(list_starts(statement, nodes), 0)
    for node in nodes:  # the shortest play to a position comes first in the walk
        for _, after in node.edges:
            plies.setdefault(after, plies[node.position] + 1)
    return plies


class _TooManyError(CertificateError):
    """There are too many positions. The kernel stops as soon as a limit is exceeded."""


class _Room(Memo):
    """Keeps a walk of up to ``MAX_FOLDED_POSITIONS`` positions, and stops the kernel if the walk has more.

    It also stops the kernel if more than ``limit`` positions are within ``depth`` plies of the start.
    """

    __slots__ = ("_plies", "depth", "limit")

    def __init__(self, depth: int, limit: int) -> None:
        super().__init__()
        self.depth, self.limit = depth, limit
        self._plies = dict[Any, int]()

    def has_room(self, nodes: Sequence[Node]) -> bool:
        """Return True if the walk may go on. Otherwise stop the kernel by an exception: half a walk is of no use."""
        if len(nodes) > MAX_FOLDED_POSITIONS:
            raise _TooManyError("too-large", f"there are more than {MAX_FOLDED_POSITIONS:,} positions")
        node = nodes[-1]
        ply = self._plies.setdefault(node.position, 0) if node.is_start else self._plies.get(node.position)
        if ply is not None and ply < self.depth:
            for _, after in node.edges:
                self._plies.setdefault(after, ply + 1)
            if len(self._plies) > self.limit:
                within = f"--depth {ply} has fewer" if ply else "leave out --depth"
                text = f"more than {self.limit:,} positions within {counted(ply + 1, 'ply', 'plies')}: {within}"
                raise _TooManyError("too-large", text)
        return True


class PlayMove(NamedTuple):
    """A move of a play.

    Attributes:
        rule: the label of the strategy's rule, ``phase.rule``; empty for a player who has no strategy.
        to: the number of the position after the move.
        turn: the index of a permutation in the list of ``find_edges``. It maps the position after the move to the
            position with the number ``to``.
    """

    move: tuple[int, ...]
    rule: str
    to: int
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Guide:
    """The plays of a walk, position by position.

    Attributes:
        statement: the statement that the plays belong to.
        nodes: the walk; the start is first.
        numbers: the number of each position of the walk.
        symmetries: if not None, a position of the walk stands for all its images under these symmetries.
        ends: for each position, how a play ends at it; empty if play goes on.
        shortest: for each position, the fewest plies to a win of the claimant; ``NO_WIN`` if he wins no play.
        longest: for each position, the most plies to his win; ``NO_WIN`` if he does not win every play.
    """

    statement: Statement
    nodes: Walk
    numbers: Mapping[Any, int]
    symmetries: Symmetries | None
    ends: tuple[str, ...]
    shortest: tuple[int, ...]
    longest: tuple[int, ...]

    def find(self, position: Any) -> int | None:
        """Return the number of a position, or of the position that stands for it; None if no play reaches it."""
        return self.numbers.get(self.stand_in(position))

    def node(self, position: Any) -> Node:
        """Return the walk's node for a position that some play reaches."""
        return self.nodes[self.numbers[self.stand_in(position)]]

    def stand_in(self, position: Any) -> Any:
        """Return the position of the walk that stands for a position.

        The start of the walk stands for itself. For any other position, the number of moves made so far is left out if
        the statement does not depend on it (``has_number`` is False). Then, if there are symmetries, the least image
        of the position stands for it.
        """
        start = self.nodes[0].position
        return start if position == start else find_stand_in(self.statement, self.symmetries, position)

    def moves(self, position: Any) -> dict[tuple[int, ...], tuple[str, Any]]:
        """Return the moves at a position, each with the strategy's rule and the position after it.

        If there are symmetries, and the claimant is to move, return only the first move that leads to a position of the
        walk or to an image of it. Other moves often lead to images of the same position.
        """
        if self.find(position) is None:
            return {}
        node, game = self.node(position), self.statement.game
        rules = {self.numbers[after]: label for label, after in node.edges}
        reached = [(move, game.play(position, move)) for move in game.legal_moves(position)]
        stand_ins = {move: find_stand_in(self.statement, self.symmetries, after) for move, after in reached}
        found = {
            move: (rules[to], after) for move, after in reached if (to := self.numbers.get(stand_ins[move])) in rules
        }
        is_one = self.symmetries is not None and node.mover == self.statement.claimant
        return dict(list(found.items())[:1]) if is_one else found


def find_stand_in(statement: Statement, symmetries: Symmetries | None, position: Any) -> Any:
    """Return the position of a walk that stands for a position after a move.

    The start of a walk stands for itself: do not call this for the start.
    """
    if not statement.has_number:
        position = statement.game.without_number(position)
    return position if symmetries is None else symmetries.least(position)


def follow_walk(
    certificate: CertificateContent, read: FileReader, depth: int = 0, limit: int = MAX_FOLDED_POSITIONS
) -> CertificateWalk | None:
    """Let the kernel decide a certificate, and return its walk; None if the kernel kept no walk.

    If the opponent's moves refute the statement, the plays are those of the opponent's claim.

    Args:
        certificate: the certificate.
        read: reads the files that the certificate names.
        depth: a number of plies after the start.
        limit: maximum number of positions within ``depth`` plies of the start.

    Raises:
        CertificateError: the evidence does not prove the verdict.
        UsageError: there are too many positions. The kernel stops as soon as a limit is exceeded.
    """
    try:
        return _follow(certificate, read, _Room(depth, limit))
    except _TooManyError as error:
        raise UsageError(error.args[1]) from None


def _follow(certificate: CertificateContent, read: FileReader, memo: Memo) -> CertificateWalk | None:
    data, evidence = certificate.statement, certificate.evidence
    result = decide(data, certificate.verdict, evidence, read, memo)
    statement = memo.statement or parse_statement(data)
    if certificate.verdict == "refuted" and "table" in evidence:
        statement = oppose(statement, evidence["objective"])
    symmetries = Symmetries(data, statement, evidence["symmetries"]) if "symmetries" in evidence else None
    return CertificateWalk(statement, tuple(memo.last), symmetries, result.stats) if memo.last else None


def follow_plays(certificate: CertificateContent, read: FileReader) -> Guide | None:
    """Let the kernel decide a certificate, and return a guide to its walk; None if the kernel kept no walk.

    Raises:
        CertificateError: the evidence does not prove the verdict.
    """
    walked = _follow(certificate, read, Memo())
    return None if walked is None else build_guide(walked.statement, walked.nodes, walked.symmetries)


def build_guide(statement: Statement, walked: Walk, symmetries: Symmetries | None) -> Guide:
    """Return a guide to the plays of a walk, with the ends of plays and the number of plies to a win."""
    numbers = {node.position: number for number, node in enumerate(walked)}
    ends = tuple(
        "" if node.mover else node.breakdown or describe_end(statement, node.position) or "" for node in walked
    )
    shortest, longest = [NO_WIN] * len(walked), [NO_WIN] * len(walked)
    before: tuple[list[int], list[int]] | None = None
    while before != (shortest, longest):
        before = ([*shortest], [*longest])
        for number in reversed(range(len(walked))):
            following = [numbers[after] for _, after in walked[number].edges]
            if ends[number] == f"{statement.claimant} wins":
                shortest[number] = longest[number] = 0
            wins = [shortest[to] for to in following if shortest[to] != NO_WIN]
            if wins:
                shortest[number] = 1 + min(wins)
            if following and all(longest[to] != NO_WIN for to in following):
                longest[number] = 1 + max(longest[to] for to in following)
        if statement.has_number:  # a move leads to a later position of the walk, so one pass is enough
            break
    return Guide(statement, walked, numbers, symmetries, ends, tuple(shortest), tuple(longest))


def find_edges(guide: Guide) -> tuple[list[list[PlayMove]], list[Permutation]]:
    """Return the moves at each position of a guide.

    Returns:
        The moves at each position, by the position's number; and the permutations to which ``turn`` refers. The
        identity comes first. Without symmetries, the list of permutations is empty.
    """
    turns, symmetries = {0: 0}, guide.symmetries
    images = Images(symmetries.group) if symmetries else None

    def lead(move: tuple[int, ...], rule: str, after: Any) -> PlayMove:
        if symmetries is None or images is None:
            return PlayMove(move, rule, guide.numbers[guide.stand_in(after)])
        least = symmetries.least(after)
        pairs = zip(*(images[mask] for mask in after), strict=True)
        turn = next(number for number, pair in enumerate(pairs) if pair == tuple(least))
        return PlayMove(move, rule, guide.numbers[least], turns.setdefault(turn, len(turns)))

    edges = [[lead(m, *there) for m, there in guide.moves(node.position).items()] for node in guide.nodes]
    return edges, [symmetries.group[turn] for turn in turns] if symmetries else []


def unfold(guide: Guide, limit: int) -> Walk | None:
    """Return a guide's walk without symmetries: each image of a position is a position of its own.

    Return None if more than ``limit`` positions come before the last ply. If the guide has no symmetries, return its
    own walk, whatever its length.
    """
    if guide.symmetries is None:
        return guide.nodes
    level, nodes = find_starts(guide.statement), list[Node]()
    starts, seen = {*level}, {*level}
    fold = guide.statement.game.without_number
    while level and len(nodes) <= limit:
        following: dict[Any, None] = {}
        for position in level:
            edges = tuple(guide.moves(position).values())
            if not guide.statement.has_number:
                edges = tuple((label, fold(after)) for label, after in edges)
            nodes.append(Node(position, guide.node(position).mover, edges, is_start=position in starts))
            following |= dict.fromkeys(after for _, after in edges if after not in seen)
            seen.update(following)
        level = [*following]
    return None if level else tuple(nodes)
