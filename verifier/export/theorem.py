"""Writes verdicts on plays as theorems for Coq, a file for each reading.

Nothing here has to be trusted. A theorem is about the rules and the statement in its file. The file also has the
evidence. ``proofs/coq/general`` has functions that check evidence, and proves them correct. So if anything here is
wrong, the file does not compile, or a reader can see that the statement in the file differs from the reading.
"""

from __future__ import annotations

import pathlib
import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from verifier.export.coq_rules import WRITERS, write_comment, write_entries, write_formula, write_list, write_option
from verifier.kernel.certificate import CertificateContent, files_of, hash_value, read_certificate, read_index, unpack
from verifier.kernel.decide import decide
from verifier.kernel.errors import UsageError
from verifier.kernel.plays import explain_breakdown, oppose, parse_line, replay
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import UNIVERSAL, Statement, parse_statement
from verifier.recheck import plan
from verifier.search.solve import Solver
from verifier.search.walk import NodeLimitError, explore

MAX_MET, MAX_IMAGES = 60_000, 200_000
"""Two limits. ``MAX_MET``: the number of positions in plays, and in a search for moves that a table leaves out.
``MAX_IMAGES``: the number of images that the entries of a table have under symmetries."""

_SCOPES = {"every": "Every", "start": "AtStart", "claimant": "OfClaimant", "opponent": "OfOpponent", "end": "AtEnd"}
_KINDS = {"reach": "Reach", "prevent": "Prevent", "keep": "Keep", "some": "Possibly"}


def export_theorems(proofs: pathlib.Path, folder: pathlib.Path, names: frozenset[str]) -> Iterator[pathlib.Path]:
    """Write a file with a theorem for each of some readings, and yield the path of each file.

    Args:
        proofs: the folder of the evidence.
        folder: the folder for the files; it is created if it does not exist.
        names: claims or readings; empty for all.

    Raises:
        CertificateError: evidence is rejected.
        UsageError: one of ``names`` is not in the index of the evidence, or a reading cannot be written as a theorem.
        OSError: a file cannot be written.
    """
    found = dict[str, tuple[str, CertificateContent]]()
    for entry in plan(read_index(proofs), names):
        name, certificate = entry.names[0], read_certificate(proofs, entry.key)
        other, _ = found.setdefault(name_theorem(name), (name, certificate))
        reason = find_obstacle(certificate) if other == name else f"the theorem of {other} has the same name"
        if reason:
            raise UsageError(f"{name}: {reason}")
    folder.mkdir(parents=True, exist_ok=True)
    for theorem, (name, certificate) in found.items():
        decide(certificate.statement, certificate.verdict, certificate.evidence, files_of(proofs))
        path = folder / f"{theorem}.v"
        path.write_text(write_theorem(proofs, name, certificate), encoding="ascii", errors="backslashreplace")
        yield path


def name_theorem(name: str) -> str:
    """Return the name of the theorem of a reading. The file does not use this name for anything else."""
    text = re.sub(r"[^a-z0-9]", "_", name)
    return f"claim_{text}" if re.match(r"[0-9]|(is|num|rule|said|all|plays|opponent)_", text) else text


def find_obstacle(certificate: CertificateContent) -> str:
    """Return why a verdict cannot be a theorem; empty if it can. Only ``write_theorem`` refuses large theorems."""
    data, evidence, is_refuted = certificate.statement, certificate.evidence, certificate.verdict == "refuted"
    if data["kind"] != "play":
        return f"theorems are about plays; this is a statement of kind {data['kind']!r}"
    statement = parse_statement(data)
    if type(statement.game) not in WRITERS:
        return "theorems are about games of cells or of one board, not about nine fields"
    if "given" in data:
        return "theorems are about plays from one start, not from all positions that 'given' allows"
    types = [one.type for one in statement.objectives]
    scopes = {scope for one in statement.objectives for scope in one.scopes}
    has_own, goes_round = bool(statement.strategies), not statement.has_number
    is_solved = "state" not in data["rules"] and re.search("'[XO]_keeps'", str(data))  # cells may have these names
    is_joint = statement.chooses and sum(map(UNIVERSAL.count, types)) > 1
    plays_on = goes_round and has_own and len(types) > 1 and {*types} <= {"reach", "some"}
    is_unlisted = is_refuted and statement.chooses and ("line" in evidence or has_own)
    obstacles = {
        "have no words X_keeps and O_keeps": is_solved,
        "have no scopes 'before' and 'after' a rule": not scopes <= {*_SCOPES},
        "have no scope 'start' if play can come back to the start": goes_round and "start" in scopes,
        "cannot say that a player can bring about several objectives in the same play": is_joint,
        "cannot say that strategies have moves after the goal is reached, if 'reach' has no 'by'": plays_on,
        "cannot say that a claim fails because play never ends": is_refuted and _is_endless(statement, evidence),
        "that a player cannot force something need a table, and a reading without strategies": is_unlisted,
    }
    return next((f"theorems {reason}" for reason, applies in obstacles.items() if applies), "")


