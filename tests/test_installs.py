"""What the project tells people to install: itself from a folder or a wheel, and its dependencies."""

import re
import tomllib

import pytest

from tests.commands import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
COMMAND = re.compile(
    r"(?:\b(?:pip[\d.]*|pipx|uv|poetry|pdm)|\$\(PIP\))(?:\s+(?:-\S+|pip|tool))*\s+(?:install|add|download|wheel|run)\b"
    r"[ \t]*(?:\\?\n[ \t]*)?([^\n`#;&|<>]*)|\buvx[ \t]+([^\n`#;&|<>]*)"
)
WORD = re.compile(r"""(['"]?)([^'"()]+?)\1([],.:)'"]*)""")
BINARY = {".gz", ".png", ".pyc", ".svg"}


def name_of(requirement: str) -> str:
    return re.split(r"[\[=<>!~; ]", requirement, maxsplit=1)[0].lower()


KNOWN = {name_of(requirement) for group in (PROJECT["dependencies"], *EXTRAS.values()) for requirement in group}
KNOWN -= {PROJECT["name"]}  # no index has it: whoever registers the name there could have anything installed


def foreign_names(text: str) -> list[str]:
    """Return the names that commands in a text install, except ours and those of our dependencies."""
    found = []
    text = re.sub(r"""['"],\s*['"]""", " ", text)  # a command as a list of words
    for command in COMMAND.finditer(text):
        words = iter((command[1] or command[2] or "").split())
        for word in words:
            if word in ("-c", "-r", "--constraint", "--requirement", "--wheel-dir", "--find-links"):
                next(words, None)
            elif not word.startswith("-"):
                target = WORD.fullmatch(word)
                if target is None:
                    break
                if not re.match(r"[.$*]|\S*/", target[2]) and name_of(target[2]) not in KNOWN:
                    found.append(name_of(target[2]))
                if target[3]:
                    break  # the sentence goes on
    return found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pip install 'claim-checker[dask]'", ["claim-checker"]),
        (f"    python3 -m pip install {PROJECT['name']}", [PROJECT["name"]]),
        ("`pip install\n  verifier==1.0`", ["verifier"]),
        ("'pipx install verifier' installs it", ["verifier"]),
        ("uv pip install -c constraints.txt exact Verifier", ["verifier"]),
        ("uv tool install verifier, then", ["verifier"]),
        ("uvx verifier check", ["verifier", "check"]),
        ('["pip", "install", "-q", "verifier"]', ["verifier"]),
        ("pip install . && verifier check", []),
        ("pip install '.[exact]'", []),
        ("pip install exact, and check it", []),
        ("'pip install exact' installs it", []),
        ("pip install './tool[exact]' \"$WHEEL\"", []),
        ("pip wheel --no-deps . # a wheel", []),
    ],
)
def test_a_command_that_installs_by_a_name_is_found(text: str, found: list[str]) -> None:
    assert foreign_names(text) == found


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """All text files of the tree, except this one."""
    folders = ("verifier", "docs", "specs", "proofs", "tests", ".ci", ".github")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*")] + [*ROOT.iterdir()]
    kept = [path for path in paths if path.is_file() and path.name != ".git" and path.suffix not in BINARY]
    return {str(path): path.read_text("utf-8", "replace") for path in kept if path.name != "test_installs.py"}


def test_no_command_installs_by_a_name_that_is_not_ours(texts: dict[str, str]) -> None:
    """Until somebody registers a name for this project, it belongs to a stranger."""
    assert not {path: names for path, text in texts.items() if (names := foreign_names(text))}
    assert sum(len(COMMAND.findall(text)) for text in texts.values()) >= 10


def test_the_name_of_another_project_is_not_used(texts: dict[str, str]) -> None:
    """The index has another project of this name. No text uses it for ours, not even as a path or a cache key."""
    assert not [path for path, text in texts.items() if re.search(r"(?<!game-)\bclaim-verifier", text)]


def test_extras_are_named_after_what_they_bring() -> None:
    extras = EXTRAS.keys() - {"dev"}
    assert extras
    for name in extras:
        assert name in {name_of(requirement) for requirement in EXTRAS[name]}
