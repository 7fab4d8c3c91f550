"""Which claims are meant by ids, folders and spec files; and what was meant by a name that nothing has."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterable

from verifier.audit.fault import shorten
from verifier.kernel.errors import UsageError
from verifier.language.dependents import find_dependents, join_claims, order_claims
from verifier.language.library import Library
from verifier.language.problem import suggest
from verifier.language.references import needed_claims


def select_claims(
    library: Library, wanted: Iterable[str], specs: pathlib.Path | None, warn: Callable[[str], None]
) -> list[str]:
    """Return the claims that are asked for, with those that they join, each after those it rests on.

    A spec file on which no claim rests asks for none, and a warning says so: a change of it has broken nothing.

    Args:
        library: the specs.
        wanted: claims, folders below the specs (``.`` is all of them), and spec files.
        specs: the folder of the specs, so that files and folders may be named from the current folder.
        warn: is told.

    Raises:
        UsageError: there is no such claim, folder or file, or none is selected.
    """
    found: list[str] = []
    is_unused = False
    words = list(wanted)
    for word in words:
        if word in library.claims:
            found.append(word)
            continue
        paths = list(dict.fromkeys([word.rstrip("/"), *_paths_below(word, specs)]))
        below = [
            name
            for name, spec in library.claims.items()
            if any(path == "." or spec.document.file.startswith(f"{path}/") for path in paths)
        ]
        if below:
            found += below
        elif word.endswith(".yaml"):
            claims = _claims_of_file(library, word, paths)
            found += claims
            if not claims:
                is_unused = True
                warn(f"{word}: no claim rests on it")
        else:
            hint = suggest(word, [*library.claims, *find_folders(library)])
            raise UsageError(
                f"no claim, folder or spec file {word!r} in these specs{hint}; 'verifier list' lists the claims"
            )
    if words and not found and not is_unused:
        raise UsageError("no claim selected")
    return order_claims(library, join_claims(library, found))


def find_below(library: Library, claim: str) -> list[str]:
    """Return a claim and every claim that it rests on, each after those it rests on."""
    found = {claim: None}
    waiting = [claim]
    while waiting:
        new = [name for name in needed_claims(library.claim(waiting.pop())) if name not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return order_claims(library, list(found))


def require_claim(library: Library, name: str, specs: pathlib.Path) -> None:
    """Refuse a name that no claim has, with the one that was meant.

    Args:
        library: the specs.
        name: the claim's.
        specs: the folder of the specs.

    Raises:
        UsageError: there is no such claim.
    """
    if ("claim", name) in library.lost:
        file = shorten(specs / library.lost["claim", name])
        raise UsageError(f"the claim {name!r} is left out: {file} has a fault, which 'verifier validate' tells")
    if name not in library.claims:
        if name.rstrip("/") in find_folders(library):
            raise UsageError(f"{name!r} is a folder of claims: 'verifier list {name}' lists them")
        hint = suggest(name, library.claims)
        raise UsageError(f"no claim {name!r} in these specs{hint}; 'verifier list' lists them")


def find_folders(library: Library) -> set[str]:
    """Return the folders below the specs that hold claims."""
    parts = [spec.document.file.split("/") for spec in library.claims.values()]
    return {"/".join(path[:depth]) for path in parts for depth in range(1, len(path))}


def _paths_below(word: str, specs: pathlib.Path | None) -> list[str]:
    """Return a path below the specs as it is called there, where a word names one from the current folder."""
    path = pathlib.Path(word).resolve()
    root = None if specs is None else specs.resolve()
    return [] if root is None or not path.is_relative_to(root) else [path.relative_to(root).as_posix()]


def _claims_of_file(library: Library, word: str, paths: list[str]) -> list[str]:
    known = [claims for claims in (find_dependents(library, path) for path in paths) if claims is not None]
    if not known:
        files = [spec.document.file for spec in library.claims.values()]
        named = [file for file in files if pathlib.PurePath(file).name == pathlib.PurePath(word).name]
        hint = f": did you mean {named[0]!r}?" if named else suggest(word, files)
        raise UsageError(f"{word}: no such file among these specs{hint}")
    return [claim for claims in known for claim in claims]
