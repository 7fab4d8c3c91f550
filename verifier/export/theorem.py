"""Writes verdicts on plays as theorems for Coq, a file for each reading.

Trusted for nothing. A theorem speaks of the rules and of the statement that stand in its file. Tables and lines are in
the file as well, and ``proofs/coq/general`` has a check of them that is proved right. If anything here is wrong, either
the file does not compile, or a reader sees a statement that is not the reading's.
"""

from __future__ import annotations

import functools
import pathlib
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from verifier.export.coq_rules import PLAYERS, CoqRules, move_marks, write_entries, write_formula, write_list, write_rules
from verifier.kernel.certificate import CertificateContent, canonical_bytes, files_of, hash_value, read_certificate, read_index, read_table
from verifier.kernel.decide import decide
from verifier.kernel.errors import UsageError
from verifier.kernel.games import Move
from verifier.kernel.plays import find_choices, has_ended, oppose
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import UNIVERSAL, Objective, Statement, parse_statement
from verifier.recheck import plan

MAX_MET, MAX_SEARCHED = 60_000, 300_000
"""Maximum number of positions of plays for a theorem, and of positions in a search for moves that a table leaves out."""

_SCOPES = {"every": "Every", "start": "AtStart", "claimant": "OfClaimant", "opponent": "OfOpponent", "end": "AtEnd"}
_KINDS = {"reach": "Reach", "prevent": "Prevent", "keep": "Keep", "some": "Possibly"}


def export_theorems(proofs: pathlib.Path, folder: pathlib.Path, names: frozenset[str]) -> Iterator[pathlib.Path]:
    """Write a theorem for each of some readings; yield each file that was written.

    Args:
        proofs: the folder of the evidence.
        folder: the folder for the files; it is created if it does not exist.
        names: claims or readings; empty: all.

    Raises:
        CertificateError: evidence is rejected.
        UsageError: the index of the evidence does not have a name, or a reading cannot be written as a theorem.
        OSError: a file cannot be written.
    """
    entries = [(entry.names[0], entry.key) for entry in plan(read_index(proofs), names)]
    for name, key in entries:
        certificate = read_certificate(proofs, key)
        reason = find_obstacle(certificate)
        if reason:
            raise UsageError(f"{name}: {reason}")
    folder.mkdir(parents=True, exist_ok=True)
    for name, key in entries:
        certificate = read_certificate(proofs, key)
        decide(certificate.statement, certificate.verdict, certificate.evidence, files_of(proofs))
        path = folder / f"{name_theorem(name)}.v"
        path.write_text(write_theorem(proofs, name, certificate), encoding="ascii", errors="backslashreplace")
        yield path


def name_theorem(name: str) -> str:
    """Return the name of the theorem of a reading."""
    text = re.sub(r"[^a-z0-9]", "_", name)
    return text if text[0].isalpha() else f"claim_{text}"


def find_obstacle(certificate: CertificateContent) -> str:
    """Return why a verdict cannot be written as a theorem; empty if it can, unless it is too large."""
    data, evidence = certificate.statement, certificate.evidence
    if data["kind"] != "play":
        return f"theorems are about plays; this is a statement of kind {data['kind']!r}"
    if write_rules(data["rules"]) is None:
        return "theorems are about games of cells or of one board, not about nine fields"
    if re.search(rb'\["[XO]_keeps"', canonical_bytes(data)):
        return "X_keeps and O_keeps are not words of the theorems"
    if "given" in data:
        return "'given' speaks of all positions; theorems start at one position"
    if any(":" in scope for objective in data["objectives"] for scope in objective.get("at", ())):
        return "the scopes 'before:...' and 'after:...' are not words of the theorems"
    chooses = parse_statement(data).chooses
    if chooses and sum(objective["type"] in UNIVERSAL for objective in data["objectives"]) > 1:
        return "the claimant chooses, and a table shows several objectives at once; theorems are about each for itself"
    if certificate.verdict == "refuted" and chooses and ("line" in evidence or data["strategies"]):
        return "a refutation of a player who chooses is written only where neither player has a strategy"
    return ""


def write_theorem(proofs: pathlib.Path, name: str, certificate: CertificateContent) -> str:
    """Write the file of a theorem.

    Raises:
        UsageError: too many positions are met, or a search for moves takes too long.
    """
    data, theorem = certificate.statement, name_theorem(name)
    rules = write_rules(data["rules"])
    if rules is None:
        raise UsageError(f"{name}: {find_obstacle(certificate)}")
    statement = parse_statement(data)
    parts = [
        f"(** {name}: {certificate.verdict}. Written by [verifier export coq]. The statement's hash is\n    {hash_value(data)}.",
        "    The rules come first, then what is claimed, then the evidence, which nobody has to read. *)\n",
        "From Coq Require Import List ZArith.\nFrom General Require Import Game Claim Check Sound.\nImport ListNotations.\n",
        "(** ** The rules *)\n",
        *rules.lines,
        "\n(** ** What is claimed *)\n",
        *_write_claim(data, statement, rules),
        "\n(** ** The evidence, and the theorem *)\n",
        *_write_proof(proofs, name, certificate, statement, rules, theorem),
    ]
    return "\n".join("\n".join(_wrap(line) for line in part.split("\n")) for part in parts) + "\n"


