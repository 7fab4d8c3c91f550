"""One run over a selection of readings: a frozen plan in, a ledger out.

What is remembered comes first, in this process; everything else goes to the pool, each reading once, and comes back in
whatever order it is done. A reading that fails to compile, or whose process dies, costs itself and no other.
"""

from __future__ import annotations

import contextlib
import functools
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace

from verifier.audit.fault import Fault, FaultKind, Lost, find_rejected, make_fault
from verifier.audit.index import open_index, update_index
from verifier.audit.keys import Reference, hash_text
from verifier.audit.ledger import ClaimResult, Ledger
from verifier.audit.needs import order_claims, select_readings
from verifier.audit.plan import Context, Plan, find_lane, is_shared_out, plan_order
from verifier.audit.process import Leader, check_in_process, find_executor, parse_executor
from verifier.audit.progress import BEAT_SECONDS, Progress, Watcher, beating
from verifier.audit.recall import look
from verifier.audit.standing import conclude
from verifier.audit.store import prune
from verifier.coq import Theorem, read_theorems
from verifier.kernel.errors import SpecError, UsageError
from verifier.kernel.words import counted
from verifier.language.library import Library
from verifier.language.problem import Problem, SpecProblemsError
from verifier.language.references import joined_claims
from verifier.pool import DeadWorkerError, Pool, open_pool
from verifier.questions.result import Decided, ReadingResult, pending_result
from verifier.replies import Tables, count_in, make_counter
from verifier.search.resources import Resources


def run(plan: Plan, watcher: Watcher | None = None) -> Ledger:
    """Check everything that is asked for; what is found is kept as it is found.

    Raises:
        UsageError: the executor, or the index of ``--out``, cannot be used.
        KeyboardInterrupt: it was ended from outside; the watcher can ask for the results so far.
        OSError: ``--out`` cannot be written.
    """
    if plan.executor is not None:
        parse_executor(plan.executor)  # whether anything is left for it to do or not
    store = plan.folders.store
    if store.out is not None:
        open_index(store.out)
    watcher = watcher or Watcher()
    running = _Run(plan, watcher)
    running.recall()
    if running.waiting:
        watcher.begun(running.stop)
        running.work()
    ledger = running.finish()
    if store.out is not None:
        update_index(store.out, plan.library, ledger)
    if store.cache is not None and store.is_remembering and running.waiting:
        prune(store.cache)
    return ledger


