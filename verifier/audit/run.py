"""Makes a run: takes a plan, which selects readings, and returns a ledger of their results.

First this process looks up remembered results. Then this process or a pool checks each of the other readings once.
"""

from __future__ import annotations

import contextlib
import functools
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace

from verifier.audit.executor import open_cluster, parse_executor
from verifier.audit.fault import Fault, FaultKind, list_briefly
from verifier.audit.index import open_index, update_index
from verifier.audit.keys import Reference
from verifier.audit.ledger import Ledger
from verifier.audit.needs import find_headline
from verifier.audit.plan import Context, Plan, find_lane, is_parallel, plan_order
from verifier.audit.process import Checker, check_in_process
from verifier.audit.progress import BEAT_SECONDS, Progress, Watcher, beating
from verifier.audit.recall import look
from verifier.audit.results import Results
from verifier.audit.store import prune
from verifier.counting import COMPILATIONS, REPLIES, Counter, make_counter
from verifier.kernel.errors import UsageError
from verifier.kernel.words import counted
from verifier.language.outline import AnyLibrary, parse_whole
from verifier.pool import Pool, open_pool
from verifier.questions.result import ReadingResult
from verifier.replies import ReplyTables
from verifier.search.resources import Resources


def run_plan(plan: Plan, watcher: Watcher | None = None) -> Ledger:
    """Check all readings of a plan. Evidence is kept as soon as the kernel accepts it.

    Raises:
        UsageError: the executor, or the index of ``--out``, cannot be used.
        KeyboardInterrupt: the run was interrupted; the watcher can still get the results so far.
        OSError: ``--out`` cannot be written.
    """
    if plan.executor is not None:
        parse_executor(plan.executor)  # report a wrong name even if nothing has to be searched
    store = plan.folders.store
    if store.out is not None:
        open_index(store.out)
    watcher = watcher or Watcher()
    running = _Run(plan, watcher, Results(plan, watcher))
    watcher.begun(running.stop)
    running.recall()
    if running.waiting:
        running.work()
    ledger = running.results.make_ledger()
    if store.out is not None:
        update_index(store.out, plan.library, ledger)
    if store.memory is not None and running.waiting:
        prune(store.memory)
    return ledger


