"""The corpus: valid certificates, attacks on them, and files that are not certificates.

A file under ``corpus/valid`` or ``corpus/invalid`` has a certificate and its table. The value ``auto`` stands for the
right hash, ``derived`` for the digest of the statement's obligations, and ``closed`` for the digest of the obligations
of its rules. If there are several tables, ``table`` is a list, and ``auto table-0.json.gz`` stands for the hash of the
first.

The name of a file under ``corpus/malformed`` is NAME.REASON.json. If it begins with INDEX, the file is the index;
otherwise it is the certificate of some statement. It is compressed as ``pack`` does it, unless its name begins with
``plain`` or ends in ``gz``; then its bytes are used as they are.
"""

import collections
import dataclasses
import json
import pathlib
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.kernel.conftest import derive_closure_once, derive_once
from verifier import replies
from verifier.kernel import certificate, count, play, relabel, steps
from verifier.kernel import sum as sums
from verifier.kernel.certificate import BY_INVARIANT, evidence_path, file_path, hash_bytes, hash_value, read_index
from verifier.kernel.errors import UNDECIDED, CertificateError
from verifier.kernel.formula import OPERATORS
from verifier.kernel.games import registry
from verifier.kernel.games.nested import NestedGame
from verifier.kernel.invariant import derive_steps
from verifier.kernel.race import bound
from verifier.kernel.statement import SCOPES
from verifier.kernel.verdict import Result
from verifier.packing import pack, pack_text
from verifier.recheck import decide_all, plan

CORPUS = pathlib.Path(__file__).parent.parent / "corpus"
VALID = sorted((CORPUS / "valid").glob("*.json"))
INVALID = sorted((CORPUS / "invalid").glob("*.json"))
MALFORMED = sorted((CORPUS / "malformed").iterdir())