@dataclass(slots=True)
class _Run:
    """A run under way.

    Attributes:
        selection: the readings that are asked for, with those that they join, in the order of the report.
        order: the claims, each after those it rests on.
        waiting: the readings that have to be worked at, in the order in which they begin.
        spare: readings that are left out, unless the tables of replies that they rest on are followed for others;
            with what is known of them.
        concluded: the claims all of whose readings have a result, in that order.
        lost: what kept readings from being decided, and the readings that each problem has cost.
        at_work: each reading that is being checked, and when that began.
        leader: checks readings in this process; None: it has not begun to.
    """

    plan: Plan
    watcher: Watcher
    library: Library = field(init=False)
    context: Context = field(init=False)
    order: list[str] = field(init=False)
    selection: tuple[Reference, ...] = field(init=False)
    done: dict[Reference, ReadingResult] = field(default_factory=dict)
    waiting: list[Reference] = field(default_factory=list)
    spare: dict[Reference, ReadingResult] = field(default_factory=dict)
    theorems: dict[str, Theorem] = field(default_factory=dict)
    concluded: dict[str, ClaimResult] = field(default_factory=dict)
    lost: dict[tuple[FaultKind, Problem], set[Lost]] = field(default_factory=dict)
    at_work: dict[Reference, float] = field(default_factory=dict)
    leader: Leader | None = None
    began: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        """Find the readings once."""
        plan, self.library = self.plan, self.plan.library
        self.selection = tuple(select_readings(self.library, plan.claims, plan.reading))
        self.order = order_claims(self.library, [*plan.claims])
        self.context = plan.folders.open(self.library, Resources(None, plan.memory_mib, plan.checkpoints))

    def recall(self) -> None:
        """Take what is remembered, unless everything is to be searched for."""
        plan = self.plan
        self.theorems = read_theorems(self.context.store.coq)
        for reference in self.selection:
            is_left_out = reference in plan.left_out
            if plan.is_anew and not is_left_out:
                continue
            result = look(self.context, reference, 0 if is_left_out else plan.memory_mib)
            if result.is_run or (is_left_out and not is_shared_out(self.library, reference)):
                self.done[reference] = result
            elif is_left_out:
                self.spare[reference] = result
        waiting = (item for item in self.selection if item not in self.done and item not in self.spare)
        self.waiting = plan_order(self.library, waiting)
        if not self.waiting:
            self.done |= self.spare
        self._conclude()

    def work(self) -> None:
        """Check what is not remembered; then what is left out, where its tables were followed: that costs no more."""
        from verifier.questions.finding import Memo

        plan, counter = self.plan, make_counter()
        led = [reference for reference in self.waiting if is_shared_out(self.library, reference)]
        jobs = plan.jobs if led else min(plan.jobs, len(self.waiting))
        with (
            open_pool(jobs, functools.partial(count_in, counter)) as pool,
            find_executor(plan.executor, pool) as executor,
        ):
            context = replace(self.context, resources=replace(self.context.resources, executor=executor))
            tables = Tables(pool, plan.folders.store.read, counter)
            self.leader = leader = Leader(context, Memo(), tables, plan.is_anew)
            if pool is None:
                self._work_here(leader, led)
            else:
                self._work_in(pool, leader, led)
            for reference, known in self.spare.items():
                if led and leader.is_free(reference):
                    self._take(reference, functools.partial(leader.check, reference, anew=False))
                else:
                    self.done[reference] = known
            self._conclude()

    def _work_here(self, leader: Leader, led: list[Reference]) -> None:
        """Check the readings in this process, one after the other."""
        with beating(self._tell):
            leader.begin(led)
            for reference in self.waiting:
                self.at_work[reference] = time.monotonic()
                self._take(reference, functools.partial(leader.check, reference, anew=self.plan.is_anew))

    def _work_in(self, pool: Pool, leader: Leader, led: list[Reference]) -> None:
        """Have processes check the readings, but for those whose work is shared out: these a thread leads from here."""
        plan, futures = self.plan, dict[Future[ReadingResult], Reference]()
        task = functools.partial(check_in_process, plan.folders, anew=plan.is_anew, memory_mib=plan.memory_mib)
        for reference in self.waiting:
            if reference not in led:
                lane, text = find_lane(self.library, reference), hash_text(self.context.sources, reference)
                futures[pool.submit_in_lane(lane, task, reference, text)] = reference
        promised: dict[Reference, Future[ReadingResult]] = {reference: Future() for reference in led}
        futures |= {future: reference for reference, future in promised.items()}
        leader.begin(led)
        threading.Thread(target=leader.keep, args=(promised,), name="lead", daemon=True).start()
        while futures:
            finished, _ = wait(futures, BEAT_SECONDS, FIRST_COMPLETED)
            for future, reference in futures.items():
                if future.running():
                    self.at_work.setdefault(reference, time.monotonic())
            for future in finished:
                self._take(futures.pop(future), future.result)
            self._tell()

    def _take(self, reference: Reference, get: Callable[[], ReadingResult]) -> None:
        """Take the result of a reading, or what kept it from one."""
        place, key = self.library.claims[reference[0]].document, ("readings", reference[1])
        try:
            result = get()
        except SpecProblemsError as error:
            result = self._lose(reference, FaultKind.SPEC, *error.problems)
        except SpecError as error:  # what compiles may still say what the kernel does not read
            result = self._lose(reference, FaultKind.SPEC, place.problem(key, str(error)))
        except DeadWorkerError as error:
            problem = place.key_problem(key, f"{error}; was there enough memory?")
            result = self._lose(reference, FaultKind.ENDED, problem)
        except OSError:
            raise
        except Exception as error:  # noqa: BLE001 - an internal error costs its own reading, and is listed at the end
            problem = place.key_problem(key, f"{type(error).__name__}: {error}")
            result = self._lose(reference, FaultKind.INTERNAL, problem)
        self.at_work.pop(reference, None)
        self.done[reference] = result
        self._conclude()

    def _lose(self, reference: Reference, kind: FaultKind, *problems: Problem) -> ReadingResult:
        """Note what kept a reading from being decided."""
        for problem in problems:
            self.lost.setdefault((kind, problem), set()).add(_lost(reference))
        return self._lose_one(reference, str(make_fault(problems[0], self.plan.folders.specs, kind=kind)))

    def _lose_one(self, reference: Reference, reason: str) -> ReadingResult:
        pending = pending_result(self.library.claim(reference[0]), reference[1])
        return replace(pending, reason=reason, decided=Decided.LOST)

    def _conclude(self) -> None:
        """Say how each claim came out all of whose readings, and of the claims that it joins, have a result."""
        own: dict[str, list[Reference]] = {}
        for reference in self.selection:
            own.setdefault(reference[0], []).append(reference)
        for claim in self.order:
            if claim in self.concluded or any(item not in self.done for item in own.get(claim, ())):
                continue
            model = self.library.claim(claim)
            if any(other in own and other not in self.concluded for other in joined_claims(model)):
                continue
            found = [self.done[item] for item in own.get(claim, ())]
            self.concluded[claim] = conclude(model, found, self.concluded, self.library, self.theorems)
            self.watcher.claim_done(self.concluded[claim])

    def stop(self) -> Ledger:
        """Return what was decided so far, where nothing more is; name it in the index of ``--out``."""
        self.done, self.watcher = {**self.spare, **self.done}, Watcher()
        decided = sum(self.done[item].is_run for item in self.selection if item in self.done)
        for claim, name in self.selection:
            pending = pending_result(self.library.claim(claim), name)
            self.done.setdefault(
                (claim, name), replace(pending, reason="the run was stopped before", decided=Decided.NOT_RUN)
            )
        self._conclude()
        store, places = self.plan.folders.store, list[str]()
        if store.out is not None:
            with contextlib.suppress(OSError, UsageError):  # else the evidence is there, and no index names it
                update_index(store.out, self.library, self.finish())
            places.append(str(store.out))
        if store.cache is not None and store.is_remembering:
            places.append(str(store.cache))
        kept = f"what was decided is saved in {' and '.join(places)}: the same command goes on from there"
        saved = kept if places else "nothing is saved without a cache or --out"
        message = f"{decided} of {counted(len(self.selection), 'reading')} decided; {saved}"
        return self.finish(Fault(FaultKind.STOPPED, "", 1, 1, message))

    def finish(self, *more: Fault) -> Ledger:
        """Return the whole of it, with more faults."""
        folder = self.plan.folders.specs
        merged: dict[object, tuple[FaultKind, Problem, set[Lost]]] = {}
        for (kind, problem), lost in sorted(self.lost.items(), key=lambda item: item[0]):
            merged.setdefault((kind, problem.place), (kind, problem, set()))[2].update(lost)
        found = [make_fault(problem, folder, lost, kind) for kind, problem, lost in merged.values()]
        ledger = Ledger(tuple(self.concluded[claim] for claim in self.plan.claims))
        every = (*self.plan.faults, *found, *find_rejected(ledger.readings), *more)
        faults = sorted(every, key=lambda fault: (fault.file, fault.line))
        return replace(ledger, faults=tuple(_with_joining(fault, ledger.readings) for fault in faults))

    def _tell(self) -> None:
        """Tell the watcher how far the run is."""
        now = time.monotonic()
        work = tuple((reference, now - since) for reference, since in list(self.at_work.items()))
        followed = (0, 0, 0) if self.leader is None else self.leader.tables.counts
        self.watcher.beat(Progress(len(self.done), len(self.selection), now - self.began, work, *followed))


def _lost(reference: Reference) -> Lost:
    return Lost("reading", "/".join(reference))


def _with_joining(fault: Fault, readings: tuple[ReadingResult, ...]) -> Fault:
    """Add to what a fault has cost the readings that join such a one."""
    known, lost = {item.name for item in fault.lost}, [*fault.lost]
    while more := [item for item in readings if item.is_lost and item.name not in known and known & {*item.joins}]:
        known |= {item.name for item in more}
        lost += [Lost("reading", item.name) for item in more]
    return replace(fault, lost=tuple(sorted(lost)))
