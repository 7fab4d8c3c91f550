"""How far a run is: one line on a terminal, drawn with rich; in a pipe nothing."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TextIO

from verifier.cli.options import show_progress

if TYPE_CHECKING:
    from rich.live import Live

    from verifier.checkers.progress import Progress


def is_terminal(stream: TextIO) -> bool:
    """Say whether a stream is a terminal on which a line can be drawn again."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def is_coloured(stream: TextIO) -> bool:
    """Say whether a stream is to be written to in colours."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def clock(seconds: float) -> str:
    """Write seconds as minutes and seconds, and hours where there are any."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


class RunLine:
    """The progress of a run, below what is printed of it.

    What is printed stays as it is: the line is taken away before anything else is written, and what was begun on its
    line of the terminal, a claim's name and dots, is drawn with it and written again.
    """

    def __init__(self) -> None:
        self.live: Live | None = None
        self.begun = ""
        self.progress: Progress | None = None
        self.seen = 0.0
        self.stream = next((stream for stream in (sys.stderr, sys.stdout) if is_terminal(stream)), None)

    def start(self, begun: str) -> None:
        """Note what stands on the line of the terminal already."""
        self.begun = begun

    def show(self, progress: Progress) -> None:
        """Show how far a run is, from now on."""
        if self.stream is None:
            return
        self.progress, self.seen = progress, time.monotonic()
        if self.live is None:
            from rich.console import Console
            from rich.live import Live

            sys.stdout.flush()
            if self.begun:
                print("\r\033[K", end="", file=self.stream, flush=True)
            self.live = Live(
                get_renderable=self._draw,
                console=Console(file=self.stream, highlight=False),
                refresh_per_second=4,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self.live.start()

    def clear(self) -> None:
        """Take the line away, and write what stood on it before."""
        if self.live is not None:
            self.close()
            if self.begun:
                print(self.begun, end="", flush=True)

    def close(self) -> None:
        """Take the line away for good."""
        if self.live is not None:
            self.live.stop()
            self.live = None

    def _draw(self) -> Any:
        from rich.console import Group
        from rich.text import Text

        begun = [Text(self.begun, no_wrap=True)] if self.begun else []
        if self.progress is None:
            return Group(*begun)
        now = time.monotonic() - self.seen
        rest = self.progress.rest
        text = f"{self.progress.done} of {self.progress.count} readings, {clock(self.progress.seconds + now)}"
        text += "" if rest is None else f", about {clock(max(rest - now, 0))} to go"
        return Group(*begun, _row(self.progress.share, text))


@contextlib.contextmanager
def show_races() -> Iterator[Callable[[int, int, float], None] | None]:
    """Yield what shows how many races are decided, at which rate, and the time left; None where nothing is shown.

    Without rich, as where nothing but Python is installed, it is a plain line.
    """
    if not is_terminal(sys.stderr):
        yield None
        return
    try:
        from rich.console import Console
        from rich.live import Live
    except ImportError:
        yield show_progress()
        return
    live = Live(
        console=Console(stderr=True, highlight=False), auto_refresh=False, transient=True, redirect_stdout=False
    )
    races = Races()

    def show(done: int, count: int, seconds: float) -> None:
        if done >= count:
            live.stop()
            return
        live.start()
        live.update(_row(done / count, races.describe(done, count, seconds)), refresh=True)

    try:
        yield show
    finally:
        live.stop()


class Races:
    """Describes how far a check of races is; its rate is that since the first report: some were done before the run."""

    def __init__(self) -> None:
        self.first = (0, 0.0)
        self.last = 0.0

    def describe(self, done: int, count: int, seconds: float) -> str:
        """Return how many are done, how fast, and about how long the rest takes."""
        if self.last == 0.0 or seconds < self.last:
            self.first = (done, seconds)
        self.last = seconds
        made, spent = done - self.first[0], seconds - self.first[1]
        text = f"{done} of {count} races, {clock(seconds)}"
        if made <= 0 or spent <= 0:
            return text
        return f"{text}, {made / spent:.1f} a second, about {clock((count - done) * spent / made)} to go"


def _row(share: float, text: str) -> Any:
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    row = Table.grid(padding=(0, 1))
    bar = ProgressBar(total=1.0, completed=min(share, 1.0), width=16)
    row.add_row(bar, Text(text, no_wrap=True, overflow="ellipsis"))
    return row
