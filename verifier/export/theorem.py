"""Writes verdicts on plays as theorems for Coq, a file for each reading.

Nothing here has to be trusted. A theorem is about the rules and the statement in its file. The file also has the
evidence. ``proofs/coq/general`` has functions that check evidence, and proves them correct. So if anything here is
wrong, the file does not compile, or a reader can see that the statement in the file differs from the reading.
"""

from __future__ import annotations

import functools
import pathlib
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from verifier.export.coq_rules import has_writer, write_comment, write_entries, write_formula, write_list, write_rules
from verifier.kernel.certificate import (
    CertificateContent,
    canonical_bytes,
    files_of,
    hash_value,
    read_certificate,
    read_index,
    read_named,
    unpack,
)
from verifier.kernel.decide import decide
from verifier.kernel.errors import UsageError
from verifier.kernel.games.lines import Images
from verifier.kernel.plays import explain_breakdown, oppose, parse_line, replay
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import UNIVERSAL, Statement, parse_statement
from verifier.recheck import plan
from verifier.search.solve import Solver
from verifier.search.walk import NodeLimitError, explore

MAX_MET, MAX_UNFOLDED = 60_000, 200_000
"""Limits: the number of positions in plays, or in a search for moves that a table leaves out; and the number of a
table's entries, together with their images under symmetries."""

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
    named = dict[str, str]()
    for name, certificate in found:
        other = named.setdefault(name_theorem(name), name)
        reason = find_obstacle(certificate) if other == name else f"the theorem of {other} has the same name"
        if reason:
            raise UsageError(f"{name}: {reason}")
    folder.mkdir(parents=True, exist_ok=True)
    for name, certificate in found:
        decide(certificate.statement, certificate.verdict, certificate.evidence, files_of(proofs))
        path = folder / f"{name_theorem(name)}.v"
        path.write_text(write_theorem(proofs, name, certificate), encoding="ascii", errors="backslashreplace")
        yield path


def name_theorem(name: str) -> str:
    """Return the name of the theorem of a reading. It is no name that the file defines for something else."""
    text, taken = (
        re.sub(r"[^a-z0-9]", "_", name),
        "all_moves|has_line|mark_on|opponent_statement|plays_claimed|with_mark",
    )
    return f"claim_{text}" if re.match(rf"[0-9]|(is|num|rule|said)_|({taken})$", text) else text


def find_obstacle(certificate: CertificateContent) -> str:
    """Return why a verdict cannot be a theorem; empty if it can. ``write_theorem`` finds out if it is too large."""
    data, evidence, is_refuted = certificate.statement, certificate.evidence, certificate.verdict == "refuted"
    if data["kind"] != "play":
        return f"theorems are about plays; this is a statement of kind {data['kind']!r}"
    if not has_writer(data["rules"]):
        return "theorems are about games of cells or of one board, not about nine fields"
    if "given" in data:
        return "theorems are about plays from one start, not from all positions that 'given' allows"
    statement, types = parse_statement(data), [one["type"] for one in data["objectives"]]
    scopes = {scope for one in data["objectives"] for scope in one.get("at", ())}
    chooses, has_own, goes_round = statement.chooses, bool(data["strategies"]), not statement.has_number
    obstacles = {
        "have no words X_keeps and O_keeps": re.search(rb'\["[XO]_keeps"', canonical_bytes(data)),
        "have no scopes 'before' and 'after' a rule": any(":" in scope for scope in scopes),
        "have no scope 'start' where play can come back to the start": goes_round and "start" in scopes,
        "do not say that a player can bring about several objectives in the same play": (
            chooses and sum(one in UNIVERSAL for one in types) > 1
        ),
        "do not say that no strategy breaks down after the goal of a 'reach' without 'by'": (
            goes_round and has_own and len(types) > 1 and {*types} <= {"reach", "some"}
        ),
        "are not refuted by a play that repeats positions for ever": is_refuted
        and _find_refuted(statement, evidence) is None,
        "in which a player chooses are refuted only by tables, and only if nobody has a strategy": (
            is_refuted and chooses and ("line" in evidence or has_own)
        ),
    }
    return next((f"theorems {reason}" for reason, applies in obstacles.items() if applies), "")


