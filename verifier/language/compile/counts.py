"""Compile readings that count the members of a family whose line can be played."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from verifier.kernel.count import MAX_MEMBERS, require_count
from verifier.language.compile.base import Compiled, Compiler
from verifier.language.connective import conjunction
from verifier.language.questions import Count
from verifier.language.syntax import ExpressionError, names_in, parse_expression

_BRACED = re.compile(r"\{(.*?)\}")


class CountCompiler(Compiler):
    """Compiles to the kind ``count``; variables that no expression uses keep their lists."""

    def compile(self, model: Count) -> Compiled:
        """Return the statement of a count."""
        names, path = list(model.for_), (*self.path, "for")
        fixed = _used(model)
        free = {name: self.scope.families(path, {name: model.for_[name]}, {}) for name in names if name not in fixed}
        members = self.scope.families(
            path, {name: model.for_[name] for name in names if name in fixed}, {}, MAX_MEMBERS
        )
        lists = {name: [member[name] for member in free[name]] for name in free}
        statement = {
            "kind": "count",
            "rules": self.game.data,
            "start": self.start(model.start),
            "count": model.count,
            "line": " ".join(self._move(i, text, names) for i, text in enumerate(model.line)),
            "members": [
                [self._conclusion(model, member), [[member[name]] if name in fixed else lists[name] for name in names]]
                for member in members
            ],
        }
        return self.parsed(require_count, statement)

    def _move(self, i: int, text: str, names: list[str]) -> str:
        """Return a move with the numbers of variables for their names."""
        for name in _BRACED.findall(text):
            if name not in names:
                self.problem(("line", i), f"{name!r} is not a variable of 'for': {', '.join(names)}")
                return text
        if not _BRACED.search(text):
            return self.move(("line", i), text)
        return _BRACED.sub(lambda name: f"{{{names.index(name[1])}}}", text)

    def _conclusion(self, model: Count, member: dict[str, int]) -> Any:
        path = (*self.path, "conclude")
        return conjunction([self.scope.formula((*path, i), text, member) for i, text in enumerate(model.conclude)])


def _used(model: Count) -> set[str]:
    """Return the variables that conclusions or lists use, and those whose list uses one."""
    found = _names(model.conclude) & set(model.for_)
    for name, text in model.for_.items():
        others = _names([text]) & set(model.for_)
        found |= others | {name} if others else set()
    return found


def _names(expressions: Iterable[Any]) -> set[str]:
    """Return the names in expressions; of one that cannot be read, none."""
    found: set[str] = set()
    for text in expressions:
        try:
            found |= names_in(parse_expression(str(text)))
        except ExpressionError:
            continue
    return found
