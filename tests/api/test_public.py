"""The names of ``import verifier``, and what it costs to load them."""

import ast
import subprocess
import sys

import pytest

import verifier
from tests.commands import ROOT, without_packages

NAMES = {
    *("load", "Specs", "Ledger", "ReadingResult", "Certificate", "Play"),
    *("Verdict", "Belief", "Standing", "VerifierError", "SpecError", "UsageError", "CertificateError"),
    *("Board", "Boards", "Value", "IllegalMoveError", "NotationError"),
    *("rules", "claim", "strategy", "Rules", "SpecText"),
}


def test_the_public_names() -> None:
    assert set(verifier.__all__) == NAMES
    assert set(dir(verifier)) >= NAMES
    for name in NAMES:
        assert getattr(verifier, name).__name__ == name
    tree = ast.parse((ROOT / "verifier/__init__.py").read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If) and isinstance(node.test, ast.Name))
    seen = {alias.asname for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert seen == NAMES


def test_an_unknown_public_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'verifier' has no attribute 'lod'"):
        _ = verifier.lod  # type: ignore[attr-defined]


def test_importing_the_package_loads_the_standard_library_only() -> None:
    """No third-party package can be imported here. Neither the package nor ``Verdict`` needs one."""
    code = "import verifier; print(verifier.Verdict.PROVED, sorted(m for m in __import__('sys').modules if 'api' in m))"
    done = without_packages("-c", code)
    assert done.out.strip() == "proved []", done.err


def test_loading_specs_is_quick() -> None:
    """The kernel's checks and the solvers take a while to load, so they are loaded when they are first used."""
    slow = ("verifier.kernel.decide", "networkx", "numba", "numpy", "z3", "rich", "jinja2")
    code = f"import sys, verifier; verifier.load; print([name for name in {slow} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stderr
