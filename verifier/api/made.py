"""Rules, claims and strategies that are made in Python. They are read and checked like files."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

from verifier.api.board import Board
from verifier.files import NO_FOLDER
from verifier.kernel.errors import UsageError
from verifier.language.library import Library
from verifier.language.made import SpecText, list_parts, parse_given, write_given
from verifier.language.problem import Problem, SpecProblemsError
from verifier.questions.compile import validate_folder

SpecValue = str | Mapping[str, Any]


class Rules(SpecText):
    """The rules of a game, made in Python. ``verifier.load(made=…)`` loads them, with claims about them.

    >>> import verifier
    >>> nim = verifier.rules(
    ...     "two-heaps",
    ...     title="Nim with two heaps of two",
    ...     source={"document": "bouton", "place": "§1", "says": "The player who takes the last stone wins."},
    ...     family="general",
    ...     state={"stones[2]": {"most": 2, "start": 2}},
    ...     moves={"{h}.{m}": {"for": {"h": "range(0, 2)", "m": "range(1, 3)"}, "do": "stones[h] = stones[h] - m"}},
    ...     outcomes={"nothing is left": {"when": "stuck", "result": "previous"}},
    ... )
    >>> board = nim.start()
    >>> board.moves
    {'0.1': (0, 1), '0.2': (0, 2), '1.1': (1, 1), '1.2': (1, 2)}
    >>> print(board.play((0, 2)))
    stones: 0 2
    >>> board.value(), board.play((0, 2)).value()
    (<Value: O wins in 4 plies>, <Value: O wins in 1 ply>)
    """

    __slots__ = ()

    def start(self) -> Board:
        """Return the first position.

        Raises:
            SpecError: these rules refer to other specs that are missing.
            UsageError: the rules have a ``for``, so they describe several games.
        """
        library, problems = _read(list_parts(self))
        if problems:
            raise SpecProblemsError(problems)
        if self.name not in library.rules:
            raise UsageError(
                f"{self.file} describes several games: verifier.load(made=…).board(ID) returns the start of one of them"
            )
        game = library.game(self.name)
        return Board(game, game.start, drawings=library.drawings)


def rules(given: SpecValue, /, **keys: Any) -> Rules:
    """Make the rules of a game, with the keys of a rules file. ``Rules`` has an example.

    Args:
        given: the id (the other keys are then given as ``keys``), or a map with all keys, or a YAML text.
        keys: the other keys. Where a file would name another spec by its id, the value can also be a spec that is
            made in Python.

    Raises:
        SpecError: the rules have faults. The error lists every fault, with the path of its key or with its line.
    """
    spec = _make("rules", given, keys)
    return Rules(spec.file, spec.text, spec.is_keyed, spec.parts)


def claim(given: SpecValue, /, **keys: Any) -> SpecText:
    """Make a claim, with the keys of a claim file. The arguments are like those of ``rules``.

    ``verifier.load(made=claim)`` loads the claim, with all specs that the claim contains. If it names other specs by
    their ids, these are looked up when the claim is loaded.

    >>> import verifier
    >>> claim = verifier.claim(
    ...     "chomp-first-wins",
    ...     title="The first player wins",
    ...     source={"document": "ours", "place": "none", "says": "The first player can force a win."},
    ...     rules="chomp-3-3",
    ...     readings={"as-stated": {"can": "X", "expect": "proved", "objectives": {"won": {"reach": "X_wins"}}}},
    ... )
    >>> verifier.load(made=claim).check()
    <Ledger of 1 claim: 1 proved as stated>

    Raises:
        SpecError: the claim has faults. The error lists every fault, with the path of its key or with its line.
    """
    return _make("claim", given, keys)


def strategy(given: SpecValue, /, **keys: Any) -> SpecText:
    """Make a strategy, with the keys of a strategy file. The arguments are like those of ``rules``.

    Raises:
        SpecError: the strategy has faults. The error lists every fault, with the path of its key or with its line.
    """
    return _make("strategy", given, keys)


def _make(kind: str, given: SpecValue, keys: Mapping[str, Any]) -> SpecText:
    """Return a spec. If it has faults, raise an error that lists all of them.

    A spec may name other specs that it does not contain, because these may be in files.
    """
    if isinstance(given, str) and re.search("[:\n]", given):
        if keys:
            raise UsageError(f"verifier.{kind}: the YAML text must have all keys: do not also give {', '.join(keys)}")
        spec = parse_given(given)
    else:
        spec = write_given({kind: given, **keys} if isinstance(given, str) else {**given, **keys})
    _, problems = _read(list_parts(spec))
    own = [problem for problem in problems if problem.missing is None]
    if own:
        raise SpecProblemsError(own)
    found = spec.file.partition(" ")[0]
    if found != kind:
        raise UsageError(f"verifier.{kind}: this spec is of the kind {found!r}, not {kind!r}")
    return spec


@functools.lru_cache(maxsize=10)
def _read(specs: tuple[SpecText, ...]) -> tuple[Library, list[Problem]]:
    """Return the library of these specs, and their faults."""
    library, _, problems = validate_folder(NO_FOLDER, specs)
    return library, problems
