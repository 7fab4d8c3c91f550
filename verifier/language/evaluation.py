"""The value of an expression: its syntax is read once, and the function that comes out runs for each of its members.

Which names an expression uses, and what kind of value each part has, follows from its text alone: faults of these are
found when it is read. What is left to be found when it runs are values: an index out of range, a division by zero.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from verifier.language.code import (
    MAX_INTEGER,
    Code,
    Kind,
    Run,
    constant,
    join,
    repeated,
    require_formula,
    require_index,
    require_plain,
)
from verifier.language.connective import conjunction
from verifier.language.functions import read_call
from verifier.language.names import ACTIVE, RELATIVE, WORDS, Definition, Formula, Names, Term, Value
from verifier.language.operators import arithmetic, boolean, comparison, unary
from verifier.language.problem import suggest
from verifier.language.syntax import ExpressionError, error_at

MAX_NESTING = 120


def evaluate(tree: ast.expr, env: Mapping[str, int], names: Names, *, is_after_step: bool) -> Value:
    """Return the value of an expression.

    Args:
        tree: the expression.
        env: values of its variables.
        names: what its names mean.
        is_after_step: whether there is a position before this one, which ``old`` speaks of.

    Raises:
        ExpressionError: it means nothing.
    """
    key = (tree, is_after_step, *env)
    known = names.codes.get(key)
    if known is None:
        for name in env:
            if names.is_reserved(name):
                raise error_at(tree, f"the variable {name!r} has a meaning already")
        reader = _Reader(names, is_after_step, len(names.definitions), frozenset(env))
        code = reader.read(tree, 1)
        known = names.codes[key] = code, tuple([name for name in env if name in reader.met])
    code, variables = known
    values = tuple([env[name] for name in variables])
    found = code.meanings.get(values)
    if found is None:
        names.meter.steps = code.size
        found = code.meanings[values] = code.run(dict(env)), names.meter.steps
    value = found[0]
    return Formula(value) if code.kind == Kind.FORMULA else Term(value) if code.kind == Kind.TERM else value


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads an expression over some names.

    Attributes:
        names: what names mean.
        is_after_step: whether ``old`` means anything.
        horizon: how many definitions may be used: inside one, those before it.
        variables: the names of variables.
        met: those that are used.
    """

    names: Names
    is_after_step: bool
    horizon: int
    variables: frozenset[str]
    met: set[str] = field(default_factory=set)

    def read(self, node: ast.expr, level: int) -> Code:
        """Return the code of a part of an expression, that many parts deep, definitions included."""
        if level > MAX_NESTING:
            raise error_at(node, f"an expression that is nested deeper than {MAX_NESTING}, definitions included")
        method = _METHODS.get(type(node))
        if method is None:
            raise error_at(node, f"{ast.unparse(node)[:40]!r} means nothing here")
        return method(self, node, level)

    def read_all(self, nodes: list[ast.expr], level: int) -> list[Code]:
        return [self.read(node, level + 1) for node in nodes]

    def formulas(self, nodes: list[ast.expr], level: int) -> list[Code]:
        """Read parts that have to be true or false."""
        return [require_formula(code, node) for code, node in zip(self.read_all(nodes, level), nodes, strict=True)]

    # -- leaves -----------------------------------------------------------------------------------------------------

    def on_constant(self, node: ast.Constant, level: int) -> Code:
        value = node.value
        if isinstance(value, bool):
            return constant(Kind.FORMULA, value)
        if isinstance(value, int) and abs(value) <= MAX_INTEGER:
            return constant(Kind.INTEGER, value)
        raise error_at(node, f"{str(value)[:30]!r} is not an integer up to 2**32")

    def on_name(self, node: ast.Name, level: int) -> Code:
        name, vocabulary = self.word(node), self.names.vocabulary
        if name in self.variables:
            self.met.add(name)
            return Code(Kind.INTEGER, operator.itemgetter(name))
        if name in self.names.constants:
            value = self.names.constants[name]
            return constant(Kind.LIST if isinstance(value, list) else Kind.INTEGER, value)
        if name == "active" and "active" in vocabulary:
            return constant(Kind.ACTIVE, ACTIVE)
        if name == "ply":
            return constant(Kind.TERM, ["ply"])
        if vocabulary.get(name) == ():
            return constant(Kind.FORMULA, self.names.atom(name))
        if name in self.names.definitions:
            return self.defined(node, name, [], level)
        if name in vocabulary:
            raise error_at(
                node, f"{name} needs its indices, such as {name}[{', '.join('0' for _ in vocabulary[name])}]"
            )
        raise error_at(node, f"{name!r} is not defined{suggest(name, self.known_names())}")

    def word(self, node: ast.Name) -> str:
        """Return a name, and of a word relative to the player the word of the game."""
        try:
            return self.names.absolute(node.id)
        except ExpressionError as error:
            raise error_at(node, str(error)) from None

    def known_names(self) -> list[str]:
        """Return every name that means something here."""
        names = self.names
        relative = RELATIVE if names.player is not None else ()
        return [*self.variables, *names.constants, *names.vocabulary, *names.definitions, *WORDS, *relative, "ply"]

    def on_subscript(self, node: ast.Subscript, level: int) -> Code:
        item = self.item(node, level)
        if item is not None:
            return item
        name = self.word(node.value) if isinstance(node.value, ast.Name) else ""
        sizes = self.names.vocabulary.get(name)
        if not sizes or name == "active":
            hint = suggest(name, self.names.vocabulary) if name and name not in self.known_names() else ""
            raise error_at(node, f"only the words of the game take indices{hint}")
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(parts) != len(sizes):
            raise error_at(node, f"{name} takes {len(sizes)} indices, not {len(parts)}")
        codes = self.read_all(parts, level)
        is_active = codes[0].kind == Kind.ACTIVE
        if is_active and any(code.kind == Kind.ACTIVE for code in codes[1:]):
            raise error_at(node, "only a field may be 'active'")
        atom, atoms = self.names.atom, self.names.atoms
        if is_active:
            codes, parts, sizes = codes[1:], parts[1:], sizes[1:]
        runs = [require_index(code, size, part) for code, size, part in zip(codes, sizes, parts, strict=True)]
        run: Run
        if is_active:

            def run(env: dict[str, int]) -> Any:
                rest = [index(env) for index in runs]
                return ["or", *(["and", atom("active", k), atom(name, k, *rest)] for k in range(9))]

        elif len(runs) == 2:
            first, second = (code.run for code in codes)

            def run(env: dict[str, int]) -> Any:
                known = atoms.get((name, first(env), second(env)))
                return atom(name, *(index(env) for index in runs)) if known is None else known

        else:

            def run(env: dict[str, int]) -> Any:
                return atom(name, *(index(env) for index in runs))

        return join(Kind.FORMULA, run, codes)

    def item(self, node: ast.Subscript, level: int) -> Code | None:
        """Return the code of an item of a list, counted from 0; None: it is a word of the game with its indices."""
        base = node.value
        is_word = isinstance(base, ast.Name) and base.id not in self.names.constants | self.names.definitions
        if is_word or isinstance(node.slice, ast.Tuple) or not isinstance(base, _LISTS):
            return None
        of, index = self.read_all([base, node.slice], level)
        if of.kind not in (Kind.LIST, Kind.TABLE) or index.kind != Kind.INTEGER:
            raise error_at(node, "only a list, or a word of the game, takes an index, which is an integer")
        items, number = of.run, index.run

        def run(env: dict[str, int]) -> Any:
            found, at = items(env), number(env)
            if not 0 <= at < len(found):
                raise error_at(node, f"the list has no item {at}: it has {len(found)}, from 0 on")
            return found[at]

        return join(Kind.INTEGER if of.kind == Kind.LIST else Kind.LIST, run, [of, index])

    # -- definitions ------------------------------------------------------------------------------------------------

    def defined(self, node: ast.expr, name: str, args: list[Code], level: int) -> Code:
        """Return the code of a definition that is used, with its arguments."""
        rank, definition = self.names.definitions[name]
        if rank >= self.horizon:
            raise error_at(node, f"{name!r} is defined only later: a definition sees those before it")
        count = len(definition.parameters)
        if len(args) != count:
            raise error_at(node, f"{name} takes {count} arguments, not {len(args)}")
        try:
            body = self.body_of(definition, rank, level)
        except ExpressionError as error:
            raise _inside(error, node, name) from None
        runs, meter, meanings, parameters = (
            [arg.run for arg in args],
            self.names.meter,
            body.meanings,
            definition.parameters,
        )

        def run(env: dict[str, int]) -> Any:
            values = tuple([arg(env) for arg in runs])
            known = meanings.get(values)
            if known is None:
                before = meter.steps
                meter.steps += body.size
                try:
                    value = body.run(dict(zip(parameters, values, strict=True)))
                except ExpressionError as error:
                    raise _inside(error, node, name) from None
                meanings[values] = value, meter.steps - before
                return value
            meter.spend(known[1], node)
            return known[0]

        return join(body.kind, run, [*args, Code(body.kind, body.run, 0, body.depth, body.has_old)])

    def body_of(self, definition: Definition, rank: int, level: int) -> Code:
        """Return the code of a definition's body; without ``old`` in it, it is the same before and after a step."""
        body = definition.codes.get(self.is_after_step)
        if body is None:
            reader = _Reader(self.names, self.is_after_step, rank, frozenset(definition.parameters))
            body = definition.codes[self.is_after_step] = reader.read(definition.body, level + 1)
            if not body.has_old:
                definition.codes[not self.is_after_step] = body
        if level + body.depth > MAX_NESTING:
            raise error_at(
                definition.body, f"an expression that is nested deeper than {MAX_NESTING}, definitions included"
            )
        return body

    # -- operators ---------------------------------------------------------------------------------------------------

    def on_boolop(self, node: ast.BoolOp, level: int) -> Code:
        return boolean(node, self.formulas(node.values, level))

    def on_unaryop(self, node: ast.UnaryOp, level: int) -> Code:
        (code,) = self.read_all([node.operand], level)
        return unary(node, code, self.names)

    def on_binop(self, node: ast.BinOp, level: int) -> Code:
        return arithmetic(node, *self.read_all([node.left, node.right], level))

    def on_compare(self, node: ast.Compare, level: int) -> Code:
        return comparison(node, self.read_all([node.left, *node.comparators], level), self.names)

    # -- lists and loops --------------------------------------------------------------------------------------------

    def on_list(self, node: ast.List, level: int) -> Code:
        codes = self.read_all(node.elts, level)
        kind = Kind.TABLE if any(code.kind == Kind.LIST for code in codes) else Kind.LIST
        for code, part in zip(codes, node.elts, strict=True):
            require_plain(code, part, is_list=kind == Kind.TABLE)
        runs = [code.run for code in codes]
        return join(kind, lambda env: [run(env) for run in runs], codes)

    def on_listcomp(self, node: ast.ListComp, level: int) -> Code:
        loop, own, inner = self.loops(node, node.generators, level)
        body = inner.read(node.elt, level + 1)
        require_plain(body, node.elt, is_list=body.kind == Kind.LIST)
        spend, run_body = self.names.meter.spend, body.run

        def run(env: dict[str, int]) -> Any:
            found = []
            for guard in loop(env):
                if guard is not True:
                    raise error_at(node, "the condition of a list may not depend on the position")
                spend(body.size, node)
                found.append(run_body(env))
            return found

        return join(Kind.TABLE if body.kind == Kind.LIST else Kind.LIST, run, [*own, repeated(body)])

    def loops(
        self, node: ast.expr, generators: list[ast.comprehension], level: int
    ) -> tuple[Callable[[dict[str, int]], Iterator[Any]], list[Code], _Reader]:
        """Read loops, one in the other.

        Returns:
            What runs them: it sets their variables, and yields the condition of each member that is not false; what is
            read of them; and who reads what stands inside.
        """
        first, rest = generators[0], generators[1:]
        if not isinstance(first.target, ast.Name) or first.is_async:
            raise error_at(first.target, "a loop has one variable")
        name = first.target.id
        if name in self.variables or self.names.is_reserved(name, self.horizon):
            raise error_at(first.target, f"the variable {name!r} has a meaning already")
        (values,) = self.read_all([first.iter], level)
        if values.kind != Kind.LIST:
            raise error_at(first.iter, "a loop runs over a list of integers")
        inner = _Reader(self.names, self.is_after_step, self.horizon, self.variables | {name}, self.met)
        tests = inner.formulas(first.ifs, level)
        within, more, innermost = inner.loops(node, rest, level) if rest else (None, [], inner)
        members, runs, spend = values.run, [test.run for test in tests], self.names.meter.spend
        size = 1 + sum(code.size for code in (*tests, *more))

        def run(env: dict[str, int]) -> Iterator[Any]:
            for value in members(env):
                env[name] = value
                spend(size, node)
                guard = conjunction([test(env) for test in runs]) if runs else True
                if guard is False:
                    continue
                if within is None:
                    yield guard
                else:
                    for deeper in within(env):
                        yield conjunction([guard, deeper])
            env.pop(name, None)

        return run, [values, *(repeated(code) for code in (*tests, *more))], innermost


def _inside(error: ExpressionError, node: ast.expr, name: str) -> ExpressionError:
    """Return an error in the definition of a name, at the place where it is used, unless it names a definition."""
    if "in the definition of" in str(error):
        return error
    return error_at(node, f"{error} (in the definition of {name})")


_LISTS = (ast.Name, ast.Subscript, ast.List, ast.ListComp, ast.Call)
"""What may be a list of which an item is taken."""

_METHODS: dict[type[ast.expr], Callable[[_Reader, Any, int], Code]] = {
    ast.Constant: _Reader.on_constant,
    ast.Name: _Reader.on_name,
    ast.Subscript: _Reader.on_subscript,
    ast.BoolOp: _Reader.on_boolop,
    ast.UnaryOp: _Reader.on_unaryop,
    ast.BinOp: _Reader.on_binop,
    ast.Compare: _Reader.on_compare,
    ast.List: _Reader.on_list,
    ast.ListComp: _Reader.on_listcomp,
    ast.Call: read_call,
}
