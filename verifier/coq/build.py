"""Build the Coq proofs and compare what they prove, and from what, with ``theorems.txt``: ``make coq``.

Nothing is installed, and nothing is written outside the build folder (``build/coq``). The steps:

1. the sources are read for what would let a proof pass without being one (``find_refused``), data too;
2. they are copied to the build folder, where ``coq_makefile`` and make compile what has changed;
3. ``Theorems.v`` prints each theorem, its statement and all that it assumes; that has to be ``theorems.txt``, byte for
   byte. With data, so has what ``Headline.v`` prints to be ``headline.txt``.

Exit codes: 0, all of it is so; 1, it is not, and the last line says what; 2, Coq is missing.
"""

from __future__ import annotations

import argparse
import difflib
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence

SOURCES = pathlib.Path(__file__).parent
BUILD = SOURCES.parents[1] / "build" / "coq"
TOOLS = ("coqc", "coqdep", "coq_makefile", "make")
OPTIONS = ("-Q", ".", "U3T")
PRINTING = {"Theorems.v": "theorems.txt"}
"""The sources that print theorems, and what they have to print."""

PRINTING_WITH_DATA = {**PRINTING, "Headline.v": "headline.txt"}

REFUSED = (
    (r"Admitted|admit|give_up|Abort", "leaves a proof unfinished"),
    (r"Axioms?|Conjectures?|Parameters?", "states what nobody proves"),
    (r"native_compute|native_cast_no_check", "has ocamlopt believed"),
    (r"bypass_check|(?:Guard|Positivity|Universe)\s+Checking|type_in_type", "turns a check of the kernel off"),
    (r"Declare\s+ML\s+Module|Primitive|Load|Cd|Redirect|Extraction|Drop", "reaches outside the sources"),
)
"""Words that no source may hold outside its comments, and why."""

ASSUMED = re.compile(
    r"(?:#\[[^\]]*\]\s*)*(?:(?:Local|Global|Polymorphic|Cumulative)\s+)*(?:Variables?|Hypothes[ei]s|Context)\b"
)
"""The sentences that are assumptions of a section, and axioms anywhere else."""

NO_SENTENCE = re.compile(r'\(\*|\*\)|"(?:[^"]|"")*"')


class BuildError(Exception):
    """The proofs do not hold, or are not what they have to be; the text says what and where."""


def blank_comments(text: str) -> str:
    """Return the text with comments and strings blanked, line ends kept; Coq's comments nest."""
    kept, depth, end = [], 0, 0
    for token in NO_SENTENCE.finditer(text):
        between = text[end : token.start()]
        kept.append(between if depth == 0 else _blank(between))
        kept.append(_blank(token.group()))
        depth = max(0, depth + {"(*": 1, "*)": -1}.get(token.group(), 0))
        end = token.end()
    kept.append(text[end:] if depth == 0 else _blank(text[end:]))
    return "".join(kept)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def find_refused(name: str, text: str) -> Iterator[str]:
    """Yield what a source holds that a proof must not, each with its line."""
    text = blank_comments(text)
    for pattern, reason in REFUSED:
        for match in re.finditer(rf"(?<![\w'])(?:{pattern})(?![\w'])", text):
            yield f"{name}:{_line(text, match.start())}: {match.group()!r} {reason}"
    depth = 0
    for match in re.finditer(r"(?:^|(?<=\.\s))\s*([^.]+(?:\.(?!\s|$)[^.]*)*)\.(?=\s|$)", text):
        sentence = match.group(1)
        if re.match(r"Section\b", sentence):
            depth += 1
        elif re.match(r"End\b", sentence):
            depth -= 1
        elif depth <= 0 and ASSUMED.match(sentence):
            yield f"{name}:{_line(text, match.start(1))}: {sentence.split()[0]!r} outside a section is an axiom"


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def copy_sources(sources: dict[str, pathlib.Path], build: pathlib.Path) -> None:
    """Bring the build folder up to date: files with other bytes are written, those of other sources removed."""
    build.mkdir(parents=True, exist_ok=True)
    stems = {path.stem for path in sources.values()}
    for path in build.iterdir():
        if path.suffix in (".v", ".vo", ".vos", ".vok", ".glob") and path.stem not in stems:
            path.unlink()
    for name, source in sources.items():
        content = source.read_bytes()
        if not (build / name).exists() or (build / name).read_bytes() != content:
            (build / name).write_bytes(content)


