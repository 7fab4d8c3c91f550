"""The results of a run so far, the problems of readings that have no result, and the ledger made from both.

If a reading does not compile, or its process dies, only this reading loses its result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from verifier.audit.fault import Fault, FaultKind, LostItem, find_rejected, make_fault
from verifier.audit.keys import Reference
from verifier.audit.ledger import ClaimResult, Ledger
from verifier.audit.needs import order_claims, select_readings
from verifier.audit.plan import Plan
from verifier.audit.progress import Watcher
from verifier.audit.standing import conclude
from verifier.coq import Theorem, read_theorems
from verifier.kernel.errors import SpecError
from verifier.language.outline import joined_claims, parse_whole
from verifier.language.problem import Problem, SpecProblemsError
from verifier.pool import DeadWorkerError
from verifier.questions.result import DecisionStatus, ReadingResult, pending_result


@dataclass(slots=True)
class Results:
    """The results of a run so far.

    Attributes:
        watcher: is notified when a claim has its result.
        selection: the readings of the plan and the readings that they join, in the order of the report.
        order: the claims, each after the claims that it joins or uses.
        done: the results of readings.
        concluded: the results of claims. A claim is added when its readings and the claims that it joins have results.
        lost: the problems, each with the readings that have no result because of it.
    """

    plan: Plan
    watcher: Watcher
    selection: tuple[Reference, ...] = field(init=False)
    order: list[str] = field(init=False)
    theorems: dict[str, Theorem] = field(init=False)
    done: dict[Reference, ReadingResult] = field(default_factory=dict)
    concluded: dict[str, ClaimResult] = field(default_factory=dict)
    lost: dict[tuple[FaultKind, Problem], set[LostItem]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Select the readings, order the claims and read the theorems, once."""
        self.selection = tuple(select_readings(self.plan.library, self.plan.claims, self.plan.reading))
        self.order = order_claims(self.plan.library, [*self.plan.claims])
        self.theorems = read_theorems(self.plan.folders.store.shipped)

    def take(self, reference: Reference, get: Callable[[], ReadingResult]) -> None:
        """Record the result of a reading, or the error that ended its check."""
        place, key = parse_whole(self.plan.library).claims[reference[0]].document, ("readings", reference[1])
        try:
            result = get()
        except SpecProblemsError as error:
            result = self._lose(reference, FaultKind.SPEC, *error.problems)
        except SpecError as error:  # a spec that compiles may still say something that the kernel refuses
            result = self._lose(reference, FaultKind.SPEC, place.problem(key, str(error)))
        except DeadWorkerError as error:
            result = self._lose(reference, FaultKind.ENDED, place.key_problem(key, str(error)))
        except OSError:
            raise
        except Exception as error:  # noqa: BLE001 - after an internal error only this reading is lost
            problem = place.key_problem(key, f"{type(error).__name__}: {error}")
            result = self._lose(reference, FaultKind.INTERNAL, problem)
        self.done[reference] = result
        self.conclude()

    def _lose(self, reference: Reference, kind: FaultKind, *problems: Problem) -> ReadingResult:
        """Record the problems that ended the check of a reading. Return a result that names the first problem."""
        for problem in problems:
            self.lost.setdefault((kind, problem), set()).add(LostItem("reading", "/".join(reference)))
        reason = str(make_fault(problems[0], self.plan.folders.specs, kind=kind))
        return self._pending(reference, reason, DecisionStatus.LOST)

    def _pending(self, reference: Reference, reason: str, decided: DecisionStatus) -> ReadingResult:
        pending = pending_result(self.plan.library.claim(reference[0]), reference[1])
        return replace(pending, reason=reason, decided=decided)

    def conclude(self) -> None:
        """Derive the standing of each claim that is ready: its readings and the claims that it joins have results."""
        own: dict[str, list[Reference]] = {}
        for reference in self.selection:
            own.setdefault(reference[0], []).append(reference)
        for claim in self.order:
            if claim in self.concluded or any(item not in self.done for item in own.get(claim, ())):
                continue
            model = self.plan.library.claim(claim)
            if any(other in own and other not in self.concluded for other in joined_claims(model)):
                continue
            readings = [self.done[item] for item in own.get(claim, ())]
            self.concluded[claim] = conclude(model, readings, self.concluded, self.plan.library, self.theorems)
            self.watcher.claim_done(self.concluded[claim])

    def stop(self) -> int:
        """Mark every reading without a result as not run. Return the number of readings that were decided."""
        self.watcher = Watcher()
        decided = sum(self.done[item].is_run for item in self.selection if item in self.done)
        for item in self.selection:
            self.done.setdefault(
                item, self._pending(item, "the run was stopped before this check", DecisionStatus.NOT_RUN)
            )
        self.conclude()
        return decided

    def make_ledger(self, *more: Fault) -> Ledger:
        """Return the ledger of the claims, with all faults of the run, and the faults in ``more``."""
        folder = self.plan.folders.specs
        merged: dict[object, tuple[FaultKind, Problem, set[LostItem]]] = {}
        for (kind, problem), lost in sorted(self.lost.items(), key=lambda item: item[0]):
            merged.setdefault((kind, problem.place), (kind, problem, set()))[2].update(lost)
        found = [make_fault(problem, folder, lost, kind) for kind, problem, lost in merged.values()]
        ledger = Ledger(tuple(self.concluded[claim] for claim in self.plan.claims))
        every = (*self.plan.faults, *found, *find_rejected(ledger.readings), *more)
        faults = sorted(every, key=lambda fault: (fault.file, fault.line))
        return replace(ledger, faults=tuple(_add_joining(fault, ledger.readings) for fault in faults))


def _add_joining(fault: Fault, readings: tuple[ReadingResult, ...]) -> Fault:
    """Return a fault that also lists the lost readings that join one of its readings, directly or through others."""
    known, lost = {item.name for item in fault.lost}, [*fault.lost]
    while more := [item for item in readings if item.is_lost and item.name not in known and known & {*item.joins}]:
        known |= {item.name for item in more}
        lost += [LostItem("reading", item.name) for item in more]
    return replace(fault, lost=tuple(sorted(lost)))
