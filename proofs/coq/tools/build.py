"""Build the Coq proofs, and compare the theorems and their assumptions with the committed ones: ``make coq``.

Nothing is installed, and nothing is written outside the build folder. The steps:

1. the data are written there (``data``), unless they are there already;
2. sources and data are searched for anything that would let a false proof pass (``refused``);
3. they are copied to the build folder, where ``coq_makefile`` and make compile what has changed;
4. ``Theorems.v`` prints each theorem, its statement and all that it assumes. This has to equal ``theorems.txt``, byte
   for byte. With data, what ``Headline.v`` prints also has to equal ``headline.txt``;
5. a stamp is left, which names the sources and data that were built (``stamp``).
"""

from __future__ import annotations

import difflib
import pathlib
import shutil
import subprocess
from collections.abc import Mapping, Sequence

from proofs.coq.tools.refused import find_refused
from proofs.coq.tools.stamp import parse_theorems, remove_stamp, write_stamp
from verifier.coq import EXPECTED, HEADLINE, Places, Theorem

TOOLS = ("coqc", "coqdep", "coq_makefile", "make")
LIBRARY = "U3T"
INSTALL = "apt-get install --no-install-recommends coq libcoq-core-ocaml-dev make"
"""The command that installs Coq 8.16.1 in Debian 12; about 1 GB."""


class BuildError(Exception):
    """The proofs do not hold, or are not the expected ones; the text says what is wrong, and where."""


class NoCoqError(Exception):
    """Coq is not installed; the text says what to install."""


def require_coq() -> None:
    """Require the tools of Coq.

    Raises:
        NoCoqError: a tool is missing.
    """
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        raise NoCoqError(
            f"no {', '.join(missing)} here, and nothing is installed for you. Debian 12 has Coq 8.16.1: {INSTALL}"
        )


def find_sources(folder: pathlib.Path, data: pathlib.Path | None) -> dict[str, pathlib.Path]:
    """Return the sources by name, the data included. Without data, leave out the sources that rest on them.

    Raises:
        BuildError: there are no data, or data have the name of a source.
    """
    sources = {path.name: path for path in folder.glob("*.v")}
    if data is None:
        sources.pop(HEADLINE, None)
        return sources
    written = {path.name: path for path in data.glob("*.v")}
    if not written or any(name in sources for name in written):
        raise BuildError(f"{data}: no data, or data with the name of a source")
    return {**sources, **written}


def copy_sources(sources: Mapping[str, pathlib.Path], build: pathlib.Path) -> None:
    """Bring the build folder up to date: write files that have changed, and remove files that have no source now."""
    build.mkdir(parents=True, exist_ok=True)
    stems = {path.stem for path in sources.values()}
    for path in build.iterdir():
        if path.suffix in (".v", ".vo", ".vos", ".vok", ".glob") and path.stem not in stems:
            path.unlink()
    for name, source in sources.items():
        content = source.read_bytes()
        if not (build / name).exists() or (build / name).read_bytes() != content:
            (build / name).write_bytes(content)


def build(
    places: Places,
    data: pathlib.Path | None,
    jobs: int,
    goals: Sequence[str] = (),
    *,
    library: str = LIBRARY,
    statements: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Build only the goals; or, without goals, build everything, compare the theorems and leave a stamp.

    Args:
        places: the folders.
        data: the folder of the data; None: nothing that rests on data is built.
        jobs: the number of files that are compiled at the same time.
        goals: compiled files; empty: all.
        library: the name by which the sources import each other.
        statements: for each theorem that was made from a certificate, the hash of the statement, and the verdict. None:
            the data were made from tables.

    Raises:
        BuildError: a proof or a comparison fails.
    """
    remove_stamp(places)
    sources = find_sources(places.sources, data)
    refused = [line for name in sorted(sources) for line in find_refused(name, sources[name].read_text())]
    if refused:
        raise BuildError("\n".join(refused))
    copy_sources(sources, places.build)
    compared = [source for source in EXPECTED if source in sources]
    proofs = sorted(set(sources) - set(compared))
    options = ("-Q", ".", library)
    _call(places, ["coq_makefile", *options, *proofs, "-o", "CoqMakefile"], "coq_makefile fails")
    make = ["make", "--no-print-directory", "-f", "CoqMakefile", f"-j{jobs}", "TIMED=1"]
    _call(places, [*make, *goals], "a proof does not hold")
    if goals:
        return
    theorems: dict[str, Theorem] = {}
    for source in compared:
        printed = _call(places, ["coqc", *options, source], f"{source} names what is not proved", capture=True)
        theorems |= parse_theorems(_compare(printed, places.sources / EXPECTED[source]))
    version = _call(places, ["coqc", "--print-version"], "no version", capture=True)
    write_stamp(places, sources, data, version, theorems, statements)


def _compare(printed: str, expected: pathlib.Path) -> str:
    """Print the theorems that a source has printed, and return the theorems.

    Raises:
        BuildError: the theorems are not the committed ones.
    """
    print(printed, end="", flush=True)
    committed = expected.read_text() if expected.exists() else ""
    if printed != committed:
        lines = difflib.unified_diff(committed.splitlines(), printed.splitlines(), "committed", "printed", lineterm="")
        raise BuildError("\n".join([f"the theorems are not those of {expected.name}:", *lines]))
    return printed


def _call(places: Places, command: Sequence[str], failed: str, *, capture: bool = False) -> str:
    """Run a command in the build folder. If ``capture``, return what it prints.

    Raises:
        BuildError: the command fails. Its messages are on standard error.
    """
    done = subprocess.run(  # noqa: S603
        command, cwd=places.build, check=False, stdout=subprocess.PIPE if capture else None, text=True
    )
    if done.returncode:
        raise BuildError(f"{failed}: see above")
    return done.stdout if capture else ""
