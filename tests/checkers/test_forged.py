"""Entries of the cache that are well formed and say something else: they cost a warning and time, in every command."""

from __future__ import annotations

import gzip
import json
import os
import pathlib
import shutil
from collections.abc import Callable
from typing import Any

import pytest

from tests.checkers.cached import certificate_of, entries, entry_of, forge, forge_file, open_entry, write_specs
from verifier.checkers.cache import Cache
from verifier.checkers.reading import load_once
from verifier.cli import main
from verifier.kernel.certificate import canonical_bytes, pack, pack_text

NAME = "steps/as-stated"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Fill a cache once, and return the folder in which it and the specs are."""
    folder = tmp_path_factory.mktemp("filled")
    command = ["check", "--specs", str(write_specs(folder / "specs")), "--cache", str(folder / "cache"), "--jobs", "1"]
    load_once.cache_clear()
    assert main([*command, "--out", str(folder / "out")]) == 0
    return folder


class Commands:
    """Runs commands over a cache of a test's own."""

    def __init__(self, folder: pathlib.Path, cache: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.cache, self.capsys = folder, cache, capsys
        shutil.copytree(folder / "cache", cache, dirs_exist_ok=True)
        capsys.readouterr()

    def __call__(self, name: str, *words: str) -> tuple[int, str, str]:
        """Return the exit code, what was printed, and the warnings."""
        load_once.cache_clear()
        code = main([name, *words, "--specs", str(self.folder / "specs"), "--cache", str(self.cache), "--jobs", "1"])
        return code, *self.capsys.readouterr()


@pytest.fixture
def run(filled: pathlib.Path, own_cache: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> Commands:
    return Commands(filled, own_cache, capsys)


WORDS = {
    "check": ["steps"],
    "check with certificates": ["steps", "--out", "{}/out"],
    "check with a page": ["steps", "--report", "html={}/page.html"],
    "show": ["steps"],
    "explain": ["steps"],
    "explain as json": ["steps", "--format", "json"],
    "report": ["steps", "--out", "{}/page.html"],
}


def raw(value: dict[str, Any], evidence: bytes) -> bytes:
    """Return a certificate with any bytes for evidence."""
    whole = canonical_bytes({**value, "evidence": 0})
    return pack_text(whole.replace(b'"evidence":0', b'"evidence":' + evidence) + b"\n")


OTHERS: dict[str, Callable[[dict[str, Any]], bytes]] = {
    "noise": lambda value: b"\x1f\x8bnoise",
    "nothing": lambda value: b"",
    "text": lambda value: gzip.compress(b"no certificate"),
    "cut off": lambda value: pack(value)[:-9],
    "two files": lambda value: pack(value) + pack(value),
    "another claim": lambda value: pack({**value, "claim": "starts"}),
    "another reading": lambda value: pack({**value, "reading": "repaired"}),
    "another verdict": lambda value: pack({**value, "verdict": "refuted"}),
    "another statement": lambda value: pack({**value, "statement": {"kind": "play"}}),
    "another version": lambda value: pack({**value, "version": 2}),
    "a list": lambda value: pack([value]),
}
"""Files that are no certificate of this reading by their text."""
UNREADABLE: dict[str, Callable[[dict[str, Any]], bytes]] = {
    "no JSON": lambda value: raw(value, b"{nothing}"),
    "a number": lambda value: raw(value, b'{"cores":1e5}'),
    "nested": lambda value: raw(value, b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
    "no evidence": lambda value: pack({**value, "evidence": {}}),
    "cores are a number": lambda value: pack({**value, "evidence": {**value["evidence"], "cores": 7}}),
    "cores of no part": lambda value: pack({**value, "evidence": {**value["evidence"], "cores": [["x", "y", ["z"]]]}}),
    "cores of pairs": lambda value: pack({**value, "evidence": {**value["evidence"], "cores": [["one", "y"]]}}),
    "cores of numbers": lambda value: pack({**value, "evidence": {**value["evidence"], "cores": [["one", "y", [1]]]}}),
}
"""Files that only whoever reads their evidence can tell."""


@pytest.mark.parametrize(
    ("what", "command"), [*((what, "explain") for what in OTHERS), *(("another claim", command) for command in WORDS)]
)
def test_what_is_no_certificate_is_no_entry(what: str, command: str, run: Commands, tmp_path: pathlib.Path) -> None:
    """The bytes in a certificate's place have to be one of this reading: else it is checked anew, with one warning."""
    words = [word.format(tmp_path) for word in WORDS[command]]
    expected = run(command.split(maxsplit=1)[0], *words)
    assert expected[0] == 0
    path = entry_of(run.cache, NAME)
    forge_file(path, OTHERS[what](certificate_of(path)))
    code, out, err = run(command.split(maxsplit=1)[0], *words)
    assert (code, out) == expected[:2]
    assert err.count("\n") == 1
    assert f"what is kept of {NAME} is not whole; it is checked anew" in err
    assert run(command.split(maxsplit=1)[0], *words) == expected


@pytest.mark.parametrize(
    ("what", "command"),
    [*((what, command) for what in UNREADABLE for command in ("explain", "report")), *(("no JSON", c) for c in WORDS)],
)
def test_evidence_that_cannot_be_read_is_made_anew(
    what: str, command: str, run: Commands, tmp_path: pathlib.Path
) -> None:
    """Where evidence is wanted and turns out to be none, the entry goes, a warning says so, and all is done again."""
    words = [word.format(tmp_path) for word in WORDS[command]]
    expected = run(command.split(maxsplit=1)[0], *words)
    path = entry_of(run.cache, NAME)
    forge_file(path, UNREADABLE[what](certificate_of(path)))
    code, out, err = run(command.split(maxsplit=1)[0], *words)
    assert code == 0
    assert out.endswith(expected[1])
    assert "Traceback" not in err
    if err:
        assert err == f"warning: what was kept of {NAME} is no evidence for it; it is checked anew\n"
        assert run(command.split(maxsplit=1)[0], *words) == expected
    else:
        assert what == "no evidence" or command in ("check", "check with certificates", "show")


@pytest.mark.skipif(os.name != "posix", reason="folders without permission to write")
def test_a_forged_entry_that_cannot_be_removed(run: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a cache that is read-only the entry stays, and is not asked again in this run."""
    path = entry_of(run.cache, NAME)
    expected = run("explain", "steps")
    forge_file(path, UNREADABLE["no JSON"](certificate_of(path)))

    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    unlink = pathlib.Path.unlink
    monkeypatch.setattr(
        pathlib.Path,
        "unlink",
        lambda path, missing_ok=False: refuse() if run.cache in path.parents else unlink(path, missing_ok=missing_ok),
    )
    code, out, err = run("explain", "steps")
    assert (code, out) == expected[:2]
    assert "is no evidence for it" in err


def test_a_defect_stays_a_defect(run: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the kernel accepts all that came from the cache, the cache is not to blame: nothing goes, exit code 3."""
    before = entries(run.cache)

    def fail(*_: Any) -> None:
        raise KeyError("x")

    monkeypatch.setattr("verifier.report.explain._hypotheses", fail)
    code, _, err = run("explain", "steps")
    assert code == 3
    assert "internal error: KeyError" in err
    assert entries(run.cache) == before


@pytest.mark.parametrize(
    "changes",
    [
        {"reason": "x" * 2**21},
        {"notes": ["x" * 2**10] * 2**11},
        {"stats": {"x" * 2**21: 1}},
        {"stats": {"parts": None}},
        {"path": "steps/as-stated/obligations.smt2.gz"},
        {"statement": "0" * 64},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_sizes_and_types_are_checked(changes: dict[str, Any], run: Commands) -> None:
    """What would take long to print, and what is of another type, is no entry."""
    expected = run("show", "steps")
    path = entry_of(run.cache, NAME)
    manifest, rest = open_entry(path)
    forge(path, {**manifest, "result": {**manifest["result"], **changes}}, rest)
    code, out, err = run("show", "steps")
    assert (code, out) == expected[:2]
    assert "is not whole" in err


def test_a_page_that_cannot_be_shown_is_made_anew(
    run: Commands, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part of a report that the cache has, and that fails, is forgotten once the kernel has accepted all evidence."""
    made: list[Any] = []

    def render(report: Any) -> str:
        page = report.cache.find_page("0" * 64)
        made.append(page)
        if page is not None:
            raise RecursionError
        return "page"

    cache = Cache(run.cache, entries(run.cache)[0].parent.name.ljust(64, "0"))
    cache.keep_page("0" * 64, {"x": 1})
    monkeypatch.setattr("verifier.report.html.render", render)
    code, _, err = run("report", "steps", "--out", str(tmp_path / "page.html"))
    assert (code, made) == (0, [{"x": 1}, None])
    assert err == "warning: what was kept of a report, page-00000000…, cannot be shown; it is made anew\n"
    assert not entries(run.cache, "page")
    assert json.dumps(made)
