"""What a checker gets, and what it hands to the kernel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.certificate import TABLE_FORMAT, VERSION, hash_bytes, hash_value, pack
from verifier.kernel.games import find_rules
from verifier.kernel.race.replies import Memo
from verifier.kernel.statement import Statement, parse_statement
from verifier.kernel.verdict import Verdict
from verifier.search.resources import Resources
from verifier.search.walk import Exploration, explore
from verifier.spec.compile import Compiled
from verifier.spec.library import Library
from verifier.spec.model import Reading
from verifier.spec.strategy import ground_strategy


@dataclass(frozen=True, slots=True)
class Finding:
    """A checker's answer, untrusted until the kernel has accepted its evidence.

    Attributes:
        verdict: what the evidence is meant to show.
        reason: why it is not proved, in one sentence.
        evidence: the certificate's evidence; None where there is none (``unknown``).
        files: further files by path below the proofs folder.
        stats: what was counted.
        witness: what a person is shown.
        notes: what else a person should know, a line each.
        fallback: gives another answer where the kernel rejects this one's evidence.
    """

    verdict: Verdict
    reason: str = ""
    evidence: dict[str, Any] | None = None
    files: dict[str, bytes] = field(default_factory=dict)
    stats: dict[str, int] = field(default_factory=dict)
    witness: dict[str, Any] | None = None
    notes: tuple[str, ...] = ()
    fallback: Callable[[], Finding | None] | None = None


@dataclass(slots=True)
class Task:
    """One reading to be checked.

    Attributes:
        library: all specs.
        claim: the claim's id.
        name: the reading's id.
        reading: its model.
        compiled: its statement.
        shared: what tasks of one process have in common.
    """

    library: Library
    claim: str
    name: str
    reading: Reading
    compiled: Compiled
    shared: Shared

    @property
    def statement(self) -> dict[str, Any]:
        """The statement in the kernel's terms."""
        return self.compiled.statement or {}

    @property
    def folder(self) -> str:
        """Where this reading's own files stand below the proofs folder."""
        return f"{self.claim}/{self.name}"


@dataclass(slots=True)
class Shared:
    """What is found once for several readings, and what searches may use.

    Attributes:
        explorations: by the hash of their plays, so that claims about one strategy explore it once.
        tables: their files.
        bounds: findings by claim and reading, for bounds that rest on others.
        resources: executor, memory and checkpoints of long searches.
        memo: the tables of Olivia's replies that the kernel has followed.
        progress: called with the number of positions met.
        kept: returns what an earlier run has found for a piece of a bound, where that is known; the kernel decides on
            it again.
        has_kept: some piece came from there.
    """

    explorations: dict[str, Exploration] = field(default_factory=dict)
    tables: dict[str, tuple[dict[str, str], bytes]] = field(default_factory=dict)
    bounds: dict[tuple[str, str], Finding] = field(default_factory=dict)
    resources: Resources = field(default_factory=Resources)
    memo: Memo = field(default_factory=dict)
    progress: Callable[[int], None] | None = None
    kept: Callable[[tuple[str, str]], Finding | None] | None = None
    has_kept: bool = False

    def explore(self, data: dict[str, Any]) -> Exploration:
        """Return every play of a statement whose claimant has a strategy, or which leaves nobody a choice to make."""
        key = hash_plays(data)
        if key not in self.explorations:
            self.explorations[key] = explore(parse_statement(data), progress=self.progress)
        return self.explorations[key]

    def table(self, data: dict[str, Any], found: Exploration) -> tuple[dict[str, str], dict[str, bytes]]:
        """Return the reference to the table of some plays, and the file."""
        key = hash_plays(data)
        if key not in self.tables:
            packed = pack({"format": TABLE_FORMAT, "version": VERSION, "plays": key, **found.table()})
            self.tables[key] = ({"path": f"tables/{key[:16]}.json.gz", "sha256": hash_bytes(packed)}, packed)
        reference, packed = self.tables[key]
        return reference, {reference["path"]: packed}


def plays_of_strategy(library: Library, name: str, rules: str) -> dict[str, Any]:
    """Return a statement about every play of a strategy from the start of the game."""
    ground, _ = ground_strategy(library, name)
    game = find_rules(rules)
    return {
        "kind": "play",
        "rules": rules,
        "start": game.format_position(game.start),
        "claimant": ground["player"],
        "horizon": None,
        "strategies": {ground["player"]: ground},
        "objectives": [{"name": "any", "type": "some", "at": ["every"], "holds": True}],
    }


def plays_of(data: dict[str, Any]) -> dict[str, Any]:
    """Return a statement without its objectives: the plays that it is about."""
    return {key: value for key, value in data.items() if key != "objectives"}


def hash_plays(data: dict[str, Any]) -> str:
    """Return the hash of the plays that a statement is about."""
    return hash_value(plays_of(data))


def line_witness(statement: Statement, moves: list[Any], reason: str) -> dict[str, Any]:
    """Describe a play for people: its moves and where it ends."""
    game = statement.game
    position = statement.start
    for move in moves:
        position = game.play(position, move)
    return {
        "kind": "line",
        "start": game.format_position(statement.start),
        "moves": [game.format_move(move) for move in moves],
        "position": game.format_position(position),
        "reason": reason,
    }


def is_hypothesis(name: str) -> bool:
    """Say whether a name in an obligation's core is a hypothesis of the reading, and not a rule of the game."""
    return "." not in name and not name.startswith("the ")
