"""The evidence for one reading: what it states, what shows it, and its plays as graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from verifier.audit.context import Context
from verifier.kernel.errors import UsageError
from verifier.kernel.verdict import Result, Verdict
from verifier.kernel.words import describe_statement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verifier.api.board import Board
    from verifier.api.play import Play
    from verifier.audit.plays import Plays
    from verifier.graph.build import Graph
    from verifier.language.saying import RuleWords


@dataclass(frozen=True, slots=True)
class Certificate:
    """The evidence for one reading, as a file has it. Nothing in it is believed until the kernel has decided.

    >>> import verifier
    >>> certificate = verifier.load().certificate("careful-first-is-safe")
    >>> certificate
    <Certificate careful-first-is-safe/as-stated: proved>
    >>> graph = certificate.graph()
    >>> graph.nodes["n0"]["position"], graph.nodes["n0"]["ply"], graph.nodes["n0"]["rule"]
    ('.........', 0, 'all.centre')
    >>> graph.edges["n0", "n1"]
    {'move': '4', 'rule': 'all.centre', 'ply': 1, 'position': '....X....'}

    Attributes:
        plays: the reading, and its evidence as the kernel reads it.
        context: where the files are that the evidence names.
    """

    plays: Plays
    context: Context

    @property
    def name(self) -> str:
        """The reading, as ``CLAIM/READING``."""
        return self.plays.name

    @property
    def statement(self) -> dict[str, Any]:
        """The statement, as JSON in the kernel's terms."""
        return self.plays.certificate.statement

    @property
    def words(self) -> str:
        """The statement in one line."""
        return describe_statement(self.statement)

    @property
    def verdict(self) -> Verdict:
        """The verdict that the evidence is supposed to show."""
        return Verdict.parse(self.plays.certificate.verdict)

    @property
    def evidence(self) -> dict[str, Any]:
        """The evidence, as JSON; ``proofs/README.md`` documents the format."""
        return self.plays.certificate.evidence

    def decide(self) -> Result:
        """Have the kernel decide on it now; nothing is remembered.

        Returns:
            The kernel's own result: ``verdict``, ``reason``, ``beliefs`` and ``stats``.

        Raises:
            CertificateError: the evidence does not show what it says.
        """
        from verifier.kernel.decide import decide

        own = self.plays.certificate
        return decide(own.statement, own.verdict, own.evidence, self.context.stores.read)

    def graph(self, *, fold: Sequence[str] = ()) -> Graph:
        """Have the kernel walk through the plays, and return all positions with the moves between them.

        Nodes are ``n0`` (the start), ``n1``, …, with ``position``, ``ply``, ``mover`` (``claimant``, ``opponent`` or
        ``end``), ``rule`` and ``phase`` (of the strategy), and ``reason`` (how a play ends there); edges have ``move``,
        ``rule``, and ``ply`` and ``position`` after the move. Folded, positions that play the same part are one node,
        with counts.

        Args:
            fold: merge positions into one node if the same player moves there and they agree in all of these:
                ``phase``, ``rule``, ``ply``. Empty: every position is a node.

        Returns:
            A ``networkx.DiGraph``.

        Raises:
            CertificateError: the evidence does not show what it says.
            UsageError: positions have no such thing in common.
        """
        from verifier.audit.plays import walk_plays
        from verifier.graph.build import build_strategy_graph
        from verifier.graph.fold import fold_strategy_graph, parse_keys

        keys = parse_keys(",".join(fold)) if fold else ()
        graph = build_strategy_graph(*walk_plays(self.context, self.plays))
        graph.graph["reading"] = self.name
        return fold_strategy_graph(graph, keys) if keys else graph

    def strategy(self) -> Play:
        """Have the kernel walk through the plays, and return their start, to follow them move by move.

        If the reading is proved, the strategy is the claimant's; if the opponent's refutes it, it is the opponent's.

        Raises:
            CertificateError: the evidence does not show what it says.
            UsageError: the reading is refuted by a single play.
        """
        from verifier.api.play import Play
        from verifier.audit.plays import check_plays, has_opponent
        from verifier.graph.plays import build_guide

        if self.verdict is not Verdict.PROVED and not has_opponent(self.plays):
            raise UsageError(f"{self.name} is refuted: there is no strategy to play against")
        return Play(build_guide(*check_plays(self.context, self.plays)), self.start)

    @property
    def start(self) -> Board:
        """The position from which its plays start."""
        from verifier.api.board import Board
        from verifier.kernel.games.registry import parse_rules

        game = parse_rules(self.statement["rules"])
        return Board(game, game.parse_position(self.statement["start"]))

    @property
    def rules(self) -> dict[str, RuleWords]:
        """The rules of the claimant's strategy in words, by label; empty if the moves come from a table."""
        from verifier.language.saying import say_strategy

        claim, reading = self.plays.reference
        strategies = getattr(self.context.library.claim(claim).readings[reading], "strategies", None) or {}
        name = strategies.get(self.plays.certificate.statement.get("claimant"))
        return {} if name is None else say_strategy(self.context.library.strategy(name.partition("#")[0]))

    def __repr__(self) -> str:
        return f"<Certificate {self.name}: {self.verdict}>"
