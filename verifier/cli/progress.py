"""How far a run is: one line on a terminal, which is drawn again; in a pipe a line each ten seconds."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TextIO

from verifier.audit.progress import Progress, Watcher, describe_progress
from verifier.cli.options import say
from verifier.report.printable import make_printable

if TYPE_CHECKING:
    from verifier.audit.ledger import ClaimResult, Ledger
    from verifier.report.layout import Layout


def is_terminal(stream: TextIO) -> bool:
    """Say whether a stream is a terminal on which a line can be drawn again."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def is_coloured(stream: TextIO) -> bool:
    """Say whether a stream is written to in colours: as the environment wishes, else on a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or is_terminal(stream)


def terminal_width() -> int:
    """Return how many columns text is laid out for: the terminal's, and 80 where there is none."""
    return max(shutil.get_terminal_size().columns, 40)


def layout_for() -> Layout:
    """Return what text on standard output is laid out for."""
    from verifier.report.layout import Layout

    return Layout(terminal_width(), is_coloured(sys.stdout))


def draw_line(stream: TextIO, text: str) -> None:
    """Draw the line of a terminal again, as far as there is room; an empty text takes it away."""
    print(f"\r\x1b[K{make_printable(text)[: terminal_width() - 1]}", end="", file=stream, flush=True)


HEARTBEAT_SECONDS = 10
"""Where no line can be drawn again, so long nothing is printed before something says that the run goes on."""


class RunLine(Watcher):
    """Prints how a run goes: each claim when it is done, and below that a line with how far the whole is.

    The line is drawn on a terminal, and is taken away before anything else is printed; elsewhere its words are printed
    now and then while nothing else is.
    """

    def __init__(self, describe: Callable[[ClaimResult], Iterable[str]]) -> None:
        """Make one; ``describe`` returns the lines that are printed once a claim is done."""
        self.describe = describe
        self.left: Ledger | None = None
        self.printed = time.monotonic()
        self.lock = threading.Lock()
        self.stream = next((stream for stream in (sys.stderr, sys.stdout) if is_terminal(stream)), None)

    def claim_done(self, result: ClaimResult) -> None:
        """Print a claim."""
        with self.lock:
            lines = list(self.describe(result))
            if lines:
                self._clear()
                print("\n".join(lines), flush=True)
                self.printed = time.monotonic()

    def interrupted(self, ledger: Ledger) -> None:
        """Keep what a run has come to that was ended."""
        self.left = ledger

    def beat(self, progress: Progress) -> None:
        """Show how far a run is."""
        with self.lock:
            if self.stream is not None:
                draw_line(self.stream, describe_progress(progress))
            elif time.monotonic() - self.printed >= HEARTBEAT_SECONDS:
                say(make_printable(describe_progress(progress)))
                self.printed = time.monotonic()

    def close(self) -> None:
        """Take the line away for good."""
        with self.lock:
            self._clear()

    def _clear(self) -> None:
        if self.stream is not None:
            draw_line(self.stream, "")
