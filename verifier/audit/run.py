"""One run over a selection of readings: a frozen plan in, a ledger out.

What is remembered comes first, in this process; everything else goes to the pool, each reading once, and comes back in
whatever order it is done. A reading that fails to compile, or whose process dies, costs itself and no other.
"""

from __future__ import annotations

import functools
import pathlib
import threading
import time
from collections.abc import Callable, Mapping, Set
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field, replace
from typing import Any

from verifier.audit.context import Context
from verifier.audit.fault import Fault, FaultKind, Lost, make_fault
from verifier.audit.ledger import ClaimResult, Ledger
from verifier.audit.memory import prune
from verifier.audit.plan import Plan
from verifier.audit.pool import DeadWorkerError, Pool, find_executor, open_pool, parse_executor
from verifier.audit.process import Order, Tables, check_in_process, hash_text
from verifier.audit.progress import BEAT_SECONDS, Progress, Watcher, beating
from verifier.audit.recall import conclude_claim, look
from verifier.audit.schedule import Parts, Reference, find_lane, is_shared_out, plan_order
from verifier.audit.store import find_index, require_index, write_index
from verifier.coq import Theorem, read_theorems
from verifier.kernel.errors import SpecError
from verifier.kernel.index import Index
from verifier.kernel.race.replies import Shown
from verifier.kernel.verdict import Verdict
from verifier.language.problem import Problem, SpecProblemsError
from verifier.language.references import joined_claims
from verifier.methods.result import Decided, ReadingResult, pending_result
from verifier.search.resources import Resources


def run(plan: Plan, watcher: Watcher | None = None) -> Ledger:
    """Check everything that is asked for; what is found is kept as it is found.

    Raises:
        UsageError: the executor, or the index of ``--out``, cannot be used.
        KeyboardInterrupt: it was ended from outside; the watcher gets the results so far.
        OSError: ``--out`` cannot be written.
    """
    if plan.executor is not None:
        parse_executor(plan.executor)  # whether anything is left for it to do or not
    if plan.folders.out is not None:
        require_index(plan.folders.out)
    watcher = watcher or Watcher()
    running = _Run(plan, watcher)
    running.recall()
    if running.waiting:
        try:
            running.work()
        except KeyboardInterrupt:
            watcher.interrupted(running.give_up())
            raise
    ledger = running.finish()
    folders = plan.folders
    if folders.out is not None:
        _file(plan, folders.out, ledger)
    if folders.cache is not None and folders.is_remembering and running.waiting:
        prune(folders.cache)
    return ledger


