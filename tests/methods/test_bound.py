"""Method ``bound``: found, checked, put together from parts, and refused."""

import json
import pathlib

import pytest

from tests.audit.made import write_claim
from verifier.audit import process
from verifier.cli import main
from verifier.kernel.store import read_index

OPENING = "4.4, 4.0, 0.4, 4.1, 1.4, 4.2, 2.4, 4.3, 3.4, 4.5, 5.4, 4.6, 6.4, 4.7"


def write(specs: pathlib.Path, name: str, ply: int, rest: str, uses: str = "") -> None:
    specs.mkdir(exist_ok=True)
    reading = "\n".join(f"    {line}" for line in (f"bound: {ply}", "expect: proved", *rest.splitlines()))
    write_claim(specs, name, f"uses: [{uses}]\nreadings:\n  as-stated:\n{reading}", "paper")


@pytest.fixture
def specs(tmp_path: pathlib.Path) -> pathlib.Path:
    """Two parts, and a claim that they show: from the seventh exchange on, by ply 35."""
    folder = tmp_path / "specs"
    write(folder, "leaves", 35, f"cases:\n  seventh: {{start: [{OPENING}], but: [7.4]}}")
    write(folder, "returns", 35, f"cases:\n  eighth: {{start: [{OPENING}, 7.4, 4.8]}}")
    write(folder, "joined", 35, f"cases:\n  seventh: {{start: [{OPENING}]}}", "leaves, returns")
    return folder


def check(specs: pathlib.Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(["check", "--specs", str(specs), "--jobs", "1", "--memory", "16", "--no-cache", *arguments])
    return code, capsys.readouterr().out


@pytest.mark.slow
def test_parts_and_what_they_show(
    specs: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All three are proved, twice to the same bytes, and the kernel accepts the files in each of its ways."""
    for out in ("one", "two"):
        code, text = check(specs, capsys, "--out", str(tmp_path / out), "--checkpoint", str(tmp_path / "parts"))
        assert code == 0, text
        assert "3 claims: 3 proved as stated" in text
    one, two = (
        {path.relative_to(tmp_path / out): path.read_bytes() for path in sorted((tmp_path / out).rglob("*.*"))}
        for out in ("one", "two")
    )
    assert one == two
    assert len(read_index(tmp_path / "one").filed) == 3
    assert len(list((tmp_path / "one" / "tables").iterdir())) == 3
    assert main(["recheck", "--proofs", str(tmp_path / "one"), "--jobs", "2"]) == 0
    rows = capsys.readouterr().out.splitlines()[:3]
    assert [row.split()[0] for row in rows] == ["proved"] * 3


WON = "XXX....../XXX....../XX......./........./O.O....../OO......./OO......./O......../O........ XX....... 2"
RACE = "..OOO..XX/.XXO.O..O/OXXXO.OOO/XOXOOXXXX/X.X.XXXOO/OOOXO..../X.XO..OO./.XOOXX.XO/X..XOXXO. ..OXXO.XX 0"


def test_a_bound_that_fails_is_unknown(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where he wins at once, or the race, or a piece is unknown, so is the bound; it says how a win is claimed."""
    specs = tmp_path / "specs"
    write(specs, "won", 19, f"cases: {{here: {{start: {WON}}}}}")
    write(specs, "of-it", 19, f"cases: {{here: {{start: {WON}}}}}", "won")
    write(specs, "race", 62, f"cases: {{here: {{start: {RACE}}}}}")
    code, text = check(specs, capsys, "--format", "json")
    assert code == 1, text
    reasons = [reading["reason"] for claim in json.loads(text)["claims"] for reading in claim["readings"]]
    assert len(reasons) == 3
    for reason in reasons:
        assert "Xavier has won in" in reason or "Xavier wins the race" in reason
        assert "'can: X' and {reach: X_wins, by: " in reason


@pytest.mark.parametrize("name", ["dask://nowhere", "dask://localhost:1/x", "processes", "dask://127.0.0.1:9"])
def test_an_executor_that_is_none(
    name: str, specs: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong name, or a scheduler that does not answer, is one clear error."""
    monkeypatch.setattr(process, "ANSWER_SECONDS", 1)
    assert main(["check", "--specs", str(specs), "--executor", name]) == 2
    assert "executor" in (told := capsys.readouterr().err) or "no Dask scheduler answers" in told
