"""A run looks for evidence before it searches, decides it once, and keeps it. An error loses only its own reading."""

import html
import itertools
import os
import pathlib
import shutil
import signal
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.audit.made import MADE, STARTS, check, edit, make_plan, order, tree_of, verdicts, write_claim, write_specs
from tests.rules import specs as shipped
from verifier.audit import reading
from verifier.audit.fault import Fault, FaultKind, LostItem, count_faults, list_briefly
from verifier.audit.index import write_index
from verifier.audit.ledger import ClaimResult, Ledger
from verifier.audit.needs import find_headline, select_readings
from verifier.audit.plan import find_lane, plan_order
from verifier.audit.process import _open_once
from verifier.audit.progress import Progress, Watcher
from verifier.audit.recall import look_at_claims
from verifier.kernel.certificate import read_index, unpack
from verifier.kernel.decide import decide
from verifier.kernel.errors import UsageError
from verifier.kernel.verdict import Verdict
from verifier.packing import pack
from verifier.questions.finding import Finding, Task
from verifier.questions.question import Question
from verifier.questions.registry import QUESTIONS, find_question
from verifier.questions.result import DecisionStatus, Fate, Rejection
from verifier.report.layout import Layout
from verifier.report.registry import FORMATS, Report, render_report
from verifier.report.text import aside_lines, failure_lines


@pytest.fixture
def specs(tmp_path: pathlib.Path) -> pathlib.Path:
    _open_once.cache_clear()
    return write_specs(tmp_path / "specs")


Keep = Callable[..., Ledger]


@pytest.fixture(scope="module")
def keep(tmp_path_factory: pytest.TempPathFactory) -> Keep:
    """Return a function that copies evidence of claims to folders. The evidence is made only once for all tests."""
    made: dict[tuple[str, ...], tuple[Ledger, pathlib.Path]] = {}

    def copy(claims: tuple[str, ...], *folders: pathlib.Path) -> Ledger:
        if claims not in made:
            root = tmp_path_factory.mktemp("kept")
            made[claims] = check(make_plan(write_specs(root / "specs"), *claims, out=root / "out")), root / "out"
        ledger, out = made[claims]
        for folder in folders:
            shutil.copytree(out, folder)
        return ledger

    return copy


