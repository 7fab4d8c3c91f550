"""SMT-LIB 2 text of our own: plain operators that every solver reads, every hypothesis named."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from verifier.kernel.games.nested import ANY

WORDS: tuple[tuple[str, tuple[int, ...]], ...] = (
    *((player, (f, s)) for player in "XO" for f in range(9) for s in range(9)),
    *((f"won_by_{player}", (f,)) for player in "XO" for f in range(9)),
    *(("active", (k,)) for k in range(ANY + 1)),
)
"""The unknowns of a position; ``active 9`` is the free choice."""


@functools.cache
def symbol(name: str, args: tuple[int, ...]) -> str:
    """Return the solver's name of a word of the game."""
    return "_".join([name, *(str(arg) for arg in args)])


def declarations() -> str:
    """Return the declarations of every unknown."""
    return "".join(f"(declare-const {symbol(name, args)} Bool)\n" for name, args in WORDS)


def write_formula(node: Any) -> str:
    """Write a ground formula over the position before the step."""
    if isinstance(node, bool):
        return "true" if node else "false"
    head, args = node[0], node[1:]
    if head in ("and", "or"):
        return _application(head, list(_joined(head, args)), "true" if head == "and" else "false")
    if head == "not":
        return f"(not {write_formula(args[0])})"
    if head == "implies":
        return f"(=> {write_formula(args[0])} {write_formula(args[1])})"
    if head == "iff":
        return f"(= {write_formula(args[0])} {write_formula(args[1])})"
    if head == "exactly-one":
        return _exactly_one([write_formula(arg) for arg in args])
    if head in ("==", "!=", "<", "<=", ">", ">="):
        left, right = write_term(args[0]), write_term(args[1])
        if head == "!=":
            return f"(not (= {left} {right}))"
        return f"({'=' if head == '==' else head} {left} {right})"
    return symbol(head, tuple(args))


def write_turn(player: str) -> str:
    """Say by the numbers of marks who is to move, in Z3's own notation of cardinalities.

    It means what ``state.to_move`` says in plain arithmetic, and finds models a hundred times faster. Files get the
    plain form: not every solver knows this one.
    """
    xs, os = ([symbol(p, (f, s)) for f in range(9) for s in range(9)] for p in "XO")
    marks = " ".join([*xs, *(f"(not {o})" for o in os)])
    ones = " ".join("1" for _ in range(162))
    return f"((_ pbeq {81 if player == 'X' else 82} {ones}) {marks})"


def write_term(node: Any) -> str:
    """Write an integer term over the position before the step."""
    if isinstance(node, int):
        return str(node) if node >= 0 else f"(- {-node})"
    head, args = node[0], node[1:]
    if head == "sum":
        return _application("+", [_counted(arg) for arg in args if arg is not False], "0")
    if head == "+":
        return _application("+", [write_term(arg) for arg in args], "0")
    return f"(- {write_term(args[0])} {write_term(args[1])})"


def _joined(head: str, args: list[Any]) -> Iterator[str]:
    """Write what ``and`` or ``or`` joins; one of these directly inside the same one needs no brackets."""
    for arg in args:
        if isinstance(arg, list) and arg[0] == head:
            yield from _joined(head, arg[1:])
        else:
            yield write_formula(arg)


def _counted(arg: Any) -> str:
    return "1" if arg is True else f"(ite {write_formula(arg)} 1 0)"


def _application(head: str, parts: list[str], empty: str) -> str:
    if len(parts) < 2:
        return parts[0] if parts else empty
    return f"({head} {' '.join(parts)})"


def _exactly_one(parts: list[str]) -> str:
    pairs = [f"(not (and {a} {b}))" for i, a in enumerate(parts) for b in parts[i + 1 :]]
    return _application("and", [_application("or", parts, "false"), *pairs], "true")