def write_theorem(proofs: pathlib.Path, name: str, certificate: CertificateContent) -> str:
    """Return the text of the file of a theorem.

    Raises:
        UsageError: the plays meet too many positions, or a table has too many entries or leaves out too many moves.
    """
    try:
        parts = [*_Writer(proofs, name, certificate).write()]
    except NodeLimitError as error:
        size = str(error).partition(".")[0]
        raise UsageError(f"{name} is too large for a theorem: {size}") from None
    wrap = textwrap.TextWrapper(118, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return "\n".join(wrap.fill(line) for part in parts for line in part.split("\n")) + "\n"


def _find_refuted(statement: Statement, evidence: dict[str, Any]) -> int | None:
    """Return the index of an objective that evidence refutes; None if the evidence is a play that goes round for ever.

    If a strategy breaks down after the goal of a ``reach`` without ``by``, this refutes another objective.
    """
    types = {one.name: one.type for one in statement.objectives}
    at = [*types].index(evidence["objective"])
    if "line" in evidence and types[evidence["objective"]] == "reach" and not statement.has_number:
        last = replay(statement, parse_line(statement.game, evidence["line"]))[-1]
        if explain_breakdown(statement, last.position, last.mover):
            return next((i for i, kind in enumerate(types.values()) if kind in ("prevent", "keep")), at)
        return None if last.mover else at
    return at


class _Writer:
    """Writes the file of a theorem."""

    def __init__(self, proofs: pathlib.Path, name: str, certificate: CertificateContent) -> None:
        self._proofs, self._name, self._certificate = proofs, name, certificate
        self._data, self._evidence = certificate.statement, certificate.evidence
        self._statement = parse_statement(self._data)
        self._rules = write_rules(self._data["rules"])
        self._say = functools.partial(write_formula, words=self._rules.words, prefix="said_")

    def write(self) -> Iterator[str]:
        """Yield the lines of the Coq file."""
        yield f"(** {self._name}: {self._certificate.verdict}. Written by [verifier export coq]."
        yield f"    The hash of the statement: {hash_value(self._data)}. *)\n"
        yield "From Coq Require Import List ZArith.\nFrom General Require Import Game Claim Check Sound."
        yield "Import ListNotations.\n\n(** ** The rules *)\n"
        yield from self._rules.lines
        yield "\n(** ** What is claimed *)\n"
        yield from self._write_claim()
        yield "\n(** ** The evidence, which nobody has to read, and the theorem *)\n"
        yield from self._write_proof()

    def _write_claim(self) -> Iterator[str]:
        data, statement = self._data, self._statement
        yield from write_entries(data["formulas"], self._rules.words, "said_")
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
            numbers = self._rules.numbers
            choices = (f"({self._say(one['when'])}, {numbers[tuple(one['play'])]})" for one in rule["choices"])
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
        theorem, evidence, statement = name_theorem(self._name), self._evidence, self._statement
        said, computed = "~ holds", "vm_cast_no_check (eq_refl true)."
        at = _find_refuted(statement, evidence) if "objective" in evidence else None
        if at is None:
            shown = (
                self._write_line(evidence["lines"][one.name])
                if one.type == "some"
                else self._write_table(replace(statement, objectives=(one,)))
                for one in statement.objectives
            )
            yield f"Definition shown : list evidence := {write_list(shown)}."
            said, proof = "holds", f"(check_sound game statement shown). {computed}"
        elif "table" in evidence:
            table = self._write_table(oppose(statement, evidence["objective"]))
            yield f"Definition shown : list evidence := [{table}]."
            yield f"Definition refuted : objective := nth {at} (objectives statement) (Possibly [] (Const true))."
            yield "Definition opponent_statement : claim := Claim (opposed plays_claimed) [opposite refuted]."
            yield f"\nTheorem opponent_{theorem} : holds game opponent_statement."
            yield f"Proof. apply (check_sound game _ shown). {computed} Qed."
            proof = f"(opponent_claim_refutes game statement {at}); try reflexivity.\nexact opponent_{theorem}."
        else:  # to refute a `some`, follow all plays: even if the claimant chooses his moves, follow all of his moves
            everywhere = replace(statement, chooses=False)
            shown_by = self._write_line(evidence["line"]) if "line" in evidence else self._write_table(everywhere)
            yield f"Definition shown : evidence := {shown_by}."
            proof = f"(refute_sound game statement {at} shown). {computed}"
        yield f"\nTheorem {theorem} : {said} game statement."
        yield f"Proof. apply {proof} Qed."

    def _write_line(self, moves: Sequence[str]) -> str:
        return f"ByLine {write_list(self._rules.numbers[self._statement.game.parse_move(move)] for move in moves)}"

    def _write_table(self, statement: Statement) -> str:
        """Write the claimant's move in each position where he chooses; no move if nobody chooses. Follow all plays."""
        game, rows, counted = statement.game, [], statement.has_number
        choose = self._find_moves(statement) if statement.chooses else None
        for position, edges in explore(statement, choose, limit=MAX_MET).edges.items():
            if choose and edges and game.turn(position) == statement.claimant:
                cells, turn = self._rules.list_cells(position), "XO".index(game.turn(position)) + 1
                key = _find_key([game.ply(position) if counted else 0, turn, *cells])
                rows.append(f"({key}%positive, {self._rules.numbers[edges[0][1]]})")
        return f"ByTable {str(counted).lower()} {write_list(rows)}"

    def _find_moves(self, statement: Statement) -> Callable[[Any], list[Any]]:
        """Return a function that finds the claimant's move: in the table, up to symmetry, or else by a search."""
        game, search = statement.game, Solver(statement, MAX_MET)
        moves = unpack(read_named(files_of(self._proofs), self._evidence["table"]), "the table")["moves"]
        table = {game.parse_position(at): [game.parse_move(chosen[0])] for at, chosen in moves.items()}
        if "symmetries" in self._evidence:
            if not hasattr(statement.start, "x_mask"):  # what follows computes images of marks
                raise UsageError(f"{self._name}: its table is up to permutations of cells: no theorem can say this yet")
            group = Symmetries(self._data, statement, self._evidence["symmetries"]).group
            if len(table) * len(group) > MAX_UNFOLDED:
                size = f"{len(table):,} entries with up to {len(group):,} images each"
                raise UsageError(f"{self._name}: the table has {size}, too many for a theorem")
            images = Images(group)
            for at, [(s,)] in [*table.items()]:
                for one, *masks in zip(group, *(images[mask] for mask in at), strict=True):
                    table[at._make(masks)] = [(one[s],)]
        return lambda position: table.get(position) or search.choose(position)


def _write_option(number: int | None) -> str:
    return "None" if number is None else f"(Some {number})"


def _find_key(numbers: Iterable[int]) -> int:
    """Return the key of a position in a table (``key_of`` in ``Check.v``)."""
    digits = (f"1{''.join(f'1{digit}' for digit in f'{n:b}'[:0:-1])}0" if n else "0" for n in numbers)
    return int(f"1{''.join(digits)}", 2)