@dataclass(slots=True)
class _Run:
    """The state of a run.

    Attributes:
        waiting: the readings that have to be checked, in the order in which their checks begin.
        spare: readings of ``plan.left_out`` that may be checked after all, each with the result to report if it is not
            checked. A spare reading is checked if it has evidence, and if this run has to check the tables of this
            evidence for other readings anyway (``verifier/replies.py``).
        at_work: the readings that are being checked, each with the time when its check began.
        checker: checks readings in this process; None until the checking begins.
        compilations: counts the processes that compile search code.
    """

    plan: Plan
    watcher: Watcher
    results: Results
    context: Context = field(init=False)
    waiting: list[Reference] = field(default_factory=list)
    spare: dict[Reference, ReadingResult] = field(default_factory=dict)
    at_work: dict[Reference, float] = field(default_factory=dict)
    checker: Checker | None = None
    began: float = field(default_factory=time.monotonic)
    compilations: Counter = field(default_factory=make_counter)

    def __post_init__(self) -> None:
        """Make the context from the specs of the plan."""
        self._use(self.plan.library)

    def _use(self, library: AnyLibrary) -> None:
        """Use these specs from now on. An outline of them is enough to recall results, but not to check readings."""
        self.plan = self.results.plan = plan = replace(self.plan, library=library)
        self.context = plan.folders.open(library, Resources(None, plan.memory_mib, plan.checkpoints))

    def recall(self) -> None:
        """Use remembered results. If the run searches anew, use them only for the readings of ``plan.left_out``."""
        plan, done = self.plan, self.results.done
        for reference in self.results.selection:
            is_left_out = reference in plan.left_out
            if not is_left_out and (plan.is_anew or plan.folders.store.memory is None):
                continue
            result = look(self.context, reference, 0 if is_left_out else plan.memory_mib)
            if result.is_run or (is_left_out and not is_parallel(plan.library, reference)):
                done[reference] = result
            elif is_left_out:
                self.spare[reference] = result
        waiting = [item for item in self.results.selection if item not in done and item not in self.spare]
        if waiting:
            library = parse_whole(plan.library)
            self._use(library)
            self.waiting = plan_order(library, waiting)
        else:
            done |= self.spare
        self.results.conclude()

    def work(self) -> None:
        """Check all waiting readings, then the spare readings whose tables were checked for other readings anyway."""
        from verifier.questions.finding import ProcessMemo

        plan, counter = self.plan, make_counter()
        parallel = [reference for reference in self.waiting if is_parallel(plan.library, reference)]
        jobs = plan.jobs if parallel else min(plan.jobs, len(self.waiting))
        COMPILATIONS.use(self.compilations)
        with (
            contextlib.ExitStack() as ends,
            open_pool(jobs, functools.partial(_count_in_process, counter, self.compilations)) as pool,
            open_cluster(plan.executor) if plan.executor else contextlib.nullcontext(pool) as executor,
        ):
            if pool is not None:  # last of all, when its processes are gone
                ends.callback(lambda: plan.folders.store.remove_partial_files(pool.killed))
            may_part = pool is None and plan.jobs > 1
            resources = replace(self.context.resources, executor=executor, may_part=may_part)
            context = replace(self.context, resources=resources)
            tables = ReplyTables(pool, plan.folders.store.read, counter)
            self.checker = checker = Checker(context, ProcessMemo(), tables, plan.is_anew)
            if pool is None:
                self._work_here(checker, parallel)
            else:
                self._work_in(pool, checker, parallel)
            for reference, known in self.spare.items():
                if parallel and checker.is_free(reference):
                    self._take(reference, functools.partial(checker.check, reference, anew=False))
                else:
                    self.results.done[reference] = known
            self.results.conclude()

    def _work_here(self, checker: Checker, parallel: list[Reference]) -> None:
        """Check the readings in this process, one after the other."""
        with beating(self._beat):
            checker.begin(parallel)
            for reference in self.waiting:
                self.at_work[reference] = time.monotonic()
                self._take(reference, functools.partial(checker.check, reference, anew=self.plan.is_anew))

    def _work_in(self, pool: Pool, checker: Checker, parallel: list[Reference]) -> None:
        """Let a pool check readings. A thread checks the readings in ``parallel``: their checks use the pool."""
        from verifier.audit.sources import Sources, hash_text

        plan, futures = self.plan, dict[Future[ReadingResult], Reference]()
        library = self.context.library
        sources = Sources(library)
        task = functools.partial(check_in_process, plan.folders, anew=plan.is_anew, memory_mib=plan.memory_mib)
        promised: dict[Reference, Future[ReadingResult]] = {reference: Future() for reference in parallel}
        futures |= {future: reference for reference, future in promised.items()}
        # A pool makes calls in the order in which it gets them. So begin with the tables for the headlines (main
        # claims), which take longest.
        checker.begin(filter(find_headline(library).__contains__, parallel))
        for reference in self.waiting:
            if reference not in promised:
                lane, text = find_lane(library, reference), hash_text(sources, reference)
                futures[pool.submit_in_lane(lane, task, reference, text)] = reference
        checker.begin(parallel)
        threading.Thread(target=checker.fulfil, args=(promised,), name="checker", daemon=True).start()
        while futures:
            finished, _ = wait(futures, BEAT_SECONDS, FIRST_COMPLETED)
            for future, reference in futures.items():
                if future.running():
                    self.at_work.setdefault(reference, time.monotonic())
            for future in finished:
                self._take(futures.pop(future), future.result)
            self._beat()

    def _take(self, reference: Reference, get: Callable[[], ReadingResult]) -> None:
        self.results.take(reference, get)
        self.at_work.pop(reference, None)

    def _beat(self) -> None:
        """Notify the watcher of the progress."""
        now = time.monotonic()
        work = tuple((reference, now - since) for reference, since in list(self.at_work.items()))
        followed = (0, 0, 0) if self.checker is None else self.checker.tables.counts
        done, count = len(self.results.done), len(self.results.selection)
        is_compiling = self.compilations.value > 0
        self.watcher.beat(Progress(done, count, now - self.began, work, *followed, is_compiling=is_compiling))

    def stop(self) -> Ledger:
        """Return the ledger of the results so far, and add these results to the index of ``--out``."""
        results, store, places = self.results, self.plan.folders.store, list[str]()
        begun = ["/".join(reference) for reference in list(self.at_work) if reference not in results.done]
        results.done = {**self.spare, **results.done}
        decided = results.stop()
        if store.out is not None:
            with contextlib.suppress(OSError, UsageError):  # if this fails, the message does not name ``out``
                update_index(store.out, self.plan.library, results.make_ledger())
                places.append(str(store.out))
        if store.memory is not None:
            places.append(str(store.memory))
        kept = f"results so far are saved in {' and '.join(places)}: run the same command again to continue"
        lost = "nothing is saved" + " without a cache or --out" * (store.out is None)
        saved = kept if places else lost
        message = f"{decided} of {counted(len(results.selection), 'reading')} decided; {saved}"
        if begun:
            message += f"; not finished: {list_briefly(begun)}"
        return results.make_ledger(Fault(FaultKind.STOPPED, "", 1, 1, message))


def _count_in_process(counter: Counter, compilations: Counter) -> None:
    """Prepare a process of the pool to count its compilations, and the replies that it checks."""
    REPLIES.use(counter)
    COMPILATIONS.use(compilations)
