"""What came out: the judgement on a reading, its witness, and the ledger of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from verifier.api import notebook
from verifier.api.board import Board
from verifier.audit.ledger import ClaimResult, Standing
from verifier.audit.ledger import Ledger as LedgerValue
from verifier.kernel.verdict import Belief, Verdict
from verifier.kernel.words import counted
from verifier.methods.result import ReadingResult
from verifier.methods.witness import Counterexample
from verifier.report.compare import change_lines, compare_with_baseline
from verifier.report.registry import Report, render
from verifier.report.sentence import reading_sentence
from verifier.report.text import claim_lines, game_of, list_faults, show_claim, start_line, summary_lines
from verifier.report.trust import trust_of

if TYPE_CHECKING:
    from verifier.api.certificate import Certificate
    from verifier.api.specs import Specs


@dataclass(frozen=True, slots=True)
class Witness:
    """A play, or a position from which a step fails, that the kernel has followed. A notebook draws its boards.

    Attributes:
        boards: every position, the first before any move.
        reason: what it shows.
        reachable: of a position from which a step fails: whether legal play reaches it; None where that is open, and
            of a play.
    """

    boards: tuple[Board, ...]
    reason: str
    reachable: bool | None = None

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves."""
        return tuple(board.last for board in self.boards[1:])

    def __str__(self) -> str:
        return f"{self.reason}: {' '.join(self.moves)}\n{self.boards[-1]}"

    def _repr_html_(self) -> str:
        return notebook.write_boards([(board.last, board.svg()) for board in self.boards], self.reason)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was decided on a reading: a verdict, what it rests on, and the evidence for it.

    >>> import verifier
    >>> judgement = verifier.load()["lowest-spot-keeps-fields"].readings["as-stated"].check()
    >>> judgement
    <Judgement lowest-spot-keeps-fields/as-stated: refuted>
    >>> judgement.verdict is verifier.Verdict.REFUTED, judgement.is_expected
    (True, True)
    >>> judgement.witness.moves
    ('0.1', '1.0', '0.2', '2.0', '0.0')
    >>> judgement.certificate.decide().verdict
    <Verdict.REFUTED: 0>

    Attributes:
        found: everything that the ledger keeps of it.
        specs: where the claim is from.
    """

    found: ReadingResult
    specs: Specs = field(repr=False)

    @property
    def name(self) -> str:
        """The reading, as ``CLAIM/READING``."""
        return self.found.name

    @property
    def verdict(self) -> Verdict:
        """Proved, supported, unknown or refuted; unknown also where nothing was decided."""
        return self.found.verdict

    @property
    def beliefs(self) -> frozenset[Belief]:
        """What is believed besides the kernel: something where the verdict is supported, nothing elsewhere."""
        return self.found.beliefs

    @property
    def expected(self) -> Verdict:
        """What the spec expects of such a run."""
        return self.found.expected

    @property
    def is_expected(self) -> bool:
        """Whether the verdict meets what the spec expects; true as well where nothing was decided."""
        return self.found.is_expected

    @property
    def is_run(self) -> bool:
        """Whether something was decided, now or in an earlier run on the same text and evidence."""
        return self.found.is_run

    @property
    def reason(self) -> str:
        """Why it is not proved, in a sentence."""
        return self.found.trouble or self.found.reason

    @property
    def trust(self) -> str:
        """What the kernel did for the verdict, and what has to be believed besides, in a sentence."""
        return trust_of(self.found)

    @property
    def stats(self) -> dict[str, int]:
        """What was counted."""
        return dict(self.found.stats)

    @property
    def witness(self) -> Witness | None:
        """The play or the position that shows the verdict; None where nothing shows it by itself."""
        found = self.found.witness
        if found is None:
            return None
        start, reachable = (
            (found.position, found.reachable) if isinstance(found, Counterexample) else (found.start, None)
        )
        game = game_of(self.specs.library, self.found)
        boards = [Board(game, game.parse_position(start))]
        for move in found.moves:
            boards.append(boards[-1].play(move))
        return Witness(tuple(boards), found.reason, reachable)

    @property
    def certificate(self) -> Certificate:
        """Its evidence.

        Raises:
            UsageError: there is none: a conjunction has none of its own.
        """
        return self.specs[self.found.claim].readings[self.found.id].certificate

    def __str__(self) -> str:
        return f"{self.name}: {reading_sentence(self.found)}"

    def __repr__(self) -> str:
        return f"<Judgement {self.name}: {self.verdict if self.is_run else self.found.decided}>"

    def _repr_html_(self) -> str:
        witness = self.witness
        return notebook.write_paragraph(str(self)) + ("" if witness is None else witness._repr_html_())


class Ledger(Mapping[str, Judgement]):
    """How every claim of a run came out: judgements by ``CLAIM/READING``, in the order of reports.

    >>> import verifier
    >>> ledger = verifier.load(cache=False).check("examples")
    >>> print(ledger)
    careful-first-is-safe ............. proved as stated  (as-stated proved)
    lowest-spot-keeps-fields .......... refuted  (as-stated refuted)
    2 claims: 1 proved as stated, 1 refuted
    2 readings: every verdict as expected; 2 decided now
    >>> ledger["careful-first-is-safe/as-stated"].verdict
    <Verdict.PROVED: 3>
    >>> ledger.exit_code
    0

    Attributes:
        specs: the specs.
        value: the ledger as formats print it; ``value.faults`` says what was lost, and why.
    """

    def __init__(self, specs: Specs, value: LedgerValue) -> None:
        self.specs = specs
        self.value = value
        self._readings = {found.name: found for found in value.readings}

    def __getitem__(self, name: str) -> Judgement:
        return Judgement(self._readings[name], self.specs)

    def __iter__(self) -> Iterator[str]:
        return iter(self._readings)

    def __len__(self) -> int:
        return len(self._readings)

    @property
    def claims(self) -> tuple[ClaimResult, ...]:
        """The claims, each with all that is known of it."""
        return self.value.claims

    @property
    def standings(self) -> dict[str, Standing]:
        """How each claim stands, by id."""
        return {claim.id: claim.standing for claim in self.claims}

    @property
    def exit_code(self) -> int:
        """What ``verifier check`` ends with: 0 where every verdict is as expected."""
        return self.value.exit_code

    def show(self, claim: str, *, colour: bool = False) -> str:
        """Return everything about a claim as text, with boards.

        Args:
            claim: its id.
            colour: whether verdicts and boards have the colours of a terminal.
        """
        found = {result.id: result for result in self.claims}
        return show_claim(found[claim], self.specs.library, colour=colour)

    def report(self, command: str = "") -> Report:
        """Return what the formats of reports are made from.

        Args:
            command: the command line that makes the report again, which is printed in it.
        """
        folders = self.specs.folders
        return Report(self.value, self.specs.library, folders.specs, folders.stores, command)

    def compare(self, before: LedgerValue) -> tuple[list[str], int]:
        """Return what changed since an older ledger, as ``verifier check --baseline`` tells it.

        Args:
            before: the older one; what this run left out is not compared.

        Returns:
            Lines of text; and 1 where something changed, otherwise 0.
        """
        library = self.specs.library
        known = {name: frozenset(library.claim(name).readings) for name in library.claims}
        changes, left = compare_with_baseline(before, self.value, known)
        return list(change_lines(changes, left)), int(bool(changes))

    def render(self, form: str = "html") -> str:
        """Return a report: a file for people or programs.

        Args:
            form: ``html``, ``json``, ``junit``, ``sarif``, ``github``, ``errata`` or ``errata-latex``.
        """
        return render(form, self.report())

    def __str__(self) -> str:
        lines = [start_line(result.id) + claim_lines(result, colour=False) for result in self.claims]
        return "\n".join([*lines, *list_faults(self.value, colour=False), *summary_lines(self.value)])

    def __repr__(self) -> str:
        return f"<Ledger of {counted(len(self.claims), 'claim')}, {counted(len(self), 'reading')}>"

    def _repr_html_(self) -> str:
        return notebook.write_ledger(self.value)
