"""The functions of the claim language, as their calls are read: quantifiers, ``old``, ``range``, definitions."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from verifier.language.code import (
    Code,
    Kind,
    count_up,
    join,
    repeated,
    require_formula,
    require_plain,
)
from verifier.language.connective import conjunction, disjunction, equivalence, implication
from verifier.language.names import WORDS
from verifier.language.problem import suggest
from verifier.language.syntax import error_at

if TYPE_CHECKING:
    from verifier.language.evaluation import _Reader


def read_call(reader: _Reader, node: ast.Call, level: int) -> Code:
    """Return the code of a call, that many parts deep."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if node.keywords:
        raise error_at(node, "arguments have no names")
    if name in ("all", "any", "sum", "exactly_one"):
        return _quantifier(reader, name, node, level)
    if name in ("implies", "iff"):
        codes = reader.formulas(_arguments(node, name, 2), level)
        connective, (first, second) = (
            implication if name == "implies" else equivalence,
            (code.run for code in codes),
        )
        return join(Kind.FORMULA, lambda env: connective(first(env), second(env)), codes)
    if name == "old":
        return _old(reader, node, level)
    if name == "last_move":
        return _last_move(reader, node, level)
    if name == "range":
        codes = reader.read_all(_arguments(node, name, 2), level)
        if any(code.kind != Kind.INTEGER for code in codes):
            raise error_at(node, "range(a, b) is the list of the integers from a to the one before b")
        start, end = (code.run for code in codes)
        return join(Kind.LIST, lambda env: count_up(start(env), end(env), node), codes)
    if name == "len":
        (code,) = reader.read_all(_arguments(node, name, 1), level)
        if code.kind != Kind.LIST:
            raise error_at(node, "len counts a list of integers")
        run = code.run
        return join(Kind.INTEGER, lambda env: len(run(env)), [code])
    if name in reader.names.definitions:
        codes = reader.read_all(node.args, level)
        args = [require_plain(code, arg) for code, arg in zip(codes, node.args, strict=True)]
        return reader.defined(node, name, args, level)
    raise error_at(
        node,
        f"{name or 'this'!r} is not a function of the language"
        + (suggest(name, [*WORDS, *reader.names.definitions]) or f": {', '.join(WORDS)}, or one you defined"),
    )


def _old(reader: _Reader, node: ast.Call, level: int) -> Code:
    (code,) = reader.read_all(_arguments(node, "old", 1), level)
    if not reader.is_after_step:
        raise error_at(node, "'old' speaks of the position before a step: there is none here")
    if code.kind not in (Kind.FORMULA, Kind.TERM):
        raise error_at(node, "only what depends on the position has an old value")
    run = code.run
    return join(code.kind, lambda env: ["old", run(env)], [code], has_old=True)


def _last_move(reader: _Reader, node: ast.Call, level: int) -> Code:
    """Read ``last_move(f, s)``: the spot was free before the step, and is not any more."""
    given = _arguments(node, "last_move", len(reader.names.vocabulary["free"]))
    spot = given[0] if len(given) == 1 else ast.Tuple(given, ast.Load())
    free = ast.copy_location(ast.Subscript(ast.Name("free", ast.Load()), spot, ast.Load()), node)
    was = ast.copy_location(ast.Call(ast.Name("old", ast.Load()), [free], []), node)
    return reader.read(ast.BoolOp(ast.And(), [was, ast.UnaryOp(ast.Not(), free)]), level)


def _quantifier(reader: _Reader, name: str, node: ast.Call, level: int) -> Code:
    if len(node.args) != 1 or not isinstance(node.args[0], ast.GeneratorExp):
        raise error_at(node, f"{name} takes a loop: {name}(… for i in …)")
    over = node.args[0]
    loop, own, inner = reader.loops(node, over.generators, level)
    body = require_formula(inner.read(over.elt, level + 1), over.elt)
    spend, run_body = reader.names.meter.spend, body.run
    restrict = implication if name == "all" else _both

    def run(env: dict[str, int]) -> list[Any]:
        found = []
        for guard in loop(env):
            spend(body.size, node)
            part = run_body(env)
            found.append(part if guard is True else restrict(guard, part))
        return found

    if name in ("all", "any"):
        junction = conjunction if name == "all" else disjunction
        return join(Kind.FORMULA, lambda env: junction(run(env)), [*own, repeated(body)])
    kind, head = (Kind.TERM, "sum") if name == "sum" else (Kind.FORMULA, "exactly-one")
    return join(kind, lambda env: [head, *(part for part in run(env) if part is not False)], [*own, repeated(body)])


def _both(first: Any, second: Any) -> Any:
    return conjunction([first, second])


def _arguments(node: ast.Call, name: str, count: int) -> list[ast.expr]:
    if len(node.args) != count or any(isinstance(arg, ast.GeneratorExp) for arg in node.args):
        raise error_at(node, f"{name} takes {count} argument{'s' if count > 1 else ''}")
    return node.args
