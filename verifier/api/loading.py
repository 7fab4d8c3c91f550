"""Reads folders of specs, and specs that are made in Python."""

from __future__ import annotations

import os
import pathlib
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING

from verifier.api.folders import find_cache, find_proofs, find_specs
from verifier.api.specs import FilePath, Specs, WarningHandler
from verifier.audit.fault import fault_lines, find_faults
from verifier.audit.outlining import read_folder, recall_outline
from verifier.audit.plan import Folders
from verifier.audit.store import Store
from verifier.files import NO_FOLDER
from verifier.kernel.errors import UsageError
from verifier.language.problem import SpecProblemsError

if TYPE_CHECKING:
    from verifier.language.made import SpecText


def load(
    specs: FilePath | None = None,
    *,
    made: SpecText | Iterable[SpecText] = (),
    proofs: FilePath | None = None,
    cache: FilePath | bool = True,
    out: FilePath | None = None,
    partial: bool = False,
    wanted: Iterable[str] | None = None,
    warn: WarningHandler = warnings.warn,
) -> Specs:
    """Read a folder of specs, and specs that are made in Python.

    >>> import verifier
    >>> specs = verifier.load()
    >>> "lemma-3" in specs
    True

    Args:
        specs: the folder. If it is None and ``made`` is given, no folder is read. If neither is given, read the nearest
            folder ``specs`` with spec files, in the current folder or above it; if there is none, read the specs of
            this package. The search for a folder ends at the root of the repository or, outside a repository, of the
            file system.
        made: specs that are made in Python. If such a spec contains other specs made in Python, these are loaded too.
            Nothing is written into files.
        proofs: the folder of the evidence. None: ``proofs`` beside the specs, else the evidence of this package.
        cache: the folder for accepted evidence and for results. True: the user's cache. False: no result is remembered,
            and evidence is in a temporary folder that is deleted together with the returned object.
        out: a folder that gets a copy of all evidence. Accepted evidence in it is used rather than other evidence.
        partial: leave out files with a fault, and the claims that need them, instead of raising an error.
        wanted: ids of claims, and folders inside the folder of the specs. Only the files that these need are read, so
            faults of other files are not found. None: read every file.
        warn: called with the text of each warning. Warnings do not affect verdicts.

    Raises:
        SpecError: there are no specs, or they have faults; the error lists each with file, line and column.
        UsageError: the folder does not exist.
    """
    own: tuple[SpecText, ...] = ()
    if specs is not None and not isinstance(specs, str | os.PathLike):
        raise UsageError(f"{specs!r} is not a folder; verifier.load(made=…) loads specs that are made in Python")
    if made != ():  # loads a parser, which is not needed if nothing is made in Python
        from verifier.language.made import list_parts

        own = list_parts(made)
    folder = NO_FOLDER if own and specs is None else find_specs(specs)
    shipped = find_proofs(proofs, folder)
    kept = None if cache is False else find_cache() if cache is True else pathlib.Path(cache)
    found = None if kept is None else kept.absolute()
    store = Store(shipped, None if out is None else pathlib.Path(out), found, is_remembering=found is not None)
    folders = Folders(folder, store, None if wanted is None else tuple(wanted), own)
    outline = recall_outline(folders)
    if outline is not None:
        return Specs(outline, folders, (), warn)
    library, problems = read_folder(folders)
    if problems and not partial:
        raise SpecProblemsError(problems, fault_lines(find_faults(library, problems, folder)))
    return Specs(library, folders, tuple(problems), warn)
