"""Change one refusal, comparison or condition of the kernel: do the kernel's tests notice?

``python -m tests.mutants`` makes a mutant of ``verifier/kernel`` for each refusal (a ``raise`` or a call of
``_refuse``, left out), each comparison (``<`` becomes ``<=``, ``==`` becomes ``!=``, and so on), each part of an
``and`` or ``or``, and each ``not`` or minus sign (left out). It runs the quick tests of ``tests/kernel`` once, to see
which lines each of them executes. On each mutant it then runs the tests that execute the changed line, the quickest
first, until one fails. It does this in a copy of this process, in which the changed function replaces the kernel's.
Mutants that survive are tried once more with the kernel and the tests loaded again. Then they are compared with
``survivors.yaml``, which has the reasons. A survivor that is not listed there is a fault, and so is a listed one that
does not survive. ``--jobs`` is the number of mutants tried at a time, ``--every 20`` takes a sample, and files can be
named.
"""

import argparse
import ast
import collections
import functools
import gc
import importlib.abc
import importlib.util
import itertools
import multiprocessing
import multiprocessing.connection
import os
import pathlib
import pickle
import resource
import sys
import tempfile
import time
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import coverage
import hypothesis
import pytest
import yaml

ROOT = pathlib.Path(__file__).parent.parent
KERNEL = ROOT / "verifier" / "kernel"
TESTS = ROOT / "tests" / "kernel"
SURVIVORS = pathlib.Path(__file__).parent / "survivors.yaml"

FIRST, ENOUGH = 40, 8.0
"""So many of the tests of the changed file and of the corpus are tried first, then the others of the changed file,
and more that last so many seconds as they were measured. What these let pass counts as a survivor."""

PATIENCE, MEMORY = 60, 6 << 30
"""After so many seconds of processor time, or with so many bytes, a mutant counts as killed: all of the quick tests
take a third of the time."""

WORDS = ["-s", *(f"-pno:{name}" for name in ("cacheprovider", "terminal", "xdist", "cov")), "-m", "not slow"]
"""How pytest is asked for the quick tests."""

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
    """A file of the kernel with a change in one place.

    Attributes:
        path: the file.
        place: the number of the node in ``ast.walk``, and of the comparison or condition if the node has several.
        lines: the lines of the node.
        text: the function, and the changed code. Equal texts in one function are numbered.
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
    """Return whether a statement refuses something."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        called = node.value.func
        return isinstance(called, ast.Attribute) and called.attr == "_refuse"
    return isinstance(node, ast.Raise) and node.exc is not None


def ways(node: ast.AST) -> list[str]:
    """Return the changes of a node, in words."""
    if isinstance(node, ast.Compare):
        return [f" ({type(op).__name__}, number {at})" for at, op in enumerate(node.ops, 1)]
    if isinstance(node, ast.BoolOp):
        return [f" (without part {at})" for at in range(1, len(node.values) + 1)]
    if isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
        return [f" (without {type(node.op).__name__})"]
    return [""] if is_refusal(node) else []


def source_of(lines: list[bytes], node: ast.stmt | ast.expr) -> str:
    """Return the source of a node. ``ast.get_source_segment`` would split the whole file each time."""
    *whole, last = lines[node.lineno - 1 : node.end_lineno]
    return b"".join([*whole, last[: node.end_col_offset]])[node.col_offset :].decode()


