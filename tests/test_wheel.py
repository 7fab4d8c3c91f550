"""The wheel: installed from it, the tool works in an empty folder as it does in a checkout."""

import importlib.util
import os
import pathlib
import posixpath
import re
import shlex
import subprocess
import sys
import sysconfig
import venv
import zipfile

import pytest

ROOT = pathlib.Path(__file__).parents[1]
CARRIED = {".yaml", ".json", ".gz", ".md", ".v", ".txt", ".py", ".css", ".js", ".j2", ".html", ".ipynb", ".typed"}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("hatchling") is None, reason="without hatchling no wheel is built"),
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Build the wheel of this checkout, without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--no-build-isolation", "--no-deps", "--disable-pip-version-check", "--wheel-dir", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", "wheel", "-q", *options, str(ROOT)], check=True, timeout=300)
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def bin_folder(wheel: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Install the wheel into its own environment, which uses this environment's dependencies."""
    folder = tmp_path_factory.mktemp("env")
    venv.create(folder, with_pip=True)
    binary = folder / "bin"
    options = ["-q", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([str(binary / "python"), "-m", "pip", "install", *options], check=True, timeout=300)
    ask = [str(binary / "python"), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    own = subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip()
    (pathlib.Path(own) / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    return binary


def test_the_wheel_has_all_specs_proofs_docs_and_templates(wheel: pathlib.Path) -> None:
    """It has every spec, every proof, the documentation and the templates, and no cache of any tool."""
    names = set(zipfile.ZipFile(wheel).namelist())
    shipped = {name: f"verifier/_data/{name}" for name in ("docs", "specs", "proofs")}
    places = {"verifier": "verifier", **shipped}
    for folder, place in places.items():
        files = [path for path in (ROOT / folder).rglob("*") if path.suffix in CARRIED]
        assert files
        missing = {f"{place}/{path.relative_to(ROOT / folder).as_posix()}" for path in files} - names
        assert not missing
    assert "verifier/_data/docs/tutorial.md" in names
    assert "verifier/api/templates/specs/document.yaml" in names
    assert not [name for name in names if "__pycache__" in name or name.endswith((".vo", ".pyc"))]


def test_the_links_of_its_pages_work(wheel: pathlib.Path) -> None:
    """Everything that documentation, specs and proofs link to is in the wheel, at the place of the link."""
    archive = zipfile.ZipFile(wheel)
    names = set(archive.namelist())
    pages = [name for name in names if name.endswith(".md") and name.startswith("verifier/")]
    assert len(pages) > 10
    targets = {
        posixpath.normpath(f"{posixpath.dirname(page)}/{link}")
        for page in pages
        for link in re.findall(r"\]\(([^)\s#]+)[^)\s]*\)", archive.read(page).decode())
        if not link.startswith("http")
    }
    assert len(targets) > 10
    assert targets <= names


@pytest.mark.skipif(os.name != "posix", reason="the folder of an environment's programs has another name there")
@pytest.mark.parametrize(
    ("commands", "expected"),
    [
        (["python -c 'import verifier; print(verifier.__file__, len(verifier.load()) > 100)'"], "/env"),
        (["verifier list examples"], "careful-first-is-safe"),
        (["verifier check examples rules-start", "verifier show lowest-spot-keeps-fields"], "fields won: X 0"),
        (["verifier check examples", "verifier report examples --out report.html"], "report.html: "),
        (["verifier recheck lemma-3"], "1 certificate, 0 rejected"),
        (["verifier new my-paper", "cd my-paper && verifier check"], "2 claims: 1 proved as stated, 1 refuted"),
    ],
    ids=["import", "list", "show", "report", "recheck", "new"],
)
def test_commands_run_in_an_empty_folder(
    commands: list[str], expected: str, bin_folder: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["PATH"] = f"{bin_folder}:{environment['PATH']}"
    out = ""
    for command in commands:
        shell = ["sh", "-c", f"cd {shlex.quote(str(tmp_path))} && {command}"]
        done = subprocess.run(shell, env=environment, capture_output=True, text=True, check=False, timeout=300)
        out = done.stdout + done.stderr
        assert done.returncode == 0, out
    assert expected in out
