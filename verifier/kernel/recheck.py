"""Recheck the certificates of a folder: decide each one, print its result, and count the results.

Trusted for: the printed result of a certificate is the result of its check, and no certificate is skipped.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from verifier.kernel.certificate import (
    BY_INVARIANT,
    Index,
    canonical_bytes,
    files_of,
    find_unnamed,
    hash_value,
    read_certificate,
    read_index,
)
from verifier.kernel.decide import Memo, decide
from verifier.kernel.errors import MAX_MESSAGE, CertificateError
from verifier.kernel.kinds import Description, describe_statement
from verifier.kernel.limits import run_limited
from verifier.kernel.verdict import Result, Verdict
from verifier.kernel.words import PRINTED_DIGITS, counted

MAX_REASON = 200
"""Maximum length of the printed reason why something is refuted."""

UNNAMED = "under no name"
"""Printed instead of the names of a certificate that the index does not name."""

UNREAD = Description("nothing that could be read")
"""The description of a certificate that cannot be read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A certificate of a folder: its key, and its names in the index, if it has any."""

    key: str
    names: tuple[str, ...] = ()


def list_entries(index: Index, unnamed: Iterable[str] = ()) -> list[Entry]:
    """Return the certificates of an index, each once, in the order of the index; then the unnamed certificates."""
    named = dict[str, list[str]]()
    for name, key in index.filed.items():
        named.setdefault(key, []).append(name)
    return [*(Entry(key, tuple(names)) for key, names in named.items()), *map(Entry, unnamed)]


def find_entries(root: pathlib.Path) -> tuple[list[Entry], list[CertificateError]]:
    """Return all certificates in a folder, and errors if its index or its list of certificates cannot be read."""
    index, faults = Index(), list[CertificateError]()
    try:
        index = run_limited(lambda: read_index(root))
    except CertificateError as error:
        faults.append(error)
    try:
        return list_entries(index, find_unnamed(root, index)), faults
    except CertificateError as error:
        return list_entries(index), [*faults, error]


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of rechecking a certificate.

    Attributes:
        key: the key of the certificate. If the certificate could be read, this is the whole key.
        description: the description of its statement.
        outcome: the result of the check, or the error if the certificate is rejected or not decided.
        text: the canonical JSON of the statement, if the caller asked for it.
    """

    key: str
    description: Description
    outcome: Result | CertificateError
    text: str = ""

    @property
    def verdict(self) -> str:
        """The verdict as a word, or ``rejected``, or ``not decided``."""
        if isinstance(self.outcome, Result):
            return str(self.outcome.verdict)
        return "not decided" if self.outcome.is_undecided else "rejected"

    @property
    def is_decided(self) -> bool:
        """True: proved or refuted. False: supported (it needs a solver), rejected or not decided."""
        return self.verdict in ("proved", "refuted")

    @property
    def detail(self) -> str:
        """Why the statement is refuted, why the evidence is not accepted, or what you have to trust; perhaps empty."""
        outcome = self.outcome
        if isinstance(outcome, CertificateError):
            return str(outcome)
        if outcome.verdict is Verdict.REFUTED:
            return outcome.reason if len(outcome.reason) <= MAX_REASON else f"{outcome.reason[:MAX_REASON]}…"
        found = [belief.value for belief in outcome.beliefs]
        if found and "obligations" in outcome.stats:
            counts = "followed refutations of {refuted:,} of {obligations:,} obligations"
            found.insert(0, counts.format_map(outcome.stats))
        return "; ".join(found)


def answer(root: pathlib.Path, key: str, memo: Memo, seconds: float | None = None, *, is_whole: bool = False) -> Answer:
    """Decide a certificate. Errors in it are not raised: the answer contains them.

    Args:
        root: the folder.
        key: the key of the certificate. It may have only the 16 digits of the path; the answer has the whole key.
        memo: earlier results of this run; it is modified.
        seconds: maximum processor time for reading, describing and deciding; None: no limit.
        is_whole: include the canonical JSON of the statement in the answer.
    """
    description, text = UNREAD, ""

    def work() -> Result:
        nonlocal key, description, text
        certificate = read_certificate(root, key)
        key = hash_value(certificate.statement) + BY_INVARIANT * key.endswith(BY_INVARIANT)
        description = describe_statement(certificate.statement)
        text = canonical_bytes(certificate.statement).decode() if is_whole else ""
        return decide(certificate.statement, certificate.verdict, certificate.evidence, files_of(root), memo=memo)

    try:
        result = run_limited(work, seconds)
        outcome: Result | CertificateError = replace(result, reason=result.reason[:MAX_MESSAGE])
    except CertificateError as error:
        error.__traceback__ = error.__context__ = error.__cause__ = None  # they keep alive all that the kernel held
        outcome = error
    return Answer(key, description, outcome, text)


def lines_of(entry: Entry, found: Answer) -> Iterator[str]:
    """Yield the lines to print: verdict, hash and detail; the statement in words; the names; its data or its JSON."""
    detail, said = f"  ({plain(found.detail)})" if found.detail else "", found.description
    digits, form = found.key.removesuffix(BY_INVARIANT), BY_INVARIANT * found.key.endswith(BY_INVARIANT)
    yield f"{found.verdict}  {digits[:PRINTED_DIGITS]}{form}{detail}"
    yield f"    {plain(said.words)}{', under ' if said.rules else ''}{plain(said.rules)}"
    yield "    filed " + ("as " + ", ".join(f'"{plain(name)}"' for name in entry.names) if entry.names else UNNAMED)
    yield from filter(str.strip, [f"    {found.text or plain(said.data)}"])


def plain(text: str) -> str:
    """Return text from a file as ASCII (and "…"). Single spaces are the only white space in it.

    If a terminal wraps a line, other white space could make a part of the line look like a line of its own.
    """
    shown = re.sub("[^ -~…]", lambda found: found[0].encode("unicode_escape").decode(), text)
    return re.sub("(?<= ) ", r"\\x20", shown)


def recheck(
    entries: Sequence[Entry],
    decide_entry: Callable[[Entry], Answer],
    show: Callable[[Entry, Answer], Iterable[str]],
    wait: Callable[[str], AbstractContextManager[None]],
) -> tuple[str, int]:
    """Decide certificates one after the other, and print the result of each.

    Args:
        entries: the certificates.
        decide_entry: returns the answer to an entry, from ``answer`` in this process or in another process.
        show: returns the printed lines of an answer.
        wait: takes a text that names an entry; returns a context manager that stays open until the entry is decided.

    Returns:
        A line of counts, and the exit code: 4 if a certificate is rejected, else 1 if one is not decided, else 0.
    """
    rejected = undecided = 0
    for number, entry in enumerate(entries, 1):
        with wait(f"{number} of {len(entries)}  {(*entry.names, entry.key)[0]}"):
            found = decide_entry(entry)
        rejected += found.verdict == "rejected"
        undecided += not found.is_decided and found.verdict != "rejected"
        print("\n".join(show(entry, found)), flush=True)
    count = f"{counted(len(entries), 'certificate')}, {rejected} rejected, {undecided} not decided"
    return count, 4 if rejected else 1 if undecided else 0
