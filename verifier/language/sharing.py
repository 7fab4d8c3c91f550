"""Formulas of a statement that are alike, made once: named in the JSON, one object in memory.

A statement's ``formulas`` is a list, and ``["use", n]`` stands for its entry n, as a formula or as a term. ``fold``
makes that form, in time linear in what is shared, however long it is written out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from verifier.language.nodes import MIN_CHARACTERS, Nodes

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


def map_formulas(statement: Mapping[str, Any], change: Change) -> dict[str, Any]:
    """Return a statement, or some of its keys, with every formula changed, in the order in which they stand.

    A strategy that stands in many parts is gone through twice, which is as much for one who counts what is used again.
    """
    strategies: dict[int, tuple[int, Any]] = {}

    def of_strategy(data: Any) -> Any:
        times, changed = strategies.get(id(data), (0, None))
        if data is not None and times < 2:
            changed = {**data, "phases": [of_phase(phase) for phase in data["phases"]]}
            strategies[id(data)] = times + 1, changed
        return changed

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
            "strategy": of_strategy(data["strategy"]),
        }

    changes: dict[str, Change] = {
        "strategies": lambda data: {player: of_strategy(strategy) for player, strategy in data.items()},
        "objectives": lambda data: [of_objective(objective) for objective in data],
        "parts": lambda data: [of_part(part) for part in data],
        "holds": of_named,
        "given": change,
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
        """Count one use of a formula, and those of its parts where it is new; what is short is not counted."""
        nodes, uses, written = self._nodes, self._uses, self._written
        number = nodes.number(formula) if isinstance(formula, list) else -1
        waiting = [number] if number >= 0 and nodes.sizes[number] >= MIN_CHARACTERS else []
        while waiting:
            number = waiting.pop()
            if number in uses:
                uses[number] += 1
            else:
                uses[number] = 1
                if number not in written:
                    waiting += nodes.large[number]

    def write(self, formula: Any) -> Any:
        """Return a formula that was counted, with names in it."""
        return self._write(self._nodes.number(formula))[0] if isinstance(formula, list) else formula

    def _write(self, number: int) -> tuple[Any, int]:
        """Return a node with names in it, and the length of its text."""
        nodes, size = self._nodes, self._nodes.sizes[number]
        if size < MIN_CHARACTERS:
            return nodes.formulas[number], size
        known = self._written.get(number)
        if known is not None:
            return known
        node = nodes.formulas[number]
        if nodes.large[number]:
            node = list(node)
            for place, part in enumerate(nodes.parts[number]):
                if type(part) is tuple and nodes.sizes[part[0]] >= MIN_CHARACTERS:
                    node[place], length = self._write(part[0])
                    size += length - nodes.sizes[part[0]]
        if self._uses[number] > 1 and size >= MIN_CHARACTERS:
            self.entries.append(node)
            node = ["use", len(self.entries) - 1]
            size = len(str(len(self.entries))) + 8
        self._written[number] = node, size
        return node, size

    def forget_counts(self) -> None:
        """Begin anew, but for what has a name."""
        self._uses = {}
        self._written = {number: written for number, written in self._written.items() if written[0][0] == "use"}
