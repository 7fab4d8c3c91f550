"""Rules, claims and strategies that are made in Python: checked in memory, and together with files."""

import pathlib
import shutil
from typing import Any, cast

import pytest

import verifier
from tests.audit.made import ROOT, tree_of
from tests.rules import find_rules
from verifier.language.made import read_made
from verifier.report.html.documents import describe_provenance

SOURCE = {"document": "ours", "place": "no text", "says": "A game for tests."}
MEN: dict[str, Any] = {
    "title": "A man each on a row of five",
    "source": SOURCE,
    "family": "general",
    "state": {"X[5]": {"start": [1, 0, 0, 0, 0]}, "O[5]": {"start": [0, 0, 0, 0, 1]}},
    "moves": {
        "{s}-{t}": {
            "for": {"s": range(5), "t": "[t for t in range(0, 5) if s - t in [-2, -1, 1, 2]]"},
            "when": "mine[s] and not X[t] and not O[t]",
            "do": ["mine[s] = False", "mine[t] = True"],
        }
    },
    "outcomes": {"X is across": {"when": "X[4]", "result": "X"}, "O is across": {"when": "O[0]", "result": "O"}},
    "shown": {"rows": 1, "columns": 5, "marks": {"X": "X[s]", "O": "O[s]"}},
}
"""Two men who run past each other by one or two spots."""


def men(**changes: Any) -> verifier.Rules:
    return verifier.rules("men", **{**MEN, **changes})


def claim(name: str, rules: Any, **readings: Any) -> verifier.SpecText:
    return verifier.claim(name, title="A claim", source=SOURCE, rules=rules, readings=readings)


def test_a_game_is_played_from_its_start() -> None:
    """By the text of moves, or by the integers in it."""
    board = men().start()
    assert board.moves == {"0-1": (0, 1), "0-2": (0, 2)}
    after = board.play((0, 2), "4-3")
    assert str(after) == " .  .  X  O  ."
    assert after == board.play("0-2", (4, 3))
    assert after.position == "00100/00010 X 2"
    assert verifier.load(made=men()).board("men", after.position).play((2, 4)).winner == "X"
    assert "<svg" in after._repr_svg_()