def read(path: pathlib.Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(path.read_text())
    return value


def name(path: pathlib.Path) -> str:
    return path.name.split(".")[0]


def write(root: pathlib.Path, path: str, data: bytes) -> None:
    (root / path).parent.mkdir(exist_ok=True, parents=True)
    (root / path).write_bytes(data)


def write_index(root: pathlib.Path, filed: dict[str, str]) -> None:
    index = {"format": "verifier-index", "version": 2, "filed": filed, "joins": {}}
    write(root, "INDEX.json", json.dumps(index).encode())


def fill(root: pathlib.Path, *names: str) -> list[str]:
    """Write cases of the corpus into one folder. Return the hashes of their statements."""
    filed: dict[str, str] = {}
    for name in names:
        lay_out(root, read(next(CORPUS.glob(f"*/{name}.json"))))
        filed[name] = json.loads((root / "INDEX.json").read_text())["filed"]["claim/as-stated"]
    write_index(root, filed)
    return list(filed.values())


def spend(seconds: float) -> float:
    """Use some processor time. Return the time at the end."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return end


def spin(*_: Any, **__: Any) -> Any:
    """Use half a second of processor time, and fail."""
    spend(0.5)
    raise KeyError


def resolve(value: Any, hashes: dict[str, str]) -> Any:
    """Return evidence with all hashes filled in."""
    if isinstance(value, dict):
        return {key: resolve(item, hashes) for key, item in value.items()}
    if isinstance(value, list):
        return [resolve(item, hashes) for item in value]
    return hashes.get(value, value) if isinstance(value, str) else value


def unfold(case: dict[str, Any]) -> tuple[Any, Any, dict[str, bytes]]:
    """Return the statement of a case, its evidence with all hashes, and the tables by their hashes."""
    tables = case["table"] if isinstance(case["table"], list) else [case["table"]]
    packed = [pack(table) for table in tables if table is not None]
    names = [f"auto table-{number}.json.gz" for number in range(len(packed))] if tables is case["table"] else ["auto"]
    files = {hash_bytes(data): data for data in packed}
    hashes = dict(zip(names, files, strict=False))
    statement, evidence = case["certificate"]["statement"], case["certificate"]["evidence"]
    if "invariant" in evidence:
        hashes["derived"] = derive_once(derive_steps(statement, evidence)).digest
        hashes["closed"] = derive_closure_once(statement["rules"]).digest
    elif "obligations" in evidence:
        hashes["derived"] = derive_once(statement, [index for index, *_ in evidence.get("images", ())]).digest
    return statement, resolve(evidence, hashes), files


def lay_out(root: pathlib.Path, case: dict[str, Any]) -> None:
    statement, evidence, files = unfold(case)
    for digest, data in files.items():
        write(root, file_path(digest), data)
    key = hash_value(statement) + BY_INVARIANT * ("invariant" in evidence)
    filed = case.get("index", {}).get("statement", key)
    write(root, evidence_path(filed), pack({**case["certificate"], "evidence": evidence}))
    write_index(root, {"claim/as-stated": filed})


def decide(root: pathlib.Path) -> Result | CertificateError:
    try:
        (answer,) = decide_all(root, plan(read_index(root)))
    except CertificateError as error:
        return error
    return answer.outcome


def lay_out_malformed(root: pathlib.Path, path: pathlib.Path) -> None:
    data = path.read_bytes()
    if path.name.startswith("INDEX"):
        write(root, "INDEX.json", data)
    else:
        is_plain = path.name.startswith("plain") or path.suffix == ".gz"
        write(root, evidence_path("0" * 64), data if is_plain else pack_text(data))
        write_index(root, {"claim/as-stated": "0" * 64})


def answer_to(path: pathlib.Path) -> str:
    """Return the answer that a checker should give to a case."""
    if path in VALID:
        case = read(path)
        return str(case.get("answer", case["certificate"]["verdict"]))
    reason = path.name.split(".")[1] if path in MALFORMED else read(path)["reason"]
    return "not decided" if reason in UNDECIDED else "rejected"


@pytest.mark.parametrize("path", VALID, ids=name)
def test_valid_certificate_is_accepted(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Every valid case gets the verdict that it claims, or *supported* if it says so."""
    lay_out(tmp_path, read(path))
    outcome = decide(tmp_path)
    assert isinstance(outcome, Result), outcome
    assert str(outcome.verdict) == answer_to(path)


@pytest.mark.usefixtures("derived_once")
@pytest.mark.parametrize("path", INVALID, ids=name)
def test_attack_is_rejected(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Every attack is rejected for the reason in its file."""
    case = read(path)
    lay_out(tmp_path, case)
    outcome = decide(tmp_path)
    assert isinstance(outcome, CertificateError), outcome
    assert outcome.reason == case["reason"], outcome


def test_attacks_change_a_valid_base() -> None:
    """Every attack names a different valid case as its base, and describes the attack in one sentence."""
    bases = {name(path): read(path) for path in VALID}
    assert (len(VALID) >= 70, len(INVALID) >= 370, len(MALFORMED) >= 50) == (True, True, True)
    for path in INVALID:
        case, parts = read(path), ("certificate", "table")
        base = bases[case["base"]]
        assert "index" in case or any(json.dumps(case[part]) != json.dumps(base[part]) for part in parts), path.name
        assert case["attack"].endswith("."), path.name


def words_of(value: Any) -> Iterator[str]:
    """Yield every text of a value that is first in a list, such as operators and words of games, or is a scope."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, list) and value and isinstance(value[0], str):
        yield value[0]
    if isinstance(value, dict) and "at" in value:
        yield from (scope.partition(":")[0] for scope in value["at"])
    for part in parts:
        yield from words_of(part)


@pytest.mark.usefixtures("derived_once")
def test_the_valid_cases_use_all_that_certificates_may_have(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cases have everything that the kernel can check and files can have. The lists come from the kernel itself."""
    modules = (play, steps, sums, count, bound, replies)
    checks = [(module, name) for module in modules for name in vars(module) if name.startswith("check_")]
    checks += [(play, name) for name in ("Breaker", "Finisher", "Symmetries")]
    missed, find_misfit = {name for _, name in checks}, certificate.find_misfit
    assert len(missed) > 12
    choices, keys = collections.defaultdict[Any, set[Any]](set), collections.defaultdict[Any, set[bool]](set)

    def note_check(name: str, check: Any) -> Any:
        def called(*args: Any, **options: Any) -> Any:
            missed.discard(name)
            return check(*args, **options)

        return called

    def note_shape(value: Any, shape: Any) -> str:
        if isinstance(shape, frozenset):
            choices[shape].add(value)
        elif isinstance(shape, dict) and isinstance(value, dict):
            for key in shape:
                if key.endswith("?"):
                    keys[key, *shape].add(key[:-1] in value)
        return find_misfit(value, shape)

    for module, name in checks:
        monkeypatch.setattr(module, name, note_check(name, getattr(module, name)))
    monkeypatch.setattr(certificate, "find_misfit", note_shape)
    registry._parse_text.cache_clear()  # rules that another test has parsed are looked at again
    games, words = list[Any](), set[str]()
    for path in VALID:
        case = read(path)
        lay_out(tmp_path / path.stem, case)
        assert isinstance(decide(tmp_path / path.stem), Result)
        statement = case["certificate"]["statement"]
        games.append(registry.parse_rules(statement["rules"]))
        words.update(words_of([statement, case["certificate"]["evidence"]]))
    assert missed == set()
    del choices[frozenset(relabel._NAMED)]  # all eight are symmetries: they are tested one by one
    assert [(sorted(shape), sorted(shape - found)) for shape, found in choices.items() if shape - found] == []
    assert [key for key, found in keys.items() if True not in found] == []
    assert {game.family for game in games} == set(registry.FAMILIES)
    nested = [game for game in games if isinstance(game, NestedGame)]
    for option in dataclasses.fields(NestedGame):
        assert {getattr(game, option.name) for game in nested} == {True, False}
    names = set(OPERATORS).union(SCOPES, ("use", "ply", "after", "before"), *(game.vocabulary for game in games))
    assert sorted(names - words) == []


@pytest.mark.parametrize("path", MALFORMED, ids=name)
def test_malformed_file_is_rejected(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Every malformed file gives one CertificateError, with the reason in the file's name."""
    lay_out_malformed(tmp_path, path)
    outcome = decide(tmp_path)
    assert isinstance(outcome, CertificateError), outcome
    assert outcome.reason == path.name.split(".")[1], outcome


def test_examples_of_the_format_are_accepted(tmp_path: pathlib.Path) -> None:
    """The examples on the page about certificates have the verdicts that they name."""
    page = (CORPUS.parent.parent / "proofs" / "README.md").read_text()
    rules = re.search(r"^ {4}\{\"family\": \"positional\", \"rows\": 3(?:.+\n)+", page, re.MULTILINE)
    assert rules is not None
    examples = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    cases = [json.loads(text.replace("TICTACTOE", rules[0])) for text in examples]
    for number, case in enumerate(cases):
        lay_out(tmp_path / str(number), case)
        outcome = decide(tmp_path / str(number))
        assert isinstance(outcome, Result), outcome
        assert str(outcome.verdict) == case["certificate"]["verdict"]
    assert {case["certificate"]["statement"]["kind"] for case in cases} == {"play", "count", "sum", "steps", "bound"}


def test_the_plays_of_the_opponents_table_are_counted(tmp_path: pathlib.Path) -> None:
    """If X's table refutes O, O moves in one of the positions, and all plays end by ply 7."""
    lay_out(tmp_path, read(CORPUS / "valid" / "tictactoe-refuted-by-the-opponent.json"))
    (answer,) = decide_all(tmp_path, plan(read_index(tmp_path)))
    assert isinstance(answer.outcome, Result)
    stats = answer.outcome.stats
    assert stats == {"positions": 10, "edges": 9, "leaves": 4}
    assert "X breaks it by ply" in answer.outcome.reason