def _is_endless(statement: Statement, evidence: dict[str, Any]) -> bool:
    """Say whether evidence is a line after which play goes round for ever, without reaching a goal."""
    (kind,) = (one.type for one in statement.objectives if one.name == evidence["objective"])
    if statement.has_number or kind != "reach" or "line" not in evidence:
        return False
    last = replay(statement, parse_line(statement.game, evidence["line"]))[-1]
    return bool(last.mover) and not explain_breakdown(statement, last.position, last.mover)


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


class _Writer:
    """Writes the file of a theorem."""

    def __init__(self, proofs: pathlib.Path, name: str, certificate: CertificateContent) -> None:
        self._proofs, self._name, self._verdict = proofs, name, certificate.verdict
        self._data, self._evidence = certificate.statement, certificate.evidence
        self._statement = parse_statement(self._data)
        self._game = self._statement.game
        self._rules = WRITERS[type(self._game)](self._game)
        self._words = {**self._rules.words, "use": "said_"}

    def write(self) -> Iterator[str]:
        """Yield the lines of the Coq file."""
        yield f"(** {self._name}: {self._verdict}. Written by [verifier export coq]."
        yield f"    The hash of the statement: {hash_value(self._data)}. *)\n"
        yield "From Coq Require Import List ZArith.\nFrom General Require Import Game Board Claim Check Sound."
        yield "Import ListNotations.\n\n(** ** The rules *)\n"
        yield from self._rules.lines
        yield "\n(** ** What is claimed *)\n"
        yield from self._write_claim()
        yield "\n(** ** The evidence, which nobody has to read, and the theorem *)\n"
        yield f"Definition shown := {self._write_evidence()}."
        yield from self._write_proof()

    def _write_claim(self) -> Iterator[str]:
        data, start, rules = self._data, self._statement.start, self._rules
        yield from write_entries(data["formulas"], self._words)
        own = {"X": "None", "O": "None"}
        for player, strategy in sorted(data["strategies"].items()):
            own[player] = f"(Some strategy_of_{player})"
            phases = write_list(map(self._write_part, strategy["phases"]))
            yield f"Definition strategy_of_{player} : strategy := {phases}."
        yield "Definition plays_claimed : setting :="
        yield f"  Setting (Position {write_list(rules.list_cells(start))}%Z Player{self._game.turn(start)})"
        yield f"    {self._game.ply(start)} {write_option(data['horizon'])} {own['X']} {own['O']}"
        yield f"    Player{data['claimant']} {str(self._statement.chooses).lower()}."
        yield "Definition statement : claim :="
        yield f"  Claim plays_claimed {write_list(map(self._write_objective, data['objectives']))}."

    def _write_part(self, part: Any) -> str:
        """Write a phase of a strategy, an instance of a phase, a rule of an instance, or a choice of a rule."""
        when = write_formula(part["when"], self._words) if "when" in part else ""
        if "play" in part:
            return f"({when}, {self._rules.numbers[tuple(part['play'])]})"
        (parts,) = (part[key] for key in ("instances", "rules", "choices") if key in part)
        said = f"Instance {when}" if when else write_comment(part.get("phase", part.get("rule")))
        return f"{said} {write_list(map(self._write_part, parts))}"

    def _write_objective(self, said: Any) -> str:
        kind, formula = _KINDS[said["type"]], write_formula(said.get("goal", said.get("holds")), self._words)
        if "at" in said:
            return f"{kind} {write_list(_SCOPES[scope] for scope in said['at'])} {formula}"
        return f"{kind} {formula} {write_option(said.get('by', said.get('through')))}"

    def _write_proof(self) -> Iterator[str]:
        theorem, computed = name_theorem(self._name), "vm_cast_no_check (eq_refl true)."
        holds, proof = "~ holds", f"apply (refute_sound game statement shown). {computed}"
        if self._verdict == "proved":
            holds, proof = "holds", f"apply (check_sound game statement shown). {computed}"
        elif "table" in self._evidence:
            yield "Definition opponent_statement : claim := opponent_claim statement."
            yield f"\nTheorem opponent_{theorem} : holds game opponent_statement."
            yield f"Proof. apply (check_sound game _ [shown]). {computed} Qed."
            proof = f"apply opponent_claim_refutes; [easy | easy | exact opponent_{theorem}]."
        yield f"\nTheorem {theorem} : {holds} game statement.\nProof. {proof} Qed."

    def _write_evidence(self) -> str:
        """Write a list with evidence for each objective; or, to refute a claim, evidence against one objective."""
        statement, evidence = self._statement, self._evidence
        if self._verdict == "proved":
            lines = evidence.get("lines", {})
            sides = {one.name: replace(statement, objectives=(one,)) for one in statement.objectives}
            return write_list(self._write_shown(side, lines.get(name)) for name, side in sides.items())
        # A line refutes a claim about all plays. To refute ``some``, look at all plays, even if the claimant chooses.
        side = oppose(statement, evidence["objective"]) if "table" in evidence else replace(statement, chooses=False)
        return self._write_shown(side, evidence.get("line"))

    def _write_shown(self, statement: Statement, line: list[str] | None) -> str:
        """Write a line. If there is none, write the claimant's move in each position in which he chooses."""
        game, numbers = self._game, self._rules.numbers
        if line is not None:
            return f"ByLine {write_list(numbers[game.parse_move(move)] for move in line)}"
        choose = self._find_moves(statement) if statement.chooses else None
        rows = (
            f"({self._find_key(position)}%positive, {numbers[edges[0][1]]})"
            for position, edges in explore(statement, choose, limit=MAX_MET).edges.items()
            if choose and edges and game.turn(position) == statement.claimant
        )
        return f"ByTable {str(statement.has_number).lower()} {write_list(rows)}"

    def _find_key(self, position: Any) -> int:
        """Return the key of a position in a table (``key_of`` in ``Check.v``)."""
        made = self._game.ply(position) if self._statement.has_number else 0
        numbers = [made, "XO".index(self._game.turn(position)) + 1, *self._rules.list_cells(position)]
        digits = (f"1{''.join(f'1{digit}' for digit in f'{n:b}'[:0:-1])}0" if n else "0" for n in numbers)
        return int(f"1{''.join(digits)}", 2)

    def _find_moves(self, statement: Statement) -> Callable[[Any], list[Any]]:
        """Return a function that finds the claimant's move: in the table, up to symmetry, or else by a search."""
        game, search = statement.game, Solver(statement, MAX_MET)
        moves = unpack(files_of(self._proofs)(self._evidence["table"]), "the table")["moves"]
        table = {game.parse_position(at): [game.parse_move(chosen[0])] for at, chosen in moves.items()}
        if "symmetries" not in self._evidence:
            return lambda position: table.get(position) or search.choose(position)
        symmetries = Symmetries(self._data, statement, self._evidence["symmetries"])
        if len(table) * len(symmetries.group) > MAX_IMAGES:
            raise NodeLimitError(f"a table of {len(table):,} entries with up to {len(symmetries.group):,} images each")

        def least(position: Any) -> Any:
            return symmetries.least(position if statement.has_number else game.without_number(position))

        def choose(position: Any) -> list[Any]:
            seen = least(position)
            if seen not in table:
                return search.choose(position)
            wanted = least(game.play(seen, *table[seen]))  # the move has to lead to an image of this position
            return [next(move for move in game.legal_moves(position) if least(game.play(position, move)) == wanted)]

        return choose