def mutants(path: pathlib.Path) -> Iterator[Mutant]:
    """Yield the mutants of a file."""
    source = path.read_bytes()
    lines, tree = source.splitlines(keepends=True), ast.parse(source)
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
        for at, way in enumerate(ways(node)):
            said = " ".join(source_of(lines, node).split())[:90]
            text = f"{path.relative_to(KERNEL)} {inside.get(id(node), 'module')}: {said}{way}"
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
    changed: ast.AST = ast.copy_location(ast.Pass(), node)
    if isinstance(node, ast.BoolOp):
        del node.values[mutant.place[1]]
        changed = node if len(node.values) > 1 else node.values[0]
    elif isinstance(node, ast.UnaryOp):
        changed = node.operand
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if isinstance(value, list) and any(item is node for item in value):
                setattr(parent, name, [changed if item is node else item for item in value])
            elif value is node and parent is not changed:
                setattr(parent, name, changed)
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
    """Which tests execute what.

    Attributes:
        seconds: the processor time of each test, with the measuring.
        lines: the tests that execute each line of each file.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict)

    def tests(self, mutant: Mutant) -> list[str]:
        """Return the tests to try on a mutant, the quickest first: those of its file or of the corpus, then others.

        If no test executes the line, or it is executed before any test begins, all tests of its file are tried.
        """
        found = self.lines.get(str(mutant.path), {})
        reaching = {test for line in mutant.lines for test in found.get(line, ())}
        name = f"test_{mutant.path.stem}.py"
        if not reaching:
            reaching = {test for test in self.seconds if name in test or "test_corpus" in test}
        ordered = sorted(reaching, key=lambda test: (self.seconds[test], test))
        first = [test for test in ordered if name in test or "test_corpus" in test][:FIRST]
        others = [test for test in ordered if test not in {*first}]
        spent = itertools.accumulate(self.seconds[test] for test in others)
        return first + [test for test, total in zip(others, spent, strict=True) if total < ENOUGH or name in test]


class Run:
    """A plug-in of pytest that runs the collected tests on mutants, instead of running them once.

    Args:
        mutants: the mutants.
        jobs: the number of mutants tried at a time.
        tell: called with each mutant and the first test that fails on it; empty if it survives.

    Attributes:
        count: the number of tests.
        failed: the first test that fails on the unchanged kernel.
    """

    def __init__(self, mutants: list[Mutant], jobs: int, tell: Callable[[Mutant, str], None]) -> None:
        self.mutants, self.jobs, self.tell, self.count, self.failed = mutants, jobs, tell, 0, ""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Measure the tests, and try them on each mutant."""
        items = {item.nodeid: item for item in session.items}
        self.count = len(items)
        reach = _Copy(lambda: _measure(session.items), 10 * PATIENCE).answer()
        if not isinstance(reach, Reach):
            self.failed = str(reach)
            return True
        waiting, running = iter(self.mutants), dict[int, tuple[Mutant, _Copy, bool]]()
        while True:
            for mutant in itertools.islice(waiting, self.jobs - len(running)):
                patched = _Copy(functools.partial(_run_patched, mutant, [items[name] for name in reach.tests(mutant)]))
                running[patched.process.sentinel] = mutant, patched, False
            if not running:
                return True
            for ended in multiprocessing.connection.wait([*running]):
                mutant, copy, is_anew = running.pop(cast("int", ended))
                killed = str(copy.answer())
                if killed or is_anew:
                    self.tell(mutant, killed)
                else:
                    anew = _Copy(functools.partial(_run_anew, mutant, reach.tests(mutant)))
                    running[anew.process.sentinel] = mutant, anew, True


def _measure(items: list[pytest.Item]) -> Reach | str:
    """Run tests. Return what they execute, or the first that fails."""
    measured = coverage.Coverage(data_file=None, config_file=False, source=[str(KERNEL)])
    reach = Reach()
    measured.start()
    for item in items:
        measured.switch_context(item.nodeid)
        begin = time.process_time()
        if failed := _first_failure([item]):
            return failed
        reach.seconds[item.nodeid] = time.process_time() - begin
    measured.stop()
    data = measured.get_data()
    reach.lines.update({name: data.contexts_by_lineno(name) for name in data.measured_files()})
    return reach


class _Failures:
    """Notes the first test that fails."""

    def __init__(self) -> None:
        self.first = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.first:
            self.first = report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self.first:
            self.first = report.nodeid


def _first_failure(items: list[pytest.Item]) -> str:
    """Run tests up to the first that fails. Return its name; empty if all pass."""
    failures = _Failures()
    for item, following in itertools.zip_longest(items, items[1:]):
        item.config.pluginmanager.register(failures)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        item.config.pluginmanager.unregister(failures)
        if failures.first:
            break
    return failures.first


