"""The obligations of statements about steps: what has to be shown, derived by weakest precondition.

A part of a statement says what a step does from all positions that satisfy its *assumptions*: the position is well
formed; the hypotheses hold; if the part says who moves first, it is that player's turn; if the step has a move, the
game goes on. A *breach* is a literal that is true where the part fails in a certain way. For each conclusion, a breach
says that a step is possible after which the conclusion fails. With a strategy, one more breach says that the step
fails: the game ends within it, or the strategy has no move or names an illegal move. An *obligation* says that no
position satisfies the assumptions and makes a certain breach true. This module is trusted to derive enough obligations:
a part holds if all its obligations hold. Whether a part fails in a single position is decided in ``steps``.

If plays start from all ``given`` positions (``invariant``), ``old`` means a second position: where the play started.
This position is well formed and satisfies ``given``; no step changes it. Parts with the step ``begin`` are about it.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifier.kernel.certificate import REFUTATIONS_FORMAT, FileReader, hash_value, is_hash, read_table, require_shape
from verifier.kernel.circuit import FALSE, TRUE, Circuit
from verifier.kernel.errors import CertificateError
from verifier.kernel.games import OTHER, Move
from verifier.kernel.games.registry import State, parse_rules, unknown
from verifier.kernel.refutation import Follower
from verifier.kernel.symbolic import Reader

ORDER = {"move": ("free",), "reply": ("reply",), "round": ("free", "reply"), "reply-first": ("reply", "free")}
"""The moves of each step, in order. ``free`` is any legal move, and ``reply`` is a move of the claimant's strategy."""

STEP = "the step"
"""The name of the breach which says that the step itself fails. Other breaches have the names of conclusions."""


@dataclass(frozen=True, slots=True)
class Precondition:
    """The assumptions and breaches of one part; ``part`` is its index."""

    part: int
    assumptions: Mapping[str, Sequence[int]]  # literals by name: hypotheses and properties of positions
    judged: int  # a literal that is true if the step can be made
    breaches: tuple[tuple[str, int], ...]  # a conclusion's name or ``STEP``; and a literal


@dataclass(frozen=True, slots=True)
class Obligations:
    """The obligations of a statement, in one circuit."""

    circuit: Circuit
    before: State
    start: State  # the position where play started, if the statement has ``given``; otherwise ``before``
    preconditions: tuple[Precondition, ...]
    digest: str  # SHA-256 of the gates, assumptions and breaches


def derive(statement: Mapping[str, Any], images: Collection[int] = ()) -> Obligations:
    """Derive the obligations of a well-formed statement about steps.

    Two kinds of parts are left out: parts that are images of other parts (``images`` has their indices), and parts
    about the start of the game, for which a model is enough (``steps``).
    """
    circuit, game, is_given = Circuit(), parse_rules(statement["rules"]), "given" in statement
    before = unknown(circuit, game)
    start = unknown(circuit, game) if is_given else before
    reader = Reader(circuit, start, statement["formulas"])
    begun = {f"start.{name}": [*said] for name, said in start.invariant().items()} if is_given else {}
    if is_given:
        begun["start.given"] = [reader.read(statement["given"])(start)]
    invariants = {False: {**before.invariant(), **begun}, True: {**start.invariant(), **begun}}
    found = tuple(
        _Part(reader, start if is_first else before, part).precondition(index, invariants[is_first])
        for index, part in enumerate(statement["parts"])
        for is_first in [part["step"] == "begin"]
        if part["step"] != "start" and index not in images
    )
    return _bind(circuit, before, start, found)


def derive_closure(rules: Any) -> Obligations:
    """Derive the obligations of rules: each move, by X or by O, leads to a well-formed position.

    The start of a play is well formed. So if each move keeps positions well formed, all positions of the play are
    well formed. For each property of well-formed positions (``invariant``) there is a breach: the property fails after
    some move. Only ``position.sums`` has no breach, because it says the same as ``position.marks``.
    """
    circuit = Circuit()
    before = unknown(circuit, parse_rules(rules))
    invariant, found = before.invariant(), []
    # The invariants after all moves will cost this much. Count it now, so that rules that are too big fail at once.
    circuit.spend(2 * len(before.moves()) * circuit.work)
    for index, mover in enumerate(("X", "O")):
        assumptions = {**_assume(before, invariant, [mover]), "position.open": [-before.over()]}
        failing: dict[str, list[int]] = {}
        for move in before.moves():
            for name, literals in before.play(mover, move).invariant().items():
                failing.setdefault(name, []).append(circuit.every([before.legal(move), -circuit.every(literals)]))
        breaches = tuple((name, circuit.some(cases)) for name, cases in failing.items() if name != "position.sums")
        found.append(Precondition(index, assumptions, TRUE, breaches))
    return _bind(circuit, before, before, tuple(found))


def _bind(circuit: Circuit, before: State, start: State, found: tuple[Precondition, ...]) -> Obligations:
    """Return obligations with their digest: the hash of the gates, and of the assumptions and breaches."""
    said = [(p.part, [*p.assumptions.items()], p.breaches) for p in found]
    return Obligations(circuit, before, start, found, hash_value([circuit.gates, said]))


def _assume(before: State, invariant: Mapping[str, Sequence[int]], movers: Sequence[str]) -> dict[str, list[int]]:
    """Return the assumptions about a position: it is well formed, and the player in ``movers``, if any, is to move."""
    assumptions = {name: [*literals] for name, literals in invariant.items()}
    assumptions.setdefault("position.turn", []).extend(map(before.turn, movers))  # with two movers, no position fits
    return assumptions


