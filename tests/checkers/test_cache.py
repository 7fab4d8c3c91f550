from __future__ import annotations

import errno
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
from typing import Any

import pytest

from tests.checkers.cached import (
    MORE,
    Runner,
    certificate_of,
    edit,
    entries,
    entry_of,
    forge,
    forge_file,
    open_entry,
    tree_of,
    write_specs,
)
from verifier.checkers.cache import Cache
from verifier.checkers.keys import Tool, find_stamp, find_tool
from verifier.kernel.certificate import pack

ALL = {
    f"{name}/as-stated" for name in ("careful-first-is-safe", "lowest-spot-keeps-fields", "starts", "joins", "steps")
}


@pytest.fixture
def cache(own_cache: pathlib.Path) -> pathlib.Path:
    return own_cache


@pytest.fixture
def check(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    return Runner(write_specs(tmp_path / "specs"), capsys, monkeypatch)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[pathlib.Path, str]:
    """Fill a cache once, in a process of its own; what is kept does not depend on where the specs are."""
    folder = tmp_path_factory.mktemp("filled")
    specs = write_specs(folder / "specs")
    command = [sys.executable, "-m", "verifier", "check", "--specs", str(specs), "--cache", str(folder / "cache")]
    done = subprocess.run([*command, "--jobs", "1"], capture_output=True, text=True, check=True)
    return folder / "cache", done.stdout


@pytest.fixture
def cold(filled: tuple[pathlib.Path, str], cache: pathlib.Path) -> str:
    """Fill the cache of a test, and return what the run that filled it printed."""
    shutil.copytree(filled[0], cache, dirs_exist_ok=True)
    return filled[1]


def test_a_second_run_asks_no_checker_and_gives_the_same(check: Runner, tmp_path: pathlib.Path) -> None:
    """From the cache come the same ledger, text and JSON, and the same files in --out, byte for byte."""
    runs = {}
    for name, options in (("none", ["--no-cache"]), ("cold", []), ("warm", [])):
        code, out, err = check("--out", str(tmp_path / name), *options)
        assert (code, err) == (0, "")
        assert set(check.checked) == (set() if name == "warm" else ALL)
        runs[name] = (out, check("--format", "json", *options)[1], tree_of(tmp_path / name))
    assert runs["warm"] == runs["cold"] == runs["none"]
    assert "lowest-spot-keeps-fields/as-stated/certificate.json.gz" in runs["warm"][2]
    assert any(name.startswith("tables/") for name in runs["warm"][2])
    assert any(name.endswith("obligations.smt2.gz") for name in runs["warm"][2])


def test_without_the_cache_nothing_is_kept(check: Runner, cache: pathlib.Path) -> None:
    """With --no-cache no result is looked up, and none is kept."""
    for _ in range(2):
        assert check("--no-cache")[0] == 0
        assert set(check.checked) == ALL
    assert not entries(cache)


def test_the_cache_may_be_named(check: Runner, cache: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """--cache DIR comes before the environment."""
    assert check("--cache", str(tmp_path / "other"))[0] == 0
    assert len(entries(tmp_path / "other")) == len(ALL)
    assert not entries(cache)


def test_the_users_cache_is_the_default(check: Runner, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --cache and VERIFIER_CACHE it is claim-verifier in XDG_CACHE_HOME, if absolute, else in ~/.cache."""
    monkeypatch.delenv("VERIFIER_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert check("starts")[0] == 0
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert check("starts")[0] == 0
    assert len(entries(tmp_path / "xdg/claim-verifier")) == 1
    assert len(entries(tmp_path / "home/.cache/claim-verifier")) == 1


@pytest.mark.parametrize("options", [("--no-cache", "--cache", "x"), ("--no-cache", "--cache-verify")])
def test_options_that_exclude_each_other(options: tuple[str, ...], check: Runner) -> None:
    """No cache and a cache at once is wrong usage: exit code 2."""
    code, _, err = check(*options)
    assert code == 2
    assert "--no-cache goes with neither" in err


@pytest.mark.parametrize("options", [("starts", "--reading", "as-stated"), ("starts",)])
@pytest.mark.usefixtures("cold")
def test_a_part_of_a_run_is_found_in_the_cache_of_a_whole_one(options: tuple[str, ...], check: Runner) -> None:
    """Results are kept by reading, whatever was selected."""
    assert check(*options)[0] == 0
    assert check.checked == []


@pytest.mark.usefixtures("cold")
def test_bad_usage_is_no_better_with_a_cache(check: Runner) -> None:
    """What is no executor is refused, though nothing is left for it to do: the exit code is that of a cold run."""
    for options in ([], ["--no-cache"]):
        code, out, err = check("starts", "--executor", "nonsense", *options)
        assert (code, out) == (2, "")
        assert "is no executor" in err


# --- what is damaged --------------------------------------------------------------------------------------------------


def spoil(cache: pathlib.Path, how: str) -> None:
    chance = random.Random(how)
    for path in [*entries(cache), *entries(cache, "sources")]:
        data = bytearray(path.read_bytes())
        if how.startswith("flipped"):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            path.write_bytes(data)
        elif how == "truncated":
            path.write_bytes(data[: chance.randrange(len(data))])
        elif how == "empty":
            path.write_bytes(b"")
        elif how == "longer":
            path.write_bytes(data + b"x")
        elif how == "noise":
            path.write_bytes(chance.randbytes(500))
        else:
            path.unlink()
            if how == "a folder":
                path.mkdir()
            elif how == "a pipe":
                os.mkfifo(path)
            elif how == "an endless device":
                path.symlink_to("/dev/zero")
            elif how == "a circle of links":
                path.symlink_to(path)


WAYS = ("truncated", "empty", "longer", "noise", "gone", "a folder", "a pipe", "an endless device", "a circle of links")


@pytest.mark.parametrize("how", [*WAYS, *(f"flipped {number}" for number in range(6))])
def test_a_damaged_cache_does_no_harm(how: str, check: Runner, cache: pathlib.Path, cold: str) -> None:
    """Whatever has become of the entries, the run goes on without them, with one warning at most."""
    spoil(cache, how)
    code, out, err = check("starts", "lowest-spot-keeps-fields")
    assert code == 0
    assert set(out.split("\n")[:2]) < set(cold.split("\n"))
    assert set(check.checked) == {"starts/as-stated", "lowest-spot-keeps-fields/as-stated"}
    assert err.count("\n") == (0 if how == "gone" else 1)
    assert err == "" or err.startswith("warning: cache ")


@pytest.mark.usefixtures("cold")
def test_a_damaged_entry_is_replaced(check: Runner, cache: pathlib.Path) -> None:
    """What was checked anew is in the cache again."""
    spoil(cache, "truncated")
    check()
    assert check()[2] == ""
    assert check.checked == []


SHAPES: list[Any] = [
    *(None, [], "x", 1, {}, {"key": 1}, [[[]]]),
    {"result": {}},
    {"result": []},
    {"result": None},
    {"files": None},
    {"files": {}},
    {"files": [["x"]]},
    {"files": [["careful-first-is-safe/as-stated/certificate.json.gz", -1]]},
    {"files": [["careful-first-is-safe/as-stated/certificate.json.gz", 10**9]]},
    {"files": [[1, 1]]},
    {"files": []},
    {"claim": "steps"},
    {"method": "induction"},
    {"reading": "repaired"},
]
RESULTS: list[dict[str, Any]] = [
    {"verdict": "unknown"},
    {"verdict": "maybe"},
    {"verdict": []},
    {"verdict": 1},
    {"stats": {"edges": "many"}},
    {"stats": {"edges": 1.5}},
    {"stats": {"edges": True}},
    {"stats": []},
    {"notes": "text"},
    {"notes": [1]},
    {"notes": None},
    {"beliefs": None},
    {"reason": {}},
    {"path": "elsewhere"},
    {"path": ""},
    {"sha256": "0" * 64},
    {"files": []},
    {"files": None},
    {"witness": []},
    {"witness": {}},
    {"witness": {"kind": "line"}},
    {"witness": {"kind": "line", "start": "x", "moves": ["4.4"], "position": "x", "reason": ""}},
    {"witness": {"kind": "line", "start": "........./* *", "moves": 4, "position": "", "reason": ""}},
    {
        "witness": {
            "kind": "counterexample",
            "moves": [],
            "position": "",
            "after": "",
            "part": "",
            "fails": "",
            "reason": "",
        }
    },
    {"expected": "proved"},
    {"trouble": ""},
]


@pytest.mark.parametrize("change", [*SHAPES, *({"result": change} for change in RESULTS)], ids=str)
def test_an_entry_of_another_shape_does_no_harm(change: Any, check: Runner, cache: pathlib.Path, cold: str) -> None:
    """A manifest with a right checksum and a wrong shape is no entry: its reading is checked anew."""
    path = entry_of(cache, "lowest-spot-keeps-fields/as-stated")
    manifest, rest = open_entry(path)
    changed = change
    if isinstance(change, dict) and change:
        result = change.get("result")
        changed = {**manifest, **change}
        if isinstance(result, dict) and result:
            changed["result"] = {**manifest["result"], **result}
    forge(path, changed, rest)
    code, out, err = check()
    assert (code, out) == (0, cold)
    assert check.checked == ["lowest-spot-keeps-fields/as-stated"]
    assert err.count("\n") == 1


def test_a_deep_manifest_does_no_harm(check: Runner, cache: pathlib.Path, cold: str) -> None:
    """Nesting too deep for the JSON reader ends in a warning."""
    for path in entries(cache):
        body = b'{"key":' + b"[" * 200_000
        forge(path, None, b"")
        from verifier.kernel.certificate import hash_bytes

        path.write_bytes(b"claim-verifier cache 1\n" + hash_bytes(body).encode() + body)
    code, out, _ = check()
    assert (code, out) == (0, cold)


NAMES = (
    "../evil.json.gz",
    "../../evil.json.gz",
    "tables/../../evil.json.gz",
    "/evil.json.gz",
    "tables/0000000000000000.json.gz/../../../evil",
    "INDEX.json",
    "starts/as-stated/certificate.json.gz",
    "lowest-spot-keeps-fields/as-stated/../evil.json.gz",
    "lowest-spot-keeps-fields/as-stated/evil.json.gz\n",
    "lowest-spot-keeps-fields/as-stated",
    "",
    "tables/0000000000000000.json.gz\0",
)


@pytest.mark.parametrize("name", NAMES)
def test_an_entry_writes_nowhere_else(
    name: str, check: Runner, cache: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, cold: str
) -> None:
    """A file is taken from an entry only under a name that this very reading may use."""
    scratch = tmp_path / "a/b/c"
    scratch.mkdir(parents=True)
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    path = entry_of(cache, "lowest-spot-keeps-fields/as-stated")
    manifest, rest = open_entry(path)
    manifest["files"].append([name, 4])
    manifest["result"]["files"].append(name)
    forge(path, manifest, rest + b"evil")
    before = set(tree_of(tmp_path))
    code, out, err = check()
    assert (code, out) == (0, cold)
    assert check.checked == ["lowest-spot-keeps-fields/as-stated"]
    assert "is not whole" in err
    assert {name for name in tree_of(tmp_path) if "evil" in name} == set()
    assert set(tree_of(tmp_path)) == before


def test_a_link_between_entries_leads_nowhere_else(check: Runner, cache: pathlib.Path, cold: str) -> None:
    """An entry of sources names a statement by its hash, and nothing else."""
    for path in entries(cache, "sources"):
        manifest, _ = open_entry(path)
        forge(path, {**manifest, "statement": "../../../../etc/passwd"}, b"")
    code, out, err = check()
    assert (code, out, err) == (0, cold, "")
    assert check.checked == []  # the statements' own entries are whole


def test_an_entry_under_another_name_is_not_taken(check: Runner, cache: pathlib.Path, cold: str) -> None:
    """An entry says which key it is kept under: a copy in another one's place is refused."""
    first, second = entry_of(cache, "starts/as-stated"), entry_of(cache, "steps/as-stated")
    second.write_bytes(first.read_bytes())
    code, out, _ = check()
    assert (code, out) == (0, cold)
    assert check.checked == ["steps/as-stated"]


# --- what cannot be used ----------------------------------------------------------------------------------------------


def test_a_cache_that_is_a_file(check: Runner, tmp_path: pathlib.Path) -> None:
    """A file in the cache's place costs one warning, and stays as it is."""
    path = tmp_path / "file"
    path.write_text("precious")
    code, out, err = check("starts", "--cache", str(path))
    assert code == 0
    assert "every verdict as expected" in out
    assert err.count("\n") == 1
    assert str(path) in err
    assert path.read_text() == "precious"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT, errno.EIO])
def test_a_cache_that_cannot_be_written(
    number: int, check: Runner, cache: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full or read-only cache costs one warning; nothing half-written stays."""
    replace = os.replace

    def refuse(source: str, target: pathlib.Path) -> None:
        if pathlib.Path(target).is_relative_to(cache):
            raise OSError(number, os.strerror(number))
        replace(source, target)

    monkeypatch.setattr(os, "replace", refuse)
    code, out, err = check("starts", "lowest-spot-keeps-fields")
    assert code == 0
    assert "every verdict as expected" in out
    assert err.count("\n") == 1
    assert os.strerror(number) in err
    assert [path for path in cache.rglob("*") if path.is_file()] == []


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="nothing is read-only to the superuser")
def test_a_read_only_cache(check: Runner, cache: pathlib.Path) -> None:
    """A folder without write permission is read; what is new is not kept."""
    check("starts")
    for folder in (cache, *cache.glob("*")):
        folder.chmod(0o500)
    try:
        code, _, err = check("starts", "steps")
        assert code == 0
        assert check.checked == ["steps/as-stated"]
        assert err.count("\n") == 1
    finally:
        for folder in (cache, *cache.glob("*")):
            folder.chmod(0o700)


def test_two_runs_at_once(check: Runner, cache: pathlib.Path) -> None:
    """Two processes that fill the same cache come to the same ledger, and leave a cache that is whole."""
    command = [sys.executable, "-m", "verifier", "check", "--specs", str(check.specs), "--cache", str(cache)]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    found = [(*run.communicate(timeout=300), run.returncode) for run in runs]
    assert found[0] == found[1]
    assert found[0][1:] == ("", 0)
    code, out, err = check("--cache-verify")
    assert (code, out) == (0, found[0][0])
    assert "5 results compared, none different" in err
    assert not list(cache.glob("*/*.part"))


def test_the_cache_does_not_grow_without_end(tmp_path: pathlib.Path) -> None:
    """What is too much goes: results of another version of the tool first, then the oldest; other files stay."""
    now = time.time()
    for tool, key, age in (("a" * 16, "0", 50), ("a" * 16, "1", 40), ("b" * 16, "2", 900), ("b" * 16, "3", 10)):
        path = tmp_path / tool / f"statement-{key * 64}"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(bytes(100))
        os.utime(path, (now - age, now - age))
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "notes.txt").write_text("mine")
    stale = tmp_path / ("a" * 16) / f"statement-{'4' * 64}.x1_y2z3w.part"
    theirs = tmp_path / "a" / "film.part"
    for path in (stale, theirs):
        path.write_text("half")
        os.utime(path, (now - 10_000, now - 10_000))
    cache = Cache(tmp_path, "a" * 64)

    def left() -> list[str]:
        return sorted(path.name[-1] for path in entries(tmp_path))

    cache.prune(400)
    assert left() == ["0", "1", "2", "3"]
    assert not stale.exists()
    assert theirs.exists()
    cache.prune(300)
    assert left() == ["0", "1", "3"]
    cache.prune(150)
    assert left() == ["1"]
    assert (tmp_path / "a" / "notes.txt").exists()


def test_what_could_not_be_read_again_is_not_written(
    check: Runner, cache: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result too large for an entry is checked in each run, and costs no warning."""
    monkeypatch.setattr("verifier.checkers.cache.MAX_ENTRY_BYTES", 600)
    for _ in range(2):
        code, _, err = check("lowest-spot-keeps-fields")
        assert (code, err) == (0, "")
        assert check.checked == ["lowest-spot-keeps-fields/as-stated"]
    assert not entries(cache)


# --- what is believed, and how that is found out ----------------------------------------------------------------------


def forge_verdict(cache: pathlib.Path) -> None:
    path = entry_of(cache, "lowest-spot-keeps-fields/as-stated")
    forge_file(path, pack({**certificate_of(path), "verdict": "proved"}), verdict="proved")


@pytest.mark.usefixtures("cold")
def test_a_forged_entry_is_believed(check: Runner, cache: pathlib.Path) -> None:
    """Whoever can write to the cache decides what a run prints, as the documentation says; --no-cache does without."""
    forge_verdict(cache)
    code, out, _ = check()
    assert code == 1
    assert "expected refuted, found proved" in out
    assert check("--no-cache")[0] == 0


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.usefixtures("cold")
def test_verify_finds_a_forged_verdict(form: str, check: Runner, cache: pathlib.Path) -> None:
    """--cache-verify checks everything, ends with exit code 4 and names the reading; the forged entry is gone."""
    forge_verdict(cache)
    code, out, err = check("--cache-verify", "--format", form)
    assert code == 4
    assert set(check.checked) == ALL
    assert "the cache says something else than the checkers: verdict" in out
    assert "5 results compared, 1 different" in err
    if form == "json":
        claims = {claim["id"]: claim["readings"][0] for claim in json.loads(out)["claims"]}
        (odd,) = (name for name, found in claims.items() if "the cache says" in found["reason"])
        assert odd == "lowest-spot-keeps-fields"
        assert claims[odd]["verdict"] == "refuted"
    assert check()[0] == 0
    assert check.checked == ["lowest-spot-keeps-fields/as-stated"]


@pytest.mark.usefixtures("cold")
def test_verify_finds_what_is_no_result(check: Runner, cache: pathlib.Path) -> None:
    """An entry whose checksum is right, and which is about something else, was written by somebody: exit code 4."""
    path = entry_of(cache, "starts/as-stated")
    forge_file(path, b"no certificate")
    code, out, err = check("--cache-verify", "starts", "steps")
    assert code == 4
    assert out.count("what the cache holds is no result of this reading") == 1
    assert "2 results compared, 1 different" in err
    assert check("--cache-verify", "starts", "steps")[0] == 0


@pytest.mark.parametrize("what", ["beliefs", "stats", "table", "order"])
@pytest.mark.usefixtures("cold")
def test_verify_finds_every_forgery(what: str, check: Runner, cache: pathlib.Path) -> None:
    """Any part of a result may be forged: its beliefs, its counts, the bytes of a table."""
    path = entry_of(cache, "careful-first-is-safe/as-stated")
    manifest, rest = open_entry(path)
    if what == "beliefs":
        manifest["result"]["beliefs"] = ["words"]
    elif what == "stats":
        manifest["result"]["stats"]["edges"] = 1
    elif what == "order":
        manifest["files"].reverse()
        manifest["result"]["files"].reverse()
        first = manifest["files"][1][1]
        rest = rest[first:] + rest[:first]
    else:
        rest = rest[:-1] + bytes([rest[-1] ^ 1])
    forge(path, manifest, rest)
    assert check()[0] == 0
    code, out, _ = check("--cache-verify")
    assert code == 4
    assert out.count("the cache says something else") == 1


@pytest.mark.usefixtures("cold")
def test_verify_refreshes_what_is_right(check: Runner, cache: pathlib.Path) -> None:
    """Without a difference the exit code is 0, and the fresh results take the place of the old ones."""
    old = {path: path.stat().st_ino for path in entries(cache)}
    code, _, err = check("--cache-verify")
    assert code == 0
    assert err == "cache: 5 results compared, none different\n"
    assert all(path.stat().st_ino != old[path] for path in entries(cache))
    assert check()[0] == 0
    assert check.checked == []


# --- what a result depends on -----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("cold")
def test_the_expectation_is_compared_anew(check: Runner) -> None:
    """Another expectation asks no checker, and is met or not met all the same."""
    edit(check.specs / "lowest-spot-keeps-fields.yaml", "expect: refuted", "expect: proved")
    code, out, _ = check()
    assert code == 1
    assert "expected proved, found refuted" in out
    assert check.checked == []


@pytest.mark.usefixtures("cold")
def test_words_for_people_invalidate_nothing(check: Runner) -> None:
    """A title, a restatement, a note or a comment changes no result."""
    path = check.specs / "lowest-spot-keeps-fields.yaml"
    edit(path, "expect: refuted", "expect: refuted # a comment\n    note: A note.")
    edit(path, "A claim that is wrong", "Another restatement")
    assert check()[0] == 0
    assert check.checked == []


@pytest.mark.usefixtures("cold")
def test_a_change_of_a_strategy_invalidates_its_readings(check: Runner) -> None:
    """Where a strategy plays otherwise, the readings about it are checked anew, and no others."""
    (path,) = (path for path in check.specs.rglob("*.yaml") if "strategy: careful-first" in path.read_text())
    text = path.read_text()
    path.write_text(text.replace("rules: tictactoe", "rules: tictactoe\ndefine: {unused: 0 == 1}"))
    assert check()[0] == 0
    assert check.checked == []  # other words, the same statement
    path.write_text(text.replace("\n  ", "\n  ", 1).replace("4", "8"))
    assert path.read_text() != text
    check()
    assert "careful-first-is-safe/as-stated" in check.checked
    assert "lowest-spot-keeps-fields/as-stated" not in check.checked


def test_an_unknown_result_is_not_kept(check: Runner) -> None:
    """What no evidence decides is tried again in every run."""
    rest = """readings:
  as-stated:
    method: bound
    claimant: X
    expect: proved
    objectives: {wins: {reach: X_wins, by: 9}}"""
    (check.specs / "open.yaml").write_text(MORE.format(name="open", rules="tictactoe", rest=rest))
    for _ in range(2):
        code, out, _ = check("open")
        assert code == 1
        assert "found unknown" in out
        assert check.checked == ["open/as-stated"]


def test_a_change_of_the_tool_during_a_run_keeps_nothing(
    check: Runner, cache: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows which text has found what is found while the text is written."""
    tool = Tool(find_tool().hash, "of a moment ago")
    with monkeypatch.context() as patch:
        patch.setattr("verifier.checkers.keys.find_tool", lambda: tool)
        assert check("starts")[0] == 0
    assert not entries(cache)
    assert not entries(cache, "sources")
    assert check("starts")[0] == 0
    assert len(entries(cache)) == 1


@pytest.mark.parametrize("what", ["the tool", "the specs", "a spec that is gone", "nothing"])
def test_a_page_is_kept_only_of_what_stays_as_it_is(what: str, tmp_path: pathlib.Path) -> None:
    """What a report is made from is kept unless the tool or a spec was written since the run began."""
    specs = tmp_path / "specs"
    specs.mkdir()
    (specs / "a.yaml").write_text("a")
    (specs / "b.yaml").symlink_to("a.yaml")
    tool = find_tool()
    stamp = "of a moment ago" if what == "the tool" else tool.stamp
    cache = Cache(tmp_path / "cache", tool.hash, stamp=stamp, specs=specs, specs_stamp=find_stamp(specs))
    if what == "the specs":
        (specs / "a.yaml").write_text("ab")
    elif what == "a spec that is gone":
        (specs / "a.yaml").unlink()
    cache.keep_page("0" * 64, {"x": 1})
    assert cache.find_page("0" * 64) == ({"x": 1} if what == "nothing" else None)


def test_pages_do_not_grow_without_end(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeping a page makes room for it, as a run does for results: the oldest goes."""
    monkeypatch.setattr(Cache.prune, "__defaults__", (1000,))
    cache = Cache(tmp_path, "a" * 64)
    for number in range(5):
        cache.keep_page(str(number) * 64, {"x": "y" * 300})
        os.utime(cache._path("page", str(number) * 64), (number, number))
    assert [path.name[-1] for path in entries(tmp_path, "page")] == ["3", "4"]