class Work:
    """Counts searches, and decisions of the kernel."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.searched: list[str] = []
        self.decided = 0
        questions = {name: self._counted(find_question(name)) for name in QUESTIONS}
        patch.setattr(reading, "find_question", questions.__getitem__)

        def counted(*words: Any, **names: Any) -> Any:
            self.decided += 1
            return decide(*words, **names)

        patch.setattr(reading, "decide", counted)

    def _counted(self, question: Question) -> Question:
        def search(task: Task) -> Any:
            self.searched.append(f"{task.claim}/{task.name}")
            return question.search(task)

        return replace(question, search=search)

    def take(self) -> tuple[int, int]:
        """Return the number of searches and decisions since the last call."""
        found = len(self.searched), self.decided
        self.searched, self.decided = [], 0
        return found


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    return Work(monkeypatch)


def test_evidence_is_looked_for_in_three_places_before_a_search(
    specs: pathlib.Path, tmp_path: pathlib.Path, work: Work
) -> None:
    """A second run that finds remembered results neither searches nor calls the kernel."""
    first = check(make_plan(specs, out=tmp_path / "one"))
    count = len(first.readings)
    searched, decided = work.take()
    assert searched == count
    assert decided >= count
    for plan in (make_plan(specs, out=tmp_path / "one"), make_plan(specs, shipped=tmp_path / "one")):
        assert verdicts(check(plan)) == verdicts(first)
        assert work.take() == (0, count)
    plan = make_plan(specs, cache=tmp_path / "one")
    assert check(plan) == check(plan)
    assert work.take() == (0, count)  # the second of these runs uses remembered results


def test_anew_searches_although_there_is_evidence(specs: pathlib.Path, tmp_path: pathlib.Path, work: Work) -> None:
    plan = make_plan(specs, out=tmp_path / "out", cache=tmp_path / "cache")
    check(plan)
    before = tree_of(tmp_path / "out")
    work.take()
    check(make_plan(specs, out=tmp_path / "out", cache=tmp_path / "cache", is_anew=True))
    assert work.take()[0] == len(select_readings(plan.library, plan.claims, None))
    assert tree_of(tmp_path / "out") == before


def test_a_search_that_gave_up_is_not_repeated(
    specs: pathlib.Path, tmp_path: pathlib.Path, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason is shown, with the command that searches again. With more memory, the search is repeated."""
    shutil.copy(MADE / "open.yaml", specs)
    monkeypatch.setattr("verifier.search.threats.forced.MAX_SEARCHED", 10)
    plan = make_plan(specs, "open", cache=tmp_path / "cache")
    first, second = check(plan), check(plan)
    assert work.take() == (1, 0)
    (before,), (after,) = first.readings, second.readings
    assert before == after
    assert after.verdict is Verdict.UNKNOWN
    assert after.reason.startswith(
        "the search gave up after 10 positions: X cannot reach the goal by ply 3 (2 marks); "
        "whether X can reach the goal by ply 5 is not known."
    )
    assert (before.decided, after.decided, second.exit_code) == (DecisionStatus.NOW, DecisionStatus.REMEMBERED, 1)
    report = Report(second, plan.library, specs, plan.folders.store, "verifier check")
    told = "\n".join(failure_lines(report, Layout()))
    assert "    search again: verifier check open --anew --specs" in told
    (claim,) = look_at_claims(plan.folders.open(plan.library), ["open"]).claims
    assert claim.readings[0].reason == after.reason
    check(replace(plan, memory_mib=plan.memory_mib + 1))
    assert work.take() == (1, 0)
    monkeypatch.undo()
    work = Work(monkeypatch)
    assert check(replace(plan, is_anew=True)).readings[0].verdict is Verdict.REFUTED
    assert check(plan).readings[0].verdict is Verdict.REFUTED
    assert work.take()[0] == 1


def test_a_claim_that_fails_soon_is_refuted_although_it_has_too_many_plays(specs: pathlib.Path) -> None:
    """Plays are explored only up to the first failure. The play that shows the failure is as short as possible."""
    shutil.copy(MADE / "soon.yaml", specs)
    (found,) = check(make_plan(specs, "soon")).readings
    assert (found.verdict, found.reason) == (Verdict.REFUTED, "'no field is won' fails at ply 5")
    assert found.witness is not None
    assert len(found.witness.moves) == 5


