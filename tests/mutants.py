"""The kernel with one refusal or one comparison changed: do the kernel's tests tell?

``python -m tests.mutants`` makes a mutant for each refusal (a ``raise`` or a call of ``_refuse``, left out) and for
each comparison (``<`` becomes ``<=``, ``==`` becomes ``!=``, and so on) of ``verifier/kernel``. It runs the quick tests
of ``tests/kernel`` once to see which lines each of them executes. On each mutant it then runs those that execute the
changed line, the quickest first, until one fails. What survives is compared with ``survivors.yaml``, which says why:
a survivor that is not listed there, and a listed one that is killed, are faults. The whole takes a quarter of an hour
or two of processor time; ``--every 20`` takes a sample, and files can be named.
"""

from __future__ import annotations

import argparse
import ast
import collections
import importlib.abc
import importlib.util
import multiprocessing
import os
import pathlib
import pickle
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.pool import ThreadPool
from typing import Any

import coverage
import hypothesis
import numba
import pydantic
import pytest
import yaml
import z3

PRELOADED = (hypothesis, numba, pydantic, z3)
"""What the tests of the kernel import that is none of ours: it is loaded once, before each mutant has its process."""

ROOT = pathlib.Path(__file__).parent.parent
KERNEL = ROOT / "verifier" / "kernel"
TESTS = ROOT / "tests" / "kernel"
SURVIVORS = pathlib.Path(__file__).parent / "survivors.yaml"

FIRST = 40
"""How many of the tests that execute a line are tried before the files of all of them are read."""

PATIENCE, MEMORY = 100, 6 << 30
"""After so many seconds, or with so many bytes, a mutant counts as killed."""

ALWAYS = ""
"""What stands for the lines that are executed before any test runs."""

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
        lines: the lines that the node is written on.
        text: in which function that is, and how it reads: two that read alike in one function are numbered.
    """

    path: pathlib.Path
    place: tuple[int, int]
    lines: range
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
    tree = ast.parse(source)
    inside = {
        id(node): scope.name
        for scope in ast.walk(tree)
        if isinstance(scope, ast.FunctionDef | ast.ClassDef)
        for node in ast.walk(scope)
    }
    texts = collections.Counter[str]()
    for number, node in enumerate(ast.walk(tree)):
        if not isinstance(node, ast.stmt | ast.expr):
            continue
        count = 1 if is_refusal(node) else len(node.ops) if isinstance(node, ast.Compare) else 0
        for at in range(count):
            said = " ".join((ast.get_source_segment(source, node) or "").split())[:90]
            text = f"{path.relative_to(KERNEL)} {inside.get(id(node), 'module')}: {said}"
            if isinstance(node, ast.Compare):
                text += f" ({type(node.ops[at]).__name__}, number {at + 1})"
            texts[text] += 1
            text += f", {texts[text]}" if texts[text] > 1 else ""
            yield Mutant(path, (number, at), range(node.lineno, (node.end_lineno or node.lineno) + 1), text)


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


@dataclass(slots=True)
class Reach:
    """Which tests execute what, as a plug-in of pytest finds out.

    Attributes:
        seconds: of processor time that each test takes, with what is measured along the way.
        lines: the tests that execute each line of each file; ``ALWAYS`` among them where it is executed before.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict)

    def measure(self) -> None:
        """Run the quick tests in this process.

        Raises:
            SystemExit: one fails.
        """
        measured = coverage.Coverage(data_file=None, config_file=False, source=[str(KERNEL)])

        class Watch:
            @pytest.hookimpl(wrapper=True)
            def pytest_runtest_protocol(watch, item: pytest.Item) -> Iterator[Any]:  # noqa: N805 (self is the outer)
                measured.switch_context(item.nodeid)
                begin = time.process_time()
                result = yield
                self.seconds[item.nodeid] = time.process_time() - begin
                measured.switch_context(ALWAYS)
                return result

        measured.start()
        code = run_tests([str(TESTS)], Watch())
        measured.stop()
        if code:
            raise SystemExit("the tests fail on the kernel as it is")
        data = measured.get_data()
        self.lines = {name: data.contexts_by_lineno(name) for name in data.measured_files()}

    def tests(self, mutant: Mutant) -> Iterator[list[str]]:
        """Yield lists of tests to try on a mutant, the quickest first: of all yielded none is named twice.

        Last are the tests that may tell without executing the line, since they use what others have made.
        """
        found = self.lines.get(str(mutant.path), {})
        reaching = {test for line in mutant.lines for test in found.get(line, ())}
        near = {test.partition("::")[0] for test in reaching}
        others = {test for test in self.seconds if ALWAYS in reaching or test.partition("::")[0] in near} - reaching
        ordered = self._quickest(reaching - {ALWAYS})
        name = f"test_{mutant.path.stem}.py"
        own = [test for test in ordered if name in test or "test_corpus" in test][:FIRST]
        yield own
        yield [test for test in ordered if test not in {*own}]
        yield self._quickest(others)

    def _quickest(self, tests: Iterable[str]) -> list[str]:
        return sorted(tests, key=lambda test: (self.seconds[test], test))


