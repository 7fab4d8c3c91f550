"""Writes out the short forms ``like`` and ``exactly`` before a file is validated.

A reading, a claim, a strategy or a rules file can have ``like: NAME``. NAME is its *base*, which must be of the same
kind. The reading or file gets a copy of the keys of its base. (Some keys, such as ``title``, are not copied.) If the
reading or file has a key itself, its own value counts. If both it and the base have a map for a key, the maps are
merged (except in rules and in moves). If a value was copied from another part of the same file, messages about it give
the place where it was written.

A reading with ``exactly`` says that a player can reach something by a ply, and not sooner. It is replaced by three
readings: two that need evidence, and one that joins these two. For example, a reading NAME with ``can: X`` and
``{reach: X_wins, exactly: 15}`` becomes NAME-by (X can win by ply 15), NAME-not-sooner (O can prevent this through ply
14) and NAME.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from verifier.language.loader import Document, KeyPath
from verifier.language.model import Grammar, find_file_kind
from verifier.language.names import say_as
from verifier.language.problem import suggest
from verifier.language.reading import OBJECTIVES
from verifier.language.shape import ABOUT
from verifier.language.templates import MAX_PARTS, count_values, is_move

_ABOUT_A_FILE = frozenset({"title", "source"})
OWN = {"strategy": _ABOUT_A_FILE, "rules": _ABOUT_A_FILE, "claim": _ABOUT_A_FILE | {"uses", "readings"}}
"""The kinds of files that may have ``like``, and for each kind the keys that are not copied."""

_CLAUSES = ("state", "moves", "outcomes")
"""Keys of rules files. The value of each of these keys is a map of named clauses."""
_NOT_CLAUSES = (*_CLAUSES, "define", "for")

_Key = tuple[str, str]
"""The kind and the id of a file."""


def liken_files(documents: Iterable[Document], grammar: Grammar, offered: Iterable[_Key] = ()) -> None:
    """Write out all uses of ``like``. This modifies the documents in place, and adds faults to their problems.

    Args:
        documents: all files.
        grammar: the questions of readings.
        offered: shipped files that can be suggested for a misspelt name.
    """
    known = {find_file_kind(item.value): item for item in documents if isinstance(item.value, dict)}
    likeness = _Likeness(grammar, known, {*known, *offered})
    for key, document in known.items():
        if key[0] in OWN and document.is_whole:
            for path in [(), *(("readings", name) for name in _part(document, ("readings",)))]:
                likeness.write_out(key, path, ())


@dataclass(slots=True)
class _Likeness:
    """Writes out the uses of ``like`` in some files.

    Attributes:
        grammar: the questions that readings can ask.
        known: the files.
        names: the files that can be suggested for a misspelt name.
        sizes: the number of values that were copied into each file.
    """

    grammar: Grammar
    known: dict[_Key, Document]
    names: set[_Key]
    sizes: Counter[_Key] = field(default_factory=Counter)

    def write_out(self, key: _Key, path: KeyPath, above: tuple[str, ...]) -> None:
        """Write out the ``like`` of a file, or of one of its readings, if there is one. First write out the base.

        ``above`` has all files and readings that copy from this file or reading, directly or not. None of them can be
        the base: that would be circular.
        """
        document, own = self.known[key], _part(self.known[key], path)
        if "like" not in own or not document.is_whole:
            return
        base = str(own["like"])
        if path and "/" not in base:
            base = f"{key[1]}/{base}"
        name, _, reading = base.partition("/")
        other, where = (key[0], name), (*path, "like")
        above = (*above, "/".join((key[1], *map(str, path[1:]))))
        readings = _part(self.known[other], ("readings",)) if other in self.known else {}
        if other not in self.known:
            problem = document.missing(where, key[0], name, [named for kind, named in self.names if kind == key[0]])
        elif path and reading not in readings:
            text = f"the claim {name!r} has no reading {reading[:60]!r}{suggest(reading, readings)}"
            problem = document.problem(where, text)
        elif base in above:
            problem = document.problem(where, f"circular reference: {' → '.join([*above, base])}")
        else:
            at: KeyPath = ("readings", reading) if path else ()
            self.write_out(other, at, above)
            self._take(key, path, other, at)
            return
        document.problems.append(problem)
        document.is_whole = bool(path)

    def _take(self, key: _Key, path: KeyPath, other: _Key, at: KeyPath) -> None:
        """Copy keys of another file or reading into a file. This modifies the document in place."""
        document, base = self.known[key], self.known[other]
        own = _part(document, path)
        taken = self._stated(_part(base, at), own, ABOUT if path else OWN[key[0]] | {key[0]})
        self.sizes[key] += count_values(taken)
        if self.sizes[key] > MAX_PARTS:
            text = f"'like' copies more than {MAX_PARTS:,} values here: copy less, or write it out"
            document.problems.append(document.problem((*path, "like"), text))
            document.is_whole = False
            return
        if key[0] == "rules":
            document.left_out |= _find_left_out(base, own)
        for word, item in taken.items():
            # A problem in a copied map or list is reported at the name of the base.
            if base is not document and isinstance(item, dict | list) and word not in own:
                document.marks.setdefault((*path, word), document.mark((*path, "like")))
        del own["like"]
        merged = _merged(taken, own) if key[0] != "rules" else {**_placed(taken, base.value), **own}
        own.clear()
        own.update(merged)
        if base is document:
            document.copy_places(at, path)
        document.is_whole &= base.is_whole
        document.bases |= {base.file, *base.bases} - {document.file}

    def _stated(self, base: dict[str, Any], own: dict[str, Any], left: frozenset[str]) -> dict[str, Any]:
        """Return the keys and values to copy from ``base``.

        Leave out the keys in ``left``, and objectives that ``own`` replaces. If ``own`` asks a different question,
        leave out the question of ``base`` too. (Here ``joins`` does not count as a question of ``own``.)
        """
        asks, asked = self.grammar.find_question(own), self.grammar.find_question(base)
        if asks not in (None, "joins", asked):
            left |= {asked or ""}
        taken = {word: item for word, item in base.items() if word not in left}
        replaced = _replaced_objectives(base, own)
        if replaced:
            taken["objectives"] = {word: item for word, item in taken["objectives"].items() if word not in replaced}
        return taken


def _part(document: Document, path: KeyPath) -> dict[str, Any]:
    """Return the map at a path of a file; an empty map if there is none."""
    value = document.value
    for key in path:
        value = value.get(key, {}) if isinstance(value, dict) else {}
    return value if isinstance(value, dict) else {}


def _find_left_out(base: Document, own: dict[str, Any]) -> dict[str, str]:
    """Return the cells of the rules ``base`` that the ``state`` of ``own`` lacks, each with a text that says so."""
    state = own.get("state")
    missing = [cell for cell in _part(base, ("state",)) if cell not in state] if isinstance(state, dict) else []
    whole = f"is a cell of the rules {base.value['rules']!r}, whose 'state' is replaced as a whole by the 'state' here"
    text = f"{whole}: repeat {', '.join(missing)} in it"
    return base.left_out | {cell.partition("[")[0]: text for cell in missing}


def _replaced_objectives(base: dict[str, Any], own: dict[str, Any]) -> set[str]:
    """Return the objectives of ``base`` that ``own`` replaces by objectives of the same name and another type.

    A reading with ``can`` has only one objective. So its objective also replaces an objective with another name.
    """
    theirs, mine = base.get("objectives"), own.get("objectives")
    if not isinstance(theirs, dict) or not isinstance(mine, dict):
        return set()
    is_one = "can" in own or ("can" in base and "plays" not in own)
    asked = {name: set(OBJECTIVES).intersection(mine[name]) for name in mine if isinstance(mine[name], dict)}
    known = {name: asked[name] - set(theirs[name]) for name in asked if isinstance(theirs.get(name), dict)}
    return {name for name in theirs if (known.get(name) if name in asked else is_one)}


def _placed(clauses: dict[str, Any], base: dict[str, Any]) -> dict[str, Any]:
    """Return clauses of the rules ``base``. A clause without the key ``place`` gets the ``place`` of the rules."""
    source = base.get("source")
    place = {"place": source["place"]} if isinstance(source, dict) and "place" in source else {}

    def placed(items: dict[str, Any]) -> dict[str, Any]:
        return {name: {**place, **item} if isinstance(item, dict) else item for name, item in items.items()}

    own = placed({name: item for name, item in clauses.items() if name not in _NOT_CLAUSES})
    return clauses | own | {name: placed(clauses[name]) for name in _CLAUSES if isinstance(clauses.get(name), dict)}


def _merged(base: Any, own: Any, path: KeyPath = ()) -> Any:
    """Return ``base`` changed by ``own``. Maps are merged, except maps that are moves; other values are replaced."""
    if not isinstance(base, dict) or not isinstance(own, dict) or is_move(path):
        return own
    return {**base, **{key: _merged(base.get(key), item, (*path, key)) for key, item in own.items()}}


def split_exact(documents: Iterable[Document]) -> None:
    """Write out all readings with ``exactly``. This modifies the documents in place."""
    for document in documents:
        value = document.value if isinstance(document.value, dict) else {}
        readings = value.get("readings")
        if "claim" in value and document.is_whole and isinstance(readings, dict):
            found: dict[str, Any] = {}
            for name, reading in readings.items():
                if isinstance(reading, dict) and "half_of" in reading:  # only this module may write this key
                    place = ("readings", name, "half_of")
                    document.problems.append(document.key_problem(place, "unknown key 'half_of'"))
                made = _split(document, name, reading)
                for taken in sorted(made.keys() & (found.keys() | readings.keys()) - {name}):
                    message = f"choose another name: a reading with 'exactly' makes a reading called {taken!r}"
                    document.problems.append(document.problem(("readings", taken), message))
                found |= made
            value["readings"] = found


def _split(document: Document, name: str, reading: Any) -> dict[str, Any]:
    """Return a map from names to readings: the reading and, if it has ``exactly``, the two readings that it joins."""
    value = reading if isinstance(reading, dict) else {}
    objectives = value.get("objectives")
    match value, [*objectives.items()] if isinstance(objectives, dict) else []:
        case {"can": str(player)}, [(label, {"reach": goal, "exactly": int(ply), **rest})]:
            is_left = rest or value.get("expect") not in ("proved", "refuted")
            if is_left or isinstance(ply, bool) or "joins" in value:
                return {name: reading}
        case _:
            return {name: reading}
    stated, other = {key: item for key, item in value.items() if key not in ABOUT}, {"X": "O", "O": "X"}
    # ``long`` says how many minutes the kernel needs. The two new readings take this time, so they get the key, too.
    stated |= {key: value[key] for key in ("long",) if key in value}
    # Words such as ``i_win`` in the goal refer to ``player``, even in the reading whose claimant is the opponent.
    own_words = say_as(goal, player) if player in other else goal
    found: dict[str, Any] = {}
    for part, who, title, own in (
        (f"{name}-by", player, label, {"reach": goal, "by": ply}),
        (f"{name}-not-sooner", other.get(player, player), f"{label} sooner", {"prevent": own_words, "by": ply - 1}),
    ):
        found[part] = {**stated, "expect": "proved", "half_of": name, "can": who, "objectives": {title: own}}
        at, to = ("readings", name), ("readings", part)
        document.copy_places(at, to)
        for old, new in ((), ()), (("exactly",), ("by",)), (("reach",), ("prevent",)):
            document.copy_places((*at, "objectives", label, *old), (*to, "objectives", title, *new))
    joins = [f"{document.value['claim']}/{part}" for part in found]
    about = {key: item for key, item in value.items() if key in ABOUT}
    return {**found, name: {**about, "joins": joins}}