def _wrap(line: str) -> str:
    return textwrap.fill(line, 118, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) if line else ""


def _write_claim(data: dict[str, Any], statement: Statement, rules: CoqRules) -> Iterator[str]:
    yield from write_entries(data["formulas"], rules.words, "said_")
    numbers = number_moves(data)
    own = []
    for player in "XO":
        own.append(f"(Some strategy_of_{player})" if player in data["strategies"] else "None")
        if player in data["strategies"]:
            phases = data["strategies"][player]["phases"]
            yield f"Definition strategy_of_{player} : strategy :="
            yield f"  {write_list(_write_phase(phase, rules, numbers) for phase in phases)}."
    position = f"(Position {write_list(map(str, rules.cells(statement.start)))}%Z {PLAYERS[statement.game.turn(statement.start)]})"
    yield f"Definition plays_claimed : setting := Setting {position} {statement.game.ply(statement.start)} {_option(data['horizon'])}"
    yield f"  {' '.join(own)} {PLAYERS[data['claimant']]} {str(statement.chooses).lower()}."
    objectives = write_list(_write_objective(objective, rules) for objective in data["objectives"])
    yield f"Definition statement : claim := Claim plays_claimed {objectives}."


def _write_phase(phase: Any, rules: CoqRules, numbers: Mapping[Move, int]) -> str:
    def write_choice(choice: Any) -> str:
        return f"({say(choice['when'])}, {numbers[tuple(choice['play'])]})"

    def write_rule(rule: Any) -> str:
        return f"(* {_comment(rule['rule'])} *) {write_list(map(write_choice, rule['choices']))}"

    say = functools.partial(write_formula, words=rules.words, prefix="said_")
    instances = (f"Instance {say(one['when'])} {write_list(map(write_rule, one['rules']))}" for one in phase["instances"])
    return f"(* {_comment(phase['phase'])} *) {write_list(instances)}"


def _comment(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9 ,-]", "_", text)


def _write_objective(objective: Any, rules: CoqRules) -> str:
    kind, said = _KINDS[objective["type"]], objective["holds" if "holds" in objective else "goal"]
    text = write_formula(said, rules.words, "said_")
    if "at" in objective:
        return f"{kind} {write_list(_SCOPES[scope] for scope in objective['at'])} {text}"
    return f"{kind} {text} {_option(objective.get('by', objective.get('through')))}"


def _option(number: int | None) -> str:
    return "None" if number is None else f"(Some {number})"


def number_moves(data: dict[str, Any]) -> dict[Move, int]:
    """Return the number of each move in the rules of a theorem."""
    rules = data["rules"]
    moves = [tuple(numbers) for _, numbers, _ in rules["moves"]] if "moves" in rules else []
    return {move: i for i, move in enumerate(moves or [(s,) for s in range(rules["rows"] * rules["columns"])])}


def _write_proof(
    proofs: pathlib.Path, name: str, certificate: CertificateContent, statement: Statement, rules: CoqRules, theorem: str
) -> Iterator[str]:
    data, evidence = certificate.statement, certificate.evidence
    numbers = number_moves(data)

    def write_line(moves: Sequence[str]) -> str:
        return f"ByLine {write_list(str(numbers[statement.game.parse_move(move)]) for move in moves)}"

    def write_table(followed: Statement, objective: Objective) -> str:
        table = _follow(followed, objective, _find_entries(proofs, data, followed, objective, evidence), name)
        is_counted = not _is_timeless(data, objective)
        rows = (
            f"({_key(rules.cells(at), statement.game.turn(at), statement.game.ply(at) * is_counted)}%positive, {numbers[move]})"
            for at, move in table.items()
        )
        return f"ByTable {write_list(rows)}"

    if certificate.verdict == "proved":
        lines = evidence.get("lines", {})
        shown = [
            write_line(lines[one.name]) if one.type == "some" else write_table(statement, one) for one in statement.objectives
        ]
        yield f"Definition shown : list evidence := {write_list(shown)}."
        yield f"\nTheorem {theorem} : holds game statement."
        yield "Proof. apply (check_sound game statement shown). vm_cast_no_check (eq_refl true). Qed."
        return
    at, objective = next((i, one) for i, one in enumerate(statement.objectives) if one.name == evidence["objective"])
    if "table" in evidence:
        opposed = oppose(statement, objective.name)
        said = f"(Claim (opposed plays_claimed) [opposite (nth {at} (objectives statement) (Possibly [] (Const true)))])"
        yield f"Definition shown : list evidence := [{write_table(opposed, opposed.objectives[0])}]."
        yield f"\nTheorem {theorem}_opponent : holds game {said}."
        yield "Proof. apply (check_sound game _ shown). vm_cast_no_check (eq_refl true). Qed."
        yield f"\nTheorem {theorem} : ~ holds game statement."
        yield f"Proof. exact (opponent_claim_refutes game statement {at} eq_refl eq_refl eq_refl {theorem}_opponent). Qed."
        return
    shown_by = write_line(evidence["line"]) if "line" in evidence else write_table(statement, objective)
    yield f"Definition shown : evidence := {shown_by}."
    yield f"\nTheorem {theorem} : ~ holds game statement."
    yield f"Proof. apply (refute_sound game statement {at} shown). vm_cast_no_check (eq_refl true). Qed."