@dataclass(slots=True)
class _Run:
    """A run under way.

    Attributes:
        plan, watcher: what is asked for, and who is told.
        context: where results and evidence are.
        selection: the readings that are asked for.
        done: results.
        waiting: the readings that have to be worked at, in the order in which they begin.
        spare: readings that are left out, unless the tables of replies that they rest on are followed for others;
            with what is known of them.
        theorems: what a build of the Coq proofs on this machine has shown.
        concluded: the claims all of whose readings have a result, in that order.
        problems: what is wrong with specs that did not compile, and the readings that each has cost.
        faults: what else kept readings from being decided.
        tables: of the tables of replies that are followed by themselves, how many are done, and how many there are.
        replies: how many replies were followed in them, about.
        began: when, by the monotonic clock; and each reading that is being checked.
    """

    plan: Plan
    watcher: Watcher
    context: Context = field(init=False)
    selection: tuple[Reference, ...] = field(init=False)
    done: dict[Reference, ReadingResult] = field(default_factory=dict)
    waiting: list[Reference] = field(default_factory=list)
    spare: dict[Reference, ReadingResult] = field(default_factory=dict)
    theorems: dict[str, Theorem] = field(default_factory=dict)
    concluded: dict[str, ClaimResult] = field(default_factory=dict)
    problems: dict[Problem, set[Lost]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    at_work: dict[Reference, float] = field(default_factory=dict)
    tables: tuple[int, int] = (0, 0)
    replies: int = 0
    began: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        """Find the readings once."""
        plan = self.plan
        self.selection = plan.selection
        self.context = plan.folders.open(plan.library, Resources(None, plan.memory_mib, plan.checkpoints))

    def recall(self) -> None:
        """Take what is remembered, unless everything is to be searched for."""
        plan = self.plan
        self.theorems = read_theorems(self.context.coq)
        for reference in self.selection:
            is_left_out = reference in plan.left_out
            if plan.is_anew and not is_left_out:
                continue
            result = look(self.context, reference, 0 if is_left_out else plan.memory_mib)
            if result.is_run or (is_left_out and not is_shared_out(plan.library, reference)):
                self.done[reference] = result
            elif is_left_out:
                self.spare[reference] = result
        waiting = (item for item in self.selection if item not in self.done and item not in self.spare)
        self.waiting = plan_order(plan.library, waiting)
        if not self.waiting:
            self.done |= self.spare
        self._conclude()

    def work(self) -> None:
        """Check what is not remembered."""
        plan = self.plan
        is_shared = any(is_shared_out(plan.library, reference) for reference in self.waiting)
        with open_pool(plan.jobs if is_shared else min(plan.jobs, len(self.waiting))) as pool:
            if pool is None:
                self._work_here()
            else:
                self._work_in(pool)

    def _work_here(self) -> None:
        """Check the readings in this process, one after the other."""
        from verifier.audit.reading import check
        from verifier.methods.finding import Memo

        plan, memo = self.plan, Memo()
        with beating(self._tell), find_executor(plan.executor, None) as other:
            context = self._with_executor(other)
            for reference in self.waiting:
                memo.enter(find_lane(plan.library, reference))
                self.at_work[reference] = time.monotonic()
                self._take(reference, functools.partial(check, context, memo, reference, anew=plan.is_anew))

            def spare(reference: Reference, shown: Mapping[str, Shown] | None) -> ReadingResult | Parts:
                return check(context, memo, reference, may_search=False, is_whole=shown is not None)

            self._take_spare(spare, lambda names: memo.tables if names <= memo.tables.keys() else None)

    def _work_in(self, pool: Pool) -> None:
        """Have processes check the readings; searches that part their own work are led from a thread of this one."""
        plan = self.plan
        orders = {item: self._order(item) for item in self.waiting}
        futures: dict[Future[Any], Reference] = {
            pool.submit_in_lane(order.lane, check_in_process, order): item for item, order in orders.items()
        }
        tables = Tables(pool, plan.folders)
        led: list[Reference] = []
        with find_executor(plan.executor, pool) as other:
            while futures or tables.waiting:
                finished, _ = wait([*futures, *tables.at_work], BEAT_SECONDS, FIRST_COMPLETED)
                for future, reference in futures.items():
                    if future.running():
                        self.at_work.setdefault(reference, time.monotonic())
                for future in finished & futures.keys():
                    reference = futures.pop(future)
                    parts = self._take(reference, future.result)
                    if parts is not None and parts.tables:
                        tables.follow(reference, parts.tables)
                    elif parts is not None:
                        led.append(reference)
                for reference, shown in tables.take_followed():
                    order = replace(orders[reference], tables=shown)
                    futures[pool.submit_in_lane(order.lane, check_in_process, order)] = reference
                if led and not any(reference in led for reference in futures.values()):
                    futures |= self._lead(led.pop(0), other)
                self.tables, self.replies = tables.counts, pool.counter.value
                self._tell()

            def spare(reference: Reference, shown: Mapping[str, Shown] | None) -> ReadingResult | Parts:
                order = replace(self._order(reference), tables=shown)
                answer: ReadingResult | Parts = pool.submit(check_in_process, order).result()
                return answer

            self._take_spare(spare, tables.find_followed)

    def _take_spare(
        self,
        ask: Callable[[Reference, Mapping[str, Shown] | None], ReadingResult | Parts],
        find: Callable[[Set[str]], Mapping[str, Shown] | None],
    ) -> None:
        """Decide the readings that are left out where their tables were followed for others: that costs nothing more.

        Args:
            ask: checks a reading, with tables that were followed, or without.
            find: returns what tables show; None: some were not followed.
        """
        for reference, known in self.spare.items():
            parts = self._take(reference, functools.partial(ask, reference, None))
            if parts is None:
                continue
            shown = find(frozenset(parts.tables)) if parts.tables else None
            if shown is None:
                self.done[reference] = known
                self._conclude()
            else:
                self._take(reference, functools.partial(ask, reference, shown))

    def _order(self, reference: Reference) -> Order:
        plan, lane = self.plan, find_lane(self.plan.library, reference)
        return Order(plan.folders, reference, hash_text(self.context, reference), lane, plan.is_anew, plan.memory_mib)

    def _lead(self, reference: Reference, executor: Executor | None) -> dict[Future[Any], Reference]:
        """Have a thread search for a reading's evidence by many processes, and keep it."""
        from verifier.audit.reading import check
        from verifier.methods.finding import Memo

        context = self._with_executor(executor)
        future: Future[Any] = Future()

        def lead() -> None:
            future.set_running_or_notify_cancel()
            try:
                future.set_result(check(context, Memo(), reference, anew=True))
            except BaseException as error:  # noqa: BLE001 - the waiting caller raises it
                future.set_exception(error)

        threading.Thread(target=lead, name="search", daemon=True).start()
        return {future: reference}

    def _with_executor(self, executor: Executor | None) -> Context:
        return replace(self.context, resources=replace(self.context.resources, executor=executor))

    def _take(self, reference: Reference, get: Callable[[], ReadingResult | Parts]) -> Parts | None:
        """Take the result of a reading, or what kept it from one; return what it waits for, if it does."""
        try:
            answer = get()
            if isinstance(answer, Parts):
                return answer
            result = answer
        except SpecError as error:
            result = self._lose_to_spec(reference, error)
        except DeadWorkerError as error:
            result = self._lose(reference, FaultKind.ENDED, f"{error}; was there enough memory?")
        except OSError:
            raise
        except Exception as error:  # noqa: BLE001 - an internal error costs its own reading, and is listed at the end
            result = self._lose(reference, FaultKind.INTERNAL, f"{type(error).__name__}: {error}")
        self.at_work.pop(reference, None)
        self.done[reference] = result
        self._conclude()
        return None

    def _lose_to_spec(self, reference: Reference, error: SpecError) -> ReadingResult:
        """Note what is wrong with the specs of a reading: what compiles may still say what the kernel does not read."""
        place = self.plan.library.claims[reference[0]].document
        found = (place.problem(("readings", reference[1]), str(error)),)
        problems = error.problems if isinstance(error, SpecProblemsError) else found
        for problem in problems:
            self.problems.setdefault(problem, set()).add(Lost("reading", "/".join(reference)))
        return self._lost(reference, str(make_fault(problems[0], self.plan.folders.specs)))

    def _lose(self, reference: Reference, kind: FaultKind, message: str) -> ReadingResult:
        """Note what else kept a reading from being decided."""
        place = self.plan.library.claims[reference[0]].document
        problem = place.key_problem(("readings", reference[1]), message)
        fault = make_fault(problem, self.plan.folders.specs, [Lost("reading", "/".join(reference))], kind)
        self.faults.append(fault)
        return self._lost(reference, str(fault))

    def _lost(self, reference: Reference, reason: str) -> ReadingResult:
        pending = pending_result(self.plan.library.claim(reference[0]), reference[1])
        return replace(pending, reason=reason, decided=Decided.LOST)

    def _conclude(self) -> None:
        """Say how each claim came out all of whose readings, and of the claims that it joins, have a result."""
        plan = self.plan
        own: dict[str, list[Reference]] = {}
        for reference in self.selection:
            own.setdefault(reference[0], []).append(reference)
        is_going = True
        while is_going:
            is_going = False
            for claim in plan.claims:
                if claim in self.concluded or any(item not in self.done for item in own.get(claim, ())):
                    continue
                model = plan.library.claim(claim)
                if any(other in own and other not in self.concluded for other in joined_claims(model)):
                    continue
                found = [self.done[item] for item in own.get(claim, ())]
                self.concluded[claim] = conclude_claim(plan.library, claim, found, self.concluded, self.theorems)
                self.watcher.claim_done(self.concluded[claim], self._progress())
                is_going = True

    def give_up(self) -> Ledger:
        """Return what was decided, and the rest as lost."""
        self.done = {**self.spare, **self.done}
        left = [reference for reference in self.selection if reference not in self.done]
        message = "the run was ended before all was decided; what is decided is kept"
        lost = tuple(Lost("reading", "/".join(reference)) for reference in left)
        self.faults.append(Fault(FaultKind.ENDED, "", 1, 1, message, lost))
        self.done |= {reference: self._lost(reference, "the run was ended before") for reference in left}
        self.watcher = Watcher()
        self._conclude()
        return self.finish()

    def finish(self) -> Ledger:
        """Return the whole of it."""
        found = [make_fault(problem, self.plan.folders.specs, lost) for problem, lost in self.problems.items()]
        faults = sorted((*self.plan.faults, *found, *self.faults), key=lambda fault: (fault.file, fault.line))
        ledger = Ledger(tuple(self.concluded[claim] for claim in self.plan.claims))
        return replace(ledger, faults=tuple(_with_joining(fault, ledger.readings) for fault in faults))

    def _progress(self) -> Progress:
        now = time.monotonic()
        work = tuple((reference, now - since) for reference, since in list(self.at_work.items()))
        done, count = self.tables
        counts = len(self.done) + done, len(self.selection) + count, len(self.concluded), len(self.plan.claims)
        return Progress(*counts, now - self.began, work, replies=self.replies)

    def _tell(self) -> None:
        self.watcher.beat(self._progress())


def _with_joining(fault: Fault, readings: tuple[ReadingResult, ...]) -> Fault:
    """Add to what a fault has cost the readings that join such a one."""
    known, lost = {item.name for item in fault.lost}, [*fault.lost]
    while more := [item for item in readings if item.is_lost and item.name not in known and known & {*item.joins}]:
        known |= {item.name for item in more}
        lost += [Lost("reading", item.name) for item in more]
    return replace(fault, lost=tuple(sorted(lost)))


def _file(plan: Plan, out: pathlib.Path, ledger: Ledger) -> None:
    """Write the index of ``--out``: what it says of readings that were not decided, or of other specs, stays."""
    known = find_index(out)
    found = {result.name: result.certificate for result in ledger.readings if result.verdict is not Verdict.UNKNOWN}
    readings = {
        f"{claim}/{name}": reading
        for claim in plan.library.claims
        for name, reading in plan.library.claim(claim).readings.items()
    }
    kept = {name for name in {*known.filed, *known.joins} - found.keys() if _is_still_one(plan, name)}
    filed = {name: value for name, value in known.filed.items() if name in kept}
    filed |= {name: certificate.key for name, certificate in found.items() if certificate is not None}
    joins = {name: others for name, others in known.joins.items() if name in kept}
    joins |= {name: tuple(readings[name].joins) for name in found if name in readings}
    write_index(out, Index(filed, {name: others for name, others in joins.items() if others}))


def _is_still_one(plan: Plan, name: str) -> bool:
    """Say whether a reading is one of these specs, or of a claim that these specs have not."""
    claim, _, reading = name.partition("/")
    return claim not in plan.library.claims or reading in plan.library.claim(claim).readings
