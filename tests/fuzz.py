"""Change certificates and specs at random: each gets a verdict or one clear error.

``python -m tests.fuzz certificates 100000`` changes small certificates that hold: their JSON, their bytes, a table, or
the statement of the evidence. Nothing may be accepted as evidence for another statement, nothing false may be accepted,
and the kernel may not have an internal error. Some changed certificates claim something false: the opposite verdict on
their statement, or the negation of a formula that they show.

``python -m tests.fuzz specs 100000`` changes the bytes and the values of specs. Each has to compile, or its faults have
to be reported.

``python -m tests.fuzz audits 10000`` checks such specs in full, each in its own process with limits of time and memory.
"""

import argparse
import collections
import contextlib
import copy
import functools
import gzip
import json
import multiprocessing
import operator
import pathlib
import random
import re
import resource
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from tests.kernel.test_corpus import CORPUS, lay_out, read
from verifier.audit.plan import Folders, Plan
from verifier.audit.run import run_plan as audit
from verifier.audit.store import Store
from verifier.kernel.certificate import hash_bytes, hash_value, parse_certificate, unpack
from verifier.kernel.decide import decide
from verifier.kernel.errors import CertificateError
from verifier.kernel.verdict import Result
from verifier.language.folder import read_library
from verifier.packing import pack, pack_text
from verifier.questions.compile import validate_folder
from verifier.questions.registry import GRAMMAR

SHIPPED = pathlib.Path(__file__).parent.parent / "proofs"
SPECS = CORPUS / "specs" / "valid"

SMALL = 1500
"""The bytes, compressed, of the largest shipped certificates and tables that are changed."""

QUICK = ("play", "steps")
"""The kinds of them; others take the kernel seconds each."""

SELDOM = 0.04
"""How often, against others, a sample is changed for which the kernel solves a game: each time it begins anew."""

SLOW = 60.0
"""How many seconds a changed file may take at most, on a machine that does nothing else."""

LONG, MEMORY = 180, 6 << 30
"""How many seconds of processor time, and bytes, the audit of a changed spec may take at most."""

EXITS = {0: "as expected", 1: "otherwise than expected", 2: "faults at work"}
"""What the exit codes of an audit mean; with all others something is wrong."""

LARGE = "one-round.yaml"
"""The spec whose audit alone takes longer than a few seconds."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A certificate that holds, as JSON, and the files that its evidence names."""

    certificate: dict[str, Any]
    files: dict[str, bytes]

    @property
    def weight(self) -> float:
        """How often it is changed, relative to others."""
        return SELDOM if "_keeps" in json.dumps(self.certificate) else 1.0


@dataclass(frozen=True, slots=True)
class SpecSample:
    """A spec in a folder with only what it needs, so that nothing else has to be compiled."""

    path: pathlib.Path
    data: bytes
    value: Any

    @property
    def weight(self) -> float:
        """How often it is checked, relative to others."""
        return SELDOM / 4 if self.path.name == LARGE else 1.0


class SurpriseError(AssertionError):
    """A result that no change may have."""


@functools.cache
def samples() -> list[Sample]:
    """Return the valid cases of the corpus, and the small shipped certificates."""
    found = []
    for path in sorted((CORPUS / "valid").glob("*.json")):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            lay_out(root, read(path))
            found += _read(root, None)
    return found + _read(SHIPPED, SMALL)


def _read(root: pathlib.Path, most: int | None) -> list[Sample]:
    tables = {hash_bytes(path.read_bytes()): path.read_bytes() for path in sorted((root / "tables").glob("*"))}
    found = []
    for path in sorted((root / "evidence").iterdir()):
        if most is None or path.stat().st_size <= most:
            certificate = unpack(path.read_bytes(), path.name)
            if most is not None and certificate["statement"]["kind"] not in QUICK:
                continue
            named = {digest: data for digest, data in tables.items() if digest in json.dumps(certificate["evidence"])}
            if most is None or sum(map(len, named.values())) <= most:
                found.append(Sample(certificate, named))
    return found


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to each value inside a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield (*path, key)
        yield from paths(item, (*path, key))


def follow(value: Any, path: Iterable[Any]) -> Any:
    """Return the value at a path inside a value."""
    return functools.reduce(operator.getitem, path, value)


def change_value(value: Any, other: Any, rng: random.Random) -> Any:
    """Return a value with changes in one to three places.

    Args:
        value: objects, lists, strings and integers.
        other: the source of values that replace some.
        rng: the random numbers.
    """
    value = copy.deepcopy(value)
    for _ in range(rng.choice((1, 1, 2, 3))):
        ways = [*paths(value)]
        if not ways:
            return value
        *way, key = rng.choice(ways)
        place = follow(value, way)
        place[key] = _changed(place, key, other, rng)
        if rng.random() < 0.15:
            del place[key]
    return value


