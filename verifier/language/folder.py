"""Reads all specs below a folder, checks the references between them, and collects all faults.

If the files name definitions, strategies or rules that the folder does not have, these are *borrowed* from the shipped
specs.
"""

from __future__ import annotations

import functools
import json
import os
import pathlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

from verifier.files import NO_FOLDER, find_shipped, has_specs, list_folder
from verifier.language.library import Library
from verifier.language.likeness import liken_files, split_exact
from verifier.language.loader import Document, load_document, read_divergences, read_text
from verifier.language.made import SpecText, read_made
from verifier.language.model import FILE_KINDS, Grammar, find_file_kind
from verifier.language.needed import Files
from verifier.language.outline import follow
from verifier.language.problem import Problem, SpecProblemsError
from verifier.language.references import check_references
from verifier.language.sharing import collection_paused
from verifier.language.spec import Spec, find_named, parse_spec
from verifier.language.templates import write_out

_HEAD_LINES = 10
"""Number of lines that are searched for the kind and the id of a file, if the file is not YAML."""


@collection_paused()
def read_library(
    folder: pathlib.Path,
    grammar: Grammar,
    wanted: Iterable[str] | None = None,
    made: Iterable[SpecText] = (),
) -> tuple[Library, list[Problem]]:
    """Read the ``*.yaml`` files below a folder. Leave out files with a fault, and files that need a file with a fault.

    Args:
        folder: the folder with the specs. ``NO_FOLDER``: the only specs are those in ``made``.
        grammar: the models of the files.
        wanted: claims, and folders below ``folder``. If all of them exist, and the files that they need have no fault,
            no other file is parsed. None: parse every file.
        made: specs that are not in files. If there are any, every file is parsed.

    Returns:
        The library without the files that were left out, and all faults. A file that needs a faulty file is not itself
        at fault.

    Raises:
        SpecProblemsError: the folder can be read, but has no spec files.
    """
    documents = [whole for spec in made for whole in write_out(read_made(spec))]
    if folder == NO_FOLDER:
        return _build_library(documents, grammar, _find_offered(folder), "", [])
    everything, unread = list_folder(folder)
    paths = [path for path in everything if path.name.endswith(".yaml")]
    if not paths and not unread:
        raise SpecProblemsError([Problem(str(folder), 1, 1, "no .yaml file in this folder")])
    departs, problems = read_divergences(folder)
    if wanted is not None and not unread and not problems and not documents:
        library = _read_needed(folder, paths, grammar, wanted, departs)
        if library is not None:
            return library, []
    documents += [whole for path in paths for whole in write_out(_load(path, folder))]
    problems += _find_missed(folder, everything, unread)
    return _build_library(documents, grammar, _find_offered(folder), departs, problems)


def _read_needed(
    folder: pathlib.Path, paths: Iterable[pathlib.Path], grammar: Grammar, wanted: Iterable[str], departs: str
) -> Library | None:
    """Read the files that claims and folders need. Return None if there is a fault: then all files have to be read."""
    texts = {name: read_text(path, name) for path in paths for name in [path.relative_to(folder).as_posix()]}
    if any(problem is not None for _, problem in texts.values()):
        return None
    files = Files({file: text for file, (text, _) in texts.items()})
    if not files.parse_needed(wanted, folder, functools.partial(_find_offered, folder)):
        return None
    documents = [document for file in texts for document in files.parsed.get(file, ())]
    offered = _find_offered(folder) if files.is_borrowing else {}
    library, problems = _build_library(documents, grammar, offered, departs, [], files.is_unread)
    return None if problems else library


def _find_offered(folder: pathlib.Path) -> dict[tuple[str, str], Document]:
    """Return the shipped files that a folder may borrow."""
    shipped = find_shipped("specs")
    return {} if shipped is None or shipped == folder.resolve() else _load_shipped(shipped)


