"""Compile a reading with the question ``sum``."""

from __future__ import annotations

from verifier.questions.compiler import CompiledReading, Compiler
from verifier.questions.sum.model import SumReading


class SumCompiler(Compiler):
    """Compiles readings to statements of the kind ``sum``."""

    def compile(self, model: SumReading) -> CompiledReading:
        """Compile a reading to a statement about sums, which are boards side by side."""
        said = model.sum
        relations = [[_word(side) for side in text.split("=")] for text in said.relations or ()]
        statement = {
            "kind": "sum",
            "rules": self.game.data,
            "last": said.last,
            "elements": said.count,
            "relations": None if said.relations is None else relations,
            "won": None if said.won is None else [_word(word) for word in said.won],
            "types": {text: _word(word) for text, word in said.types.items()},
            "copies": {text: [1, [who == "next" for who in wins]] for text, wins in said.copies.items()},
        }
        return CompiledReading(statement)


def _word(text: str) -> str:
    return text.strip().replace("1", "")
