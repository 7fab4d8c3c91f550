"""Formulas of a statement that are alike, made once: named in the JSON, one object in memory.

A statement's ``formulas`` is a list, and ``["use", n]`` stands for its entry n, as a formula or as a term. ``fold``
makes that form and ``unfold`` undoes it, both in time linear in what is shared, however long it is written out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from verifier.language.nodes import Nodes

MIN_CHARACTERS = 30
"""The shortest text that is named. A word of the game, its opposite or a comparison of two such reads better than a
number would, and is hardly longer than ``["use",123]``."""

Change = Callable[[Any], Any]


def fold(statement: Mapping[str, Any], nodes: Nodes) -> dict[str, Any]:
    """Return a statement in the kernel's form: what it uses more than once is named.

    What the objectives alone use more than once is named after all else, so that statements about the same plays are
    alike but for their objectives and the last of their names.

    Args:
        statement: without names; its formulas may share parts.
        nodes: where the formulas are met; those that it knows are not looked through again.
    """
    names = _Names(nodes)
    folded: dict[str, Any] = {}
    for is_objective in (False, True):
        half = {key: value for key, value in statement.items() if (key == "objectives") is is_objective}
        map_formulas(half, names.count)
        folded |= map_formulas(half, names.write)
        names.forget_counts()
    return {**folded, "formulas": names.entries}


def unfold(statement: Mapping[str, Any]) -> dict[str, Any]:
    """Return a statement without names: one and the same list stands wherever an entry is used.

    Args:
        statement: in the kernel's form, and found well formed.
    """
    entries: list[Any] = []

    def read(node: Any) -> Any:
        if not isinstance(node, list):
            return node
        return entries[node[1]] if node[0] == "use" else [read(part) for part in node]

    entries.extend(map(read, statement.get("formulas", ())))  # ``extend`` adds one by one: entries see those before
    return map_formulas({key: value for key, value in statement.items() if key != "formulas"}, read)


def map_formulas(statement: Mapping[str, Any], change: Change) -> dict[str, Any]:
    """Return a statement, or some of its keys, with every formula changed, in the order in which they stand."""

    def of_strategy(data: Any) -> Any:
        return data and {**data, "phases": [of_phase(phase) for phase in data["phases"]]}

    def of_phase(data: Any) -> Any:
        return {**data, "instances": [of_instance(instance) for instance in data["instances"]]}

    def of_instance(data: Any) -> Any:
        return {"when": change(data["when"]), "rules": [of_rule(rule) for rule in data["rules"]]}

    def of_rule(data: Any) -> Any:
        return {**data, "choices": [{**choice, "when": change(choice["when"])} for choice in data["choices"]]}

    def of_named(data: Any) -> Any:
        return [[name, change(formula)] for name, formula in data]

    def of_objective(data: Any) -> Any:
        return {key: change(value) if key in ("goal", "holds") else value for key, value in data.items()}

    def of_part(data: Any) -> Any:
        return {
            **data,
            "hypotheses": of_named(data["hypotheses"]),
            "conclusions": of_named(data["conclusions"]),
            "unless": change(data["unless"]),
            "strategy": of_strategy(data["strategy"]),
        }

    changes: dict[str, Change] = {
        "strategies": lambda data: {player: of_strategy(strategy) for player, strategy in data.items()},
        "objectives": lambda data: [of_objective(objective) for objective in data],
        "parts": lambda data: [of_part(part) for part in data],
        "holds": of_named,
    }
    return {key: changes[key](value) if key in changes else value for key, value in statement.items()}


class _Names:
    """Finds what is used more than once, and names it: ``write`` is about what was counted."""

    def __init__(self, nodes: Nodes) -> None:
        self.entries: list[Any] = []
        self._nodes = nodes
        self._uses: dict[int, int] = {}
        self._written: dict[int, tuple[Any, int]] = {}

    def count(self, formula: Any) -> None:
        """Count one use of a formula, and those of its parts where it is new."""
        uses, written, inner = self._uses, self._written, self._nodes.inner
        waiting = [self._nodes.number(formula)] if isinstance(formula, list) else []
        while waiting:
            number = waiting.pop()
            if number in uses:
                uses[number] += 1
            else:
                uses[number] = 1
                if number not in written:
                    waiting += inner[number]

    def write(self, formula: Any) -> Any:
        """Return a formula that was counted, with names in it."""
        return self._write(self._nodes.number(formula))[0] if isinstance(formula, list) else formula

    def _write(self, number: int) -> tuple[Any, int]:
        """Return a node with names in it, and the length of its text."""
        known = self._written.get(number)
        if known is not None:
            return known
        node: list[Any] = []
        length = 1
        for part in self._nodes.parts[number]:
            if type(part) is tuple:
                written, size = self._written.get(part[0]) or self._write(part[0])
            else:
                written, size = part, len(part) + 2 if type(part) is str else len(str(part))
            node.append(written)
            length += size + 1
        if self._uses[number] > 1 and length >= MIN_CHARACTERS:
            self.entries.append(node)
            node = ["use", len(self.entries) - 1]
            length = len(str(len(self.entries))) + 8
        self._written[number] = node, length
        return node, length

    def forget_counts(self) -> None:
        """Begin anew, but for what has a name."""
        self._uses = {}
        self._written = {number: written for number, written in self._written.items() if written[0][0] == "use"}
