"""The kernel with one refusal or one comparison changed: do the kernel's tests tell?

``python -m tests.mutants`` makes a mutant for each refusal (a ``raise`` or a call of ``_refuse``, left out) and for
each comparison (``<`` becomes ``<=``, ``==`` becomes ``!=``, and so on) of ``verifier/kernel``. On each it runs the
quick tests of ``tests/kernel`` until one fails, those of the changed file first, and prints the mutants that survive.
The whole takes an hour or two of processor time; ``--every 20`` takes a sample, and files can be named.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.abc
import importlib.util
import multiprocessing
import os
import pathlib
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.pool import ThreadPool
from typing import Any

ROOT = pathlib.Path(__file__).parent.parent
KERNEL = ROOT / "verifier" / "kernel"
TESTS = ROOT / "tests" / "kernel"

SLOW = (
    "test_obligations_are_breached_just_where_a_step_fails or TestCost or test_every_word_means_symbolically or "
    "test_perft or test_a_dead_process or test_recheck_runs_alone or test_the_symmetries_are"
)
"""Tests that take more than a second: without them the others take about 20 s."""

PATIENCE = 120
"""After so many seconds a mutant that makes tests hang counts as killed."""

OTHER: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A file of the kernel, changed in one place.

    Attributes:
        path: the file.
        place: the number of the node in ``ast.walk``, and of the comparison in a chain of some.
        text: where that is, and how it reads.
    """

    path: pathlib.Path
    place: tuple[int, int]
    text: str

    @property
    def module(self) -> str:
        """The name of the module."""
        return ".".join(self.path.relative_to(ROOT).with_suffix("").parts)


def is_refusal(node: ast.AST) -> bool:
    """Say whether a statement refuses something."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        called = node.value.func
        return isinstance(called, ast.Attribute) and called.attr == "_refuse"
    return isinstance(node, ast.Raise) and node.exc is not None


def mutants(path: pathlib.Path) -> Iterator[Mutant]:
    """Yield the mutants of a file."""
    source = path.read_text()
    for number, node in enumerate(ast.walk(ast.parse(source))):
        count = 1 if is_refusal(node) else len(node.ops) if isinstance(node, ast.Compare) else 0
        for at in range(count):
            said = " ".join((ast.get_source_segment(source, node) or "").split())[:90]
            place = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
            which = f" ({type(node.ops[at]).__name__}, number {at + 1})" if isinstance(node, ast.Compare) else ""
            yield Mutant(path, (number, at), f"{place}: {said}{which}")


def change(mutant: Mutant) -> ast.Module:
    """Return the changed file."""
    tree = ast.parse(mutant.path.read_text())
    node = [*ast.walk(tree)][mutant.place[0]]
    if isinstance(node, ast.Compare):
        node.ops[mutant.place[1]] = OTHER[type(node.ops[mutant.place[1]])]()
        return tree
    gone = ast.copy_location(ast.Pass(), node)
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if isinstance(value, list) and any(item is node for item in value):
                setattr(parent, name, [gone if item is node else item for item in value])
    return tree


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads one module from a changed tree."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        del path, target
        if name != self.mutant.module:
            return None
        return importlib.util.spec_from_file_location(name, self.mutant.path, loader=self)

    def exec_module(self, module: Any) -> None:
        exec(compile(change(self.mutant), str(self.mutant.path), "exec"), module.__dict__)  # noqa: S102 (our own text)


def order(mutant: Mutant | None) -> list[str]:
    """Return the files of tests: those named like the changed file first, then the corpus."""
    stem = mutant.path.stem if mutant else ""
    files = sorted(TESTS.glob("test_*.py"), key=lambda path: (path.stem != f"test_{stem}", "corpus" not in path.stem))
    return [str(path) for path in files]


def run_tests(mutant: Mutant | None) -> None:
    """Run the tests on a mutant in this process, and end it: with 0 if all pass."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    if mutant:
        sys.meta_path.insert(0, _Finder(mutant))
    import pytest

    words = [
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:randomly",
        "-n",
        "0",
        "-m",
        "not slow",
        "-k",
        f"not ({SLOW})",
    ]
    os._exit(int(pytest.main([*words, *order(mutant)])))


def survives(mutant: Mutant | None) -> bool:
    """Say whether all tests pass."""
    process = multiprocessing.get_context("fork").Process(target=run_tests, args=(copy.copy(mutant),))
    process.start()
    process.join(PATIENCE)
    if process.is_alive():
        process.kill()
        process.join()
    return process.exitcode == 0


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", help="files of verifier/kernel, by their stems (default: all)")
    parser.add_argument("--every", type=int, default=1, help="take one mutant of so many")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    files = [path for path in sorted(KERNEL.rglob("*.py")) if not arguments.modules or path.stem in arguments.modules]
    chosen = [mutant for path in files for mutant in mutants(path)][:: arguments.every]
    begin = time.monotonic()
    if not survives(None):
        raise SystemExit("the tests fail on the kernel as it is")
    print(
        f"the tests pass on the kernel as it is, in {time.monotonic() - begin:.0f} s; {len(chosen)} mutants", flush=True
    )
    survivors = 0
    with ThreadPool(arguments.jobs) as pool:
        for mutant, survived in zip(chosen, pool.imap(survives, chosen), strict=True):
            if survived:
                survivors += 1
                print(mutant.text, flush=True)
    print(f"{len(chosen) - survivors} of {len(chosen)} mutants killed")


if __name__ == "__main__":
    main()
