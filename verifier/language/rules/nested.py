"""The clauses of the family ``nested``: nine fields of nine spots."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from verifier.language.rules.file import Clause, RulesCompiler, RulesFile


class ClosedClause(Clause):
    """Says which fields are closed. A player who is sent to a closed field can choose where to play."""

    is_: Literal["full", "decided"] = Field(alias="is")


class FreeChoiceClause(Clause):
    """Says where a player who is sent to a closed field may play."""

    is_: Literal["free-spots", "open-fields"] = Field(alias="is")


class AfterWinClause(Clause):
    """Says whether the game is over when a player has won three fields in line."""

    is_: Literal["over", "goes-on"] = Field(alias="is")


class NestedRules(RulesFile):
    """The rules of a game on nine fields of nine spots, clause by clause."""

    family: Literal["nested"]
    board: Clause | None = None
    closed: ClosedClause
    free_choice: FreeChoiceClause
    after_win: AfterWinClause


class NestedCompiler(RulesCompiler[NestedRules]):
    """Compiles rules of nine fields."""

    FILE = NestedRules

    def compile(self) -> dict[str, Any]:
        """Return the rules in the kernel's terms: the value of each clause."""
        model = self.model
        if model.closed.is_ == "full" and model.free_choice.is_ != "free-spots":
            text = "'open-fields' needs 'closed: {is: decided}'; otherwise write 'is: free-spots'"
            self.fault(("free_choice",), text)
        return {"closed": model.closed.is_, "free_choice": model.free_choice.is_, "after_win": model.after_win.is_}
