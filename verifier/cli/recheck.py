"""The command ``recheck``: check certificates with the kernel alone."""

from __future__ import annotations

import argparse
import contextlib
import functools
import pathlib
import re
import sys
from collections.abc import Iterator, Sequence

from verifier.api.folders import find_cache, find_certificates
from verifier.audit.keys import RECHECK
from verifier.audit.progress import beating
from verifier.audit.store import Store, result_to_json
from verifier.cli.options import add_cache, add_color, add_folder, add_jobs, command, positive, say_which
from verifier.cli.progress import is_terminal, layout_for, terminal_width
from verifier.counting import Counter, make_counter
from verifier.kernel.certificate import BY_INVARIANT, evidence_path, find_unnamed, hash_bytes, read_bytes, read_index
from verifier.kernel.errors import CertificateError, UsageError
from verifier.kernel.limits import run_limited
from verifier.kernel.recheck import UNNAMED, UNREAD, Answer, Entry, lines_of, plain, recheck
from verifier.kernel.verdict import Result
from verifier.kernel.words import counted
from verifier.recheck import decide_all, plan
from verifier.report.layout import SHORT_DIGITS, Layout
from verifier.report.printable import make_printable

PLAIN_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?", re.ASCII)
"""Matches names that nobody can mistake for a verdict or a statement. They are printed without quotation marks."""


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Check certificates again from their files, with the kernel alone. No spec is read and no solver is loaded:
        'python -S -m verifier recheck' needs only Python's standard library. For each certificate the command prints
        the verdict, the name of the claim, the first digits of the statement's hash, and the statement in a few words.
        If two people have the same hash, they have checked the same statement. With -v the command also prints the
        whole hash, formulas, positions and rules, and what you have to trust. For a refuted statement, -v also prints
        the reason, which may be merely that a strategy has no move. The names come from INDEX.json in the folder of
        proofs, and prove nothing: only 'verifier check' reads the specs, and can say that a claim is proved.

        If you give an unknown name, nothing is checked. There is no time limit by default, and some claims with
        'bound' take minutes. With --limit, a certificate that takes longer is not decided, and the exit code is 1.
        The exit code is also 1 if you have to trust a solver. What the kernel has decided is remembered in the cache,
        so 'verifier show' knows these verdicts too.
        """,
        {
            "verifier recheck": "every certificate; claims with 'bound' take minutes",
            "verifier recheck --limit 30": "give up on each certificate after 30 seconds",
            "verifier recheck lemma-2 lemma-3/as-stated": "the certificates of one claim, and of one reading",
            "verifier recheck --proofs out": "what 'verifier check --out out' has written",
        },
        codes={
            0: "everything is decided, and each certificate proves the verdict that it names",
            1: "some certificate is not decided: it relies on a solver's answers, exceeds a limit, has a file that "
            "cannot be read, or is in another version of the file format",
            2: "bad file or usage, or an unknown name; one line on standard error says what and where",
            4: "a certificate was rejected",
        },
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="a claim, CLAIM/READING, or the hash of a statement (default: all)"
    )
    add_folder(parser, "proofs")
    add_cache(parser, "This command only writes to the cache; 'verifier show' reads what it has written.")
    add_jobs(parser)
    parser.add_argument(
        "--limit", type=positive, metavar="SECONDS", help="processor time for each certificate (default: no limit)"
    )
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("-v", "--verbose", action="store_true", help="print the whole hash, formulas and rules as well")
    amount.add_argument("--say", action="store_true", help="the same as -v, and print the JSON of each statement")
    add_color(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run ``recheck``."""
    root = find_certificates(arguments.proofs)
    say_which("proofs", arguments.proofs, root)
    index = run_limited(lambda: read_index(root))
    entries = run_limited(lambda: plan(index, frozenset(arguments.names), find_unnamed(root, index)))
    if not entries:
        raise UsageError("no certificate selected: name a claim, CLAIM/READING or the hash of a statement")
    layout, counter, rules = layout_for(arguments), make_counter(), set[str]()
    is_brief = not arguments.verbose and not arguments.say
    columns = layout.columns(_name(entry, arguments.names) for entry in entries)
    answers = decide_all(root, entries, arguments.jobs, arguments.limit, is_whole=arguments.say, counter=counter)

    def show(entry: Entry, answer: Answer) -> Iterator[str]:
        rules.add(answer.description.rules)
        if is_brief:
            return _describe_briefly(entry, answer, _name(entry, arguments.names), columns, layout)
        return _describe_fully(entry, answer, layout)

    store = Store(cache=arguments.cache or find_cache(), is_remembering=not arguments.no_cache)
    before = {entry: _hash_file(root, entry) for entry in entries}

    def show_and_remember(entry: Entry, answer: Answer) -> Iterator[str]:
        yield from show(entry, answer)
        sha256 = before[entry]
        # If the file has changed in the meantime, nobody knows which bytes the kernel has read.
        if isinstance(answer.outcome, Result) and sha256 and sha256 == _hash_file(root, entry):
            store.remember(RECHECK, sha256, result_to_json(answer.outcome))

    count, code = recheck(entries, lambda _: next(answers), show_and_remember, lambda text: _showing(text, counter))
    if is_brief and rules != {""}:
        what = "All readable certificates use" if "" in rules else "All certificates use"
        under = f"{len(rules - {''})} sets of rules" if len(rules - {""}) > 1 else max(rules)
        closing = f"{what} {under}; -v prints whole hashes, formulas, positions and rules"
        print("\n".join(["", *layout.wrap(closing, "", "    ")]))
    print(count)
    return code


