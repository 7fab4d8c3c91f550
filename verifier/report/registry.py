"""The formats in which a ledger can be written: one module each."""

from __future__ import annotations

import importlib
import pathlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.kernel.errors import UsageError
from verifier.report.printable import show_unprintable

if TYPE_CHECKING:
    from verifier.audit.ledger import Ledger
    from verifier.audit.store import Store
    from verifier.language.library import Library

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
"""Names and modules, each with a function ``render_report``; a module is loaded when its format is asked for."""


@dataclass(frozen=True, slots=True)
class Report:
    """What every format is made from.

    Attributes:
        specs: the folder of the library.
        store: where the certificates are, and where data that take long to make are remembered.
        command: the command that makes the report again.
    """

    ledger: Ledger
    library: Library
    specs: pathlib.Path
    store: Store
    command: str


def render_report(name: str, report: Report) -> str:
    """Return a report in one of ``FORMATS``.

    Raises:
        UsageError: the format does not exist.
    """
    if name not in FORMATS:
        raise UsageError(f"unknown format {name!r}: choose from {', '.join(FORMATS)}")
    return show_unprintable(importlib.import_module(FORMATS[name]).render(report))
