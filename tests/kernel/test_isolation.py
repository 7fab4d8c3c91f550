import pytest

from tests.commands import without_packages

FOREIGN = ("z3", "networkx", "yaml", "pydantic", "numpy", "numba")


def test_the_kernel_loads_the_standard_library_only() -> None:
    """No third-party package can be imported here, and the kernel needs none."""
    code = f"import sys, verifier.recheck; print([m for m in {FOREIGN} if m in sys.modules])"
    done = without_packages("-c", code)
    assert done.out.strip() == "[]", done.err


def test_the_kernels_command_loads_nothing_from_outside_the_kernel() -> None:
    """It loads no other module of this package, and no third-party package."""
    code = (
        "import runpy, sys; sys.argv = ['kernel', '--help']; runpy.run_module('verifier.kernel', run_name='__main__')"
    )
    ends = "print([m for m in sys.modules if m.startswith('verifier.') and not m.startswith('verifier.kernel')])"
    done = without_packages("-c", f"import sys, atexit; atexit.register(lambda: {ends}); {code}")
    assert done.out.strip().endswith("[]"), done.out + done.err


@pytest.mark.slow
def test_recheck_runs_alone() -> None:
    """``recheck`` decides the shipped certificates of Lemma 3 with only the standard library."""
    done = without_packages("-m", "verifier", "recheck", "lemma-3")
    assert done.code == 0, done.err
    assert "1 certificate, 0 rejected" in done.out