def _hash_file(root: pathlib.Path, entry: Entry) -> str:
    """Return the hash of a certificate's bytes; empty if the file cannot be read."""
    with contextlib.suppress(CertificateError):
        return hash_bytes(read_bytes(root, evidence_path(entry.key)))
    return ""


def _describe_briefly(
    entry: Entry, answer: Answer, name: str, columns: tuple[int, int], layout: Layout
) -> Iterator[str]:
    """Yield a line with verdict, name and statement. A long statement is below the line.

    If the certificate is not decided or is rejected, also yield the reason.
    """
    told, row = answer.description.words, functools.partial(layout.row, answer.verdict, name, columns=columns)
    is_read = answer.description is not UNREAD
    digits = answer.key[:SHORT_DIGITS] if is_read else ""
    whole = "  ".join(filter(None, [digits, told]))
    if whole in row(whole):
        yield row(whole)
    else:
        yield row(digits)
        yield from layout.wrap(told, "    ")
    path = evidence_path(entry.key)
    where = f"{path}: " if answer.verdict == "rejected" and path not in answer.detail else ""
    yield from [] if answer.is_decided else layout.wrap(where + plain(answer.detail), "    ")


def _describe_fully(entry: Entry, answer: Answer, layout: Layout) -> Iterator[str]:
    """Yield the lines that the kernel's own command prints about a certificate, and the hash of its statement.

    The verdict is in colour. If the certificate is rejected and has a name, also yield a command to look closer.
    """
    first, *others = lines_of(entry, answer)
    yield layout.paint(answer.verdict, answer.verdict) + make_printable(first.removeprefix(answer.verdict))
    if answer.description is not UNREAD:
        yield f"    hash of the statement: {answer.key.removesuffix(BY_INVARIANT)}"
    yield from map(make_printable, others)
    if answer.verdict == "rejected" and entry.names:
        yield make_printable(f"    look closer: verifier check {entry.names[0].partition('/')[0]}")


def _name(entry: Entry, asked: Sequence[str]) -> str:
    """Return a name of a certificate, and the number of its other names. Prefer a name for which the user has asked."""
    if not entry.names:
        return UNNAMED
    mine = [name for name in entry.names if {name, name.partition("/")[0]}.intersection(asked)]
    name = (mine or entry.names)[0]
    shown = name.removesuffix("/as-stated") if PLAIN_NAME.fullmatch(name) else f'"{plain(name)}"'
    return shown + f" +{len(entry.names) - 1}" * (len(entry.names) > 1)


@contextlib.contextmanager
def _showing(text: str, counter: Counter) -> Iterator[None]:
    """Show on a terminal which certificate the kernel is deciding, and how many replies it has followed so far."""

    def show() -> None:
        replies = f", {counted(counter.value, 'reply', 'replies')} followed" if counter.value else ""
        line = make_printable(text)[: width - len(replies)] + replies
        print(f"\r{line:{width}}\r", end="", file=sys.stderr, flush=True)

    is_shown, width = is_terminal(sys.stderr), terminal_width() - 2
    if is_shown:
        show()
    try:
        with beating(show) if is_shown else contextlib.nullcontext():
            yield
    except KeyboardInterrupt:
        end = f"stopped at {make_printable(text)}: this certificate and those after it are not decided\n"
        print(" " * width + "\r" + end if is_shown else end, end="", file=sys.stderr, flush=True)
        raise
    if is_shown:
        print(f"\r{'':{width}}\r", end="", file=sys.stderr, flush=True)
