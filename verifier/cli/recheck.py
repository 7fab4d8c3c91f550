"""The command ``recheck``: check certificates with the kernel alone."""

from __future__ import annotations

import argparse
import contextlib
import functools
import re
import sys
from collections.abc import Iterator, Sequence

from verifier.api.folders import find_certificates
from verifier.audit.progress import beating
from verifier.cli.options import add_color, add_folder, add_jobs, command, positive, say_which
from verifier.cli.progress import is_terminal, layout_for
from verifier.kernel.__main__ import UNNAMED, Answer, describe, lines_of, plain
from verifier.kernel.certificate import evidence_path, find_unnamed, read_index
from verifier.kernel.errors import UsageError
from verifier.kernel.limits import run_limited
from verifier.kernel.words import counted
from verifier.recheck import Request, plan, recheck
from verifier.replies import Counter, make_counter
from verifier.report.brief import say_briefly
from verifier.report.layout import Layout
from verifier.report.printable import make_printable

PLAIN = re.compile(r"[\w.-]+(/[\w.-]+)?", re.ASCII)
"""A name that cannot be mistaken for what is decided: it needs no quotation marks."""


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Check certificates again from their files. No spec is read and no solver is loaded: Python and its
        standard library are enough, as in 'python -S -m verifier recheck'. For each certificate it prints the
        verdict, the name of the claim, and the statement in a few words. With -v it prints the whole statement and
        its hash, why it is refuted (perhaps only because a strategy has no move left), and what has to be believed. The
        names come from a file, the index, and prove nothing: only 'verifier check' reads the specs and says that a
        claim is proved.

        There is no time limit by default, and some bounds take minutes. With --limit a certificate that takes
        longer stays undecided, and the exit code is 1. The exit code is also 1 if a solver has to be believed.
        """,
        {
            "verifier recheck": "every certificate; bounds take minutes",
            "verifier recheck --limit 30": "give up on each certificate after 30 seconds",
            "verifier recheck lemma-2 lemma-3/as-stated": "the certificates of one claim, and of one reading",
            "verifier recheck --proofs out": "what 'verifier check --out out' has written",
        },
        codes={
            0: "everything is decided, and each certificate shows its verdict",
            1: "something is not decided: a limit was reached, a file cannot be read, or a solver has to be believed",
            2: "bad file or usage, or nothing selected; one line on standard error says what and where",
            4: "a certificate was rejected",
        },
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="a claim, a claim/reading, or the hash of a statement (default: all)"
    )
    add_folder(parser, "proofs")
    add_jobs(parser)
    parser.add_argument(
        "--limit", type=positive, metavar="SECONDS", help="processor time for each certificate (default: no limit)"
    )
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("-v", "--verbose", action="store_true", help="print each statement: hash, formulas, rules")
    amount.add_argument("--say", action="store_true", help="print the JSON of each statement as well")
    add_color(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run ``recheck``."""
    root = find_certificates(arguments.proofs)
    say_which("proofs", arguments.proofs, root)
    index = run_limited(lambda: read_index(root))
    requests = run_limited(lambda: plan(index, frozenset(arguments.names), find_unnamed(root, index)))
    if not requests:
        raise UsageError("no certificate selected: name a claim, a claim/reading or the hash of a statement")
    is_brief = not arguments.verbose and not arguments.say
    say = say_briefly if is_brief else functools.partial(describe, is_whole=arguments.say)
    layout = layout_for(arguments)
    columns = layout.columns(_name(request, arguments.names) for request in requests)
    rejected = undecided = unread = 0
    rules: set[str] = set()
    counter = make_counter()
    found = recheck(root, requests, arguments.jobs, arguments.limit, say, counter)
    for number, request in enumerate(requests, 1):
        with _showing(f"{number} of {len(requests)}  {(*request.names, request.key)[0]}", counter):
            answer = next(found)
        rejected += answer.verdict == "rejected"
        undecided += not answer.is_decided and answer.verdict != "rejected"
        unread += not answer.told[1:]
        rules.update(answer.told[1:] if is_brief else ())
        if is_brief:
            told = answer.told[0] if answer.told else "nothing that could be read"
            lines = [layout.row(answer.verdict, _name(request, arguments.names), told, columns)]
            path = evidence_path(request.key)
            where = f"{path}: " if answer.verdict == "rejected" and path not in answer.detail else ""
            lines += [] if answer.is_decided else layout.wrap(where + plain(answer.detail), "    ")
        else:
            lines = list(_lines_of(request, answer, layout))
        print("\n".join(lines), flush=True)
    if is_brief and rules:
        under = rules.pop() if len(rules) == 1 else f"{len(rules)} sets of rules"
        what = "What could be read" if unread else "All of this"
        closing = f"{what} is about {under}; -v prints rules and statements in full"
        print("\n".join(["", *layout.wrap(closing, "", "    ")]))
    print(f"{counted(len(requests), 'certificate')}, {rejected} rejected, {undecided} not decided")
    return 4 if rejected else 1 if undecided else 0


def _name(request: Request, asked: Sequence[str]) -> str:
    """Return a name of a certificate, one that was asked for where there is one, and how many others there are."""
    if not request.names:
        return UNNAMED
    mine = [name for name in request.names if {name, name.partition("/")[0]}.intersection(asked)]
    name = (mine or request.names)[0]
    shown = name.removesuffix("/as-stated") if PLAIN.fullmatch(name) else f'"{plain(name)}"'
    return shown + f" +{len(request.names) - 1}" * (len(request.names) > 1)


@contextlib.contextmanager
def _showing(text: str, counter: Counter) -> Iterator[None]:
    """Say on a terminal what is being decided, with how many replies were followed by now, until it is."""

    def show() -> None:
        replies = f", {counted(counter.value, 'reply', 'replies')} followed" if counter.value else ""
        print(f"\r{make_printable(text)[: 78 - len(replies)] + replies:78}\r", end="", file=sys.stderr, flush=True)

    is_shown = is_terminal(sys.stderr)
    if is_shown:
        show()
    try:
        with beating(show) if is_shown else contextlib.nullcontext():
            yield
    except KeyboardInterrupt:
        end = f"stopped at {make_printable(text)}: it is not decided, nor is what comes after it\n"
        print(" " * 78 + "\r" + end if is_shown else end, end="", file=sys.stderr, flush=True)
        raise
    if is_shown:
        print(f"\r{'':78}\r", end="", file=sys.stderr, flush=True)


def _lines_of(request: Request, answer: Answer, layout: Layout) -> Iterator[str]:
    """Yield what is printed of a certificate: what the kernel's own command prints, coloured, and where to look."""
    first, *others = lines_of(answer, request.names)
    yield layout.paint(answer.verdict, answer.verdict) + make_printable(first.removeprefix(answer.verdict))
    yield from map(make_printable, others)
    if answer.verdict == "rejected" and request.names:
        yield make_printable(f"    look closer: verifier check {request.names[0].partition('/')[0]}")