def call(build: pathlib.Path, command: Sequence[str], failed: str, capture: bool = False) -> str:
    """Run a command in the build folder, and return what it prints if that is captured.

    Raises:
        BuildError: it fails; what it says stands on standard error.
    """
    done = subprocess.run(  # noqa: S603
        command, cwd=build, check=False, stdout=subprocess.PIPE if capture else None, text=True
    )
    if done.returncode:
        raise BuildError(f"{failed}: see above")
    return done.stdout if capture else ""


def find_sources(folder: pathlib.Path, data: pathlib.Path | None) -> dict[str, pathlib.Path]:
    """Return the sources by name: those of the folder, and the data's; without data, not what rests on them.

    Raises:
        BuildError: data would stand in for a source, or there are none.
    """
    sources = {path.name: path for path in folder.glob("*.v")}
    if data is None:
        return {name: path for name, path in sources.items() if name in PRINTING or name not in PRINTING_WITH_DATA}
    written = {path.name: path for path in data.glob("*.v")}
    if not written or any(name in sources for name in written):
        raise BuildError(f"{data}: no data, or data with the name of a source")
    return {**sources, **written}


def compare(build: pathlib.Path, source: str, expected: pathlib.Path) -> None:
    """Print the theorems that a source prints.

    Raises:
        BuildError: they are not the committed ones.
    """
    printed = call(build, ["coqc", *OPTIONS, source], f"{source} names what is not proved", capture=True)
    print(printed, end="")
    committed = expected.read_text() if expected.exists() else ""
    if printed != committed:
        lines = difflib.unified_diff(committed.splitlines(), printed.splitlines(), "committed", "printed", lineterm="")
        raise BuildError("\n".join([f"the theorems are not those of {expected.name}:", *lines]))


def run(folder: pathlib.Path, data: pathlib.Path | None, build: pathlib.Path, jobs: int, goals: list[str]) -> None:
    """Build the goals and no more, or everything, and then compare the theorems.

    Raises:
        BuildError: something does not hold.
    """
    sources = find_sources(folder, data)
    refused = [line for name in sorted(sources) for line in find_refused(name, sources[name].read_text())]
    if refused:
        raise BuildError("\n".join(refused))
    copy_sources(sources, build)
    proofs = sorted(set(sources) - set(PRINTING_WITH_DATA))
    call(build, ["coq_makefile", *OPTIONS, *proofs, "-o", "CoqMakefile"], "coq_makefile fails")
    make = ["make", "--no-print-directory", "-f", "CoqMakefile", f"-j{jobs}", "TIMED=1"]
    call(build, [*make, *goals], "a proof does not hold")
    if not goals:
        for source, expected in (PRINTING if data is None else PRINTING_WITH_DATA).items():
            compare(build, source, folder / expected)


def main() -> int:
    """Read the arguments, build, and say how it went."""
    parser = argparse.ArgumentParser(description="Build the Coq proofs, and compare what they prove with theorems.txt.")
    parser.add_argument("goals", nargs="*", metavar="FILE.vo", help="compile these only, and compare nothing")
    parser.add_argument("--sources", type=pathlib.Path, default=SOURCES, help="the folder of the sources")
    parser.add_argument(
        "--data", type=pathlib.Path, metavar="DIR", help="what export.py wrote, for the value of the game"
    )
    parser.add_argument("--build", type=pathlib.Path, default=BUILD, help="the folder to build in (build/coq)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="files compiled side by side")
    arguments = parser.parse_args()
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        print(
            f"make coq: no {', '.join(missing)} here, and nothing is installed for you. On Debian 12: "
            "apt-get install --no-install-recommends coq libcoq-core-ocaml-dev make (1 GB, Coq 8.16.1).",
            file=sys.stderr,
        )
        return 2
    try:
        run(arguments.sources, arguments.data, arguments.build, arguments.jobs, arguments.goals)
    except BuildError as error:
        print(f"make coq: {error}", file=sys.stderr)
        return 1
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    what = "compiled" if arguments.goals else "every proof holds, and the theorems are the committed ones"
    if arguments.data is None:
        what += " (without data: nothing here says that 43 is the value)"
    print(f"make coq: {what}; {used.ru_utime + used.ru_stime:.0f} s of processor time")
    return 0


if __name__ == "__main__":
    sys.exit(main())
