"""A statement with its formulas written out, as before ``verifier.language.sharing``."""

from collections.abc import Mapping
from typing import Any

from verifier.language.sharing import map_formulas


def unfold(statement: Mapping[str, Any]) -> dict[str, Any]:
    """Return a statement without names. Wherever an entry is used, there is the same list.

    Args:
        statement: a well-formed statement in the kernel's form.
    """
    entries: list[Any] = []

    def read(node: Any) -> Any:
        if not isinstance(node, list):
            return node
        return entries[node[1]] if node[0] == "use" else [read(part) for part in node]

    entries.extend(map(read, statement.get("formulas", ())))  # ``extend`` adds one by one: entries see those before
    return map_formulas({key: value for key, value in statement.items() if key != "formulas"}, read)
