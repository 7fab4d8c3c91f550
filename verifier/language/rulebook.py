"""The rules of a library by name: those of its own files, and the shipped ones that it may name."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from verifier.kernel.errors import SpecError
from verifier.kernel.games import Game
from verifier.language.borrowed import is_same
from verifier.language.clauses import RulesFile
from verifier.language.problem import Problem, SpecProblemsError, suggest
from verifier.language.rules import Rules, compile_rules, complete
from verifier.language.spec import Spec


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Rules files, each compiled when it is first asked for.

    Attributes:
        own: the files of the folder, by id.
        borrowed: shipped ones, where the folder names rules that it does not hold.
        made: what files say, None where something is wrong with it; and what that is.
    """

    own: dict[str, Spec] = field(default_factory=dict)
    borrowed: dict[str, Spec] = field(default_factory=dict)
    made: dict[str, tuple[Rules | None, list[Problem]]] = field(default_factory=dict, compare=False, repr=False)

    def find(self, name: str) -> Rules:
        """Return the rules of a name.

        Raises:
            SpecError: there are none.
            SpecProblemsError: what is wrong with them.
        """
        rules, problems = self.compile(name)
        if rules is None:
            raise SpecProblemsError(problems)
        return rules

    def game(self, name: str) -> Game:
        """Return the game of a name; raises as ``find`` does."""
        return self.find(name).game

    def compile(self, name: str) -> tuple[Rules | None, list[Problem]]:
        """Return the rules of a name, None where something is wrong with them; and what that is.

        Raises:
            SpecError: there are none of that name.
        """
        spec = self.own.get(name) or self.borrowed.get(name)
        if spec is None or not isinstance(spec.model, RulesFile):
            known = sorted({*self.own, *self.borrowed})
            hint = suggest(name, known) or "; a file that starts with rules: holds some"
            raise SpecError(f"no rules {name[:60]!r} in these specs, nor shipped ones{hint}")
        if name not in self.made:
            # Until it is made, a file is something that nothing can be like: so a circle ends.
            self.made[name] = None, [spec.document.problem(("like",), f"the rules {name!r} are like themselves")]
            self.made[name] = self._compile(spec, spec.model)
        return self.made[name]

    def _is_replaced(self, name: str) -> bool:
        """Say whether a file of the folder says something else than the shipped one of its name."""
        own, shipped = self.own.get(name), self.borrowed.get(name)
        return own is not None and shipped is not None and not is_same(own.document, shipped.document)

    def _compile(self, spec: Spec, model: RulesFile) -> tuple[Rules | None, list[Problem]]:
        base: Rules | None = None
        if model.like is not None:
            if model.rules not in self.own and self._is_replaced(model.like):
                text = f"the shipped rules {model.rules!r} are like the shipped {model.like!r}, and not like these"
                other = self.own[model.like].document
                return None, [other.problem(("rules",), f"{text}: take another id, or copy {model.rules!r} as well")]
            try:
                base, problems = self.compile(model.like)
            except SpecError as error:
                return None, [replace(spec.document.problem(("like",), str(error)), missing=("rules", model.like))]
            if base is None:
                return None, problems
        return compile_rules(complete(model, None if base is None else base.model), spec.document)