def _changed(place: Any, key: Any, other: Any, rng: random.Random) -> Any:
    """Return a value to put in place of another."""
    value = place[key]
    if rng.random() < 0.25:
        return copy.deepcopy(follow(other, rng.choice([*paths(other)] or [()])))
    if isinstance(value, bool) or value is None:
        return rng.choice((True, False, None, 0))
    if isinstance(value, int):
        return rng.choice((value + 1, value - 1, -value, 0, 10**11, value * 2))
    if isinstance(value, str):
        return change_bytes(value.encode(), rng).decode("utf-8", "replace")
    if isinstance(value, list) and value:
        return rng.choice((value[:-1], [*value, value[0]], value[::-1], rng.sample(value, len(value)), []))
    return rng.choice(({}, [], "", 0))


def change_bytes(data: bytes, rng: random.Random) -> bytes:
    """Return bytes after some were replaced, removed, doubled or inserted."""
    begin = rng.randrange(len(data) + 1)
    end = min(len(data), begin + rng.choice((0, 1, 1, 2, 8)))
    middle = rng.choice((b"", bytes([rng.randrange(256)]), data[begin:end] * 2, rng.choice((b"X", b"0", b"[", b"\n"))))
    return data[:begin] + middle + data[end:]


def judge(sample: Sample, others: list[Sample], rng: random.Random) -> str:
    """Change a certificate. Return the result in a word.

    Raises:
        SurpriseError: the kernel accepts another statement or something false, or has an internal error.
    """
    certificate, files = sample.certificate, dict(sample.files)
    other = rng.choice(others)
    way = rng.choice(("json", "json", "json", "bytes", "table", "evidence", "false"))
    data = pack(certificate)
    if way == "false":
        return judge_false(sample, others, rng)
    if way == "json":
        data = pack(change_value(certificate, other.certificate, rng))
    elif way == "bytes":
        inner = change_bytes(gzip.decompress(data), rng)
        data = pack_text(inner) if rng.random() < 0.7 else change_bytes(data, rng)
    elif way == "evidence":
        files |= other.files
        data = pack({**certificate, "evidence": other.certificate["evidence"]})
    elif files:
        digest = rng.choice(sorted(files))
        changed = pack(change_value(unpack(files[digest], "a table"), other.certificate, rng))
        text = json.dumps(certificate).replace(digest, hash_bytes(changed))
        files[hash_bytes(changed)] = changed
        data = pack(json.loads(text))
    asked = hash_value(certificate["statement"])
    try:
        shown = parse_certificate(unpack(data, "a certificate"), "a certificate")
        if hash_value(shown.statement) != asked:
            with contextlib.suppress(CertificateError):  # it may hold: somebody else may ask for it
                _decide(shown.statement, shown.verdict, shown.evidence, files)
            return "states something else"
        result = _decide(shown.statement, shown.verdict, shown.evidence, files)
    except CertificateError as error:
        return error.reason
    except RecursionError:
        return "nested too deeply"
    if shown.verdict != certificate["verdict"]:
        raise SurpriseError(f"shown is {result.verdict}, and {certificate['verdict']} holds: {data!r}")
    return "holds"


def judge_false(sample: Sample, others: list[Sample], rng: random.Random) -> str:
    """Let evidence claim something false. Return the reason for which it is rejected.

    Raises:
        SurpriseError: it is not rejected, or the kernel has an internal error.
    """
    statement, verdict = copy.deepcopy(sample.certificate["statement"]), sample.certificate["verdict"]
    shown, files = sample.certificate["evidence"], sample.files
    places = negatable(statement) if verdict == "proved" else []
    if places and rng.random() < 0.5:
        place, key = rng.choice(places)
        place[key] = ["not", place[key]]
    else:
        verdict = "refuted" if verdict == "proved" else "proved"
        fitting = [one for one in others if one.certificate["verdict"] == verdict]
        alike = [one for one in fitting if one.certificate["statement"]["kind"] == statement["kind"]]
        other = rng.choice(alike or fitting)
        shown, files = other.certificate["evidence"], {**files, **other.files}
    evidence = change_value(shown, sample.certificate, rng) if rng.random() < 0.5 else shown
    try:
        _decide(statement, verdict, evidence, files)
    except CertificateError as error:
        return f"not shown: {error.reason}"
    raise SurpriseError(f"{verdict}, and false: {statement!r} {evidence!r}")


