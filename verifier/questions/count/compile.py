"""Compile a reading with ``count``."""

from __future__ import annotations

import re

from verifier.kernel.count import MAX_COUNTED
from verifier.language.operators import conjunction
from verifier.language.syntax import ExpressionError, names_in, parse_expression
from verifier.questions.compiler import CompiledReading, Compiler
from verifier.questions.count.model import CountReading

_BRACED = re.compile(r"\{(.*?)\}")


class CountCompiler(Compiler):
    """Compiles to the kind ``count``.

    If no expression uses a variable, the statement has a list of its values, and the kernel tries each value.
    """

    def compile(self, model: CountReading) -> CompiledReading:
        """Return the statement of a count."""
        names, path, fixed = list(model.for_), ("for",), _find_used(model)
        free = {name: self.families(path, {name: model.for_[name]}, {}) for name in names if name not in fixed}
        family = {name: model.for_[name] for name in names if name in fixed}
        lists = {name: [member[name] for member in free[name]] for name in free}
        statement = {
            "kind": "count",
            "rules": self.game.data,
            "start": self.start(model.start),
            "count": model.count,
            "line": " ".join(self._move(i, text, names) for i, text in enumerate(model.line)),
            "members": [
                [
                    conjunction([formula for _, formula in self.named(("conclude",), model.conclude, member)]),
                    [[member[name]] if name in fixed else lists[name] for name in names],
                ]
                for member in self.families(path, family, {}, MAX_COUNTED)
            ],
        }
        return CompiledReading(statement)

    def _move(self, i: int, text: str, names: list[str]) -> str:
        """Return a move in which each variable is replaced by its index in ``names``."""
        named = _BRACED.findall(text)
        for name in named:
            if name not in names:
                self.problem(("line", i), f"{name!r} is not a variable of 'for': {', '.join(names)}")
                return text
        if not named:
            move = self.move(("line", i), text)
            return self.game.format_move(move) if move else text
        return _BRACED.sub(lambda name: f"{{{names.index(name[1])}}}", text)


def _find_used(model: CountReading) -> set[str]:
    """Return the variables that occur in conclusions or in lists of values, and those whose own list has a variable."""
    found: set[str] = set()
    for name, text in [("", text) for text in model.conclude] + list(model.for_.items()):
        try:
            others = names_in(parse_expression(text)) & model.for_.keys()
        except ExpressionError:
            continue  # reported when the expression is compiled
        found |= others | {name} if others and name else others
    return found
