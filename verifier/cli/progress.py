"""The progress of a run: one line on a terminal, drawn with rich; elsewhere a line now and then."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from verifier.audit.progress import Progress, Watcher, describe_progress
from verifier.cli.options import print_instead, print_message
from verifier.report.printable import make_printable

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from verifier.audit.ledger import ClaimResult, Ledger
    from verifier.report.layout import Layout


def is_terminal(stream: TextIO) -> bool:
    """Say whether a stream is a terminal on which a line can be redrawn."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def is_coloured(stream: TextIO, wish: str = "auto") -> bool:
    """Say whether to print colours. First ``--color`` decides, then the environment, then the kind of the stream."""
    if wish != "auto":
        return wish == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or is_terminal(stream)


def terminal_width() -> int:
    """Return the width of the terminal in columns, at least 40; 80 if there is no terminal."""
    return max(shutil.get_terminal_size().columns, 40)


def layout_for(arguments: argparse.Namespace) -> Layout:
    """Return the width and the colours for text on standard output."""
    from verifier.report.layout import Layout

    return Layout(terminal_width(), is_coloured(sys.stdout, arguments.color))


HEARTBEAT_SECONDS = (10, 30, 60, 120)
"""Pauses in seconds. If a line cannot be redrawn, the progress is printed after a pause in which nothing else was
printed. The first pause has the first of these lengths, the next pause the second, and so on. All later pauses have the
last length."""


class RunLine(Watcher):
    """Prints each claim of a run when it is done, and below the claims a line with the progress of the run.

    On a terminal, the line is removed before anything else is printed. Elsewhere, the line is printed only if nothing
    else was printed for some time. This time grows with each line, so that the log of a long run stays short.
    """

    def __init__(self, describe: Callable[[ClaimResult], Iterable[str]] = lambda _: ()) -> None:
        """``describe`` returns the lines that are printed when a claim is done."""
        self.describe = describe
        self.bar: Bar | None = None
        self.stop: Callable[[], Ledger] | None = None
        self.is_closed = False
        self.unwritten: OSError | None = None
        self.printed = time.monotonic()
        self.pauses = list(HEARTBEAT_SECONDS)
        self.lock = threading.Lock()
        self.stream = next((stream for stream in (sys.stderr, sys.stdout) if is_terminal(stream)), None)

    def claim_done(self, result: ClaimResult) -> None:
        """Print a claim."""
        with self.lock:
            lines = list(self.describe(result))
            if lines:
                self._close()
                self.print_lines(lines)
                self.printed = time.monotonic()

    def print_lines(self, lines: Sequence[str]) -> None:
        """Print lines. If standard output is full, print on standard error from now on, and keep the error."""
        text = "".join(f"{line}\n" for line in lines)
        try:
            print(text, end="", flush=True)
        except BrokenPipeError:
            raise
        except OSError as error:  # the run goes on, because the verdicts matter more
            self.unwritten = self.unwritten or error
            print_instead(text)

    def begun(self, stop: Callable[[], Ledger]) -> None:
        """Keep the function that stops the run."""
        self.stop = stop

    def beat(self, progress: Progress) -> None:
        """Show the progress of the run."""
        if self.is_due:
            self.tell(describe_progress(progress), progress.share)

    @property
    def is_due(self) -> bool:
        """True if progress would be shown now: on a terminal always, elsewhere after some time without other output."""
        return self.stream is not None or time.monotonic() - self.printed >= self.pauses[0]

    def tell(self, words: str, share: float = 0) -> None:
        """Show the words of the progress, and the share of the work that is done, from 0 to 1."""
        with self.lock:
            if self.is_closed or not self.is_due:
                return
            if self.stream is not None:
                self._open(self.stream, make_printable(words), share)
            else:
                self.pauses = self.pauses[1:] or self.pauses
                print_message(make_printable(words))
                self.printed = time.monotonic()

    def close(self) -> None:
        """Remove the line. Nothing is shown after this."""
        with self.lock:
            self.is_closed = True
            self._close()

    def _open(self, stream: TextIO, words: str, share: float) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bar
        from rich.table import Column

        if self.bar is None:
            sys.stdout.flush()
            self.bar = Bar(
                BarColumn(16),
                TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis")),
                console=Console(file=stream, highlight=False),
                refresh_per_second=4,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self.bar.add_task("", total=1.0)
            self.bar.start()
        self.bar.update(self.bar.task_ids[0], completed=share, description=words)

    def _close(self) -> None:
        if self.bar is not None:
            self.bar.stop()
            self.bar = None


@contextlib.contextmanager
def telling(what: str) -> Iterator[None]:
    """While a block runs, show on a terminal what it does."""
    with contextlib.closing(RunLine()) as line:
        line.tell(f"{what} …")
        yield