def negatable(statement: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Return the places of formulas whose negations are false, because a proof shows that the formulas hold somewhere.

    A formula that is kept holds in a scope that plays meet. A formula that is prevented is false where they start. A
    conclusion holds after a step of a model.
    """
    if statement["kind"] == "steps":
        return [(pair, 1) for part in statement["parts"] for pair in part["conclusions"]]
    keys = {"keep": "holds", "prevent": "goal"}
    found = statement.get("objectives", [])
    return [(objective, keys[objective["type"]]) for objective in found if objective["type"] in keys]


def _decide(statement: Any, verdict: Any, evidence: Any, files: dict[str, bytes]) -> Result:
    """Have the kernel decide or reject.

    Raises:
        SurpriseError: the kernel has an internal error.
    """

    def read(name: str) -> bytes:
        if name not in files:
            raise CertificateError("unreadable", "no such file")
        return files[name]

    try:
        return decide(statement, verdict, evidence, read)
    except CertificateError as error:
        if error.reason == "defect":
            raise SurpriseError(f"a defect: {error}: {statement!r} {evidence!r}") from error
        raise


def spec_samples(root: pathlib.Path) -> list[SpecSample]:
    """Write each valid spec of the corpus into its own folder, with all specs that it needs.

    Raises:
        SurpriseError: a folder lacks something that its spec needs.
    """
    texts = {path.name: path.read_bytes() for path in sorted(SPECS.rglob("*.yaml"))}
    found = []
    for name, data in texts.items():
        folder, wanted = root / pathlib.Path(name).stem, [name]
        folder.mkdir()
        for needed in wanted:
            (folder / needed).write_bytes(texts[needed])
            words = set(re.findall(r"[\w-]+", texts[needed].decode()))
            wanted += [other for other in texts if other.removesuffix(".yaml") in words and other not in wanted]
        *_, problems = validate_folder(folder)
        if problems:
            raise SurpriseError(f"{name}: {problems[0]}")
        found.append(SpecSample(folder / name, data, yaml.safe_load(data)))
    return found


def judge_spec(sample: SpecSample, others: list[SpecSample], rng: random.Random, *, is_audited: bool = False) -> str:
    """Change a spec, compile all readings of its folder, check them if asked, and restore the spec.

    Raises:
        SurpriseError: an error is not a fault of a spec; or a check has an internal error, or takes too much.
    """
    changed = change_bytes(sample.data, rng)
    if rng.random() < 0.6:
        changed = yaml.safe_dump(change_value(sample.value, rng.choice(others).value, rng), sort_keys=False).encode()
    sample.path.write_bytes(changed)
    try:
        *_, problems = validate_folder(sample.path.parent)
        if problems or not is_audited:
            return "faults" if problems else "compiled"
        process = multiprocessing.get_context("fork").Process(target=_audit, args=(sample.path.parent,))
        process.start()
        process.join()
    except Exception as error:
        raise SurpriseError(f"{type(error).__name__}: {error}: {changed!r}") from error
    finally:
        sample.path.write_bytes(sample.data)
    if process.exitcode not in EXITS:
        raise SurpriseError(f"{sample.path.name}: exit code {process.exitcode}: {changed!r}")
    return EXITS[process.exitcode]


def _audit(folder: pathlib.Path) -> None:
    """End this process with the exit code of a check of a folder, or with 3 if the check raises an error."""
    resource.setrlimit(resource.RLIMIT_CPU, (LONG, LONG))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    library, _ = read_library(folder, GRAMMAR)
    folders = Folders(folder, Store(is_remembering=False))
    try:
        ledger = audit(Plan(folders, library, (*library.claims,)))
    except BaseException:  # noqa: BLE001 - whatever it is must not be
        traceback.print_exc()
        sys.exit(3)
    for fault in ledger.faults:
        print(fault, file=sys.stderr)
    sys.exit(ledger.exit_code)


def run(kind: str, count: int, seed: int) -> collections.Counter[str]:
    """Make a number of changes. Return how often each result came.

    Args:
        kind: ``certificates``, ``specs`` or ``audits``.
        count: the number of changes.
        seed: the seed of the random numbers.

    Raises:
        SurpriseError: a result that no change may have.
    """
    rng, told = random.Random(seed), collections.Counter[str]()
    with tempfile.TemporaryDirectory() as name:
        known = samples() if kind == "certificates" else []
        weights = [sample.weight for sample in known]
        specs = [] if kind == "certificates" else spec_samples(pathlib.Path(name))
        for _ in range(count):
            begin = time.process_time()
            if kind == "certificates":
                outcome = judge(rng.choices(known, weights)[0], known, rng)
            elif kind == "specs":
                outcome = judge_spec(rng.choice(specs), specs, rng)
            else:
                sample = rng.choices(specs, [sample.weight for sample in specs])[0]
                outcome = judge_spec(sample, specs, rng, is_audited=True)
            told[outcome] += 1
            if time.process_time() - begin > SLOW:
                raise SurpriseError(f"more than {SLOW} s: {outcome}")
    return told


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("certificates", "specs", "audits"))
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    for outcome, number in run(arguments.kind, arguments.count, arguments.seed).most_common():
        print(f"{number:8} {outcome}")


if __name__ == "__main__":
    main()