def _build_library(
    documents: list[Document],
    grammar: Grammar,
    offered: dict[tuple[str, str], Document],
    departs: str,
    problems: list[Problem],
    is_unread: Callable[[tuple[str, str]], bool] = lambda _: False,
) -> tuple[Library, list[Problem]]:
    """Return the library of ``documents`` and of the files that they borrow, and all faults.

    ``departs`` is the text of ``DIVERGENCES.md``. If a file names a spec for which ``is_unread`` is true, this is not a
    fault.
    """
    library = Library(departs=departs, offered={name for kind, name in offered if kind == "rules"})
    lost = library.lost
    borrowed, changed = _find_borrowed(documents, offered) if offered else ([], [])
    documents = documents + borrowed
    liken_files(documents, grammar, offered)
    split_exact(documents)
    parsed = [(document, _name_of(document), *_parse(document, grammar)) for document in documents]
    faulty = {document.file for document, _, _, own in parsed if own}
    for document, (kind, name), spec, own in parsed:
        home, found = library.home(kind), own
        if faulty & document.bases:  # the fault is reported in the file from which this file copies
            lost[kind, name] = min(faulty & document.bases)
            continue
        if spec is not None and not found and name in home:
            first = home[name].document.file
            found = [document.problem((kind,), f"the {kind} {name!r} is already defined in {first}")]
        elif spec is not None and not found:
            home[name] = spec
        elif name:
            lost[kind, name] = next((lost[item.missing] for item in found if item.missing in lost), document.file)
        problems += found
    while True:
        found = check_references(library, is_unread) or [item for item in changed if item.file not in lost.values()]
        found = [problem for problem in found if problem.missing is None or not is_unread(problem.missing)]
        own = [problem for problem in found if problem.missing not in lost]
        problems += [problem for problem in own if problem not in problems]
        # Claims do not need their document, and documents do not need all of their claims.
        needed = {item for item in lost if item[0] != "document"}
        without = {problem.file: lost[problem.missing] for problem in found if problem.missing in needed}
        dropped = _drop(library, {problem.file: problem.file for problem in own}, FILE_KINDS)
        needy = _drop(library, without, [kind for kind in FILE_KINDS if kind not in ("document", "coverage", "errata")])
        if not dropped and not needy:
            return library, sorted({problem for problem in problems if problem.missing not in lost})
        lost.update(dropped | needy)


def _load(path: pathlib.Path, folder: pathlib.Path) -> Document:
    return load_document(path, path.relative_to(folder).as_posix())


def _parse(document: Document, grammar: Grammar) -> tuple[Spec[Any] | None, list[Problem]]:
    """Return the spec in a file, and its problems."""
    is_read = document.is_whole and document.value is not None
    spec, found = parse_spec(document, grammar) if is_read else (None, [])
    known = {(problem.line, problem.column) for problem in document.problems}
    return spec, [*document.problems, *(problem for problem in found if (problem.line, problem.column) not in known)]


def _find_missed(folder: pathlib.Path, found: list[pathlib.Path], unread: list[OSError]) -> Iterator[Problem]:
    """Yield a problem for each file or folder that is not read, although it may have specs."""
    for error in unread:
        name = pathlib.Path(error.filename).relative_to(folder).as_posix()
        yield Problem(name, 1, 1, f"this folder cannot be read: {error.strerror or error}")
    for path in found:
        name = path.relative_to(folder).as_posix()
        if path.suffix != ".yaml" and path.suffix.lower() in (".yml", ".yaml") and os.path.isfile(path):
            if _name_of(_load(path, folder))[1]:
                yield Problem(name, 1, 1, "is not read: the name of a spec file must end in .yaml")
        elif os.path.islink(path) and os.path.isdir(path) and _leads_to_specs(path, folder):
            yield Problem(
                name, 1, 1, "is not read: it is a link to a folder that may have specs; links are not followed"
            )


def _leads_to_specs(link: pathlib.Path, folder: pathlib.Path) -> bool:
    """Return True if a link to a folder leads, or may lead, to specs outside ``folder``."""
    if link.suffix == ".yaml" or link.resolve().is_relative_to(folder.resolve()):
        return False
    return has_specs(link)


