"""The evidence for one reading, with the statement, the verdict, and the plays as a graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from verifier.audit.keys import Reference
from verifier.audit.plan import Context
from verifier.audit.recall import compile_key
from verifier.kernel.certificate import CertificateContent
from verifier.kernel.errors import UsageError
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.statement import UNIVERSAL, Statement
from verifier.kernel.verdict import Result, Verdict
from verifier.language.problem import suggest
from verifier.presentation.saying import RuleWords, say_phases, say_strategy
from verifier.questions.registry import find_question

if TYPE_CHECKING:
    from verifier.api.board import Board
    from verifier.api.play import Play
    from verifier.graph.build import Graph
    from verifier.graph.plays import Guide, Walk


MAX_DRAWN_POSITIONS = 100_000
"""Maximum number of positions that are nodes of their own in a folded graph."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing, which a notebook shows.

    Attributes:
        svg: the drawing as the text of an SVG file.
    """

    svg: str

    def __repr__(self) -> str:
        return f"<Picture: {len(self.svg):,} characters of SVG>"

    def _repr_svg_(self) -> str:
        return self.svg


@dataclass(frozen=True, slots=True)
class Certificate:
    """The evidence for one reading, as stored in a file. Do not trust the evidence before the kernel has decided on it.

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
        reference: the ids of the claim and of the reading.
        stored: the evidence as the kernel reads it.
        context: has the specs, and finds the files that the evidence names.
    """

    reference: Reference
    stored: CertificateContent
    context: Context

    @property
    def name(self) -> str:
        """The reading, as ``CLAIM/READING``."""
        return "/".join(self.reference)

    @property
    def statement(self) -> dict[str, Any]:
        """The statement, as JSON in the kernel's terms."""
        return self.stored.statement

    @property
    def verdict(self) -> Verdict:
        """The verdict that the file names. Only ``decide`` says whether the evidence shows it."""
        return Verdict[self.stored.verdict.upper()]

    @property
    def evidence(self) -> dict[str, Any]:
        """The evidence, as JSON; ``proofs/README.md`` documents the format."""
        return self.stored.evidence

    def decide(self) -> Result:
        """Have the kernel decide on the evidence now. The result is not remembered.

        Returns:
            The kernel's own result: ``verdict``, ``reason``, ``beliefs`` and ``stats``.

        Raises:
            CertificateError: the kernel does not accept the evidence.
        """
        from verifier.kernel.decide import decide

        return decide(self.statement, self.stored.verdict, self.evidence, self.context.store.read)

    def _guide(self) -> Guide:
        """Have the kernel decide, and return the plays that it has walked through.

        Raises:
            CertificateError: the kernel does not accept the evidence.
            UsageError: there are more positions than the kernel keeps.
        """
        from verifier.graph.plays import follow_plays

        guide = follow_plays(self.stored, self.context.store.read)
        if guide is None:
            raise UsageError(f"{self.name} has too many positions to be drawn or played")
        return guide

    def graph(self, *, folded: bool = False, depth: int = -1, limit: int = MAX_DRAWN_POSITIONS) -> Graph:
        """Have the kernel walk through the plays. Return the positions, with the moves between them.

        If ``folded`` is False, nodes are ``n0`` (the start), ``n1``, …, with ``position``, ``ply``, ``mover``
        (``claimant``, ``opponent`` or ``end``), ``rule`` and ``phase`` (of the strategy), and ``reason`` (how a play
        ends there). Edges have ``move``, ``rule``, and ``ply`` and ``position`` after the move.

        If ``folded`` is True, each node is a group of positions. All positions in which plays end in the same way are a
        group. The other positions are grouped by the phase of the strategy. If the strategy uses only one phase, and at
        most 12 rules, they are grouped by its rules; if there is no strategy, by the ply. If the player without the
        strategy is to move, the position is in the same group as its predecessor: the first position in the walk that
        has a move to it.
        If the evidence uses symmetries, positions that are symmetric to each other count once.

        These nodes have ``label``, ``kind``, ``positions`` (how many), ``first`` and ``last`` (the least and the
        largest ply of a position), ``plies`` (how many positions at each ply) and ``example``. A phase has ``says`` if
        the strategy's document explains it among its ``terms``. Every group has ``most_replies``: the largest number of
        replies in one of its positions. Edges have ``moves`` (how many) and ``replies``: how many of these moves are by
        the player without the strategy or, if nobody has a strategy, by the claimant's opponent. Nodes and edges have
        ``rules`` (how many moves by each rule) and ``answers`` (how many replies each rule answers). The positions and
        moves of all groups add up to what the kernel has counted.

        Args:
            folded: whether to return groups of positions.
            depth: with ``folded``, positions up to this many plies after the start are nodes of their own.
            limit: maximum number of positions that are nodes of their own.

        Returns:
            A ``networkx.DiGraph``.

        Raises:
            CertificateError: the kernel does not accept the evidence.
            UsageError: there are too many positions.
        """
        from verifier.graph.build import build_strategy_graph

        graph = self._fold(depth, limit) if folded else build_strategy_graph(*unfold_plays(self))
        graph.graph |= {"reading": self.name, "verdict": self.stored.verdict}
        return graph

    def picture(self, *, depth: int = -1) -> Picture:
        """Have the kernel walk through the plays. Return a drawing of ``graph(folded=True)``; a notebook shows it.

        Args:
            depth: positions up to this many plies after the start have boards of their own.

        Raises:
            CertificateError: the kernel does not accept the evidence.
            UsageError: there are too many positions.
        """
        from verifier.graph.write import write_graph

        return Picture(write_graph(self.graph(folded=True, depth=depth), "svg", self.start.game, self.start.drawings))

    def _fold(self, depth: int, limit: int) -> Graph:
        from verifier.graph.fold import add_sentences, fold_plays
        from verifier.graph.plays import follow_walk

        try:
            walked = follow_walk(self.stored, self.context.store.read, depth, limit)
        except UsageError as error:
            raise UsageError(f"{self.name}: {error}") from None
        if walked is None:
            raise UsageError(
                f"{self.name} cannot be drawn: its table leaves out replies after which the claimant wins at once, so "
                f"the kernel does not list all positions. 'verifier show {self.reference[0]}' says more"
            )
        graph = fold_plays(walked, depth)
        add_sentences(graph, say_phases(self.context.library, *self.reference))
        return graph

    def strategy(self) -> Play:
        """Have the kernel walk through the plays. Return a play without moves; its ``after`` returns a play with moves.

        If the reading is proved, these are the plays of the claimant's strategy. If a strategy of the opponent refutes
        the reading, they are the plays of that strategy.

        Raises:
            CertificateError: the kernel does not accept the evidence.
            UsageError: the reading is refuted by a single play, or there are too many positions.
        """
        from verifier.api.play import Play

        if self.verdict is not Verdict.PROVED and not self._has_opponent:
            raise UsageError(f"{self.name} is refuted: it has no strategy to play against")
        return Play(self._guide(), self.start)

    @property
    def start(self) -> Board:
        """The position where plays start; if there are several, the position that the evidence or the spec names."""
        from verifier.api.board import Board

        game = parse_rules(self.statement["rules"])
        position = game.parse_position(self.evidence.get("start", self.statement["start"]))
        return Board(game, position, drawings=self.context.library.drawings)

    @property
    def rules(self) -> dict[str, RuleWords]:
        """The rules of the claimant's strategy in the spec, in words; empty if the spec gives him no strategy."""
        claim, reading = self.reference
        strategies = getattr(self.context.library.claim(claim).readings[reading], "strategies", None) or {}
        name = strategies.get(self.statement.get("claimant"))
        return {} if name is None else say_strategy(self.context.library.strategy(name.partition("#")[0]))

    @property
    def _has_opponent(self) -> bool:
        """Whether a strategy of the opponent refutes the reading."""
        return self.stored.verdict == "refuted" and "table" in self.evidence

    @property
    def _is_walked(self) -> bool:
        """Whether the kernel walks through every play to decide on this evidence."""
        if self.stored.verdict != "proved":
            return self.evidence.keys().isdisjoint({"line", "invariant"})
        types = {objective.get("type") for objective in self.statement.get("objectives", [])}
        return "invariant" not in self.evidence and not types.isdisjoint(UNIVERSAL)

    def __repr__(self) -> str:
        return f"<Certificate {self.name}: {self.verdict}>"


