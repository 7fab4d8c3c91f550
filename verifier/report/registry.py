"""The formats in which a ledger can be written, and the module that writes each of them."""

from __future__ import annotations

import importlib
import pathlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.kernel.errors import UsageError
from verifier.language.outline import AnyLibrary, parse_whole
from verifier.report.printable import show_unprintable

if TYPE_CHECKING:
    from verifier.audit.ledger import Ledger
    from verifier.audit.store import Store
    from verifier.language.library import Library
    from verifier.language.made import SpecText

FORMATS = {
    "text": "verifier.report.text",
    "html": "verifier.report.html.page",
    "errata": "verifier.report.errata.markdown",
    "errata-latex": "verifier.report.errata.latex",
    "json": "verifier.report.json",
    "junit": "verifier.report.junit",
    "sarif": "verifier.report.sarif",
    "github": "verifier.report.github",
}
"""For each format, the module whose ``render`` makes the report. The module is loaded when a report needs it."""


@dataclass(frozen=True, slots=True)
class Report:
    """The values from which every format is made.

    Attributes:
        known: the specs, or only their outline (``audit/outlining.py``), which is enough for text in the terminal.
        specs: the folder of the specs; ``NO_FOLDER`` if all specs are made in Python.
        store: has the certificates, and remembers data that take long to compute.
        command: the command that makes this report again.
        made: the specs that are made in Python.
        jobs: the number of processes that a web page may use.
    """

    ledger: Ledger
    known: AnyLibrary
    specs: pathlib.Path
    store: Store
    command: str
    made: tuple[SpecText, ...] = ()
    jobs: int = 1

    @property
    def library(self) -> Library:
        """The parsed specs."""
        return parse_whole(self.known)


def render_report(name: str, report: Report) -> str:
    """Return a report as text in the format ``name``, which is one of ``FORMATS``.

    Raises:
        UsageError: the format does not exist.
    """
    if name not in FORMATS:
        raise UsageError(f"unknown format {name!r}: choose from {', '.join(FORMATS)}")
    return show_unprintable(importlib.import_module(FORMATS[name]).render(report))