def _name_of(document: Document) -> tuple[str, str]:
    """Return the kind and the id of a file; if the file cannot be read, look for them in its first lines."""
    if isinstance(document.value, dict):
        return find_file_kind(document.value)
    heads = (line.partition(":") for line in document.text.splitlines()[:_HEAD_LINES])
    kind, name = next(((kind, name) for kind, _, name in heads if kind in FILE_KINDS), ("claim", ""))
    return kind, name.partition(" #")[0].strip(" '\"")


def _drop(library: Library, files: Mapping[str, str], kinds: Iterable[str]) -> dict[tuple[str, str], str]:
    """Remove specs of the given kinds if their file, or a file from which they copy (``like``), is in ``files``.

    Returns:
        For each removed spec, by its kind and id, a value of ``files``. It is the value of the spec's own file or, if
        ``files`` lacks this file, the value of a file from which the spec copies.
    """
    found = {
        (kind, name): files[file]
        for kind in kinds
        for name, spec in library.home(kind).items()
        if (file := next((file for file in (spec.document.file, *spec.document.bases) if file in files), None))
    }
    for kind, name in found:
        del library.home(kind)[name]
    if found:
        library.games.clear()
    return found


# -- borrowing of shipped specs ---------------------------------------------------------------------------------------


def _find_borrowed(
    documents: list[Document], offered: dict[tuple[str, str], Document]
) -> tuple[list[Document], list[Problem]]:
    """Return copies of the offered files that ``documents`` need, directly or indirectly, and that the folder lacks.

    A borrowed file can need a second shipped file. If the folder has a different file with the id of this second file,
    the borrowed file would mean something else here. Then a problem is returned as well.
    """
    own = set(map(_name_of, documents))
    replacing = {find_file_kind(document.value): document for document in documents if isinstance(document.value, dict)}

    def borrow(document: Document) -> list[tuple[str, str]]:
        return sorted({(kind, name) for _, kind, name in find_named(document.value)} & offered.keys() - own)

    keys = follow([key for document in documents for key in borrow(document)], lambda key: borrow(offered[key]))
    borrowed = [offered[key] for key in keys]
    problems = [problem for document in borrowed for problem in _changes(document, replacing, offered)]
    # Copies, because ``liken_files`` modifies files in place.
    copies = [replace(item, value=deepcopy(item.value), bases=set(item.bases), problems=[]) for item in borrowed]
    return copies, problems


def _changes(
    document: Document, replacing: dict[tuple[str, str], Document], shipped: dict[tuple[str, str], Document]
) -> Iterator[Problem]:
    """Yield a problem for each file that would change what a shipped file means."""
    kind, name = find_file_kind(document.value)
    for key in [(part_kind, part) for _, part_kind, part in find_named(document.value)]:
        if key[0] not in ("definitions", kind) or key not in replacing or key not in shipped:
            continue
        if _content(replacing[key]) != _content(shipped[key]):
            text = f"the shipped {kind} {name!r} needs the shipped {key[0]} {key[1]!r}, but this file replaces it"
            yield replacing[key].problem((key[0],), f"{text}: choose another id here, or copy {name!r} as well")


def _content(document: Document) -> list[str]:
    """Return the content of a file without its title and source, to compare it with the content of another file.

    The order of phases and of clauses matters. The order of the file's own keys does not.
    """
    return sorted(json.dumps(item) for item in document.value.items() if item[0] not in ("title", "source"))


@functools.cache
def _load_shipped(shipped: pathlib.Path) -> dict[tuple[str, str], Document]:
    """Return the shipped definitions, strategies and rules that have no fault, by kind and id."""
    paths = sorted(path for home in ("definitions", "strategies", "rules") for path in shipped.rglob(f"{home}/*.yaml"))
    whole = [replace(document, is_borrowed=True) for path in paths for document in write_out(_load(path, shipped))]
    return {
        find_file_kind(document.value): document for document in whole if not document.problems and document.is_whole
    }