def unfold_plays(certificate: Certificate) -> tuple[Statement, Walk]:
    """Return the statement and every position of its plays, with symmetric positions as separate positions.

    Raises:
        CertificateError: the kernel does not accept the evidence.
        UsageError: there are more positions than the kernel keeps.
    """
    from verifier.graph.plays import unfold
    from verifier.kernel.decide import MAX_KEPT_POSITIONS

    guide = certificate._guide()
    unfolded = unfold(guide, MAX_KEPT_POSITIONS)
    if unfolded is None:
        raise UsageError(f"{certificate.name} has too many positions to be drawn")
    return guide.statement, unfolded


def find_plays(context: Context, wanted: str) -> Certificate:
    """Return the evidence of a reading about plays. ``wanted`` is the name of the reading, ``CLAIM/READING``.

    ``CLAIM`` alone is enough if exactly one of its readings has evidence with plays. Controls (readings that are false
    on purpose) do not count.

    Raises:
        UsageError: no reading of this name has plays that the kernel walks through, or several have.
        SpecProblemsError: the claim does not compile.
    """
    claim, slash, name = wanted.partition("/")
    readings = context.library.claim(claim).readings
    if slash and name not in readings:
        there = ", ".join(readings)
        raise UsageError(f"{claim!r} has no reading {name!r} (its readings: {there}){suggest(name, readings)}")
    about_plays = [other for other, reading in readings.items() if find_question(reading.question).kind == "play"]
    chosen = [other for other in about_plays if other == name or (not slash and not readings[other].control)]
    found = [own for other in chosen if (own := find_evidence(context, (claim, other))) is not None]
    walked = [own for own in found if own._is_walked]
    if found and not walked and any("line" in own.evidence for own in found):
        raise UsageError(f"{wanted} is refuted by a single play, which 'verifier show {claim}' draws")
    if not chosen or (found and not walked):
        kinds = [find_question(reading.question).instead for other, reading in readings.items() if name in ("", other)]
        what = (
            "an invariant of the positions of all plays"
            if any("invariant" in own.evidence for own in found)
            else kinds[0]
        )
        raise UsageError(
            f"{wanted} cannot be drawn or played, because the kernel does not walk through plays: the evidence is "
            f"{what}. 'verifier show {claim}' says more"
        )
    if not found:
        raise UsageError(f"no evidence for {wanted} yet: run verifier check {claim}")
    if len(walked) > 1:
        choices = ", ".join(own.name for own in walked)
        raise UsageError(f"several readings of {claim!r} are about plays: name one of {choices}")
    return walked[0]


def find_evidence(context: Context, reference: Reference) -> Certificate | None:
    """Return the evidence of a reading; None if there is none. Malformed evidence is ignored unless it was shipped.

    Raises:
        CertificateError: the shipped certificate of the statement is malformed, or is about another statement.
        SpecProblemsError: the reading does not compile.
    """
    (key, _), _ = compile_key(context, reference)
    stored = context.store.first(key)
    return None if stored is None else Certificate(reference, stored, context)
