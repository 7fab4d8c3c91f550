"""The check for any game, and the theorems that are made from certificates: ``proofs/coq/general``."""

import json
import pathlib
import random
import re
import shutil
import subprocess
from dataclasses import replace

import pytest
import yaml

import verifier
from proofs.coq.tools.general import CLAIMS, LIBRARY
from proofs.coq.tools.stamp import parse_theorems
from tests.coq.conftest import ROOT, SOURCES, build
from tests.kernel.test_corpus import INVALID, VALID, lay_out, read
from tests.kernel.test_corpus import name as name_case
from tests.kernel.test_general import nim
from tests.statements import keep, play, plays, some
from verifier.coq import EXPECTED, GENERAL, HEADLINE
from verifier.export import theorem
from verifier.export.coq_rules import WRITERS, write_comment, write_list
from verifier.export.theorem import export_theorems, find_obstacle, name_theorem, write_theorem
from verifier.kernel.certificate import (
    CertificateContent,
    files_of,
    parse_certificate,
    read_certificate,
    read_index,
    unpack,
)
from verifier.kernel.decide import decide
from verifier.kernel.errors import CertificateError, IllegalMoveError, UsageError
from verifier.kernel.statement import parse_statement
from verifier.kernel.verdict import Verdict
from verifier.recheck import plan

PROOFS = ROOT / "proofs"
CHECK = SOURCES / GENERAL
MUTATIONS: dict[str, dict[str, str]] = yaml.safe_load(pathlib.Path(__file__).with_name("general.yaml").read_text())
ORDER = ("Game.v", "Claim.v", "Check.v", "Sound.v", "Board.v", "Controls.v")


def compile_source(folder: pathlib.Path, source: str) -> subprocess.CompletedProcess[str]:
    command = ["coqc", "-Q", ".", LIBRARY, source]
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=folder)


