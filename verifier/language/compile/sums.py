"""Compile readings about any number of boards side by side."""

from __future__ import annotations

from verifier.kernel.sum import parse_sum
from verifier.language.compile.base import Compiled, Compiler
from verifier.language.questions import Sum


class SumCompiler(Compiler):
    """Compiles to the kind ``sum``."""

    def compile(self, model: Sum) -> Compiled:
        """Return the statement of a sum of boards."""
        said = model.sum
        relations, won = said.relations, said.won
        statement = {
            "kind": "sum",
            "rules": self.game.data,
            "last": said.last,
            "elements": said.count,
            "relations": None
            if relations is None
            else [[_word(side) for side in text.split("=")] for text in relations],
            "won": None if won is None else [_word(word) for word in won],
            "types": {text: _word(word) for text, word in said.types.items()},
            "copies": {text: [1, [who == "next" for who in wins]] for text, wins in said.copies.items()},
        }
        return self.parsed(parse_sum, statement)


def _word(text: str) -> str:
    return text.strip().replace("1", "")
