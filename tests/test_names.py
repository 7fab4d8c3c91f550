"""Where the public names of ``verifier`` are defined."""

import ast
import pathlib
from collections import defaultdict
from collections.abc import Iterator

VERIFIER = pathlib.Path(__file__).parents[1] / "verifier"

SHARED = {
    "main": ("cli/__init__", "kernel/__main__"),
    "fill_parser": ("cli/*",),
    "run": ("cli/*",),
    "render": ("report/*", "report/*/*"),
    "QUESTION": ("questions/*/question",),
    "search": ("questions/*/*",),
    "show": ("questions/*/*",),
    "say": ("questions/*/words",),
    # Numba's cache on disk loads types by their names, so the type of the threat search keeps its name.
    "Game": ("kernel/games/__init__", "search/threats/descent"),
}
"""Names that several modules define, because they are asked for by them, and which modules may."""


def find_names(text: str) -> Iterator[str]:
    """Yield the public names that a module defines at its top level."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name))


def find_repeated(folder: pathlib.Path) -> dict[str, list[str]]:
    """Return the public names that several modules of a folder define, with these modules, except shared names."""
    found = defaultdict[str, set[pathlib.PurePath]](set)
    for path in folder.rglob("*.py"):
        for name in find_names(path.read_text(encoding="utf-8")):
            found[name].add(path.relative_to(folder).with_suffix(""))
    return {
        name: sorted(str(path) for path in paths)
        for name, paths in found.items()
        if len(paths) > 1
        and name[0] != "_"
        and not all(any(path.match(pattern) for pattern in SHARED.get(name, ())) for path in paths)
    }


def test_every_public_name_is_defined_once() -> None:
    """No two modules define the same class, function, constant or type, except the names of an interface."""
    assert find_repeated(VERIFIER) == {}


def test_every_shared_name_is_shared() -> None:
    """Several modules define each name that may be defined several times."""
    found = [name for path in VERIFIER.rglob("*.py") for name in {*find_names(path.read_text(encoding="utf-8"))}]
    assert [name for name in SHARED if found.count(name) < 2] == []


def test_a_name_that_two_modules_define_is_found(tmp_path: pathlib.Path) -> None:
    """Types, functions, each of several constants, and an interface's name in another place. Private names are not."""
    for folder in ("kernel", "cli"):
        (tmp_path / folder).mkdir()
    (tmp_path / "kernel" / "one.py").write_text("class Board: ...\nA, B = 1, 2\nC: int = 3\n_D = 4\ndef run(): ...\n")
    (tmp_path / "cli" / "two.py").write_text("Board = int\nB = C = 3\n_D = 4\ndef run(): ...\ndef fill_parser(): ...\n")
    (tmp_path / "cli" / "three.py").write_text("def fill_parser(): ...\n")
    assert {*find_repeated(tmp_path)} == {"Board", "B", "C", "run"}
