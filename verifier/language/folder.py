"""All specs below a folder, read at once: files, references between them, and everything that is wrong."""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Iterable, Iterator, Mapping

from verifier.files import read_start
from verifier.language.borrowed import find_borrowed
from verifier.language.clauses import RulesFile
from verifier.language.collection import collection_paused
from verifier.language.exactly import split_exact
from verifier.language.library import Library
from verifier.language.likeness import liken_files
from verifier.language.loader import MAX_BYTES, Document, load_document
from verifier.language.model import KINDS, find_kind
from verifier.language.problem import Problem, SpecProblemsError
from verifier.language.references import check_references
from verifier.language.shipped import find_shipped
from verifier.language.spec import Spec, named_rules, parse_spec
from verifier.language.templates import write_out

_HEAD_LINES = 10
"""In so many lines a file that is not YAML is looked through for what it is about."""


def load_library(folder: pathlib.Path) -> Library:
    """Read every ``*.yaml`` below a folder, in all of which nothing may be wrong.

    Raises:
        SpecProblemsError: everything that is wrong with files and references, with file, line and column.
    """
    library, problems = read_library(folder)
    if problems:
        raise SpecProblemsError(problems)
    return library


@collection_paused()
def read_library(folder: pathlib.Path) -> tuple[Library, list[Problem]]:
    """Read every ``*.yaml`` below a folder; a file with a fault, and what needs it, is left out.

    Returns:
        What is sound, and everything that is wrong with the rest. That something needs what is left out is not a fault.

    Raises:
        SpecProblemsError: there is no such file.
    """
    paths = sorted(folder.rglob("*.yaml"))
    if not paths:
        raise SpecProblemsError([Problem(str(folder), 1, 1, "no *.yaml below this folder")])
    library = Library({}, {}, {})
    problems = list(_misnamed(folder))
    lost = library.lost
    read = ((path, load_document(path, path.relative_to(folder).as_posix())) for path in paths)
    documents = [(path, whole) for path, found in read for whole in write_out(found)]
    shipped = find_shipped("specs")
    shipped = None if shipped == folder.resolve() else shipped
    if shipped is not None:
        names = {_name_of(document, path) for path, document in documents}
        borrowed = find_borrowed([document for _, document in documents], shipped, names)
        documents += [(shipped / document.file, document) for document in borrowed]
    liken_files(document for _, document in documents)
    split_exact(document for _, document in documents)
    for path, document in documents:
        spec, found = parse_spec(document) if document.is_whole and document.value is not None else (None, [])
        known = {(problem.line, problem.column) for problem in document.problems}
        found = [*document.problems, *(problem for problem in found if (problem.line, problem.column) not in known)]
        kind, name = _name_of(document, path)
        home = library.home(kind)
        if spec is not None and not found and name in home:
            first = home[name].document.file
            found = [document.problem((kind,), f"the {kind} {name!r} stands in {first} already")]
        elif spec is not None and not found:
            home[name] = spec
        elif name:
            lost[kind, name] = document.file
        problems += found
    named = {name for spec in library.with_includes for name in named_rules(spec.model)}
    if shipped is not None and named - library.rules.own.keys():
        ready = _load_shipped_rules(shipped).items()
        library.rules.borrowed.update({name: spec for name, spec in ready if ("rules", name) not in lost})
    while True:
        found = check_references(library)
        own = [problem for problem in found if problem.missing not in lost]
        problems += [problem for problem in own if problem not in problems]
        # Claims stand without their document, and documents without some of their claims.
        needed = {item for item in lost if item[0] != "document"}
        without = {problem.file: lost[problem.missing] for problem in found if problem.missing in needed}
        dropped = _drop(library, {problem.file: problem.file for problem in own}, KINDS)
        needy = _drop(library, without, [kind for kind in KINDS if kind not in ("document", "coverage", "errata")])
        if not dropped and not needy:
            return library, sorted({problem for problem in problems if problem.missing not in lost})
        lost.update(dropped | needy)


def _misnamed(folder: pathlib.Path) -> Iterator[Problem]:
    """Yield files that are specs, and that nobody would read: their claims would be missed without a word."""
    for path in sorted(folder.rglob("*.[yY]*")):
        if path.suffix != ".yaml" and path.suffix.lower() in (".yml", ".yaml") and path.is_file():
            name = path.relative_to(folder).as_posix()
            if _name_of(Document(name), path)[1]:
                yield Problem(name, 1, 1, "is not read: the name of a spec file ends in .yaml")


def _name_of(document: Document, path: pathlib.Path) -> tuple[str, str]:
    """Return the kind and the id of a file, as far as it can be read; no id otherwise."""
    value = document.value
    if isinstance(value, dict):
        return find_kind(value)
    try:
        lines = read_start(path, MAX_BYTES).decode("utf-8", "replace").splitlines()
    except OSError:
        return "claim", ""
    heads = (line.partition(":") for line in lines[:_HEAD_LINES])
    kind, name = next(((kind, name) for kind, _, name in heads if kind in KINDS), ("claim", ""))
    return kind, name.partition(" #")[0].strip(" '\"")


def _drop(library: Library, files: Mapping[str, str], kinds: Iterable[str]) -> dict[tuple[str, str], str]:
    """Leave out what of some kinds stands in some files; return the kind and the id of each, with the file's value."""
    found = {
        (kind, name): files[spec.document.file]
        for kind in kinds
        for name, spec in library.home(kind).items()
        if spec.document.file in files
    }
    for kind, name in found:
        del library.home(kind)[name]
        if kind == "rules":
            library.rules.borrowed.pop(name, None)  # a shipped file of that name says something else
    if found:
        library.rules.made.clear()
    return found


@functools.cache
def _load_shipped_rules(shipped: pathlib.Path) -> dict[str, Spec]:
    """Return the rules files that came with the package, so that a folder of one's own may name them."""
    found: dict[str, Spec] = {}
    for path in sorted(shipped.rglob("rules/*.yaml")):
        for document in write_out(load_document(path, path.relative_to(shipped).as_posix())):
            spec = parse_spec(document)[0] if not document.problems else None
            if spec is not None and isinstance(spec.model, RulesFile):
                found[spec.model.rules] = spec
    return found
