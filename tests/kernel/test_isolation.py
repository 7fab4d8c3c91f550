import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
FOREIGN = ("z3", "networkx", "yaml", "pydantic", "numpy", "numba")


def run_isolated(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-S", *command], cwd=ROOT, env={}, capture_output=True, text=True, check=False
    )


def test_the_kernel_loads_the_standard_library_only() -> None:
    """No third-party package is importable, and the kernel needs none."""
    code = f"import sys, verifier.recheck; print([m for m in {FOREIGN} if m in sys.modules])"
    done = run_isolated("-c", code)
    assert done.stdout.strip() == "[]", done.stderr


def test_the_kernels_command_loads_nothing_from_outside_the_kernel() -> None:
    """No other module of this package, and no third-party one."""
    code = (
        "import runpy, sys; sys.argv = ['kernel', '--help']; runpy.run_module('verifier.kernel', run_name='__main__')"
    )
    ends = "print([m for m in sys.modules if m.startswith('verifier.') and not m.startswith('verifier.kernel')])"
    done = run_isolated("-c", f"import sys, atexit; atexit.register(lambda: {ends}); {code}")
    assert done.stdout.strip().endswith("[]"), done.stdout + done.stderr


@pytest.mark.slow
def test_recheck_runs_alone() -> None:
    """``recheck`` decides the shipped certificates of Lemma 3 with nothing but the standard library."""
    done = run_isolated("-m", "verifier", "recheck", "lemma-3")
    assert done.returncode == 0, done.stderr
    assert "1 certificate, 0 rejected" in done.stdout