def test_too_many_plays_are_not_decided_and_not_rejected(specs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If neither the kernel nor a search finishes, the verdict is unknown. This is not trouble."""
    shutil.copy(MADE / "soon.yaml", specs)
    edit(specs / "soon.yaml", "by: 9", "by: 3")
    monkeypatch.setattr("verifier.kernel.plays.MAX_EDGES", 100)
    monkeypatch.setattr("verifier.search.walk.MAX_POSITIONS", 1000)
    outcome = check(make_plan(specs, "soon"))
    (found,) = outcome.readings
    assert (found.verdict, found.trouble, outcome.exit_code) == (Verdict.UNKNOWN, "", 1)
    assert found.reason.startswith(
        "the kernel tried to follow every play: the plays have more than 100 moves: start later, or end sooner; "
        "more than 1,000 positions. What may help: "
    )


def test_accepted_evidence_is_kept_in_the_cache_and_in_out(
    specs: pathlib.Path, tmp_path: pathlib.Path, keep: Keep
) -> None:
    """This includes shipped evidence. So --out is complete after every run, even if all results are remembered."""
    keep((), tmp_path / "shipped")
    wanted = tree_of(tmp_path / "shipped")
    for name in ("one", "two"):
        check(make_plan(specs, out=tmp_path / name, cache=tmp_path / "cache", shipped=tmp_path / "shipped"))
        assert tree_of(tmp_path / name) == wanted
    kept = {name for name in tree_of(tmp_path / "cache") if not name.startswith("remembered/")}
    assert kept == set(wanted) - {"INDEX.json"}


def damage(path: pathlib.Path, how: str) -> None:
    """Change a file of evidence so that it is not what the kernel has accepted."""
    data = path.read_bytes()
    path.unlink()
    if how == "a folder":
        path.mkdir()
    elif how == "a pipe":
        os.mkfifo(path)
    elif how == "a link":
        path.symlink_to("nowhere")
    elif how in DATA:
        path.write_bytes(DATA[how](data))
    else:
        value = unpack(data, "evidence")
        if how == "another verdict":
            value["verdict"] = "refuted" if value["verdict"] == "proved" else "proved"
        else:
            value["statement"]["claimant" if "claimant" in value["statement"] else "kind"] = "other"
        path.write_bytes(pack(value))


DATA: dict[str, Callable[[bytes], bytes]] = {
    "a byte more": lambda data: data + b"\n",
    "cut short": lambda data: data[:-9],
    "noise": lambda data: b"\x1f\x8bnoise",
    "empty": lambda data: b"",
}
DAMAGE = (*DATA, "a folder", "a pipe", "a link", "another verdict", "another statement")


@pytest.mark.parametrize("how", DAMAGE)
@pytest.mark.parametrize("place", ["cache", "out"])
def test_rejected_evidence_in_the_cache_or_in_out_is_replaced(
    how: str, place: str, specs: pathlib.Path, tmp_path: pathlib.Path, work: Work, keep: Keep
) -> None:
    """This is not a fault. The run deletes the file, says so, and searches for evidence again."""
    claims = ("starts", "careful-first-is-safe")
    wanted = keep(claims, tmp_path / "kept")
    good = tree_of(tmp_path / "kept/evidence")
    for path in (tmp_path / "kept/evidence").iterdir():
        damage(path, how)
    work.take()
    cache, out = (tmp_path / "kept" if place == name else None for name in ("cache", "out"))
    plan = make_plan(specs, *claims, cache=cache, out=out)
    found = check(plan)
    assert verdicts(found) == verdicts(wanted)
    assert (found.exit_code, found.faults) == (0, ())
    assert work.take()[0] == len(wanted.readings)
    assert {(item.fate, item.path.startswith(str(tmp_path / "kept"))) for item in rejected(found)} == {
        (Fate.THROWN_AWAY, True)
    }
    told = " ".join(line.strip() for line in aside_lines(found, Layout()))
    assert told.count(": evidence was rejected and thrown away: ") == len(wanted.readings)
    assert tree_of(tmp_path / "kept/evidence") == good
    assert not rejected(check(plan))


def rejected(ledger: Ledger) -> list[Rejection]:
    return [item for result in ledger.readings for item in result.rejected]


@pytest.mark.parametrize("how", [*DAMAGE, "a byte more of a table", "a table is missing", "a table is a link"])
def test_rejected_shipped_evidence_is_a_fault(
    how: str, specs: pathlib.Path, tmp_path: pathlib.Path, work: Work, keep: Keep
) -> None:
    """This does not depend on the cache. Each format names the path and the reason, and so does the next run."""
    claims, shipped = ("starts", "steps"), tmp_path / "proofs"
    wanted = keep(claims, shipped, tmp_path / "cache")
    assert check(make_plan(specs, *claims, cache=tmp_path / "cache", shipped=shipped)).exit_code == 0
    filed = wanted["steps/as-stated"].certificate
    assert filed is not None
    (path,) = (shipped / "tables").iterdir() if "table" in how else [shipped / filed.path]
    if how == "a table is missing":
        path.unlink()
    else:
        damage(path, how.removesuffix(" of a table").removeprefix("a table is "))
    is_first = how in (DAMAGE[0], "a table is missing")  # formats, and a run without a cache, do not depend on ``how``
    for cache in (tmp_path / "cache", *([None] if is_first else []), tmp_path / "new"):
        assert check(make_plan(specs, *claims, cache=cache, shipped=shipped)).exit_code == 4
    work.take()
    plan = make_plan(specs, *claims, cache=tmp_path / "new", shipped=shipped)
    found = check(plan)
    assert (verdicts(found), found.exit_code) == (verdicts(wanted), 4)
    assert work.take()[0] == 0  # the cache has the evidence that was found instead
    (fault,) = found.faults
    (one,) = rejected(found)
    assert (fault.kind, fault.file, one.path, one.fate) == (FaultKind.EVIDENCE, str(path), str(path), Fate.FAULT)
    assert fault.message.startswith(f"{one.reason}; needed for steps/as-stated; ")
    assert look_at_claims(plan.folders.open(plan.library), claims).faults == found.faults
    report = Report(found, plan.library, specs, plan.folders.store, "verifier check")
    for form in FORMATS if is_first else ["text", "json"]:
        text = " ".join(html.unescape(render_report(form, report)).replace("\\", "").replace("%3A", ":").split())
        assert path.name in text, form
        assert one.reason.partition(":")[0] in text, form


def test_shipped_evidence_is_decided_whatever_the_cache_has(
    specs: pathlib.Path, tmp_path: pathlib.Path, work: Work
) -> None:
    """The kernel decides each content of the file only once."""
    shipped, cache = tmp_path / "proofs", tmp_path / "cache"
    check(make_plan(specs, "starts", cache=cache))
    (path,) = (cache / "evidence").iterdir()
    value = unpack(path.read_bytes(), "evidence")
    value["evidence"]["models"][0]["position"] = "X........"
    (shipped / "evidence").mkdir(parents=True)
    plan = make_plan(specs, "starts", cache=cache, shipped=shipped)
    for data, code, decided in ((path.read_bytes(), 0, 0), (pack(value), 4, 1), (path.read_bytes(), 0, 0)):
        (shipped / "evidence" / path.name).write_bytes(data)
        work.take()
        assert [check(plan).exit_code for _ in range(2)] == [code, code]
        assert work.take() == (0, decided)


def test_found_evidence_is_preferred_to_shipped_evidence(specs: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """If both are accepted, found evidence is preferred, because it may show more."""
    shipped, cache = tmp_path / "proofs", tmp_path / "cache"
    (wanted,) = check(make_plan(specs, "steps", cache=cache)).readings
    (path,) = (cache / "evidence").iterdir()
    value = unpack(path.read_bytes(), "evidence")
    del value["evidence"]["obligations"]["refutations"]
    (shipped / "evidence").mkdir(parents=True)
    (shipped / "evidence" / path.name).write_bytes(pack(value))
    for place, verdict in ((cache, Verdict.PROVED), (tmp_path / "new", Verdict.SUPPORTED)):
        (found,) = check(make_plan(specs, "steps", cache=place, shipped=shipped)).readings
        assert (found.verdict, found.rejected, found.certificate == wanted.certificate) == (
            verdict,
            (),
            place == cache,
        )


@pytest.mark.parametrize("place", ["cache", "shipped"])
@pytest.mark.parametrize("why", ["a limit", "another version"])
def test_evidence_that_is_not_decided_is_not_a_fault(
    place: str, why: str, specs: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, keep: Keep
) -> None:
    """The reason (a limit, or another version of the format) is shown if no other evidence is found."""
    kept = tmp_path / "kept"
    keep(("careful-first-is-safe",), kept)
    before = tree_of(kept)
    if why == "a limit":
        monkeypatch.setattr("verifier.kernel.plays.MAX_EDGES", 3)
    else:
        (path,) = (kept / "evidence").iterdir()
        path.write_bytes(pack({**unpack(path.read_bytes(), "evidence"), "version": 3}))
    monkeypatch.setattr(
        reading, "search_evidence", lambda _, __, pending, *___: replace(pending, reason="nothing was found")
    )
    cache, shipped = (kept if place == name else None for name in ("cache", "shipped"))
    found = check(make_plan(specs, "careful-first-is-safe", cache=cache, shipped=shipped))
    assert (found.exit_code, found.faults, [item.fate for item in rejected(found)]) == (1, (), [Fate.UNDECIDED])
    (one,) = found.readings
    assert one.reason.startswith("nothing was found; evidence was found and not decided: ")
    assert len(tree_of(kept)) == len(before) + len(tree_of(kept / "remembered"))


def test_an_edit_repeats_only_what_it_changes(specs: pathlib.Path, tmp_path: pathlib.Path, work: Work) -> None:
    """After a new title or expectation, nothing is decided again; after a new statement, only its reading is."""
    plan = make_plan(specs, cache=tmp_path / "cache")
    check(plan)
    work.take()
    edit(specs / "starts.yaml", "title: A claim for tests", "title: Another title")
    edit(specs / "steps.yaml", "expect: supported", "expect: refuted")
    outcome = check(make_plan(specs, cache=tmp_path / "cache"))
    assert work.take() == (0, 0)
    assert outcome.exit_code == 1
    edit(specs / "starts.yaml", "ply == 0", "ply <= 0")
    check(make_plan(specs, cache=tmp_path / "cache"))
    assert work.searched == ["starts/as-stated"]


def test_an_internal_error_loses_only_its_own_reading(
    specs: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(task: Task) -> Finding:
        if task.claim != "starts":
            return find_question("steps").search(task)
        raise ZeroDivisionError("a defect")

    def find_failing(name: str) -> Question:
        question = find_question(name)
        return replace(question, search=fail) if name == "steps" else question

    monkeypatch.setattr(reading, "find_question", find_failing)
    outcome = check(make_plan(specs))
    assert outcome.exit_code == 3
    (fault,) = outcome.faults
    assert (fault.kind, fault.message) == (FaultKind.INTERNAL, "ZeroDivisionError: a defect")
    assert fault.lost == (LostItem("reading", "starts/as-stated"),)
    found = verdicts(outcome)
    assert found.pop("starts/as-stated") == "unknown"
    assert "unknown" not in found.values()


def test_a_fault_names_the_readings_that_join_a_lost_reading(specs: pathlib.Path) -> None:
    write_claim(specs, "broken", STARTS.replace("ply", "plyy"), "tictactoe")
    for name, joined in (("above", "broken"), ("higher", "above")):
        reading = f"as-stated: {{expect: proved, joins: [{joined}/as-stated]}}"
        write_claim(specs, name, f"readings:\n  {reading}", "tictactoe")
    (fault,) = check(make_plan(specs, *order(specs, "higher"))).faults
    assert [item.name for item in fault.lost] == ["above/as-stated", "broken/as-stated", "higher/as-stated"]


class Killer(Watcher):
    """Kills a process of the run as soon as a reading is being checked."""

    def __init__(self) -> None:
        self.is_done = False

    def beat(self, progress: Progress) -> None:
        """Kill the process."""
        import multiprocessing

        if progress.at_work and not self.is_done:
            self.is_done = True
            child = multiprocessing.active_children()[0]
            os.kill(child.pid or 0, signal.SIGKILL)


def test_a_process_that_dies_loses_one_reading(specs: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The reading that the process was checking is unknown, with the reason. All other readings are decided."""
    outcome = check(make_plan(specs, jobs=2, cache=tmp_path / "cache"), Killer())
    lost = [result for result in outcome.readings if str(result.verdict) == "unknown"]
    assert len(lost) == 1
    assert "ended by signal 9" in lost[0].reason
    assert [(fault.kind, fault.lost) for fault in outcome.faults] == [
        (FaultKind.ENDED, (LostItem("reading", lost[0].name),))
    ]
    assert outcome.exit_code == 1
    again = check(make_plan(specs, jobs=2, cache=tmp_path / "cache"))
    assert "unknown" not in verdicts(again).values()
    assert sum(result.decided is not DecisionStatus.REMEMBERED for result in again.readings) == 1


class Stop(Watcher):
    """Presses Ctrl-C when a number of claims are done."""

    def __init__(self, after: int) -> None:
        self.names: list[str] = []
        self.after = after

    def claim_done(self, result: ClaimResult) -> None:
        """Press Ctrl-C."""
        self.names.append(result.id)
        if len(self.names) == self.after:
            raise KeyboardInterrupt

    def begun(self, stop: Callable[[], Ledger]) -> None:
        """Keep the function that stops the run."""
        self.stop = stop


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_run_keeps_what_it_finished(jobs: int, specs: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The next run begins with these results, and finds no half-written file."""
    stop = Stop(3)
    with pytest.raises(KeyboardInterrupt):
        check(make_plan(specs, jobs=jobs, cache=tmp_path / "cache", out=tmp_path / "out"), stop)
    assert not list(tmp_path.rglob("*.part"))
    ledger = stop.stop()
    (fault,) = ledger.faults
    left = {result.claim for result in ledger.readings if not result.is_run}
    decided = len([result for result in ledger.readings if result.is_run])
    assert left
    assert not left.intersection(stop.names)
    assert not any(result.is_lost for result in ledger.readings)
    assert (fault.kind, fault.lost) == (FaultKind.STOPPED, ())
    assert fault.message.startswith(f"{decided} of {len(ledger.readings)} readings decided; ")
    assert f"saved in {tmp_path / 'out'} and {tmp_path / 'cache'}" in fault.message
    filed = read_index(tmp_path / "out").filed
    assert {result.name for result in ledger.readings if result.is_run and result.certificate} == filed.keys()
    again = Stop(100)
    outcome = check(make_plan(specs, cache=tmp_path / "cache"), again)
    remembered = {result.claim for result in outcome.readings if result.decided is DecisionStatus.REMEMBERED}
    assert set(stop.names) <= remembered


class StopAtWork(Stop):
    """Stops a run while readings are being checked."""

    work: tuple[str, ...] = ()

    def beat(self, progress: Progress) -> None:
        """Keep the names of these readings."""
        self.work = tuple("/".join(reference) for reference, _ in progress.at_work)
        if self.work:
            raise KeyboardInterrupt


def test_a_stopped_run_names_what_it_was_checking(specs: pathlib.Path) -> None:
    """So if a search takes too long in each run, its claim is known."""
    stop = StopAtWork(100)
    with pytest.raises(KeyboardInterrupt):
        check(make_plan(specs, jobs=2), stop)
    (fault,) = stop.stop().faults
    assert fault.message.endswith(f"; not finished: {list_briefly(stop.work)}")


def test_readings_that_share_work_are_checked_one_after_the_other() -> None:
    """The readings of each lane follow one another in the order, and the order has every reading once."""
    library = shipped()
    wanted = list(select_readings(library, tuple(library.claims), None))
    order = plan_order(library, wanted)
    assert sorted(order) == sorted(wanted)
    stretches = [lane for lane, _ in itertools.groupby(find_lane(library, reference) for reference in order) if lane]
    assert len(stretches) == len(set(stretches)) > 1


def test_readings_on_which_a_headline_rests_come_first() -> None:
    """Other readings come before the last of them only if they share a lane with one of them."""
    library = shipped()
    headline = find_headline(library)
    order = plan_order(library, select_readings(library, tuple(library.claims), None))
    first = order[: max(map(order.index, headline)) + 1]
    lanes = {find_lane(library, reference) for reference in headline} - {""}
    assert ("beyond-value-43", "at-least") in headline
    assert all(item in headline or find_lane(library, item) in lanes for item in first)
    assert len(first) < len(order) // 2


def test_the_number_of_processes_changes_nothing(specs: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The ledger and the bytes of the evidence do not depend on the order in which readings are checked."""
    one = check(make_plan(specs, out=tmp_path / "one"))
    two = check(make_plan(specs, out=tmp_path / "two", jobs=2))
    assert one == two
    assert tree_of(tmp_path / "one") == tree_of(tmp_path / "two")


def test_a_run_keeps_the_evidence_of_other_runs(specs: pathlib.Path, tmp_path: pathlib.Path, keep: Keep) -> None:
    """The index keeps evidence of claims that are not in the run, and of claims that are only in other specs."""
    out = tmp_path / "out"
    keep((), out)
    before = tree_of(out)
    check(make_plan(specs, "starts", out=out))
    assert tree_of(out) == before
    name = "starts/as-stated"
    write_index(out, replace(read_index(out), joins={name: ("steps/as-stated",)}))
    old = read_index(out)
    other = tmp_path / "other"
    other.mkdir()
    write_claim(other, "again", STARTS.replace("ply == 0", "ply <= 0"), "tictactoe")
    check(make_plan(other, out=out))
    after = tree_of(out)
    assert after.keys() > before.keys()
    assert all(after[name] == before[name] for name in before.keys() - {"INDEX.json"})
    index = read_index(out)
    assert index.filed.items() > old.filed.items()
    assert index.filed.keys() - old.filed.keys() == {"again/as-stated"}
    assert index.joins == old.joins


def test_a_reading_that_is_not_decided_stays_in_the_index(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reading was left out by '--reading', was lost to an internal error, or did not compile."""
    other = '  other: {expect: proved, line: ["4"], conclude: ["X[4]"]}'
    write_claim(tmp_path, "starts", f"{STARTS}\n{other}", "tictactoe")
    out = tmp_path / "out"
    check(make_plan(tmp_path, out=out))
    before = read_index(out)
    assert before.filed.keys() == {"starts/as-stated", "starts/other"}
    check(make_plan(tmp_path, reading="other", out=out))
    assert read_index(out) == before
    with monkeypatch.context() as patch:
        patch.setattr(reading, "check", lambda *_, **__: 1 // 0)
        assert check(make_plan(tmp_path, out=out)).exit_code == 3
    assert read_index(out) == before
    edit(tmp_path / "starts.yaml", "X[4]", "X[9]")
    assert check(make_plan(tmp_path, out=out)).exit_code == 2
    assert read_index(out) == before


def test_an_index_that_cannot_be_read_is_not_overwritten(specs: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The run refuses to begin. Otherwise the names in a badly merged index would be lost."""
    out = tmp_path / "out"
    check(make_plan(specs, "starts", out=out))
    text = "<<<<<<< ours\n" + (out / "INDEX.json").read_text()
    (out / "INDEX.json").write_text(text)
    with pytest.raises(UsageError, match=r"INDEX\.json cannot be read: .*; move it away"):
        check(make_plan(specs, "starts", out=out))
    assert (out / "INDEX.json").read_text() == text


def test_the_index_drops_a_reading_that_its_claim_no_longer_has(specs: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """A new reading takes its place. The index does not name the old reading's file any more."""
    out = tmp_path / "out"
    check(make_plan(specs, "starts", out=out))
    edit(specs / "starts.yaml", "as-stated:", "other:")
    check(make_plan(specs, "starts", out=out))
    assert read_index(out).filed.keys() == {"starts/other"}


def test_claims_that_state_the_same_share_their_evidence(
    tmp_path: pathlib.Path, specs: pathlib.Path, work: Work
) -> None:
    """They have one certificate, and two names in the index. The kernel decides the certificate once."""
    write_claim(specs, "again", STARTS, "tictactoe")
    found = check(make_plan(specs, "starts", "again", out=tmp_path / "out"))
    assert set(verdicts(found).values()) == {"proved"}
    assert work.decided == 1
    assert len(list((tmp_path / "out/evidence").iterdir())) == 1
    assert (tmp_path / "out/INDEX.json").read_text().count("as-stated") == 2


def test_what_was_not_checked_is_counted_in_english() -> None:
    kinds = ("reading", "claim", "strategy", "definitions", "rules", "document", "coverage", "errata")
    fault = Fault(FaultKind.SPEC, "a.yaml", 1, 1, "wrong", tuple(LostItem(kind, n) for kind in kinds for n in "ab"))
    said = "2 claims, 2 coverage, 2 definitions, 2 documents, 2 errata, 2 readings, 2 rules, 2 strategies"
    assert count_faults((fault,)) == f"1 fault: not checked: {said}"