@pytest.mark.parametrize(
    ("move", "kind", "message"),
    [
        ((0, 3), verifier.IllegalMoveError, r"no legal move has the integers \(0, 3\) in 10000/00001 X 0"),
        ("0-3", verifier.NotationError, "'0-3' is not a move of this game: a move is written as 0-1"),
        (3, verifier.NotationError, "'3' is not a move of this game"),
        ("4-3", verifier.IllegalMoveError, "4-3 in 10000/00001 X 0: the rules do not allow this move"),
    ],
)
def test_a_move_that_is_not_one_is_refused(move: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        men().start().play(move)


def test_integers_that_several_moves_have_are_refused() -> None:
    jump = {**MEN["moves"]["{s}-{t}"], "for": {"s": [0], "t": [1]}}
    board = men(moves={**MEN["moves"], "{s}x{t}": jump}).start()
    with pytest.raises(verifier.NotationError, match=r"\(0, 1\) can be any of 0-1, 0x1: write the move as text"):
        board.play((0, 1))
    assert board.play("0x1").position == "01000/00001 O 1"


@pytest.mark.parametrize(
    ("rules", "given", "text"), [("paper", (4, 0), "4.0"), ("paper", 4.0, "4.0"), ("misere", 4, "4")]
)
def test_other_games_have_moves_as_integers_too(rules: str, given: Any, text: str) -> None:
    board = verifier.Board(find_rules(rules), find_rules(rules).start)
    assert board.play(given) == board.play(text)
    with pytest.raises(verifier.IllegalMoveError):
        board.play(given, given)


WAYS = {"first": {"can": "X", "expect": "proved", "objectives": {"won": {"reach": "X_wins"}}}}
WRONG = {"any": {"plays": "all", "expect": "refuted", "objectives": {"never": {"prevent": "O_wins"}}}}


def test_a_claim_is_checked_in_memory(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a strategy, all made in Python; no file is read or written, but the evidence where it is asked for."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "specs/examples/lowest-spot-keeps-fields.yaml", tmp_path)
    rules = men()
    far = {"for": {"s": range(3)}, "when": "X[s] and not O[s + 2]", "play": ["s", "s + 2"]}
    near = {"for": {"s": range(4)}, "when": "X[s]", "play": ["s", "s + 1"]}
    phases = {"all": {"rules": {"far": far, "near": near}}}
    runner = verifier.strategy("runner", title="Run", source=SOURCE, rules=rules, player="X", phases=phases)
    follows = {
        "plays": "all",
        "strategies": {"X": runner},
        "expect": "proved",
        "objectives": {"won": {"reach": "X_wins"}},
    }
    made = claim("run", rules, follows=follows, **WAYS, **WRONG)
    specs = verifier.load(made=made, cache=False)
    assert (repr(specs), [*specs]) == ("<Specs of 1 claim in Python>", ["run"])
    ledger = specs.check()
    assert (ledger.exit_code, [str(result.verdict) for result in ledger.readings]) == (
        0,
        ["proved", "proved", "refuted"],
    )
    assert [*tree_of(tmp_path)] == ["lowest-spot-keeps-fields.yaml"]
    assert verifier.load(made=made, cache=False, out="out").check("run").exit_code == 0
    assert (
        verifier.load(made=made, cache=False, proofs="out").certificate("run/follows").decide().verdict
        is verifier.Verdict.PROVED
    )
    for path in ("specs/rules.yaml", "specs/run.yaml", "specs/runner.yaml"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
    for spec in (rules, runner, made):
        (tmp_path / f"specs/{spec.name}.yaml").write_text(str(spec))
    shown = [(result.name, result.verdict, result.witness, result.stats) for result in ledger.readings]
    written = verifier.load("specs", cache=False).check()
    assert [(result.name, result.verdict, result.witness, result.stats) for result in written.readings] == shown


def test_a_witness_is_found_by_name_and_printed() -> None:
    specs = verifier.load(made=claim("run", men(), **WAYS, **WRONG), cache=False)
    with pytest.raises(verifier.UsageError, match="no result for run/any yet: check it first"):
        specs.witness("run/any")
    ledger = specs.check()
    witness = specs.witness("run/any")
    assert witness == specs.witness(ledger["run/any"])
    assert str(witness).split("\n\n") == [
        "'never' fails after 4 moves",
        "at first:\n X  .  .  .  O",
        "0-1:\n .  X  .  .  O",
        "4-2:\n .  X  O  .  .",
        "1-3:\n .  .  O  X  .",
        "2-0:\n O  .  .  X  .",
    ]
    assert specs.witness("run/first") is None
    with pytest.raises(KeyError, match="run/other"):
        specs.witness("run/other")


def test_faults_name_keys_or_lines() -> None:
    """All at once, whether a spec is wrong by itself or by what it says of another one."""
    wrong: list[tuple[Any, list[str]]] = [
        (
            lambda: men(famly="x", state={"X[5]": {"most": "5"}}),
            [
                "rules men: state.X[5].most: expected an integer: remove the quotes",
                "rules men: famly: unknown key 'famly': did you mean 'family'?",
            ],
        ),
        (
            lambda: men(source={"document": "ours"}),
            [f"rules men: source: {key!r} is missing from source" for key in ("place", "says")],
        ),
        (
            lambda: claim("run", men(), any={**WRONG["any"], "objectives": {"never": {"prevent": "O_win"}}}),
            ["claim run: readings.any.objectives.never.prevent: 'O_win' is not defined: did you mean 'O_wins'?"],
        ),
        (
            lambda: verifier.rules("rules: men\nlike: no-rules\ntitel: Men\n").start(),
            ["rules men:2:7: no rules 'no-rules' in these specs"],
        ),
        (
            lambda: verifier.rules(str(men()).replace("mine[s] and", "mine[s] or mint[s] and")),
            ["rules men:33:22: 'mint' is not defined: did you mean 'mine'?"],
        ),
    ]
    for make, expected in wrong:
        with pytest.raises(verifier.SpecError) as caught:
            make()
        assert str(caught.value).splitlines() == expected
    lost = claim("lost", "no-rules", **WAYS)
    with pytest.raises(verifier.SpecError, match=r"^claim lost: rules: no rules 'no-rules' in these specs"):
        verifier.load(made=lost)


def test_a_fault_of_a_run_names_keys_too() -> None:
    ledger = verifier.load(
        made=[claim("run", men(), **WAYS), claim("lost", "no-rules", **WAYS)], partial=True, cache=False
    ).check()
    assert [str(fault) for fault in ledger.faults] == ["claim lost: rules: no rules 'no-rules' in these specs"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: verifier.rules("rules: men\n", title="x"),
            "verifier.rules: the YAML text must have all keys: do not also give title",
        ),
        (
            lambda: verifier.rules("men-{k}", **{"for": {"k": [1, 2]}}, **MEN).start(),
            r"rules men-\{k\} describes several games",
        ),
        (
            lambda: verifier.rules(read_made(claim("run", men(), **WAYS)).value),
            "verifier.rules: this spec is of the kind 'claim', not 'rules'",
        ),
        (
            lambda: verifier.load(cast("Any", men())),
            r"is not a folder; verifier.load\(made=…\) loads specs that are made in Python",
        ),
        (
            lambda: verifier.load(made=[men(), cast("Any", 5)]),
            "expected a spec from verifier.rules, .claim or .strategy, not '5'",
        ),
    ],
)
def test_what_is_no_such_spec_is_refused(make: Any, message: str) -> None:
    with pytest.raises(verifier.UsageError, match=message):
        make()


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_made_specs_and_files_go_together(tmp_path: pathlib.Path, jobs: int) -> None:
    """A claim made in Python is about rules in a file, and the other way round; the same id twice is a fault."""
    folder = tmp_path / "specs"
    folder.mkdir()
    (folder / "run.yaml").write_text(str(claim("run", men(), **WAYS)))
    shutil.copy(ROOT / "specs/examples/careful-first-is-safe.yaml", folder)
    specs = verifier.load(folder, made=[men(), claim("again", "men", **WRONG)], cache=False)
    assert sorted(specs) == ["again", "careful-first-is-safe", "run"]
    assert specs.check(["run", "again"], jobs=jobs).exit_code == 0
    twice = claim("run", men(), **WAYS)
    with pytest.raises(verifier.SpecError, match=r"run\.yaml:1:8: the claim 'run' is already defined in claim run"):
        verifier.load(folder, made=twice)


def test_reports_of_made_specs_say_how_to_go_on() -> None:
    """Where a file would be named, with its kind and id; and no command that needs a file."""
    specs = verifier.load(made=claim("run", men(), any={**WRONG["any"], "expect": "proved"}), cache=False)
    ledger = specs.check()
    told = specs.render(ledger, "text")
    assert "claim run:" in told
    assert "look closer: specs.witness('run/any')" in told
    assert "--specs" not in told
    others = verifier.load(made=claim("run", men(title="Two men"), **WRONG))
    assert len({describe_provenance(one.report(ledger))["specs"] for one in (specs, others)}) == 2
