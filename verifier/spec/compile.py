"""Compile a reading to the statement that the kernel decides on, in the kernel's own terms."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass
from typing import Any

from verifier.kernel.bound import parse_bound
from verifier.kernel.errors import IllegalMoveError, NotationError, SpecError
from verifier.kernel.games import Game, find_rules
from verifier.kernel.sample import parse_enumeration
from verifier.kernel.tables import parse_tables
from verifier.spec.connective import conjunction
from verifier.spec.library import Library, Scope, Spec
from verifier.spec.loader import Path
from verifier.spec.model import (
    Bound,
    Case,
    Claim,
    Conjunction,
    Entailment,
    Enumeration,
    Exhaustive,
    Induction,
    Part,
    Plays,
    Replay,
    Tables,
)
from verifier.spec.names import Formula
from verifier.spec.problem import Problem, SpecProblemsError
from verifier.spec.strategy import ground_moves, ground_strategy, strategy_labels

WITH_STRATEGY = ("reply", "round", "reply-first")
SCOPES = ("every", "start", "claimant", "opponent", "end")


@dataclass(frozen=True, slots=True)
class Compiled:
    """A reading's statement, and what the reading cites for each part (``steps`` only, by part name).

    ``statement`` is None for a conjunction: it has no evidence of its own.
    """

    statement: dict[str, Any] | None
    cites: dict[str, tuple[str, ...]]


def compile_reading(library: Library, claim: str, reading: str) -> Compiled:
    """Compile one reading of one claim.

    Raises:
        SpecProblemsError: everything that is wrong with it, with file, line and column.
    """
    spec, model = library.claims[claim], library.claim(claim)
    scope = Scope(library, spec, model.rules, model.includes)
    for name, text in model.diagrams.items():
        path: Path = ("diagrams", name)
        try:
            scope.define_formula(path, name, Formula(diagram_formula(scope.names.game, text)))
        except NotationError as error:
            scope.problems.append(spec.document.problem(path, str(error)))
    compiler = _Compiler(library, spec, model, scope, ("readings", reading))
    compiled = compiler.compile(model, reading)
    if scope.problems:
        raise SpecProblemsError(scope.problems)
    return compiled


def validate_library(library: Library) -> list[Problem]:
    """Compile every strategy and every reading; return everything that is wrong."""
    return compile_library(library)[1]


def compile_library(library: Library) -> tuple[dict[tuple[str, str], Compiled], list[Problem]]:
    """Compile every strategy and every reading; return the readings by claim and id, and everything that is wrong."""
    found: dict[tuple[str, str], Compiled] = {}
    problems: list[Problem] = []
    for name in library.strategies:
        problems += ground_strategy(library, name)[1].problems
    for name in library.claims:
        for reading in library.claim(name).readings:
            try:
                found[name, reading] = compile_reading(library, name, reading)
            except SpecProblemsError as error:
                problems += error.problems
    return found, sorted(set(problems))


def diagram_formula(game: Game, text: str) -> Any:
    """Return the formula that the marks on the board are those of a picture: nine rows of nine ``.XO``.

    Raises:
        NotationError: it is no such picture.
    """
    rows = text.split()
    if len(rows) != 9 or any(len(row) != 9 or set(row) - set(".XO") for row in rows) or "active" not in game.vocabulary:
        raise NotationError("a diagram is nine rows of nine of .XO, of a game on nine fields")
    parts: list[Any] = []
    for f in range(9):
        for s in range(9):
            cell = rows[f // 3 * 3 + s // 3][f % 3 * 3 + s % 3]
            parts.append([{"X": "X", "O": "O", ".": "free"}[cell], f, s])
    return conjunction(parts)


class _Compiler:
    def __init__(self, library: Library, spec: Spec, claim: Claim, scope: Scope, path: Path) -> None:
        self.library = library
        self.claim = claim
        self.scope = scope
        self.path = path
        self.document = spec.document
        self.game = find_rules(claim.rules)

    def compile(self, claim: Claim, reading: str) -> Compiled:
        model = claim.readings[reading]
        if isinstance(model, Bound) and model.no_win_by is not None:
            return Compiled(self.bound(model, model.no_win_by), {})
        if isinstance(model, Exhaustive | Bound):
            return Compiled(self.play(model), {})
        if isinstance(model, Enumeration):
            return Compiled(self.enumeration(model), {})
        if isinstance(model, Induction | Entailment):
            return self.steps(model)
        if isinstance(model, Replay):
            return Compiled(self.pattern(model), {})
        if isinstance(model, Tables):
            return Compiled(self.tables(model), {})
        if isinstance(model, Conjunction):
            return Compiled(None, {})
        raise TypeError(f"no statement for {type(model).__name__}")

    def problem(self, path: Path, message: str) -> None:
        self.scope.problems.append(self.document.problem((*self.path, *path), message))

    def start(self, text: str | None) -> str:
        if text is None:
            return self.game.format_position(self.game.start)
        try:
            return self.game.format_position(self.game.parse_position(text))
        except NotationError as error:
            self.problem(("start",), str(error))
            return self.game.format_position(self.game.start)

    def play(self, model: Plays | Bound) -> dict[str, Any]:
        named = model.strategies
        strategies: dict[str, Any] = {}
        labels = set(SCOPES)
        for player, name in named.items():
            ground = self.strategy(("strategies", player), name, {})
            if ground is None:
                continue
            if ground["player"] != player:
                self.problem(("strategies", player), f"{name!r} is a strategy of {ground['player']}")
            strategies[player] = ground
            names = strategy_labels(self.library.strategy(name.split("#")[0]))
            labels |= {f"{side}:{label}" for label in names for side in ("before", "after")}
        claimant = model.claimant or (next(iter(named)) if len(named) == 1 else None)
        if claimant is None:
            self.problem((), "say whose claim it is: claimant: X or claimant: O")
        if isinstance(model, Plays) and claimant is not None and named and claimant not in named:
            self.problem((), f"the claimant {claimant} has no strategy: method bound looks for one")
        is_universal = any(objective.some is None for objective in model.objectives.values())
        if isinstance(model, Exhaustive) and not named:
            if is_universal:
                self.problem((), "without a strategy only 'some' can be asked; method bound looks for a strategy")
            if model.horizon is None:
                self.problem((), "every play of the whole game cannot be visited: give a horizon, or a strategy")
        if isinstance(model, Exhaustive | Enumeration) and model.horizon is not None:
            for name, objective in model.objectives.items():
                if max(objective.by or 0, objective.through or 0) > model.horizon:
                    self.problem(("objectives", name), f"speaks of plies beyond the horizon, {model.horizon}")
        chooses = {"chooses": True} if isinstance(model, Bound) and claimant in named else {}
        return {
            "kind": "play",
            **chooses,
            "rules": self.claim.rules,
            "start": self.start(model.start),
            "claimant": claimant or "X",
            "horizon": self.horizon(model),
            "strategies": strategies,
            "objectives": [self.objective(name, objective, labels) for name, objective in model.objectives.items()],
        }

    def enumeration(self, model: Enumeration) -> dict[str, Any]:
        known = len(self.scope.problems)
        if not model.strategies:
            self.problem((), "an enumeration needs a strategy of the claimant: method bound looks for one")
        play = self.play(model)
        extra = {"symmetry": model.symmetry, "sample": model.sample, "seed": model.seed}
        statement = {**play, "kind": "enumeration", **extra}
        if len(self.scope.problems) == known:
            try:
                parse_enumeration(statement)
            except SpecError as error:
                self.problem((), str(error))
        return statement

    def horizon(self, model: Plays | Bound) -> int | None:
        if isinstance(model, Exhaustive | Enumeration):
            return model.horizon
        for name, objective in model.objectives.items():
            if objective.reach is None and objective.prevent is None:
                self.problem(("objectives", name), "method bound decides 'reach' or 'prevent'")
            return objective.through if objective.through is not None else objective.by
        return None

    def bound(self, model: Bound, through: int) -> dict[str, Any]:
        cases = [self.case(("cases", name), case) for name, case in model.cases.items()] or [
            {"start": self.start(None), "first": None}
        ]
        statement = {"kind": "bound", "rules": self.claim.rules, "through": through, "cases": cases}
        for index, name in enumerate(model.parts):
            claim, _, reading = name.partition("/")
            found = self.library.claim(claim).readings.get(reading) if claim in self.library.claims else None
            if not isinstance(found, Bound) or found.no_win_by is None:
                self.problem(("parts", index), f"{name!r} is no claim/reading of method bound with 'no_win_by'")
            elif claim not in self.claim.uses:
                self.problem(("parts", index), f"{claim!r} is not among what this claim uses")
        if not self.scope.problems:
            try:
                parse_bound(statement)
            except SpecError as error:
                self.problem((), str(error))
        return statement

    def case(self, path: Path, case: Case) -> dict[str, Any]:
        at: Path = (*path, "start")
        try:
            position = self.game.start if case.start is None else self.game.parse_position(case.start)
            for i, text in enumerate(case.after):
                at = (*path, "after", i)
                position = self.game.play(position, self.game.parse_move(text))
            at = (*path, "first" if case.but is None else "but")
            first = None if case.first is None else [self.game.parse_move(text) for text in case.first]
            if case.but is not None:
                without = [self.game.parse_move(text) for text in case.but]
                legal = self.game.legal_moves(position)
                if not set(without) <= set(legal):
                    self.problem(at, "not all of these are legal moves there")
                first = [move for move in legal if move not in without]
        except (NotationError, IllegalMoveError) as error:
            self.problem(at, str(error))
            return {"start": self.start(None), "first": None}
        moves = None if first is None else [self.game.format_move(move) for move in first]
        return {"start": self.game.format_position(position), "first": moves}

    def strategy(self, path: Path, name: str, env: dict[str, int]) -> dict[str, Any] | None:
        base, _, phase = name.partition("#")
        if base not in self.library.strategies:
            self.problem(path, f"no strategy {base!r} in these specs")
            return None
        model = self.library.strategy(base)
        if phase and phase not in model.phases:
            self.problem(path, f"the strategy {base!r} has no phase {phase!r}: {', '.join(model.phases)}")
            return None
        if type(find_rules(model.rules)) is not type(self.game):
            self.problem(path, f"the strategy {base!r} is for the rules {model.rules!r}: another game")
            return None
        ground, scope = ground_strategy(self.library, base, phase or None, env)
        self.scope.problems += scope.problems
        if phase and not scope.problems and not ground["phases"][0]["instances"]:
            wanted = ", ".join(f"{key} = {env[key]}" for key in model.phases[phase].for_ if key in env)
            self.problem(path, f"the phase {phase!r} has no member{' of ' + wanted if wanted else ''}")
        return ground

    def objective(self, name: str, objective: Any, labels: set[str]) -> dict[str, Any]:
        path = (*self.path, "objectives", name)
        if objective.reach is not None:
            goal = self.scope.formula((*path, "reach"), objective.reach, {})
            return {"name": name, "type": "reach", "goal": goal, "by": objective.by}
        if objective.prevent is not None:
            goal = self.scope.formula((*path, "prevent"), objective.prevent, {})
            return {"name": name, "type": "prevent", "goal": goal, "through": objective.through}
        kind = "keep" if objective.keep is not None else "some"
        holds = self.scope.formula((*path, kind), getattr(objective, kind), {})
        at = [objective.at] if isinstance(objective.at, str) else list(objective.at)
        if not at:
            self.problem(("objectives", name, "at"), "no scope is named: there is nothing to show")
        for scope in at:
            if scope not in labels:
                self.problem(("objectives", name, "at"), f"{scope!r} is none of: {', '.join(sorted(labels))}")
        return {"name": name, "type": kind, "at": at, "holds": holds}

    def steps(self, model: Induction | Entailment) -> Compiled:
        parts: list[dict[str, Any]] = []
        cites: dict[str, tuple[str, ...]] = {}
        is_met: dict[str, bool] = {}
        common = model.step if isinstance(model, Induction) else "start" if model.at == "start" else "none"
        for outer in self.scope.families((*self.path, "for"), model.for_, {}):
            given = self.named((*self.path, "given"), model.given, outer)
            for name, part in model.parts.items():
                path = (*self.path, "parts", name)
                step = part.step or common
                is_after = step not in ("none", "start", None)
                members = self.scope.families((*path, "for"), part.for_, outer)
                is_met[name] = is_met.get(name, False) or bool(members)
                for env in members:
                    label = name + ("[" + ",".join(f"{k}={v}" for k, v in env.items()) + "]" if env else "")
                    compiled = {
                        "part": label,
                        "step": step,
                        "claimant": model.claimant if isinstance(model, Induction) else "X",
                        "turn": part.turn,
                        "hypotheses": [*given, *self.named((*path, "given"), part.given, env)],
                        "conclusions": self.named((*path, "conclude"), part.conclude, env, is_after_step=is_after),
                        "unless": self.scope.formula((*path, "unless"), part.unless, env, is_after_step=is_after),
                        "plays": self.free_move((*path, "plays"), part.plays, env),
                        "strategy": None,
                    }
                    if isinstance(model, Entailment) and part.step is not None:
                        self.problem(("parts", name, "step"), "an entailment has no steps: that is method induction")
                    if step is None:
                        self.problem(("parts", name), "say the step, of this part or of the whole reading")
                    if isinstance(model, Induction) and step in WITH_STRATEGY:
                        compiled["turn"] = part.turn or self.turn(model, step)
                        compiled["strategy"] = self.step_strategy(model, step, env)
                    parts.append(compiled)
                    if part.cites is not None:
                        self.named((*path, "cites"), part.cites, env)
                        cites[label] = tuple(str(item) for item in part.cites)
        known = len(self.scope.problems)
        for name in model.parts:
            if not is_met.get(name) and not known:
                self.problem(("parts", name), "the family is empty: there is nothing to show")
        for name, part in model.parts.items():
            self.check_step(model, name, part, part.step or common)
        twice = [label for label, count in Counter(part["part"] for part in parts).items() if count > 1]
        if twice:
            self.problem(("parts",), f"two parts are called {twice[0]!r}")
        if isinstance(model, Induction) and model.strategy is not None:
            self.check_player(("strategy",), model.strategy, model.claimant)
            if not any((part.step or common) in WITH_STRATEGY for part in model.parts.values()):
                self.problem(("strategy",), "no step of this reading uses a strategy")
        if model.reachable_in is not None:
            self.strategy(("reachable_in",), model.reachable_in, {})
        if "active" not in self.game.vocabulary and any(part["step"] != "start" for part in parts):
            self.problem(("method",), "a solver knows only the rules of the games on nine fields")
        return Compiled({"kind": "steps", "rules": self.claim.rules, "parts": parts}, cites)

    def turn(self, model: Induction, step: str) -> str:
        opponent = "O" if model.claimant == "X" else "X"
        return opponent if step == "round" else model.claimant

    def step_strategy(self, model: Induction, step: str, env: dict[str, int]) -> dict[str, Any] | None:
        if model.strategy is None:
            self.problem((), f"the step {step!r} needs a strategy")
            return None
        return self.strategy(("strategy",), model.strategy, env)

    def check_step(self, model: Induction | Entailment, name: str, part: Part, step: str | None) -> None:
        if part.plays is not None and step in ("none", "start"):
            self.problem(("parts", name, "plays"), f"the step {step!r} has no move")
        if isinstance(model, Induction) and step in WITH_STRATEGY and part.turn not in (None, self.turn(model, step)):
            self.problem(("parts", name, "turn"), f"the step {step!r} starts at {self.turn(model, step)}'s turn")

    def check_player(self, path: Path, name: str, player: str) -> None:
        base = name.partition("#")[0]
        if base in self.library.strategies and self.library.strategy(base).player != player:
            self.problem(path, f"{name!r} is a strategy of {self.library.strategy(base).player}")

    def named(
        self, path: Path, expressions: list[Any], env: dict[str, int], *, is_after_step: bool = False
    ) -> list[Any]:
        return [
            [str(text), self.scope.formula((*path, i), text, env, is_after_step=is_after_step)]
            for i, text in enumerate(expressions)
        ]

    def free_move(self, path: Path, plays: Any, env: dict[str, int]) -> list[int] | None:
        if plays is None:
            return None
        known = len(self.scope.problems)
        moves = ground_moves(self.scope, path, list(plays), env, True)
        if len(moves) != 1:
            if len(self.scope.problems) == known:
                self.scope.problems.append(self.document.problem(path, "'plays' is one move, of integers"))
            return None
        move: list[int] = moves[0]["play"]
        return move

    def pattern(self, model: Replay) -> dict[str, Any]:
        if model.line is not None:
            if model.first:
                self.problem(("first",), "first moves are for numbered_rows: a line has all its moves")
            plies: list[Any] = [
                None if move == "?" else [self.move(("line", i), move)] for i, move in enumerate(model.line)
            ]
            left_of: list[list[int]] = []
        else:
            plies, left_of = self.numbered(model)
        holds = [
            [str(text), self.scope.formula((*self.path, "holds", i), text, {})] for i, text in enumerate(model.holds)
        ]
        start = self.start(model.start)
        return {
            "kind": "pattern",
            "rules": self.claim.rules,
            "start": start,
            "plies": plies,
            "left_of": left_of,
            "holds": holds,
        }

    def tables(self, model: Tables) -> dict[str, Any]:
        for index, name in enumerate(model.among):
            try:
                find_rules(name)
            except SpecError as error:
                self.problem(("among", index), str(error))
        entries: list[list[int]] = []
        for turn, lists in self.claim.tables.items():
            for spot, codes in lists.items():
                path = ("tables", turn, spot)
                target = self.game.parse_move(self.top_move(path, spot))[0]
                if turn not in [str(number) for number in range(1, 9)]:
                    self.scope.problems.append(self.document.key_problem(path[:2], f"{turn!r} is no turn"))
                    continue
                entries += [[int(turn), code, target] for code in self.scope.integers(path, codes, {})]
        statement = {
            "kind": "tables",
            "rules": model.among or [self.claim.rules],
            "order": self.scope.integers((*self.path, "order"), model.order, {}),
            "turns": list(model.turns),
            "entries": sorted(entries),
            "asks": model.asks,
        }
        if not self.scope.problems:
            try:
                parse_tables(statement)
            except SpecError as error:
                self.problem((), str(error))
        return statement

    def top_move(self, path: Path, text: str) -> str:
        try:
            return self.game.format_move(self.game.parse_move(text))
        except NotationError as error:
            self.scope.problems.append(self.document.key_problem(path, str(error)))
            return self.game.format_move(self.game.legal_moves(self.game.start)[0])

    def move(self, path: Path, text: str) -> str:
        try:
            return self.game.format_move(self.game.parse_move(text))
        except NotationError as error:
            self.problem(path, str(error))
            return text

    def numbered(self, model: Replay) -> tuple[list[Any], list[list[int]]]:
        rows = model.numbered_rows or []
        numbers = sorted(number for row in rows for number in row)
        if len(rows) != 9 or numbers != list(range(len(numbers))) or "active" not in self.game.vocabulary:
            self.problem(("numbered_rows",), "nine rows, in which each ply number from 0 on stands once")
            return [], []
        plies: list[Any] = [[] for _ in numbers]
        for row, content in enumerate(rows):
            cells = [f"{row // 3 * 3 + c // 3}.{row % 3 * 3 + c % 3}" for c in range(9)]
            for number in content:
                plies[number] = cells
        if len(model.first) > len(plies):
            self.problem(("first",), f"more first moves than the {len(plies)} plies of the picture")
        for ply, move in enumerate(model.first[: len(plies)]):
            plies[ply] = [cell for cell in plies[ply] if cell == self.move(("first", ply), move)]
        return plies, [[a, b] for row in rows for a, b in itertools.pairwise(row)]
