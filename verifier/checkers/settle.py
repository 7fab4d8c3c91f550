"""Decide what replies leave open: a compiled search all of it, the kernel a sample."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, field

from verifier.kernel.bound import Leaf, Sample, describe
from verifier.kernel.certificate import hash_value
from verifier.kernel.errors import CertificateError
from verifier.search.resources import DEFAULT_MEMORY_MIB


@dataclass(slots=True)
class CompiledSearch:
    """A compiled search decides every race, then the kernel those that it draws.

    Attributes:
        sample: what the kernel decides.
        memory_mib: the size of the search's table, in MiB.
        executor: runs the search; None: this process does.
        known: what was decided before, by the hash of the races.
    """

    sample: Sample
    memory_mib: int = DEFAULT_MEMORY_MIB
    executor: Executor | None = None
    known: dict[str, int] = field(default_factory=dict)

    def decide(self, leaves: list[Leaf], frontier: int) -> int:
        """Decide every race.

        Raises:
            CertificateError: ``not-held``; ``too-long``; ``engines-disagree``: only one of the two says that she holds.
        """
        from verifier.search.bounded.work import check_leaves

        key = hash_value([frontier, [describe(leaf) for leaf in leaves]])
        if key in self.known:
            return self.known[key]
        check_leaves(leaves, frontier, self.memory_mib, self.executor)
        try:
            self.known[key] = self.sample.decide(leaves, frontier)
        except CertificateError as error:
            if error.reason != "not-held":
                raise
            raise CertificateError("engines-disagree", f"the compiled search says otherwise: {error}") from None
        return self.known[key]
