"""``python3 -S -m verifier.kernel FOLDER``: decide on all certificates of a folder, and print what came of each.

Trusted for: that what is printed of a certificate is what was decided. Nothing but the standard library is loaded
beside the kernel. It prints the verdict with its reason, or why there is none; the statement's hash; what it states in
words; and the names that the index files it under, in quotation marks, since a file may call it anything. Certificates
that the index does not name are decided as well, and say so.

Exit codes: 0: each certificate shows its verdict. 1: something is not decided: a limit was reached, a file (perhaps the
index) cannot be read, its format has another version, or a solver is believed. 2: no such folder, or no certificate in
it. 4: a certificate is rejected, or the index is.
"""

from __future__ import annotations

import argparse
import functools
import gc
import io
import os
import pathlib
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

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
from verifier.kernel.kinds import describe_statement
from verifier.kernel.limits import run_limited
from verifier.kernel.verdict import Result, Verdict
from verifier.kernel.words import PRINTED_DIGITS, counted

SHOWN_REASON = 200
"""How much is printed of why something is refuted."""

UNNAMED = "under no name"
"""Said of a certificate that the index does not name."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a certificate, by its key: lines that say what it states, and what it shows, or why not."""

    key: str
    told: tuple[str, ...]
    outcome: Result | CertificateError

    @property
    def verdict(self) -> str:
        """The verdict in a word; or ``rejected``, or ``not decided``."""
        if isinstance(self.outcome, Result):
            return str(self.outcome.verdict)
        return "not decided" if self.outcome.is_undecided else "rejected"

    @property
    def is_decided(self) -> bool:
        """Whether the evidence shows the verdict, and no solver is believed."""
        return self.verdict in ("proved", "refuted")

    @property
    def detail(self) -> str:
        """Why it came out so, or what the rest stands by where a part was decided; empty: nothing is to be added."""
        outcome = self.outcome
        if isinstance(outcome, CertificateError):
            return str(outcome)
        if outcome.verdict is Verdict.REFUTED:
            return outcome.reason if len(outcome.reason) <= SHOWN_REASON else f"{outcome.reason[:SHOWN_REASON]}…"
        found = [belief.value for belief in outcome.beliefs]
        if found and "obligations" in outcome.stats:
            counts = "followed refutations of {refuted:,} of {obligations:,} obligations"
            found.insert(0, counts.format_map(outcome.stats))
        return "; ".join(found)


Describe = Callable[[dict[str, Any]], Sequence[str]]
"""Says in lines what a statement states."""


def describe(statement: dict[str, Any], *, is_whole: bool = False) -> list[str]:
    """Return what a statement states, in a line; and, if it is asked for, its canonical JSON, whose hash is printed."""
    return [describe_statement(statement), *([canonical_bytes(statement).decode()] if is_whole else [])]


def answer(root: pathlib.Path, key: str, memo: Memo, seconds: float | None = None, say: Describe = describe) -> Answer:
    """Decide on a certificate, for so many seconds of processor time; whatever is wrong with it is its answer.

    The answer has the whole key, also where only the digits of the path are known.
    """
    told: tuple[str, ...] = ()

    def work() -> Result:
        nonlocal told, key
        certificate = read_certificate(root, key)
        key = hash_value(certificate.statement) + BY_INVARIANT * key.endswith(BY_INVARIANT)
        told = tuple(say(certificate.statement))
        return decide(certificate.statement, certificate.verdict, certificate.evidence, files_of(root), memo=memo)

    try:
        result = run_limited(work, seconds)
        outcome: Result | CertificateError = replace(result, reason=result.reason[:MAX_MESSAGE])
    except CertificateError as error:
        error.__traceback__ = error.__context__ = error.__cause__ = None  # they keep all that the kernel held
        outcome = error
    return Answer(key, told, outcome)


def lines_of(found: Answer, names: Sequence[str]) -> Iterator[str]:
    """Yield what is printed of a certificate, given the names that it is filed under."""
    detail = f"  ({plain(found.detail)})" if found.detail else ""
    digits, form = found.key.removesuffix(BY_INVARIANT), BY_INVARIANT * found.key.endswith(BY_INVARIANT)
    yield f"{found.verdict}  {digits[:PRINTED_DIGITS]}{form}{detail}"
    yield f"    {plain(found.told[0] if found.told else 'nothing that could be read')}"
    yield "    filed " + ("as " + ", ".join(f'"{plain(name)}"' for name in names) if names else UNNAMED)
    yield from (f"    {line}" for line in found.told[1:])


def plain(text: str) -> str:
    """Return what comes from a file in ASCII, with spaces alone: with more, where it wraps, it looks like lines."""
    shown = re.sub("[^ -~…]", lambda found: found[0].encode("unicode_escape").decode(), text)
    return re.sub("(?<= ) ", r"\\x20", shown)


def main(arguments: Sequence[str] | None = None) -> int:
    """Decide on the certificates of the folder that arguments name, print what came of them, return the exit code."""
    parser = argparse.ArgumentParser("python3 -S -m verifier.kernel", description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=pathlib.Path, help="the folder with INDEX.json, evidence/ and tables/")
    parser.add_argument(
        "--limit", type=float, metavar="SECONDS", help="processor time for each certificate (default: no limit)"
    )
    parser.add_argument("--say", action="store_true", help="print the canonical JSON of each statement")
    asked = parser.parse_args(arguments)
    if asked.limit is not None and not 0 < asked.limit < 1e9:
        parser.error("--limit needs a number of seconds above 0")
    named, faults = find_certificates(asked.folder)
    for error in faults:
        print(plain(str(error)), file=sys.stderr)
    memo, rejected, undecided, say = Memo(), 0, 0, functools.partial(describe, is_whole=asked.say)
    for number, (key, names) in enumerate(named.items(), 1):
        if sys.stderr.isatty():
            shown = plain((names or [key])[0])
            print(f"\r{number} of {len(named)}  {shown[:60]:60}\r", end="", file=sys.stderr, flush=True)
        found = answer(asked.folder, key, memo, asked.limit, say)
        rejected += found.verdict == "rejected"
        undecided += not found.is_decided and found.verdict != "rejected"
        print("\n".join(lines_of(found, names)), flush=True)
    print(f"{counted(len(named), 'certificate')}, {rejected} rejected, {undecided} not decided")
    if not all(error.is_undecided for error in faults):
        return 4
    return 2 if not named else 4 if rejected else 1 if undecided or faults else 0


def find_certificates(root: pathlib.Path) -> tuple[dict[str, list[str]], list[CertificateError]]:
    """Return the keys of all certificates in a folder, with their names, and why the index, or some, cannot be read."""
    index, named, faults = Index(), dict[str, list[str]](), list[CertificateError]()
    try:
        index = run_limited(lambda: read_index(root))
    except CertificateError as error:
        faults.append(error)
    for name, key in index.filed.items():
        named.setdefault(key, []).append(name)
    try:
        named |= {key: [] for key in find_unnamed(root, index)}
    except CertificateError as error:
        faults.append(error)
    return named, faults


if __name__ == "__main__":
    gc.set_threshold(200_000, 100, 100)  # positions and formulas have no cycles, and there are many
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # what is cut ends in a sign that not every terminal has
    try:
        sys.exit(main())
    except BrokenPipeError:  # nobody reads what is left: the code is a shell's
        os._exit(141)