def _run_patched(mutant: Mutant, items: list[pytest.Item]) -> str:
    """Run tests with the changed file's code in the existing functions. Return the first that fails."""
    waiting = [compile(change(mutant), str(mutant.path), "exec")]
    codes: dict[tuple[str, int], types.CodeType] = {}
    while waiting:
        code = waiting.pop()
        codes[code.co_qualname, code.co_firstlineno] = code
        waiting += (inner for inner in code.co_consts if isinstance(inner, types.CodeType))
    for function in gc.get_objects():
        if isinstance(function, types.FunctionType) and function.__code__.co_filename == str(mutant.path):
            try:
                function.__code__ = codes[function.__code__.co_qualname, function.__code__.co_firstlineno]
            except ValueError:  # it uses fewer names of the function around it
                return ""
    return _first_failure(items)


def _run_anew(mutant: Mutant, names: list[str]) -> str:
    """Run tests with the changed file loaded in place of the kernel's. Return the first that fails."""
    for module in [*sys.modules]:
        if module.partition(".")[0] in ("verifier", "tests"):
            del sys.modules[module]
    sys.meta_path.insert(0, _Finder(mutant))
    failures = _Failures()
    code = pytest.main([*WORDS, "-x", *(str(ROOT / name) for name in names)], plugins=[failures])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED):
        raise SystemExit(f"the tests cannot be run: {code!r}")
    return failures.first


class _Copy:
    """A copy of this process that runs a function, without output."""

    def __init__(self, task: Callable[[], Any], patience: int = PATIENCE) -> None:
        self._task, self._patience = task, patience
        self._folder = tempfile.TemporaryDirectory()
        self._file = pathlib.Path(self._folder.name) / "answer"
        self.process = multiprocessing.get_context("fork").Process(target=self._work)
        self.process.start()

    def _work(self) -> None:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        tempfile.tempdir = self._folder.name
        resource.setrlimit(resource.RLIMIT_CPU, (self._patience, self._patience + 1))  # the kernel uses the timers
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        self._file.write_bytes(pickle.dumps(self._task()))
        os._exit(0)

    def answer(self) -> Any:
        """Wait for the copy. Return its result, or how it died."""
        self.process.join()
        with self._folder:
            if self.process.exitcode:
                return f"ended with {self.process.exitcode}"
            return pickle.loads(self._file.read_bytes())  # noqa: S301 (written a moment ago)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", help="files of verifier/kernel, by their stems (default: all)")
    parser.add_argument("--every", type=int, default=1, help="take one mutant of so many")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="try so many at a time")
    arguments = parser.parse_args()
    files = [path for path in sorted(KERNEL.rglob("*.py")) if not arguments.modules or path.stem in arguments.modules]
    chosen = [mutant for path in files for mutant in mutants(path)][:: arguments.every]
    listed = {text for texts in yaml.safe_load(SURVIVORS.read_text()).values() for text in texts}
    told, survivors = 0, 0

    def tell(mutant: Mutant, killed: str) -> None:
        nonlocal told, survivors
        survivors += not killed
        if bool(killed) == (mutant.text in listed):
            told += 1
            print(
                f"{f'killed by {killed}' if killed else 'survives'}: {mutant.text}, line {mutant.lines[0]}", flush=True
            )

    hypothesis.settings.register_profile(
        "mutants", database=None, derandomize=True, phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate]
    )
    hypothesis.settings.load_profile("mutants")
    run = Run(chosen, arguments.jobs, tell)
    pytest.main([*WORDS, str(TESTS)], plugins=[run])
    if run.failed or not run.count:
        raise SystemExit(f"the tests fail on the kernel as it is: {run.failed}")
    if len(files) == len([*KERNEL.rglob("*.py")]) and arguments.every == 1:
        for text in sorted(listed - {mutant.text for mutant in chosen}):
            told += 1
            print(f"is not a mutant: {text}")
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    minutes = sum(part.ru_utime + part.ru_stime for part in used) / 60
    print(f"{len(chosen) - survivors} of {len(chosen)} mutants killed by {run.count} tests", end=" ")
    print(f"({1 - survivors / len(chosen):.1%}), {survivors} survive; {minutes:.0f} minutes of processor time")
    if told:
        raise SystemExit(f"{SURVIVORS.name} says otherwise of {told}")


if __name__ == "__main__":
    main()