@dataclass(slots=True)
class _Chosen:
    """Leaves only some tests of those that were collected, in their order."""

    tests: list[str]

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        places = {test: number for number, test in enumerate(self.tests)}
        items[:] = sorted((item for item in items if item.nodeid in places), key=lambda item: places[item.nodeid])


def run_tests(files: Iterable[str], plugin: object) -> int:
    """Run the quick tests of some files in this process, up to the first that fails; return pytest's exit code."""
    phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
    hypothesis.settings.register_profile("mutants", database=None, derandomize=True, phases=phases)
    hypothesis.settings.load_profile("mutants")
    words = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:cov", "-p", "no:xdist", "-m", "not slow"]
    return int(pytest.main([*words, *files], plugins=[plugin]))


def in_a_process(task: Callable[[], int | None]) -> int:
    """Do something in a process of its own, without its output; return the exit code, negative for a signal."""

    def work() -> None:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os._exit(task() or 0)

    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    process.join()
    return process.exitcode or 0


def measure() -> Reach:
    """Return which quick tests execute what."""
    with tempfile.NamedTemporaryFile() as file:

        def work() -> None:
            reach = Reach()
            reach.measure()
            pathlib.Path(file.name).write_bytes(pickle.dumps(reach))

        if in_a_process(work):
            raise SystemExit("the tests fail on the kernel as it is")
        found: Reach = pickle.loads(pathlib.Path(file.name).read_bytes())  # noqa: S301 (written a moment ago)
        return found


def survives(mutant: Mutant, reach: Reach) -> bool:
    """Say whether all tests pass that may tell."""

    def work() -> int:
        signal.alarm(PATIENCE)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sys.meta_path.insert(0, _Finder(mutant))
        return run_tests(dict.fromkeys(str(ROOT / test.partition("::")[0]) for test in tests), _Chosen(tests))

    for tests in reach.tests(mutant):
        code = in_a_process(work) if tests else 0
        if code in (int(pytest.ExitCode.USAGE_ERROR), int(pytest.ExitCode.NO_TESTS_COLLECTED)):
            raise SystemExit(f"{mutant.text}: the tests cannot be run: {tests[:3]}")
        if code:
            return False
    return True


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", help="files of verifier/kernel, by their stems (default: all)")
    parser.add_argument("--every", type=int, default=1, help="take one mutant of so many")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    files = [path for path in sorted(KERNEL.rglob("*.py")) if not arguments.modules or path.stem in arguments.modules]
    chosen = [mutant for path in files for mutant in mutants(path)][:: arguments.every]
    reach = measure()
    print(f"{len(reach.seconds)} tests pass on the kernel as it is; {len(chosen)} mutants", flush=True)
    listed = {text for texts in yaml.safe_load(SURVIVORS.read_text()).values() for text in texts}
    survivors, faults = 0, 0
    with ThreadPool(arguments.jobs) as pool:
        outcomes = pool.imap(lambda mutant: survives(mutant, reach), chosen)
        for mutant, survived in zip(chosen, outcomes, strict=True):
            survivors += survived
            if survived != (mutant.text in listed):
                faults += 1
                print(f"{'survives' if survived else 'is killed'}: {mutant.text}, line {mutant.lines[0]}", flush=True)
    if not arguments.modules and arguments.every == 1:
        for text in sorted(listed - {mutant.text for mutant in chosen}):
            faults += 1
            print(f"is no mutant: {text}")
    print(f"{len(chosen) - survivors} of {len(chosen)} mutants killed ({1 - survivors / len(chosen):.1%})")
    if faults:
        raise SystemExit(f"{SURVIVORS.name} says otherwise of {faults}")


if __name__ == "__main__":
    main()
