"""Writes verdicts on plays as theorems for Coq, a file for each reading.

Nothing here has to be trusted. A theorem is about the rules and the statement in its file. The file also has the
evidence. ``proofs/coq/general`` has functions that check evidence, and proves them correct. So if anything here is
wrong, the file does not compile, or a reader can see that the statement in the file differs from the reading.
"""

from __future__ import annotations

import functools
import math
import pathlib
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from verifier.export.coq_rules import (
    CoqRules,
    move_marks,
    write_comment,
    write_entries,
    write_formula,
    write_list,
    write_rules,
)
from verifier.kernel.certificate import (
    TABLE_FORMAT,
    CertificateContent,
    canonical_bytes,
    files_of,
    hash_value,
    read_certificate,
    read_index,
    read_table,
)
from verifier.kernel.decide import decide
from verifier.kernel.errors import UsageError
from verifier.kernel.games import Move
from verifier.kernel.plays import explain_breakdown, find_choices, has_ended, oppose, parse_line, replay
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import UNIVERSAL, Objective, Statement, parse_statement
from verifier.recheck import plan

MAX_MET, MAX_UNFOLDED, MAX_FILLED = 60_000, 200_000, 50_000
"""Three limits: the number of positions in plays; the number of a table's entries, together with their images under
symmetries; and the number of positions in a search for moves that a table leaves out."""

_SCOPES = {"every": "Every", "start": "AtStart", "claimant": "OfClaimant", "opponent": "OfOpponent", "end": "AtEnd"}
_KINDS = {"reach": "Reach", "prevent": "Prevent", "keep": "Keep", "some": "Possibly"}


def export_theorems(proofs: pathlib.Path, folder: pathlib.Path, names: frozenset[str]) -> Iterator[pathlib.Path]:
    """Write a theorem about each reading that is named; yield each file that was written.

    Args:
        proofs: the folder of the evidence.
        folder: the folder for the files; it is created if it does not exist.
        names: claims or readings; empty for all.

    Raises:
        CertificateError: evidence is rejected.
        UsageError: one of ``names`` is not in the index of the evidence, or a reading cannot be written as a theorem.
        OSError: a file cannot be written.
    """
    found = [(entry.names[0], read_certificate(proofs, entry.key)) for entry in plan(read_index(proofs), names)]
    for name, certificate in found:
        reason = find_obstacle(certificate)
        if reason:
            raise UsageError(f"{name}: {reason}")
    folder.mkdir(parents=True, exist_ok=True)
    for name, certificate in found:
        decide(certificate.statement, certificate.verdict, certificate.evidence, files_of(proofs))
        path = folder / f"{name_theorem(name)}.v"
        path.write_text(write_theorem(proofs, name, certificate), encoding="ascii", errors="backslashreplace")
        yield path


def name_theorem(name: str) -> str:
    """Return the name of the theorem of a reading."""
    text = re.sub(r"[^a-z0-9]", "_", name)
    return text if text[0].isalpha() else f"claim_{text}"


def find_obstacle(certificate: CertificateContent) -> str:
    """Return why a verdict cannot be a theorem; empty if it can.

    This does not test whether the theorem would be too large: ``write_theorem`` does.
    """
    data, evidence = certificate.statement, certificate.evidence
    if data["kind"] != "play":
        return f"theorems are about plays; this is a statement of kind {data['kind']!r}"
    if write_rules(data["rules"]) is None:
        return "theorems are about games of cells or of one board, not about nine fields"
    if re.search(rb'\["[XO]_keeps"', canonical_bytes(data)):
        return "theorems do not have the words X_keeps and O_keeps"
    if "given" in data:
        return "theorems are about plays from one start, not from all positions that 'given' allows"
    if any(":" in scope for objective in data["objectives"] for scope in objective.get("at", ())):
        return "theorems do not have the scopes 'before' and 'after' a rule"
    statement = parse_statement(data)
    chooses, types = statement.chooses, [objective.type for objective in statement.objectives]
    if chooses and sum(objective["type"] in UNIVERSAL for objective in data["objectives"]) > 1:
        return (
            "the reading says that the claimant can bring about several objectives in the same play; a theorem would "
            "say only that he can bring about each of them"
        )
    if not statement.has_number and any("start" in objective.scopes for objective in statement.objectives):
        return "where play can come back to the start, theorems do not have the scope 'start'"
    if not statement.has_number and data["strategies"] and len(types) > 1 and {*types} <= {"reach", "some"}:
        return (
            "the reading also says that no strategy breaks down after the goal of a 'reach' without 'by'; in a "
            "theorem, play ends at this goal"
        )
    if "line" in evidence and _goes_round(statement, evidence):
        return "a play that repeats positions for ever refutes the reading; in a theorem, only a play that ends can"
    if certificate.verdict == "refuted" and chooses and ("line" in evidence or data["strategies"]):
        return (
            "where the claimant chooses his moves, a refutation cannot be a theorem if it is a single play, or if a "
            "player has a strategy"
        )
    return ""


