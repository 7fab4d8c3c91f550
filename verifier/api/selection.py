"""Finds the claims that ids, folders and spec files select. Suggests a similar name for an unknown name."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterable, Iterator

from verifier.audit.fault import find_path, shorten_path
from verifier.audit.needs import join_claims, order_claims
from verifier.files import paths_below
from verifier.kernel.errors import UsageError
from verifier.language.outline import AnyLibrary, parse_whole, split_headline
from verifier.language.problem import suggest


def select_claims(
    library: AnyLibrary,
    wanted: Iterable[str],
    specs: pathlib.Path,
    warn: Callable[[str], None],
    *,
    with_beyond: bool = False,
) -> list[str]:
    """Return the selected claims, and the claims that they join, directly or through other claims.

    Each claim comes after the claims on which its verdict rests.

    Each word in ``wanted`` is the id of a claim, a folder below the specs (``.`` selects all claims), or a spec file.
    The headline of a document lists the document's own main claims, and main claims that the auditors added. If a
    selected folder has one of the document's own main claims, the auditors' main claims are selected too. With
    ``with_beyond``, the claims under ``beyond`` in the document's errata are then also selected. Paths may be relative
    to the specs or to the current folder. If no claim depends on a spec file, call ``warn`` with a warning that says
    so. A word that is neither a claim, a folder nor a spec file raises a ``UsageError``.
    """
    found: list[str] = []
    for word in wanted:
        if word in library.claims:
            found.append(word)
            continue
        paths = list(dict.fromkeys([word.rstrip("/"), *paths_below(word, specs)]))
        files = {name: library.file_of(name) for name in library.claims}
        below = [name for name in files if any(path == "." or files[name].startswith(f"{path}/") for path in paths)]
        if not below and not word.endswith(".yaml"):
            hint = suggest(word, [*library.claims, *find_folders(library)])
            said = f"no claim, folder or spec file {word!r} in these specs"
            raise UsageError(f"{said} (see 'verifier list'){hint}")
        claims = below or _claims_of_file(library, word, paths)
        if not claims:
            warn(f"{word}: no claim depends on this file")
        found += [*claims, *_find_further(library, below, with_beyond=with_beyond)]
    return order_claims(library, join_claims(library, found))


def _find_further(library: AnyLibrary, claims: list[str], *, with_beyond: bool) -> Iterator[str]:
    """For each document that makes a main claim in ``claims``, yield the auditors' claims about the document.

    These are the auditors' main claims in the document's headline and, if ``with_beyond``, the claims under ``beyond``
    in its errata. They may be in any folder.
    """
    for document in {library.claim(name).source.document: 0 for name in claims}:
        made, own = split_headline(library, document)
        if not set(made).isdisjoint(claims):
            yield from own
            yield from (name for name in library.beyond_of(document) if with_beyond and name in library.claims)


def require_claim(library: AnyLibrary, name: str, specs: pathlib.Path) -> None:
    """Raise ``UsageError`` if there is no claim with this name, and suggest a similar name."""
    if ("claim", name) in library.lost:
        file = shorten_path(find_path(library.lost["claim", name], specs))
        raise UsageError(f"the claim {name!r} is left out, because {file} has a fault: run 'verifier validate'")
    if name not in library.claims:
        if name.rstrip("/") in find_folders(library):
            raise UsageError(f"{name!r} is a folder of claims: 'verifier list {name}' lists them")
        hint = suggest(name, library.claims)
        raise UsageError(f"no claim {name!r} in these specs (see 'verifier list'){hint}")


def find_folders(library: AnyLibrary) -> set[str]:
    """Return the folders below the specs that have claims in them."""
    parts = [library.file_of(name).split("/") for name in library.claims]
    return {"/".join(path[:depth]) for path in parts for depth in range(1, len(path))}


def _claims_of_file(library: AnyLibrary, word: str, paths: list[str]) -> list[str]:
    from verifier.audit.sources import find_dependents

    whole = parse_whole(library)
    known = [claims for claims in (find_dependents(whole, path) for path in paths) if claims is not None]
    if not known:
        files = [library.file_of(name) for name in library.claims]
        named = [file for file in files if pathlib.PurePath(file).name == pathlib.PurePath(word).name]
        hint = f": did you mean {named[0]!r}?" if named else suggest(word, files)
        raise UsageError(f"{word}: no such file among these specs{hint}")
    return [claim for claims in known for claim in claims]
