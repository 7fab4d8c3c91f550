"""Recheck the certificates of a folder: decide each one, print its result, and count the results.

This module is trusted to print the result of each check unchanged, and to skip no certificate.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

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
from verifier.kernel.limits import run_limited
from verifier.kernel.verdict import Result, Verdict
from verifier.kernel.words import PRINTED_DIGITS, counted

MAX_REASON = 200
"""Maximum length of the printed reason why a statement is refuted."""

UNNAMED = "under no name"
"""Printed instead of the names of a certificate that the index does not name."""


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


class Description(NamedTuple):
    """The texts to print about a statement."""

    words: str  # a sentence without formulas and positions; only the kind if the statement is malformed
    data: str = ""  # formulas, positions and rules, or the canonical JSON of the statement; can be empty
    rules: str = ""  # the hash and the family of the rules; can be empty


UNREAD = Description("nothing that could be read")
"""The description of a certificate that cannot be read."""


def name_statement(statement: dict[str, Any], *, is_whole: bool = False) -> Description:
    """Return the kind of a statement and, if ``is_whole``, its canonical JSON."""
    text = canonical_bytes(statement).decode() if is_whole else ""
    return Description(f"a statement of kind {str(statement.get('kind'))[:20]!a}", text)


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of rechecking a certificate."""

    key: str  # the whole key, if the certificate could be read
    description: Description
    outcome: Result | CertificateError  # an error if the certificate is rejected or not decided

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
            counts = "the kernel followed a refutation for {refuted:,} of {obligations:,} obligations"
            found.insert(0, counts.format_map(outcome.stats))
        return "; ".join(found)


def answer(
    root: pathlib.Path,
    key: str,
    memo: Memo,
    seconds: float | None = None,
    describe: Callable[[dict[str, Any]], Description] = name_statement,
) -> Answer:
    """Decide a certificate of a folder. A ``CertificateError`` is not raised: the answer contains it.

    ``key`` can be shortened to its first 16 digits, as in the name of the certificate's file. The answer then has the
    whole key, if the file could be read. The call uses and modifies the memo of earlier results. ``seconds`` is the
    maximum processor time for reading, describing and deciding; None for no limit.
    """
    description = UNREAD

    def work() -> Result:
        nonlocal key, description
        certificate = read_certificate(root, key)
        key = hash_value(certificate.statement) + BY_INVARIANT * key.endswith(BY_INVARIANT)
        description = describe(certificate.statement)
        return decide(certificate.statement, certificate.verdict, certificate.evidence, files_of(root), memo=memo)

    try:
        result = run_limited(work, seconds)
        outcome: Result | CertificateError = replace(result, reason=result.reason[:MAX_MESSAGE])
    except CertificateError as error:
        error.__traceback__ = error.__context__ = error.__cause__ = None  # so that no traceback keeps data in memory
        outcome = error
    return Answer(key, description, outcome)


def lines_of(entry: Entry, found: Answer) -> Iterator[str]:
    """Yield the lines to print: verdict, hash and detail; the statement in words; the names; the statement's data."""
    detail, said = f"  ({plain(found.detail)})" if found.detail else "", found.description
    digits, form = found.key.removesuffix(BY_INVARIANT), BY_INVARIANT * found.key.endswith(BY_INVARIANT)
    yield f"{found.verdict}  {digits[:PRINTED_DIGITS]}{form}{detail}"
    yield f"    {plain(said.words)}{', under ' if said.rules else ''}{plain(said.rules)}"
    yield "    filed " + ("as " + ", ".join(f'"{plain(name)}"' for name in entry.names) if entry.names else UNNAMED)
    yield from filter(str.strip, [f"    {plain(said.data)}"])


def plain(text: str) -> str:
    """Escape a text, so that it has only ASCII characters and "…", and no white space except single spaces.

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
    """Decide certificates one after the other, and print the lines that ``show`` returns for each.

    ``wait`` takes a text that names a certificate, and returns a context manager in which the certificate is decided.
    Return a line of counts, and the exit code: 4 if any is rejected; else 1 if any is supported or not decided; else 0.
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
