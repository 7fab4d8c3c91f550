"""Where the results and the evidence of readings are looked up and kept, and what their searches may use."""

from __future__ import annotations

from dataclasses import dataclass, field

from verifier.audit.memory import Memory
from verifier.audit.sources import Sources
from verifier.audit.store import Store, Stores
from verifier.coq import Places
from verifier.kernel.store import Index
from verifier.language.library import Library
from verifier.search.resources import Resources


@dataclass(frozen=True, slots=True)
class Context:
    """What the readings of a run have in common, and no reading changes.

    Attributes:
        library: the specs.
        sources: what each reading is compiled from.
        stores: where evidence is looked for, in this order.
        indexes: what the stores file under the names of readings.
        out, cache: where evidence is kept that the kernel has accepted.
        memory: what compile and decide have returned before.
        coq: where the Coq proofs of the shipped evidence are built; None: nowhere.
        resources: what searches may use.
    """

    library: Library
    sources: Sources
    stores: Stores
    indexes: tuple[Index, ...]
    out: Store | None
    cache: Store | None
    memory: Memory
    coq: Places | None
    resources: Resources = field(default_factory=Resources)
