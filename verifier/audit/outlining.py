"""Makes the outline of a folder of specs: what a command needs to know about the claims before it compiles a reading.

The outline is remembered under the hash of everything in the folder. If it is remembered, ``list`` and ``show`` parse
no file, and ``check`` parses files only if it decides something new. If a file has a fault, or the folder contains a
link, nothing is remembered: every run reads the folder anew, and reports the faults.
"""

from __future__ import annotations

import contextlib
import functools
import os
import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from verifier.audit.keys import OUTLINE
from verifier.audit.plan import Folders
from verifier.files import MAX_SPEC_BYTES, find_shipped, read_start
from verifier.kernel.certificate import hash_bytes
from verifier.kernel.errors import SpecError
from verifier.language.outline import (
    ClaimOutline,
    DocumentOutline,
    ErratumOutline,
    Outline,
    ReadingOutline,
    SourceOutline,
    outline_from_json,
    outline_to_json,
)

if TYPE_CHECKING:
    from verifier.audit.sources import Sources
    from verifier.language.library import Library
    from verifier.language.model import Claim
    from verifier.language.problem import Problem


def recall_outline(folders: Folders) -> Outline | None:
    """Return the remembered outline of the whole folder, or else of the wanted specs; None if neither is remembered."""
    given = _hash_specs(folders)
    if given is None:
        return None
    for wanted in dict.fromkeys((None, folders.wanted)):
        value = folders.store.recall(OUTLINE, [given, wanted])
        if value is not None:
            with contextlib.suppress(AttributeError, KeyError, TypeError):
                return outline_from_json(value, functools.cache(functools.partial(_parse, folders, given)))
    return None


def read_folder(folders: Folders) -> tuple[Library, list[Problem]]:
    """Return the wanted specs and their faults. If there are no faults, remember the outline."""
    from verifier.language.folder import read_library
    from verifier.questions.registry import GRAMMAR

    given = _hash_specs(folders)
    library, problems = read_library(folders.specs, GRAMMAR, folders.wanted, folders.made)
    if given and not problems and _hash_specs(folders) == given:  # otherwise the folder has changed while it was read
        folders.store.remember(OUTLINE, [given, folders.wanted], outline_to_json(make_outline(library)))
    return library, problems


def _parse(folders: Folders, given: Mapping[str, Any]) -> Library:
    """Parse the specs whose outline was remembered.

    Raises:
        SpecError: the specs have changed since the outline was looked up.
    """
    library, problems = read_folder(folders)
    if problems or _hash_specs(folders) != given:
        raise SpecError("the specs changed while they were read")
    return library


def _hash_specs(folders: Folders) -> dict[str, Any] | None:
    """Return the hashes of everything that the specs depend on.

    Specs depend on the names of all files and folders in the folder of specs, and on the content of its YAML and
    Markdown files. They depend on the shipped specs in the same way, because a spec may need shipped files.

    Return None if this run remembers no results, if a folder cannot be hashed (``_hash_folder``), or if
    some specs are made in Python.
    """
    if folders.store.memory is None or folders.made:
        return None
    shipped, specs = find_shipped("specs"), folders.specs
    found = [_hash_folder(folder) for folder in ([specs] if shipped in (None, specs.resolve()) else [specs, shipped])]
    return None if None in found else {"own": found[0], "shipped": found[1:]}


def _hash_folder(folder: pathlib.Path) -> dict[str, str] | None:
    """Return the hashes of the files of a folder; None if a link is among them, or something cannot be read."""
    errors, hashes = list[OSError](), dict[str, str]()
    for at, folders, files in os.walk(folder, onerror=errors.append):
        for name in (*folders, *files):
            path = pathlib.Path(at, name)
            is_read = name in files and path.suffix.lower() in (".yaml", ".yml", ".md")
            try:
                # The target of a link may change without a change in the folder.
                data = None if path.is_symlink() else read_start(path, MAX_SPEC_BYTES + 1) if is_read else b""
            except OSError:
                return None
            if data is None:
                return None
            hashes[path.relative_to(folder).as_posix()] = hash_bytes(data) if is_read else ""
    return None if errors else dict(sorted(hashes.items()))


def make_outline(library: Library) -> Outline:
    """Return the outline of a library that has no faults."""
    from verifier.audit.sources import Sources

    sources, hashes = Sources(library), dict[str, str]()
    claims = {name: _outline_claim(library, name, sources, hashes) for name in library.claims}
    documents = {
        name: DocumentOutline(
            model.title,
            library.read_of(name),
            model.ours,
            library.beyond_of(name),
            list(model.headline),
            dict(model.contents),
        )
        for name, model in ((name, library.document(name)) for name in library.documents)
    }
    used = {model.rules_of(name) for model in map(library.claim, claims) for name in model.readings}
    errata = {
        name: {key: ErratumOutline(list(item.readings), item.severity) for key, item in library.errata_of(name).items()}
        for name in library.errata
    }
    rules = {name: library.game(name).data for name in used}
    drawn = {name: clause.model_dump() for name in used for clause in library.drawings_of(name).values()}
    return Outline(claims, documents, errata, rules, drawn, hashes, lambda: library)


def _outline_claim(library: Library, name: str, sources: Sources, hashes: dict[str, str]) -> ClaimOutline:
    """Return the outline of a claim; add the hashes of the texts that it depends on to ``hashes``."""
    model = library.claim(name)
    source = SourceOutline(model.source.document, model.source.place, model.source.says, model.source.ours)
    readings: dict[str, ReadingOutline] = {}
    for reading in model.readings:
        texts = sources.texts_of((name, reading))
        hashes |= texts
        readings[reading] = _outline_reading(model, reading, list(texts))
    return ClaimOutline(name, model.title, source, model.rules, list(model.uses), readings, library.file_of(name))


def _outline_reading(claim: Claim, name: str, needs: list[str]) -> ReadingOutline:
    from verifier.questions.registry import find_question

    reading = claim.readings[name]
    question = find_question(reading.question)
    return ReadingOutline(
        question=reading.question,
        expect=reading.expect,
        rules=reading.rules,
        long=reading.long,
        joins=list(reading.joins),
        repairs=list(reading.repairs),
        control=reading.control,
        agrees_with=reading.agrees_with,
        coq=reading.coq,
        half_of=reading.half_of,
        note=reading.note,
        is_conjunction=reading.is_conjunction,
        objective_types=sorted(reading.objective_types),
        needs=needs,
        said=list(question.say(reading)),
        said_evidence=list(question.say_evidence(reading)),
        trust=dict(question.trust),
        seconds=question.seconds,
        parts_its_work=question.parts_its_work,
    )
