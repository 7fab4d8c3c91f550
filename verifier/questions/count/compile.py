"""Compile a reading with the question ``count``."""

from __future__ import annotations

import re
from typing import Any

from verifier.automorphism import is_symmetry
from verifier.kernel.count import MAX_COUNTED, parse_ends
from verifier.kernel.errors import CertificateError
from verifier.kernel.relabel import MAX_SYMMETRIES, Symmetries
from verifier.language.operators import conjunction
from verifier.language.rules.registry import list_symmetries
from verifier.language.sharing import fold
from verifier.language.syntax import ExpressionError, names_in, parse_expression
from verifier.questions.compiler import CompiledReading, Compiler
from verifier.questions.count.model import CountReading, EndCounts

_BRACED = re.compile(r"\{(.*?)\}")

_ENDINGS: dict[str | None, Any] = {
    None: True,
    "X": ["X_wins"],
    "O": ["O_wins"],
    "draw": ["and", ["over"], ["not", ["X_wins"]], ["not", ["O_wins"]]],
    "goes-on": ["not", ["over"]],
}
"""The formula of each way in which plays end."""


class CountCompiler(Compiler):
    """Compiles readings to statements of the kind ``count``.

    If an expression uses a variable, the statement has a separate entry for each value of the variable. Otherwise an
    entry has the list of the variable's values, and the kernel tries each of them.
    """

    def compile(self, model: CountReading) -> CompiledReading:
        """Return the statement of a count."""
        if isinstance(model.count, EndCounts):
            return CompiledReading(self._compile_ends(model, model.count))
        names, path, fixed = list(model.for_), ("for",), _find_used(model)
        free = {name: self.families(path, {name: model.for_[name]}, {}) for name in names if name not in fixed}
        family = {name: model.for_[name] for name in names if name in fixed}
        lists = {name: [member[name] for member in free[name]] for name in free}
        statement = {
            "kind": "count",
            "rules": self.game.data,
            "start": self.start(model.start),
            "count": model.count,
            "line": " ".join(self._move(i, text, names) for i, text in enumerate(model.line or ())),
            "members": [
                [
                    conjunction([formula for _, formula in self.named(("conclude",), model.conclude, member)]),
                    [[member[name]] if name in fixed else lists[name] for name in names],
                ]
                for member in self.families(path, family, {}, MAX_COUNTED)
            ],
        }
        return CompiledReading(statement)

    def _compile_ends(self, model: CountReading, count: EndCounts) -> dict[str, Any]:
        """Return the statement of a count of plays, or of the positions in which they end."""
        said = [formula for _, formula in self.named(("conclude",), model.conclude, {})]
        grounds = {player: self.strategy(("strategies", player), name, {}) for player, name in model.strategies.items()}
        numbers = count.numbers
        plain = {
            "kind": "count",
            "rules": self.game.data,
            "start": self.start(model.start),
            "horizon": model.horizon,
            "strategies": {player: ground for player, ground in grounds.items() if ground is not None},
            "objectives": [{"goal": conjunction([_ENDINGS[ending], *said])} for ending in numbers],
        }
        statement = fold(plain, self.library.nodes)
        goals = [objective["goal"] for objective in statement.pop("objectives")]
        counts = [[goal, str(number)] for goal, number in zip(goals, numbers.values(), strict=True)]
        statement |= {"of": count.what, "counts": counts}
        return statement | self._find_symmetries(statement) if count.up_to and not self.problems else statement

    def _find_symmetries(self, statement: dict[str, Any]) -> dict[str, Any]:
        """Return an entry of the statement: permutations that generate all symmetries of the rules.

        Add a problem if ``up_to`` cannot be used here, for example because the rules have no symmetries.
        """
        path = ("count", "up_to")
        if statement["strategies"]:
            self.problem(path, "'up_to' cannot be used with 'strategies', which may break the symmetry")
            return {}
        kept = list_symmetries(*parse_ends({**statement, "counts": [[True, "0"]], "formulas": []}))
        if kept is None:
            self.problem(path, "these rules are too large to find their symmetries: leave out 'up_to'")
        elif not kept:
            self.problem(path, "these rules have no symmetries: leave out 'up_to'")
        elif not all(is_symmetry(*parse_ends(statement), one) for one in kept):
            text = "'conclude' must not change under the symmetries of the rules, because of 'up_to'"
            self.problem(("conclude",), text)
        else:
            try:
                Symmetries(*parse_ends(statement), kept)
            except CertificateError:
                text = f"these rules have more than {MAX_SYMMETRIES:,} symmetries: leave out 'up_to'"
                self.problem(path, text)
        return {"symmetries": kept}

    def _move(self, i: int, text: str, names: list[str]) -> str:
        """Return the text of a move. In it, ``{name}`` becomes ``{n}``: n is the index of the name in ``names``."""
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
    """Return the variables that a conclusion uses. If the values of a variable use another variable, return both."""
    found: set[str] = set()
    for name, text in [("", text) for text in model.conclude] + list(model.for_.items()):
        try:
            others = names_in(parse_expression(text)) & model.for_.keys()
        except ExpressionError:
            continue  # reported when the expression is compiled
        found |= others | {name} if others and name else others
    return found