def check_obligations(derived: Obligations, evidence: Any, read: FileReader) -> tuple[int, int]:
    """Check that a certificate lists the derived obligations, and follow its refutations.

    A refutation assumes the breach first, then the assumptions, in the order in which the certificate names them.
    Return the number of obligations, and the number of refuted obligations.
    """
    shape = {"digest": is_hash, "shown": [[int, str, [str]]], "refutations?": is_hash}
    require_shape(evidence, shape, "obligations")
    owed = [(part, *breach) for part in derived.preconditions for breach in part.breaches]
    if len(evidence["shown"]) != len(owed) or evidence["digest"] != derived.digest:
        raise CertificateError("obligations", f"the evidence must list all {len(owed)} obligations of the statement")
    assumed: list[list[int]] = []
    for (part, fails, breach), (*said, names) in zip(owed, evidence["shown"], strict=True):
        if said != [part.part, fails]:
            raise CertificateError("obligations", f"{str(said)[:60]} should be {fails!r} of part {part.part}")
        if len(set(names)) < len(names) or not part.assumptions.keys() >= set(names):
            raise CertificateError("obligations", f"{fails!r} must name assumptions of part {part.part}, each once")
        literals = [literal for name in names for literal in part.assumptions[name]]
        derived.circuit.spend(len(names) + len(literals))
        assumed.append([breach, *literals])
    if "refutations" not in evidence:
        return len(owed), 0
    shape = {"refutations": [([str], None)]}
    refutations = read_table(read, evidence["refutations"], REFUTATIONS_FORMAT, shape, "refutations")["refutations"]
    if len(refutations) != len(owed):
        raise CertificateError("malformed", "a table must have a list of steps, or null, for each obligation")
    follower = Follower(derived.circuit)
    for literals, steps in zip(assumed, refutations, strict=True):
        if steps is not None:
            follower.follow(literals, steps)
    return len(owed), len(owed) - refutations.count(None)


_Case = tuple[tuple[int, ...], State]
"""One way to make a step, and the position after it. The way is possible exactly if all its literals are true."""


class _Part:
    def __init__(self, reader: Reader, before: State, data: Mapping[str, Any]) -> None:
        self.reader, self.circuit, self.before, self.data = reader, reader.circuit, before, data
        self.claimant, self.opponent = data["claimant"], OTHER[data["claimant"]]
        self.breaks: list[int] = []
        self.reply = None if data["strategy"] is None else reader.replies(data["strategy"])

    def precondition(self, index: int, invariant: Mapping[str, list[int]]) -> Precondition:
        before, every, some = self.before, self.circuit.every, self.circuit.some
        order = ORDER.get(self.data["step"], ())
        first = None if self.reply is None else self.claimant if order[0] == "reply" else self.opponent
        movers = sorted({player for player in (self.data["turn"], first) if player is not None})
        assumptions = _assume(before, invariant, movers)
        if order:
            assumptions["position.open"] = [-before.over()]
        for name, formula in self.data["hypotheses"]:
            self.circuit.spend(len(name))  # the parts of a statement can repeat long names
            assumptions.setdefault(name, []).append(self.reader.read(formula)(before))
        cases = [case for case in self.cases(order, movers or ["O", "X"]) if FALSE not in case[0]]
        judged = [every(condition) for condition, _ in cases]
        breaches = [(STEP, some(self.breaks))] if self.reply is not None else []
        for name, conclusion in self.data["conclusions"]:
            said = self.reader.read(conclusion)
            failing = [every([is_judged, -said(after)]) for (_, after), is_judged in zip(cases, judged, strict=True)]
            breaches.append((name, some(failing)))
        return Precondition(index, assumptions, some(judged), tuple(breaches))

    def cases(self, order: Sequence[str], movers: list[str]) -> list[_Case]:
        """Return every way to make the step. For every way in which it fails, add a literal to ``breaks``."""
        if self.reply is None and order:  # one move, by the player to move
            starts = [((self.before.turn(mover),), mover) for mover in movers]
            return [case for turn, mover in starts for case in self.moves((turn, self.before), mover)]
        cases: list[_Case] = [((), self.before)]
        for at, kind in enumerate(order):
            for condition, after in cases if at and kind == "free" else ():
                self.breaks.append(self.circuit.every([*condition, after.over()]))
            go_on = self.replies if kind == "reply" else functools.partial(self.moves, mover=self.opponent)
            cases = [case for moved in cases for case in go_on(moved)]
        return cases

    def moves(self, case: _Case, mover: str) -> list[_Case]:
        """Continue a case with every legal move, or with the move in ``plays``."""
        condition, state = case
        plays: list[Move] = state.moves() if self.data["plays"] is None else [tuple(self.data["plays"])]
        legal = [(move, state.legal(move)) for move in plays]
        return [((*condition, literal), state.play(mover, move)) for move, literal in legal if literal != FALSE]

    def replies(self, case: _Case) -> list[_Case]:
        """Continue a case with every move of the strategy.

        The step fails if the game is over after the case, or if the strategy has no move or an illegal move.
        """
        (condition, state), every, some = case, self.circuit.every, self.circuit.some
        replies = {} if self.reply is None else self.reply(state)
        legal = [some([-chosen, state.legal(move)]) for move, chosen in replies.items()]
        stands = every([-state.over(), some(replies.values()), *legal])
        self.breaks.append(every([*condition, -stands]))
        return [((*condition, stands, chosen), state.play(self.claimant, move)) for move, chosen in replies.items()]