@pytest.fixture(scope="session")
def checked(coqc: str, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A build folder with the check and the controls, without claims. It prints the committed theorems."""
    folder = tmp_path_factory.mktemp("general")
    done = build(SOURCES, folder, "--general")
    assert done.returncode == 0, done.stderr
    return folder / GENERAL


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTATIONS)
def test_a_changed_check_or_theorem_does_not_compile(name: str, checked: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Coq refuses the source that the change contradicts, and no source before it."""
    source, old, new, fails = MUTATIONS[name].values()
    folder = shutil.copytree(checked, tmp_path / "build")
    if source in ORDER:
        sources = [*ORDER[ORDER.index(source) :]]
    else:
        sources = [source]
        claims = {name_theorem(name): name for name in read_index(PROOFS).filed}
        assert [*export_theorems(PROOFS, folder, frozenset([claims[source.removesuffix(".v")]]))] == [folder / source]
    text = (folder / source).read_text()
    text = text if source in ORDER else " ".join(text.split())
    assert compile_source(folder, source).returncode == 0
    assert text.count(old) == 1
    (folder / source).write_text(text.replace(old, new))
    codes = {name: compile_source(folder, name).returncode for name in sources[: sources.index(fails) + 1]}
    assert codes == {name: int(name == fails) for name in codes}


def write_agreement(certificate: CertificateContent) -> str:
    """Write a theorem for the end of a theorem's file: in positions of random plays, Coq and the kernel see the same.

    They agree on the legal moves, the positions after them, how the game stands and what the strategies choose.
    """
    data = certificate.statement
    statement, dice = parse_statement(data), random.Random(7)
    game, met = statement.game, dict.fromkeys([statement.start])
    rules = WRITERS[type(game)](game)
    for _ in range(12):
        position = statement.start
        for _ in range(12):
            if not game.is_over(position):
                position = game.play(position, dice.choice(game.legal_moves(position)))
                met[position] = None

    def write_position(at: object) -> str:
        return f"(Position {write_list(rules.list_cells(at))}%Z Player{game.turn(at)})"

    def write_seen(at: object) -> str:
        after = sorted((rules.numbers[move], write_position(game.play(at, move))) for move in game.legal_moves(at))
        won = [player for player in "XO" if game.compile_atom(f"{player}_wins", ())(at, at)]
        ended = f"(Won Player{won[0]})" if won else "Drawn" if game.is_over(at) else "Going"
        own = statement.strategies.get(game.turn(at))
        chosen = sorted({rules.numbers[move] for _, move in own(at)}) if own and after else []
        return f"({write_list(f'({move}, {q})' for move, q in after)}, {ended}, {write_list(chosen)})"

    strategies = "".join(f" | Player{player} => strategy_of_{player}" for player in data["strategies"])
    other = "" if len(data["strategies"]) == 2 else " | _ => []"
    return f"""
Definition own (who : player) : strategy := match who with{strategies}{other} end.
Definition observe (at_ : nat * position) : list (nat * position) * outcome * list nat :=
  let '(n, p) := at_ in
  let chosen := choices (look game n p) (own (turn p)) in
  (legal game p, outcome_of game p,
   if Game.is_nil (legal game p) then [] else filter (fun m => is_in m chosen) (seq 0 (length (moves game)))).
Definition positions : list (nat * position) := {write_list(f"({game.ply(at)}, {write_position(at)})" for at in met)}.
Goal map observe positions = {write_list(map(write_seen, met))}.
Proof. vm_compute. reflexivity. Qed.
"""


@pytest.mark.parametrize(
    "name",
    [
        "second-never-loses/one-or-several",
        "other-positions/a-win-missed",
        "gravity-first-player/as-stated",
        "misere-opposite-spots/as-stated",
        "notakto-first-player/as-stated",
        "theorem-one/from-nine-five-twelve",
        "safe-combinations-win/as-stated",
        "square-chomp/side-4",
        "dots-inside-line/half-a-turn",
        "othello-one-colour/all-dark",
        "hounds-win/the-hare-begins-by",
        "wild-misere-first/centre-then-opposite",
    ],
)
def test_coq_and_the_kernel_play_alike(name: str, checked: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """In random plays, legal moves, the positions after them, ends and strategies are equal."""
    (path,) = export_theorems(PROOFS, tmp_path, frozenset([name]))
    text = path.read_text().partition("(** ** The evidence")[0]
    (tmp_path / "Agree.v").write_text(text + write_agreement(read_certificate(PROOFS, read_index(PROOFS).filed[name])))
    command = ["coqc", "-Q", str(checked), LIBRARY, "Agree.v"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_move_cannot_end_the_comment_that_names_it() -> None:
    """Neither an end of a comment nor the begin of a string is written; nor what is not ASCII."""
    assert write_comment('a*)"b\n\u2713') == "(* a_)_b__ *)"


def test_each_document_has_theorems() -> None:
    """The list that is built has all claims of Newell and Simon, except those that use X_keeps.

    It has at least one claim of each document with rules of cells.
    """
    index, library = read_index(PROOFS), verifier.load().library
    listed = {name for entry in plan(index, frozenset((CHECK / CLAIMS).read_text().split())) for name in entry.names}
    missing, with_cells, with_theorems = {}, set(), set()
    for name, key in index.filed.items():
        document = library.claims[name.partition("/")[0]].model.source.document
        certificate = read_certificate(PROOFS, key)
        if certificate.statement.get("rules", {}).get("family") == "general":
            with_cells.add(document)
        if name in listed:
            with_theorems.add(document)
        elif document == "newell-simon":
            missing[name] = find_obstacle(certificate)
    assert set(missing.values()) == {"theorems have no words X_keeps and O_keeps"}
    assert "newell-simon" in with_theorems
    assert len(with_cells) >= 14
    assert with_cells <= with_theorems


def test_the_committed_theorems_have_the_verdicts_of_the_certificates() -> None:
    """What Coq is expected to print says ``holds`` of each reading that is proved, and ``~ holds`` of the others."""
    printed = (CHECK / EXPECTED[HEADLINE]).read_text()
    said = dict(re.findall(r"^\w+\.(\w+)\n {5}: (~?)\s*holds \1\.game\s+\1\.statement$", printed, re.MULTILINE))
    index = read_index(PROOFS)
    entries = plan(index, frozenset((CHECK / CLAIMS).read_text().split()))
    verdicts = {name_theorem(one.names[0]): read_certificate(PROOFS, one.key).verdict for one in entries}
    assert len(verdicts) > 99
    assert {name: {"": "proved", "~": "refuted"}[sign] for name, sign in said.items()} == verdicts


def test_the_theorems_assume_nothing() -> None:
    """Each theorem about the check or made from a certificate is closed under the global context."""
    for source in ("theorems.txt", EXPECTED[HEADLINE]):
        proved = parse_theorems((CHECK / source).read_text())
        assert len(proved) > 9
        assert [name for name, theorem in proved.items() if theorem.axioms] == []


REFUSED = {
    "lemma-3": "nine fields",
    "notakto-quotient": "statement of kind .sum.",
    "no-win-missed": "X_keeps",
    "sim-second-player": "more than 60,000 positions",
    "affine-plane-4": "284 entries with up to 5,760 images each",
}


@pytest.mark.parametrize("claim", REFUSED)
def test_a_claim_that_cannot_be_a_theorem_is_refused(claim: str, tmp_path: pathlib.Path) -> None:
    """The reason names what theorems do not have, or the size of the evidence. No file is written."""
    with pytest.raises(UsageError, match=REFUSED[claim]):
        [*export_theorems(PROOFS, tmp_path, frozenset([claim]))]
    assert [*tmp_path.iterdir()] == []


def test_two_theorems_of_one_name_are_refused(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise one file would take the place of the other."""
    entries = plan(read_index(PROOFS), frozenset(["two-rules-less"]))
    named = [replace(entry, names=(name,)) for entry, name in zip(entries, ("a-b/c", "a/b-c"), strict=True)]
    monkeypatch.setattr(theorem, "plan", lambda *_: named)
    with pytest.raises(UsageError, match="a/b-c: the theorem of a-b/c has the same name"):
        [*export_theorems(PROOFS, tmp_path, frozenset())]
    assert [*tmp_path.iterdir()] == []


def test_a_theorem_has_no_name_that_its_file_defines(tmp_path: pathlib.Path) -> None:
    """No claim is called like a definition of rules, formulas or plays: Coq would refuse the second."""
    chosen = ("square-chomp/side-3", "safe-combinations-win/the-other-player", "notakto-knight/as-stated")
    readings = frozenset([*chosen, "chaos-small-boards/3-by-3-order-begins"])
    texts = [path.read_text() for path in export_theorems(PROOFS, tmp_path, readings)]
    found = {name for text in texts for name in re.findall(r"^Definition ([a-z0-9]+_[a-z0-9_]+) ", text, re.MULTILINE)}
    assert {"all_moves", "is_eaten", "num_pile", "opponent_statement", "plays_claimed", "rule_0", "said_0"} <= found
    assert [name for name in found if name_theorem(name.replace("_", "/", 1)) == name] == []


TAKES_ONE = {"X": plays([0, 1], when=["!=", ["stones", 0], 2])}
"""Takes one of five counters, but has no move if two are left."""
LEFT = {"goal": ["==", ["stones", 0], 4], "name": "goal", "type": "reach"}
BROKEN = {
    "in time": ([{**LEFT, "by": 1}], TAKES_ONE, None),
    "in time, with a last ply": ([{**LEFT, "by": 2}], TAKES_ONE, 3),
    "a move that is not legal": ([{**LEFT, "by": 1}], {"X": plays([0, 1], [0, 3])}, None),
    "at some time": ([{**LEFT, "by": None}, keep(True)], TAKES_ONE, None),
    "at some time, and first": ([keep(True), some(True, name="any"), {**LEFT, "by": None}], TAKES_ONE, None),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_strategy_that_breaks_down_after_the_goal_refutes(
    name: str, checked: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """Play goes on after the goal, unless the goal is all that is claimed."""
    objectives, strategies, horizon = BROKEN[name]
    statement = play(nim(5), "5 X 0", *objectives, strategies=strategies, horizon=horizon)
    certificate = CertificateContent(statement, "refuted", {"objective": "goal", "line": ["0.1", "0.2"]})
    assert decide(statement, "refuted", certificate.evidence, files_of(PROOFS)).verdict is Verdict.REFUTED
    assert find_obstacle(certificate) == ""
    (tmp_path / "Broken.v").write_text(write_theorem(PROOFS, "broken/down", certificate))
    command = ["coqc", "-Q", str(checked), LIBRARY, "Broken.v"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.parametrize("word", ["X_keeps", "X_line", "free", "X", "marks"])
def test_cells_may_have_the_names_of_words_about_a_board(
    word: str, checked: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """On one board, X_keeps asks for a search, and X_line for marks. Cells with these names are cells."""
    text = json.dumps(play(nim(5), "5 X 0", {**LEFT, "by": 1}, strategies=TAKES_ONE)).replace("stones", word)
    certificate = CertificateContent(json.loads(text), "refuted", {"objective": "goal", "line": ["0.1", "0.2"]})
    assert find_obstacle(certificate) == ""
    (tmp_path / "Named.v").write_text(write_theorem(PROOFS, "cells/named", certificate))
    command = ["coqc", "-Q", str(checked), LIBRARY, "Named.v"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]


def test_plays_from_many_starts_are_refused() -> None:
    """The line of the evidence begins in another position than the start, where its moves may not be legal."""
    statement = play(nim(5), "1 X 0", {**LEFT, "by": None}, given=True)
    evidence = {"objective": "goal", "start": "5 X 0", "line": ["0.5"]}
    assert "one start" in find_obstacle(CertificateContent(statement, "refuted", evidence))


FALSE = {"not-reach", "not-prevent", "not-keep", "not-some", "not-refuted", "illegal-move", "not-the-strategy", "stuck"}
"""The reasons for which the kernel refuses a certificate whose statement is false, or whose moves cannot be made."""


def is_play(path: pathlib.Path) -> bool:
    return bool(read(path)["certificate"]["statement"].get("kind") == "play")


CASES = [path for path in VALID if is_play(path)] + [
    path for path in INVALID if is_play(path) and read(path)["reason"] in FALSE
]


@pytest.mark.slow
@pytest.mark.parametrize("path", CASES, ids=name_case)
def test_coq_proves_what_the_kernel_accepts_and_nothing_false(
    path: pathlib.Path, checked: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """In the corpus, each valid certificate that can be a theorem is one, and none that claims too much is one.

    Where it is one, Coq and the kernel also play alike.
    """
    is_valid = path in VALID
    lay_out(tmp_path / "proofs", read(path))
    (file,) = (tmp_path / "proofs" / "evidence").iterdir()
    certificate = parse_certificate(unpack(file.read_bytes(), file.name), file.name)
    try:
        reason = find_obstacle(certificate)
        text = "" if reason else write_theorem(tmp_path / "proofs", name_case(path), certificate)
    except (IllegalMoveError, CertificateError):
        assert not is_valid
        return
    if reason:
        pytest.skip(reason)
    text += write_agreement(certificate) if is_valid else ""
    (tmp_path / "Case.v").write_text(text)
    command = ["coqc", "-Q", str(checked), LIBRARY, "Case.v"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode == 0) is is_valid, done.stderr[-2000:]
