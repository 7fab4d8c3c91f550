"""Evaluates expressions of the claim language.

This module defines the meaning of each form of expression. The meanings of names come from ``Names``, and the values of
variables from an ``Env``. The value of a condition is a formula of the kernel.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, TypeGuard

from verifier.kernel.words import counted
from verifier.language.indices import item_at, list_of, make_word, word_at
from verifier.language.names import ACTIVE, RELATIVE, WORDS, Formula, Meaning, Names, Term, find_absolute, is_list
from verifier.language.operators import (
    MAX_VALUE,
    arithmetic,
    compare,
    conjunction,
    disjunction,
    equivalence,
    implication,
    negation,
    write_term,
)
from verifier.language.problem import suggest
from verifier.language.syntax import (
    DefinitionFaultError,
    ExpressionError,
    KnownFaultError,
    MisspelledError,
    ScopedNode,
    error_at,
    names_in,
    variables_in,
)

MAX_NESTING = 120
MAX_STEPS = 400_000
MAX_RANGE = 1000
TOO_DEEP = f"the expression is nested deeper than {MAX_NESTING}, definitions included: split it"

Env = Mapping[str, Any]
"""The values of variables."""


class OldPosition(Enum):
    """The position that ``old`` refers to in an expression."""

    NONE = "no other position"
    LAST = "the position before the last step"
    START = "the position where the play began"


def formula_of(node: ast.expr, value: Meaning) -> Any:
    """Return the formula in ``value``, the value of an expression. Raise an error if ``value`` is not a condition."""
    if not isinstance(value, Formula):
        raise error_at(node, "expected a condition")
    return value.node


def _is_usable(value: Any) -> TypeGuard[int | list[int]]:
    """True if ``value`` is an integer or a list, perhaps nested, of integers. Expressions cannot use other values."""
    return all(map(_is_usable, value)) if isinstance(value, list) else type(value) is int


@dataclass(frozen=True, slots=True)
class Evaluator:
    """Evaluates expressions. They can use ``names``, but only the first ``horizon`` definitions of ``names``."""

    names: Names
    old: OldPosition
    horizon: int

    def whole(self, tree: ast.expr, env: Env) -> Meaning:
        """Return the value of an expression. Raise an error if one of its names has no meaning.

        Names in a loop over an empty list are looked up too, although the evaluation does not come to them.
        """
        value = self.value(tree, env)
        for name in sorted(names_in(tree) - variables_in(tree) - env.keys()):
            if not self.names.find_meaning(name, self.horizon):
                self.on_name(next(n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == name), env)
        return value

    def value(self, node: ast.expr, env: Env) -> Meaning:
        """Return the value of a part of an expression. Count parts in ``names.steps``, and depth in ``names.level``."""
        names = self.names
        names.steps += 1
        names.level += 1
        names.deepest = max(names.deepest, names.level)
        if names.level > MAX_NESTING:
            raise error_at(node, TOO_DEEP)
        if names.steps > MAX_STEPS:
            text = f"the expression expands to more than {MAX_STEPS:,} parts: use fewer values, or split it"
            raise ExpressionError(text)
        method = _METHODS.get(type(node))
        if method is None:
            raise error_at(node, f"{ast.unparse(node)[:40]!r} is not allowed here")
        found = method(self, node, env)
        names.level -= 1
        return found

    def formula(self, node: ast.expr, env: Env) -> Any:
        """Return the formula of a part that must be a condition."""
        return formula_of(node, self.value(node, env))

    # -- constants and names ----------------------------------------------------------------------------------------

    def on_constant(self, node: ast.Constant, env: Env) -> Meaning:
        """Return the value of a constant: an integer, ``True`` or ``False``."""
        value = node.value
        if isinstance(value, bool):
            return Formula(value)
        if isinstance(value, int) and abs(value) <= MAX_VALUE:
            return value
        raise error_at(node, f"expected an integer of at most 2**32, not {str(value)[:30]!r}")

    def on_name(self, node: ast.Name, env: Env) -> Meaning:
        """Return the value of a variable, a constant, a word of the game or a definition."""
        if node.id in env:
            value = env[node.id]
            if not _is_usable(value):
                text = f"{node.id!r} is {str(value)[:40]!r}: an expression can use only numbers and lists of numbers"
                raise error_at(node, text)
            return value
        names, name = self.names, self.names.absolute(node)
        if name in names.constants:
            return names.constants[name]
        if name == names.pointer:
            return ACTIVE
        if name == "ply":
            return Term(["ply"])
        if name == "draw" and "over" in names.vocabulary:
            won = [negation(names.atom(f"{player}_wins")) for player in ("X", "O")]
            return Formula(conjunction([names.atom("over"), *won]))
        if names.vocabulary.get(name) == ():
            return make_word(names, name, [])
        if name in names.definitions:
            return self.defined(node, name, [])
        if name in names.vocabulary:
            example = ", ".join("0" for _ in names.vocabulary[name])
            raise error_at(node, f"{name} needs its indices, as in {name}[{example}]")
        self.require_sound(node, name)
        self.require_not_elsewhere(node, node.id)
        relative = [word for word in RELATIVE if names.player and find_absolute(word, names.player) in names.vocabulary]
        known = [*env, *names.constants, *names.vocabulary, *names.definitions, *WORDS, *relative, "ply"]
        means = f"{node.id!r} means {name!r} here, and " if name != node.id else ""
        hint = suggest(name, known)
        # A relative word in a definition can be unknown in one use of the definition, and known in another. So the
        # fault is reported at the use, and not as a misspelling in the definition.
        is_misspelled = bool(hint) and node.id not in RELATIVE
        kind = MisspelledError if is_misspelled else ExpressionError
        raise error_at(node, f"{means}{name!r} is not defined{hint}", kind)

    def on_subscript(self, node: ast.Subscript, env: Env) -> Meaning:
        """Return the value of a word of the game with indices, or an item of a list."""
        base, names = node.value, self.names
        name = names.absolute(base) if isinstance(base, ast.Name) else ""
        sizes = names.vocabulary.get(name)
        if not sizes or name == names.pointer:
            found = self.value(base, env)
            return item_at(names, node, found, self.value(node.slice, env) if isinstance(found, list) else None)
        return self.at_indices(node, name, node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice], env)

    def at_indices(self, node: ast.expr, name: str, parts: list[ast.expr], env: Env) -> Formula | Term:
        """Return the value of a word of the game with its indices."""
        sizes = self.names.vocabulary[name]
        if len(parts) != len(sizes):
            raise error_at(node, f"{name} takes {counted(len(sizes), 'index', 'indices')}, not {len(parts)}")
        return word_at(self.names, node, name, parts, [self.value(part, env) for part in parts])

    def on_scoped(self, node: ScopedNode, env: Env) -> Meaning:
        """Return the value of a part that has its own variables. Refuse a variable that already has a meaning."""
        self.names.places.update(node.variables.places)
        for name in node.variables.values:
            self.names.require_new(name, env, node.body, self.horizon)
        return self.value(node.body, {**env, **node.variables.values})

    # -- definitions ------------------------------------------------------------------------------------------------

    def defined(self, node: ast.expr, name: str, args: list[int]) -> Meaning:
        """Return and cache the value of a definition for the given arguments."""
        names, (rank, definition) = self.names, self.names.definitions[name]
        if rank >= self.horizon:
            raise error_at(node, f"{name!r} is defined later: a definition can use only earlier definitions")
        if len(args) != len(definition.parameters):
            raise error_at(node, f"{name} takes {counted(len(definition.parameters), 'argument')}, not {len(args)}")
        whose = names.player if name in names.relative else None
        key, level = (self.old, whose, *args), names.level
        value, size, depth = definition.meanings.get(key, (None, 0, 0))
        if value is not None and level + depth <= MAX_NESTING and names.steps + size <= MAX_STEPS:
            names.steps += size
            names.deepest = max(names.deepest, level + depth)
            return value
        steps, deepest, names.deepest = names.steps, names.deepest, level
        try:
            inner = Evaluator(names, self.old, rank)
            value = inner.whole(definition.body, dict(zip(definition.parameters, args, strict=True)))
        except KnownFaultError:
            raise
        except MisspelledError as error:
            if definition.find_problem is None:
                raise error_at(node, f"{error} (in the definition of {name})") from None
            raise DefinitionFaultError(definition.find_problem(error)) from None
        except ExpressionError as error:
            if "in the definition of" in str(error):
                raise
            raise error_at(node, f"{error} (in the definition of {name})") from None
        definition.meanings[key] = value, names.steps - steps, names.deepest - level
        names.deepest = max(names.deepest, deepest)
        return value

    def require_sound(self, node: ast.expr, name: str) -> None:
        """Raise an error if a definition of this name has a fault."""
        if name in self.names.faulty:
            raise KnownFaultError(f"the definition of {name!r} has a fault", node.lineno, node.col_offset)

    def require_not_elsewhere(self, node: ast.expr, name: str) -> None:
        """Raise an error if a name has a meaning only in other parts of specs. The message says which parts."""
        if name in self.names.elsewhere:
            raise error_at(node, f"{name!r} {self.names.elsewhere[name]}")

    # -- operators --------------------------------------------------------------------------------------------------

    def on_boolop(self, node: ast.BoolOp, env: Env) -> Meaning:
        """Return the formula of ``and`` or ``or``."""
        is_or, parts = isinstance(node.op, ast.Or), list[Any]()
        for part in node.values:
            parts.append(self.formula(part, env))
            if parts[-1] is is_or:  # the other parts are not evaluated: they may have an index that is out of range
                break
        return Formula((disjunction if is_or else conjunction)(parts))

    def on_ifexp(self, node: ast.IfExp, env: Env) -> Meaning:
        """Return the value of ``a if condition else b``.

        If the condition is constant, only the side that is used is evaluated.
        """
        test = self.formula(node.test, env)
        if isinstance(test, bool):
            return self.value(node.body if test else node.orelse, env)
        one, other = self.value(node.body, env), self.value(node.orelse, env)
        if isinstance(one, Formula) and isinstance(other, Formula):
            cases = ((test, one), (negation(test), other))
            return Formula(disjunction([conjunction([case, value.node]) for case, value in cases]))
        if isinstance(one, int | Term) and isinstance(other, int | Term):
            return Term(["if", test, write_term(one, node.body), write_term(other, node.orelse)])
        raise error_at(node, "the values beside 'if' and 'else' must be two numbers, or two conditions")

    def on_unaryop(self, node: ast.UnaryOp, env: Env) -> Meaning:
        """Return the formula of ``not``, or a number with the opposite sign."""
        if isinstance(node.op, ast.Not):
            return Formula(negation(self.formula(node.operand, env)))
        value = self.value(node.operand, env)
        if isinstance(value, Term):
            return Term(["-", 0, value.node])
        if not isinstance(value, int):
            raise error_at(node, "only a number can have a minus sign; for a condition, write not")
        return -value

    def on_binop(self, node: ast.BinOp, env: Env) -> Meaning:
        """Return the value of an arithmetic operation."""
        return arithmetic(node, self.value(node.left, env), self.value(node.right, env))

    def on_compare(self, node: ast.Compare, env: Env) -> Meaning:
        """Return the formula of a comparison, or of a chain of comparisons."""
        values = [self.value(part, env) for part in (node.left, *node.comparators)]
        found = [compare(node, *pair, self.names) for pair in zip(node.ops, values, values[1:], strict=False)]
        return Formula(found[0] if len(found) == 1 else conjunction(found))

    # -- lists and loops --------------------------------------------------------------------------------------------

    def on_list(self, node: ast.List, env: Env) -> Meaning:
        """Return the value of a list."""
        return list_of(zip([self.value(part, env) for part in node.elts], node.elts, strict=True))

    def on_listcomp(self, node: ast.ListComp, env: Env) -> Meaning:
        """Return the value of a list that is made by a loop."""
        found: list[tuple[Any, ast.expr]] = []
        for inner, guard in self.loops(node.generators, env):
            if guard is not True:
                raise error_at(node, "the condition in a list cannot depend on the position")
            found.append((self.value(node.elt, inner), node.elt))
        return list_of(found)

    def loops(self, generators: list[ast.comprehension], env: Env) -> Iterator[tuple[Env, Any]]:
        """Yield the variables and the condition of each iteration of nested loops, unless the condition is False."""
        first, *rest = generators
        if not isinstance(first.target, ast.Name) or first.is_async:
            raise error_at(first.target, "a loop must have one variable")
        name = first.target.id
        self.names.require_new(name, env, first.target, self.horizon)
        values = self.value(first.iter, env)
        if not is_list(values):
            raise error_at(first.iter, "a loop needs a list of integers")
        for value in values:
            own = {**env, name: value}
            guard = conjunction([self.formula(test, own) for test in first.ifs])
            if guard is False:
                continue
            for inner, more in self.loops(rest, own) if rest else ((own, True),):
                yield inner, conjunction([guard, more])

    # -- calls ------------------------------------------------------------------------------------------------------

    def on_call(self, node: ast.Call, env: Env) -> Meaning:
        """Return the value of a function of the language, or of a definition with arguments."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if node.keywords:
            raise error_at(node, "arguments cannot be given by name")
        if name in ("all", "any", "sum", "exactly_one"):
            return self.quantified(name, node, env)
        if name in _COUNTS:
            return self.function(name, node, env)
        if name in self.names.definitions:
            args: list[Any] = [self.value(arg, env) for arg in node.args]
            for value, arg in zip(args, node.args, strict=True):
                if not isinstance(value, int):
                    raise error_at(arg, "an argument must be an integer")
            return self.defined(node, name, args)
        self.require_sound(node, name)
        self.require_not_elsewhere(node, name)
        hint = suggest(name, [*WORDS, *self.names.definitions])
        known = hint or f": use {', '.join(WORDS)}, or define one"
        kind = MisspelledError if hint else ExpressionError
        raise error_at(node, f"{repr(name) if name else 'this'} is not a function{known}", kind)

    def function(self, name: str, node: ast.Call, env: Env) -> Meaning:
        """Return the value of a function that takes no loop, such as ``implies``."""
        if name == "last_move" and self.old is not OldPosition.LAST:
            what = (
                "here 'old' is about the start of a play" if self.old is OldPosition.START else "there is no step here"
            )
            raise error_at(node, f"'last_move' is about the last step: {what}")
        args, count = node.args, _COUNTS[name] or len(self.names.vocabulary.get("free", ()))
        if not count:
            raise error_at(node, f"{name!r} needs the word 'free', which these rules do not have")
        if len(args) != count or any(isinstance(arg, ast.GeneratorExp) for arg in args):
            raise error_at(node, f"{name} takes {counted(count, 'argument')}")
        match name:
            case "last_move":
                return self.last_move(node, env)
            case "old":
                return self.old_value(node, env)
            case "implies":
                # If the first part is False, the other is not evaluated: it may have an index that is out of range.
                first = self.formula(args[0], env)
                return Formula(first is False or implication(first, self.formula(args[1], env)))
            case "iff":
                return Formula(equivalence(self.formula(args[0], env), self.formula(args[1], env)))
        values = [self.value(arg, env) for arg in args]
        if name == "len":
            if not is_list(values[0]):
                raise error_at(node, "len takes a list of integers")
            return len(values[0])
        start, stop = values
        if not isinstance(start, int) or not isinstance(stop, int):
            is_number = isinstance(start, int | Term) and isinstance(stop, int | Term)
            hint = ": they cannot depend on the position; take the longest range, with a condition after 'if'"
            raise error_at(node, f"range(a, b) takes two integers{hint * is_number}")
        if stop - start > MAX_RANGE:
            raise error_at(node, f"the range has more than {MAX_RANGE:,} integers: split it")
        return list(range(start, stop))

    def last_move(self, node: ast.Call, env: Env) -> Formula:
        """Return the formula for *the last move marked this spot*: the spot was free before the move, but not after."""
        for arg in node.args:  # a pointer is refused: it can have different values before and after the step
            if not isinstance(self.value(arg, env), int):
                raise error_at(arg, "'last_move' takes integers, which name one spot")
        free = self.at_indices(node, "free", node.args, env).node
        return Formula(conjunction([["old", free], negation(free)]))

    def old_value(self, node: ast.Call, env: Env) -> Formula | Term:
        """Return the value of an expression in the position that ``old`` refers to."""
        if self.old is OldPosition.NONE:
            raise error_at(node, "'old' is about the position before a step: there is no step here")
        value = replace(self, old=OldPosition.NONE).value(node.args[0], env)  # an 'old' inside 'old' is refused
        if not isinstance(value, Formula | Term):
            raise error_at(node, "'old' takes something that depends on the position")
        return type(value)(["old", value.node])

    def quantified(self, name: str, node: ast.Call, env: Env) -> Meaning:
        """Return the value of a function that takes a loop, such as ``all(… for …)``."""
        if len(node.args) != 1 or not isinstance(node.args[0], ast.GeneratorExp):
            raise error_at(node, f"{name} takes a loop, as in {name}(… for i in …)")
        over, parts, numbers = node.args[0], [], list[Any]()
        for inner, guard in self.loops(over.generators, env):
            value = self.value(over.elt, inner)
            if name == "sum" and isinstance(value, int | Term):
                number = write_term(value, over.elt)
                numbers.append(number if guard is True else ["if", guard, number, 0])
                continue
            part = formula_of(over.elt, value)
            parts.append(implication(guard, part) if name == "all" else conjunction([guard, part]))
        if name in ("all", "any"):
            return Formula((conjunction if name == "all" else disjunction)(parts))
        if numbers and parts:
            raise error_at(over.elt, "expected only numbers, or only conditions")
        if numbers:
            return sum(numbers) if all(type(number) is int for number in numbers) else Term(["+", *numbers])
        parts = [part for part in parts if part is not False]
        return Term(["sum", *parts]) if name == "sum" else Formula(["exactly-one", *parts])


_COUNTS = {"implies": 2, "iff": 2, "old": 1, "last_move": 0, "len": 1, "range": 2}
"""The number of arguments of each function. 0: the function has an argument for each index of a spot."""

_METHODS: dict[type[ast.expr], Callable[[Evaluator, Any, Env], Meaning]] = {
    ScopedNode: Evaluator.on_scoped,
    ast.Constant: Evaluator.on_constant,
    ast.Name: Evaluator.on_name,
    ast.Subscript: Evaluator.on_subscript,
    ast.BoolOp: Evaluator.on_boolop,
    ast.UnaryOp: Evaluator.on_unaryop,
    ast.BinOp: Evaluator.on_binop,
    ast.Compare: Evaluator.on_compare,
    ast.IfExp: Evaluator.on_ifexp,
    ast.List: Evaluator.on_list,
    ast.ListComp: Evaluator.on_listcomp,
    ast.Call: Evaluator.on_call,
}