def write_theorem(proofs: pathlib.Path, name: str, certificate: CertificateContent) -> str:
    """Return the text of the file of a theorem.

    Raises:
        UsageError: the plays meet too many positions, or a table has too many entries or leaves out too many moves.
    """
    return _Writer(proofs, name, certificate).write()


def _goes_round(statement: Statement, evidence: dict[str, Any]) -> bool:
    """Return True if the play in the evidence repeats a position, and so refutes a ``reach`` without ``by``."""
    objective = next(one for one in statement.objectives if one.name == evidence["objective"])
    last = replay(statement, parse_line(statement.game, evidence["line"]))[-1]
    is_endless = objective.type == "reach" and math.isinf(objective.bound)
    return is_endless and bool(last.mover) and not explain_breakdown(statement, last.position, last.mover)


class _Writer:
    """Writes the file of a theorem."""

    def __init__(self, proofs: pathlib.Path, name: str, certificate: CertificateContent) -> None:
        self._proofs, self._name, self._certificate = proofs, name, certificate
        self._data, self._evidence = certificate.statement, certificate.evidence
        self._statement = parse_statement(self._data)
        self._rules = write_rules(self._data["rules"]) or CoqRules()
        self._say = functools.partial(write_formula, write_word=self._rules.write_word, prefix="said_")

    def write(self) -> str:
        """Return the text of the Coq file."""
        parts = [
            f"(** {self._name}: {self._certificate.verdict}. Written by [verifier export coq].",
            f"    The hash of the statement: {hash_value(self._data)}. *)\n",
            "From Coq Require Import List ZArith.\nFrom General Require Import Game Claim Check Sound.",
            "Import ListNotations.\n\n(** ** The rules *)\n",
            *self._rules.lines,
            "\n(** ** What is claimed *)\n",
            *self._write_claim(),
            "\n(** ** The evidence, which nobody has to read, and the theorem *)\n",
            *self._write_proof(),
        ]
        wrap = textwrap.TextWrapper(118, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
        return "\n".join("\n".join(map(wrap.fill, part.split("\n"))) for part in parts) + "\n"

    def _write_claim(self) -> Iterator[str]:
        data, statement = self._data, self._statement
        yield from write_entries(data["formulas"], self._rules.write_word, "said_")
        for player, strategy in sorted(data["strategies"].items()):
            phases = write_list(map(self._write_phase, strategy["phases"]))
            yield f"Definition strategy_of_{player} : strategy := {phases}."
        own = (f"(Some strategy_of_{player})" if player in data["strategies"] else "None" for player in "XO")
        turn, ply = statement.game.turn(statement.start), statement.game.ply(statement.start)
        yield "Definition plays_claimed : setting :="
        yield f"  Setting (Position {write_list(self._rules.list_cells(statement.start))}%Z Player{turn}) {ply}"
        yield f"    {_write_option(data['horizon'])} {' '.join(own)}"
        yield f"    Player{data['claimant']} {str(statement.chooses).lower()}."
        yield "Definition statement : claim :="
        yield f"  Claim plays_claimed {write_list(map(self._write_objective, data['objectives']))}."

    def _write_phase(self, phase: Any) -> str:
        def write_rule(rule: Any) -> str:
            choices = (
                f"({self._say(one['when'])}, {self._rules.numbers[tuple(one['play'])]})" for one in rule["choices"]
            )
            return f"{write_comment(rule['rule'])} {write_list(choices)}"

        opened = (
            f"Instance {self._say(one['when'])} {write_list(map(write_rule, one['rules']))}"
            for one in phase["instances"]
        )
        return f"{write_comment(phase['phase'])} {write_list(opened)}"

    def _write_objective(self, said: Any) -> str:
        kind = _KINDS[said["type"]]
        if "at" in said:
            return f"{kind} {write_list(_SCOPES[scope] for scope in said['at'])} {self._say(said['holds'])}"
        return f"{kind} {self._say(said['goal'])} {_write_option(said.get('by', said.get('through')))}"

    def _write_proof(self) -> Iterator[str]:
        theorem, evidence, objectives = name_theorem(self._name), self._evidence, self._statement.objectives
        if self._certificate.verdict == "proved":
            lines = evidence.get("lines", {})
            shown = (
                self._write_line(lines[o.name]) if o.type == "some" else self._write_table(self._statement, o)
                for o in objectives
            )
            yield f"Definition shown : list evidence := {write_list(shown)}."
            yield f"\nTheorem {theorem} : holds game statement."
            yield "Proof. apply (check_sound game statement shown). vm_cast_no_check (eq_refl true). Qed."
            return
        at, objective = next((i, one) for i, one in enumerate(objectives) if one.name == evidence["objective"])
        if "table" not in evidence:
            # To refute a `some`, follow all plays: even if the claimant chooses his moves, follow all of his moves.
            everywhere = replace(self._statement, chooses=False)
            is_line = "line" in evidence
            shown_by = self._write_line(evidence["line"]) if is_line else self._write_table(everywhere, objective)
            yield f"Definition shown : evidence := {shown_by}."
            yield f"\nTheorem {theorem} : ~ holds game statement."
            yield f"Proof. apply (refute_sound game statement {at} shown). vm_cast_no_check (eq_refl true). Qed."
            return
        opposed = oppose(self._statement, objective.name)
        yield f"Definition shown : list evidence := [{self._write_table(opposed, opposed.objectives[0])}]."
        yield f"Definition refuted : objective := nth {at} (objectives statement) (Possibly [] (Const true))."
        yield "Definition opponent_statement : claim := Claim (opposed plays_claimed) [opposite refuted]."
        yield f"\nTheorem opponent_{theorem} : holds game opponent_statement."
        yield "Proof. apply (check_sound game _ shown). vm_cast_no_check (eq_refl true). Qed."
        yield f"\nTheorem {theorem} : ~ holds game statement."
        yield f"Proof. apply (opponent_claim_refutes game statement {at}); try reflexivity."
        yield f"exact opponent_{theorem}. Qed."

    def _write_line(self, moves: Sequence[str]) -> str:
        return f"ByLine {write_list(self._rules.numbers[self._statement.game.parse_move(move)] for move in moves)}"

    def _write_table(self, statement: Statement, objective: Objective) -> str:
        game, rows = statement.game, []
        for at, move in self._follow(statement, self._find_entries(statement, objective)).items():
            ply = game.ply(at) if statement.has_number else 0
            key = _find_key([ply, "XO".index(game.turn(at)) + 1, *self._rules.list_cells(at)])
            rows.append(f"({key}%positive, {self._rules.numbers[move]})")
        return f"ByTable {str(statement.has_number).lower()} {write_list(rows)}"

    def _follow(self, statement: Statement, find_entry: Callable[[Any], Move]) -> dict[Any, Move]:
        """Follow all plays; return the claimant's move in each position where he chooses."""
        game, met, table = statement.game, {statement.start: None}, dict[Any, Move]()
        waiting = [statement.start]
        for position in waiting:  # grows while the loop reads it
            mover = "" if has_ended(statement, position) else game.turn(position)
            moves: Iterable[Move] = ()
            if mover and statement.chooses and mover == statement.claimant:
                moves = [table.setdefault(position, find_entry(position))]
            elif mover:
                own = mover in statement.strategies
                moves = (m for _, m in find_choices(statement, position, mover)) if own else game.legal_moves(position)
            new = dict.fromkeys(game.play(position, move) for move in moves)
            new = new if statement.has_number else dict.fromkeys(map(game.without_number, new))
            waiting += [after for after in new if after not in met]
            met |= new
            if len(met) > MAX_MET:
                raise UsageError(f"{self._name}: plays meet more than {MAX_MET:,} positions, too many for a theorem")
        return table

    def _find_entries(self, statement: Statement, objective: Objective) -> Callable[[Any], Move]:
        """Return a function that finds the claimant's move: in the table, up to symmetry, or else by a search."""
        game, evidence, files = statement.game, self._evidence, files_of(self._proofs)
        shape, table = {"moves": dict, "pairs?": dict, "weights?": True, "wins?": True}, dict[Any, Move]()
        if "table" in evidence:
            moves = read_table(files, evidence["table"], TABLE_FORMAT, shape, "the table")["moves"]
            table = {game.parse_position(at): game.parse_move(chosen[0]) for at, chosen in moves.items()}
        if "symmetries" in evidence:
            group = Symmetries(self._data, statement, evidence["symmetries"]).group
            if len(table) * len(group) > MAX_UNFOLDED:
                size = f"{len(table):,} entries with up to {len(group):,} images each"
                raise UsageError(f"{self._name}: the table has {size}, too many for a theorem")
            table |= {move_marks(at, one): (one[s],) for at, (s,) in [*table.items()] for one in group}
        searched = dict[Any, bool]()

        def can(position: Any) -> bool:
            if position not in searched:
                if len(searched) >= MAX_FILLED:
                    text = f"the table ends early, and a search through {MAX_FILLED:,} positions did not find the rest"
                    raise UsageError(f"{self._name}: {text}")
                searched[position] = search(position)
            return searched[position]

        def search(position: Any) -> bool:
            ply, is_reach = game.ply(position), objective.type == "reach"
            if ply <= objective.bound and objective.test(position):
                return is_reach
            if has_ended(statement, position) or ply >= objective.bound:
                return not is_reach
            after = [game.play(position, move) for move in game.legal_moves(position)]
            if game.turn(position) != statement.claimant:
                return all(map(can, after))
            return (is_reach and any(map(objective.test, after))) or any(map(can, after))

        def find_entry(position: Any) -> Move:
            legal = game.legal_moves(position)
            return table.get(position) or next((move for move in legal if can(game.play(position, move))), legal[0])

        return find_entry


def _write_option(number: int | None) -> str:
    return "None" if number is None else f"(Some {number})"


def _find_key(numbers: Iterable[int]) -> int:
    """Return the key of a position in a table (``key_of`` in ``Check.v``)."""
    bits = "1"
    for number in numbers:
        digits = "".join(f"1{digit}" for digit in f"{number:b}"[:0:-1])
        bits += f"1{digits}0" if number else "0"
    return int(bits, 2)