def _is_timeless(data: dict[str, Any], objective: Objective) -> bool:
    """Say whether the check looks at positions without their number, as ``Check.v`` says."""
    said = next(one for one in data["objectives"] if one["name"] == objective.name)
    used, entries = [said, data["strategies"]], data["formulas"]

    def has_ply(node: Any) -> bool:
        if isinstance(node, dict):
            return any(map(has_ply, node.values()))
        if not isinstance(node, list) or not node:
            return False
        return node == ["ply"] or (has_ply(entries[node[1]]) if node[0] == "use" else any(map(has_ply, node)))

    bound = said.get("by", said.get("through"))
    return data["horizon"] is None and bound is None and "start" not in said.get("at", ()) and not any(map(has_ply, used))


def _key(cells: Sequence[int], turn: str, ply: int) -> int:
    """Return the key of a position in a table (``key_of`` in ``Check.v``)."""
    bits = "1"
    for number in (ply, " XO".index(turn), *cells):
        digits = "".join(f"1{digit}" for digit in f"{number:b}"[:0:-1])
        bits += f"1{digits}0" if number else "0"
    return int(bits, 2)


def _follow(statement: Statement, objective: Objective, entry: Callable[[Any], Move], name: str) -> dict[Any, Move]:
    """Follow all plays; return the claimant's move in each position where he chooses."""
    game, waiting, table = statement.game, [statement.start], dict[Any, Move]()
    met = {statement.start}
    for position in waiting:  # grows while it is read
        if has_ended(statement, position):
            continue
        mover = game.turn(position)
        if statement.chooses and mover == statement.claimant:
            table[position] = entry(position)
            moves: Sequence[Move] = [table[position]]
        elif mover in statement.strategies:
            moves = [move for _, move in find_choices(statement, position, mover)]
        else:
            moves = game.legal_moves(position)
        for move in moves:
            after = game.play(position, move)
            if after not in met:
                met.add(after)
                waiting.append(after)
        if len(met) > MAX_MET:
            raise UsageError(f"{name}: plays meet more than {MAX_MET:,} positions, too many for a theorem")
    return table


def _find_entries(
    proofs: pathlib.Path, data: dict[str, Any], statement: Statement, objective: Objective, evidence: dict[str, Any]
) -> Callable[[Any], Move]:
    """Return a function that gives the claimant's move: by the table, by an image of its position, or by a search."""
    game, moves, group = statement.game, dict[str, list[str]](), list[Any]()
    if "table" in evidence:
        moves = read_table(files_of(proofs), evidence["table"], "verifier-table", {"moves": dict, "pairs?": dict, "weights?": True, "wins?": True}, "the table")["moves"]
    if "symmetries" in evidence:
        group = Symmetries(data, statement, evidence["symmetries"]).group
    searched = dict[Any, bool]()

    def can(position: Any) -> bool:
        if position not in searched:
            searched[position] = False
            if len(searched) > MAX_SEARCHED:
                raise UsageError(f"{objective.name}: the table ends early, and a search for the rest takes too long")
            searched[position] = _can(position)
        return searched[position]

    def _can(position: Any) -> bool:
        ply, is_reach = game.ply(position), objective.type == "reach"
        if objective.speaks_of(ply, frozenset()) and objective.type == "prevent" and not objective.holds(position, ply):
            return False
        if is_reach and objective.holds(position, ply):
            return True
        if has_ended(statement, position) or (is_reach and ply >= objective.bound):
            return not is_reach
        after = [game.play(position, move) for move in game.legal_moves(position)]
        if game.turn(position) != statement.claimant:
            return all(map(can, after))
        return any(is_reach and objective.holds(one, ply + 1) for one in after) or any(map(can, after))

    def entry(position: Any) -> Move:
        text = game.format_position(position)
        if text in moves:
            return game.parse_move(moves[text][0])
        for permutation in group:
            image = game.format_position(move_marks(position, permutation))
            if image in moves:
                return (permutation.index(game.parse_move(moves[image][0])[0]),)
        legal = game.legal_moves(position)
        return next((move for move in legal if can(game.play(position, move))), legal[0])

    return entry
