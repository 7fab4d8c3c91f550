"""No module asks which family a game belongs to, except the families' own modules and the registries."""

import ast
import pathlib
import re
from collections.abc import Iterator

import pytest

from verifier.kernel.games.registry import FAMILIES

ROOT = pathlib.Path(__file__).parents[1] / "verifier"

OWN = {
    "kernel/games": "the rules of each family, and the registry of the kernel",
    "presentation/general.py": "how cells are shown",
    "presentation/nested.py": "how nine fields are shown",
    "presentation/positional.py": "how one board is shown",
    "presentation/registry.py": "a registry",
    "language/rules": "the clauses of each family, and their registry",
    "search/general.py": "random games of cells and moves",
    "search/nested.py": "moves taken back on nine fields",
    "search/packed.py": "packs positions of cells, and unpacks them",
    "search/registry.py": "a registry",
    "search/threats/read.py": "reads the masks of one board",
    "search/threats/registry.py": "a registry",
    "search/quotient.py": "a sum is of boards",
    "kernel/sum.py": "a sum is of boards",
    "kernel/breaker.py": "pairs and weights read the masks of one board",
    "kernel/relabel.py": "tables up to symmetry are of one board, or of cells",
    "kernel/race": "a bound is of nine fields",
    "search/bounded": "a bound is of nine fields",
    "search/retrieval.py": "the replies of a bound",
    "solver/inputs.py": "the inputs of unknown positions, for solvers",
    "export/coq_rules.py": "how rules are written for Coq",
    "describing.py": "prints the name, and decides nothing by it",
}
"""Who may know a family, and why."""

NAMES = {*FAMILIES}

OF_ALL = {"X_wins", "O_wins", "over"}
"""The words of formulas that every family has."""

MODULES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))


def is_own(module: str) -> bool:
    return any(module == place or module.startswith(f"{place}/") for place in OWN)


def is_text(node: ast.AST, texts: set[str]) -> bool:
    """Return whether an expression is one of some texts, or a list, a set or a map that has one."""
    return any(isinstance(part, ast.Constant) and part.value in texts for part in ast.walk(node))


def find_questions(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the lines in which a module asks for a family, and how."""
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        match node:
            case ast.ImportFrom(module=str(module), names=names):
                parts = {part.removesuffix("_marks") for part in (*module.split("."), *(one.name for one in names))}
                if module.startswith("verifier") and parts & NAMES:
                    yield line, "imports a family's module"
            case ast.Import(names=names):
                if any({*one.name.split(".")} & NAMES for one in names if one.name.startswith("verifier")):
                    yield line, "imports a family's module"
            case ast.Attribute(attr="family", ctx=ast.Load()):
                yield line, "reads the family of a game"
            case ast.Subscript(slice=ast.Constant(value="family")):
                yield line, "reads the family of rules"
            case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value="family"), *_]):
                yield line, "reads the family of rules"
            case ast.Compare(left=left, ops=ops, comparators=others):
                if any(is_text(part, NAMES | {"active"}) for part in (left, *others)):
                    yield line, "compares with the name of a family, or with a word that one has"
                is_word = isinstance(left, ast.Constant) and left.value not in OF_ALL
                in_words = any("vocabulary" in ast.unparse(part) for part in others)
                if is_word and in_words and any(isinstance(op, ast.In | ast.NotIn) for op in ops):
                    yield line, "asks whether a game has a word"
            case ast.MatchValue(value=value):
                if is_text(value, NAMES):
                    yield line, "matches the name of a family"
            case ast.Dict(keys=keys):
                if any(key is not None and is_text(key, NAMES) for key in keys):
                    yield line, "has a map by family"


def test_no_other_module_asks_for_a_family() -> None:
    """Each module outside the list uses a game only through the members of ``Game`` and ``Presentation``."""
    found = [
        f"verifier/{module}:{line}: {how}"
        for module in MODULES
        if not is_own(module)
        for line, how in find_questions(ast.parse((ROOT / module).read_text(encoding="utf-8")))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("place", OWN)
def test_each_module_of_the_list_knows_a_family(place: str) -> None:
    """A module that no longer asks has to leave the list."""
    modules = [module for module in MODULES if module == place or module.startswith(f"{place}/")]
    trees = [ast.parse((ROOT / module).read_text(encoding="utf-8")) for module in modules]
    assert any([*find_questions(tree)] for tree in trees)


def test_no_script_names_a_family() -> None:
    """The browser plays by tables."""
    scripts = {path.name: path.read_text(encoding="utf-8") for path in ROOT.rglob("*.js")}
    assert scripts
    named = re.compile(rf"""["'`.]({"|".join(NAMES)}|family)\b""")
    assert not {name: named.findall(text) for name, text in scripts.items() if named.search(text)}


@pytest.mark.parametrize(
    "code",
    [
        'if game.family == "x": pass',
        'rules["family"]',
        'rules.get("family")',
        'name in ("nested", "other")',
        '"active" in game.vocabulary',
        '"free" not in names.vocabulary',
        "import verifier.kernel.games.nested",
        "from verifier.kernel.games.nested import ANY",
        "from verifier.kernel.games import positional",
        "from verifier.kernel.games.positional_marks import PositionalState",
        'match name:\n    case "nested": pass',
        '{"positional": 1}[name]',
    ],
)
def test_a_module_that_asks_for_a_family_is_found(code: str) -> None:
    assert [*find_questions(ast.parse(code))]
