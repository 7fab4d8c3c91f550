"""A folder of specs: its claims, and the functions that check them and show the results."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import tempfile
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from verifier.api.folders import make_cache
from verifier.api.selection import require_claim, select_claims
from verifier.audit.fault import Fault, fault_lines, find_faults
from verifier.audit.ledger import Ledger
from verifier.audit.needs import find_long, select_readings
from verifier.audit.outlining import make_outline
from verifier.audit.plan import Context, Folders, Plan
from verifier.audit.progress import Watcher
from verifier.audit.recall import look_at_claims, may_be_rechecked
from verifier.files import NO_FOLDER, probe_folder
from verifier.kernel.errors import CertificateError, UsageError
from verifier.kernel.words import counted
from verifier.language.outline import AnyLibrary, Outline, parse_whole
from verifier.language.problem import Problem, SpecProblemsError, suggest
from verifier.questions.result import Line, ReadingResult
from verifier.report.registry import Report, render_report
from verifier.report.sentence import REACH
from verifier.search.resources import DEFAULT_MEMORY_MIB

if TYPE_CHECKING:
    from verifier.api.board import Board, Boards
    from verifier.api.certificate import Certificate
    from verifier.graph.build import Graph
    from verifier.language.library import Library
    from verifier.language.model import Claim

FilePath = str | os.PathLike[str]
WarningHandler = Callable[[str], None]


class Specs(Mapping[str, "Claim"]):
    """The claims of a folder of specs, by id.

    >>> import verifier
    >>> specs = verifier.load()
    >>> specs["careful-first-is-safe"].title
    'A first player who plays carefully is not beaten, whichever open choice is taken'
    >>> list(specs["careful-first-is-safe"].readings)
    ['as-stated']
    >>> specs["careful"]
    Traceback (most recent call last):
    KeyError: "no claim 'careful' in these specs (see 'verifier list'): did you mean 'careful-first-is-safe'?"
    >>> specs.select("examples")
    ['careful-first-is-safe', 'lowest-spot-keeps-fields']

    Attributes:
        known: the parsed files; or only their outline, if an earlier run has stored the outline.
        folders: the folders of the specs, the evidence and the cache.
        problems: the faults of the files that are left out.
    """

    def __init__(
        self,
        known: AnyLibrary,
        folders: Folders,
        problems: tuple[Problem, ...] = (),
        warn: WarningHandler = warnings.warn,
    ) -> None:
        self.known = known
        self.folders = folders
        self.problems = problems
        self._warn = warn
        self._results: dict[str, ReadingResult] = {}
        self._is_open = False
        self._clean: Callable[[], object] = lambda: None

    @property
    def library(self) -> Library:
        """The parsed files. If only the outline is known so far, the files are read when they are first needed."""
        return parse_whole(self.known)

    @property
    def outline(self) -> Outline:
        """What is known about the claims before any of them is compiled."""
        return self.known if isinstance(self.known, Outline) else make_outline(self.known)

    def __getitem__(self, name: str) -> Claim:
        try:
            require_claim(self.known, name, self.folders.specs)
        except UsageError as error:
            raise KeyError(str(error)) from None
        return self.library.claim(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.known.claims)

    def __len__(self) -> int:
        return len(self.known.claims)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults of the spec files. Each fault lists the specs that were left out because of the faulty file."""
        return find_faults(self.known, self.problems, self.folders.specs)

    def select(
        self, claims: str | Iterable[str] | None = None, reading: str | None = None, *, with_beyond: bool = False
    ) -> list[str]:
        """Return the ids of claims, and of the claims that they join; joined claims come first.

        The auditors can add claims of their own to a document's headline (its main claims). You also get these claims
        if you select a folder that has one of the document's other main claims.

        Args:
            claims: one or several ids, folders in the specs, or spec files. None: every claim.
            reading: keep only the claims with a reading of this id, and the claims that this reading joins.
            with_beyond: for a folder with a main claim of a document, also return the claims that the document's errata
                list under ``beyond``.

        Raises:
            UsageError: a claim, folder, file or reading does not exist.
            SpecError: a name was not found, but may be in files that were left out because of faults. The error lists
                these faults.
        """
        wanted = ["."] if claims is None else [claims] if isinstance(claims, str) else list(claims)
        try:
            found = select_claims(self.known, wanted, self.folders.specs, self._warn, with_beyond=with_beyond)
        except UsageError:
            if self.problems:
                raise SpecProblemsError(self.problems, fault_lines(self.faults)) from None
            raise
        if reading is None or not found:
            return found
        kept = list(dict.fromkeys(claim for claim, _ in select_readings(self.known, found, reading)))
        if not kept:
            hint = suggest(reading, {other for name in found for other in self.known.claim(name).readings})
            raise UsageError(f"no selected claim has a reading {reading!r}{hint}")
        return kept

    def check(
        self,
        claims: str | Iterable[str] | None = None,
        *,
        reading: str | None = None,
        leave_out: bool | None = None,
        anew: bool = False,
        jobs: int = 1,
        watcher: Watcher | None = None,
        executor: str | None = None,
        memory_mib: int = DEFAULT_MEMORY_MIB,
        checkpoints: pathlib.Path | None = None,
    ) -> Ledger:
        """Check claims: have the kernel decide on the stored evidence. If it accepts none, search for evidence.

        Args:
            claims: as for ``select``.
            reading: if given, check only the readings with this id, and the readings that they join.
            leave_out: skip readings that are marked ``long``, unless a document's headline (its main claims) depends on
                them. The remembered results of these readings are still reported. None: skip them if ``claims`` is
                None.
            anew: search for evidence even if there is evidence already.
            jobs: the number of processes. With more than one, a script needs ``if __name__ == "__main__":``.
            watcher: gets the progress of the run.
            executor: where long searches run, as ``dask://HOST:PORT``. None: on this machine.
            memory_mib: the size of the tables of one process of a long search, in MiB.
            checkpoints: a folder in which long searches save finished parts.

        Raises:
            UsageError: as for ``select``; or the executor cannot be used.
            OSError: the folder for results (``out``) cannot be written to.
        """
        from verifier.audit.run import run_plan

        selected = tuple(self.select(claims, reading))
        is_short = claims is None if leave_out is None else leave_out
        self._open()
        plan = Plan(
            self.folders,
            self.known,
            selected,
            reading,
            jobs,
            left_out=find_long(self.known) if is_short else frozenset(),
            is_anew=anew,
            executor=executor,
            memory_mib=memory_mib,
            checkpoints=checkpoints,
            faults=self.faults,
        )
        ledger = run_plan(plan, watcher)
        if (memory := self.folders.store.memory) is not None and any(item.is_run for item in ledger.readings):
            try:
                probe_folder(memory)
            except OSError as error:  # what a run writes to the cache may be lost without an error
                self._warn(f"the cache is full, so results may not be kept: {memory}: {error.strerror or error}")
        self._results |= {result.name: result for result in ledger.readings}
        return ledger

    def look(
        self,
        claims: str | Iterable[str] | None = None,
        *,
        reading: str | None = None,
        compiled: Iterable[str] = (),
        with_beyond: bool = False,
    ) -> Ledger:
        """Return the results of earlier runs. Nothing is searched or decided.

        Args:
            claims: as for ``select``.
            reading: as for ``select``.
            compiled: claims that are compiled now if no earlier run has compiled them. The evidence of a reading is
                found by the hash of its compiled statement.
            with_beyond: as for ``select``.

        Raises:
            UsageError: as for ``select``.
            SpecError: a claim in ``compiled`` does not compile.
        """
        found = look_at_claims(
            self._look_only(), self.select(claims, reading, with_beyond=with_beyond), frozenset(compiled)
        )
        return replace(found, faults=(*self.faults, *found.faults))

    def report(self, ledger: Ledger, command: str = "", jobs: int = 1) -> Report:
        """Return a report, which ``verifier.report.registry.render_report`` writes in any format.

        Args:
            ledger: the results.
            command: the command that makes the report again; the report prints it.
            jobs: the number of processes that make a web page. With more than one, a script needs
                ``if __name__ == "__main__":``.
        """
        folders = self.folders
        return Report(ledger, self.known, folders.specs, folders.store, command, folders.made, jobs)

    def render(self, ledger: Ledger, form: str = "html") -> str:
        """Return a report in one of the formats.

        Args:
            ledger: the results.
            form: ``text``, ``html``, ``json``, ``junit``, ``sarif``, ``github``, ``errata`` or ``errata-latex``.
        """
        return render_report(form, self.report(ledger))

    def witness(self, result: ReadingResult | str) -> Boards | None:
        """Return the play or the position that shows a verdict, as boards; None if there is none.

        >>> import verifier
        >>> specs = verifier.load()
        >>> specs.witness(specs.check("lowest-spot-keeps-fields")["lowest-spot-keeps-fields/as-stated"])
        <Boards: at first; 0.1; 1.0; 0.2; 2.0; 0.0>

        Args:
            result: a result of ``check``, or the name of the reading, ``CLAIM/READING``.

        Raises:
            UsageError: there is no such claim, or the reading has no result yet: check it first.
            KeyError: the claim has no such reading.
        """
        from verifier.api.board import Board, Boards
        from verifier.report.show import game_of, replay_witness

        if isinstance(result, str):
            name = result
            result = self._results.get(name) or self.look(name.partition("/")[0])[name]
            if not result.is_run:
                raise UsageError(f"no result for {name} yet: check it first")
        witness = result.witness
        if witness is None:
            return None
        game, told = game_of(self.known, result), ["at first", *witness.moves]
        boards = [
            Board(game, position, "" if move is None else game.format_move(move), self.library.drawings)
            for position, move, _ in replay_witness(game, witness)
        ]
        more = "" if isinstance(witness, Line) else f" ({REACH[witness.reachable]})"
        return Boards(tuple(zip(told, boards, strict=True)), f"{witness.reason}{more}")

    def certificate(self, wanted: str) -> Certificate:
        """Return the evidence for a reading about plays.

        Name the reading as ``CLAIM/READING``. ``CLAIM`` alone is enough if exactly one of its readings has evidence
        with plays.

        Raises:
            UsageError: there is no such reading, there are several, or the reading has no evidence yet.
            CertificateError: the certificate cannot be read, or is not about the statement of the reading.
            SpecError: the reading does not compile.
        """
        from verifier.api.certificate import find_plays

        require_claim(self.known, wanted.partition("/")[0], self.folders.specs)
        return find_plays(self._look_only(), wanted)

    def evidence(self, claim: str, reading: str) -> Certificate:
        """Return the evidence for a reading of any kind, from the shipped proofs, the folder ``out`` or the cache.

        Raises:
            UsageError: there is no evidence for the reading yet: check the reading first.
            CertificateError: the certificate cannot be read, or is not about the statement of the reading.
            SpecError: the reading does not compile.
        """
        from verifier.api.certificate import find_evidence

        found = find_evidence(self._look_only(), (claim, reading))
        if found is None:
            raise UsageError(f"no evidence for {claim}/{reading} yet: check it first")
        return found

    def has_evidence(self, claim: str, reading: str) -> bool:
        """Say whether there is readable evidence for a reading. Perhaps the kernel has not decided on it yet."""
        from verifier.api.certificate import find_evidence

        with contextlib.suppress(CertificateError):
            return find_evidence(self._look_only(), (claim, reading)) is not None
        return False

    def adopt(self, readings: Iterable[ReadingResult]) -> bool:
        """Remember the results of readings whose certificates ``verifier recheck`` has decided on this machine.

        Return True if at least one result was remembered. Then ``look`` returns it.
        """
        references = [(reading.claim, reading.id) for reading in readings]
        if self.folders.store.memory is None or not references:
            return False
        context = self._look_only()
        wanted = [reference for reference in references if may_be_rechecked(context, reference)]
        if not wanted:
            return False
        from verifier.audit.reading import adopt  # slow to load, and not needed if everything is remembered

        found = [adopt(context, reference) for reference in wanted]  # each is remembered, not only the first
        return any(found)

    def _look_only(self) -> Context:
        return self.folders.open(self.known, keeps=False)

    def graph(self, standings: Mapping[str, str] | None = None) -> Graph:
        """Return the graph of the claims: an edge leads from each claim to each claim that it joins or uses.

        Nodes have ``label``, ``title``, ``document``, ``place``, and ``standing`` if it is known. Edges have
        ``because``: ``joins`` or ``uses``.

        Args:
            standings: the standing of each claim, by id, as in ``Ledger.standings``.

        Returns:
            A ``networkx.DiGraph``.
        """
        from verifier.graph.build import build_claim_graph

        return build_claim_graph(self.library, standings)

    def board(self, rules: str, position: str | None = None) -> Board:
        """Return a position of a game.

        >>> import verifier
        >>> verifier.load().board("tictactoe", "X...O....").turn
        'X'

        Args:
            rules: the id of the rules.
            position: the position, written as in specs. None: the start.

        Raises:
            SpecError: there are no such rules.
            NotationError: the text is not a position of this game.
        """
        from verifier.api.board import Board

        game = self.library.game(rules)
        state = game.start if position is None else game.parse_position(position)
        return Board(game, state, drawings=self.library.drawings)

    def _open(self) -> None:
        """Make the folder for evidence: the cache, or a temporary one that is deleted with this object."""
        if self._is_open:
            return
        cache = self.folders.store.cache
        if cache is not None:
            try:
                make_cache(cache)
            except OSError as error:
                self._warn(f"the cache is not used: {error.filename}: {error.strerror or error}")
                cache = None
        if cache is None:
            folder = tempfile.mkdtemp(prefix="verifier-")
            self._clean = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            store = replace(self.folders.store, cache=pathlib.Path(folder), is_remembering=False)
            self.folders = replace(self.folders, store=store)
        self._is_open = True

    def close(self) -> None:
        """If there is no cache, delete the temporary folder in which this object keeps evidence."""
        self._clean()

    def __repr__(self) -> str:
        folder = self.folders.specs
        return f"<Specs of {counted(len(self), 'claim')} in {'Python' if folder == NO_FOLDER else folder}>"
