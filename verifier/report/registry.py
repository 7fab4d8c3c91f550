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
    from verifier.audit.memory import Memory
    from verifier.audit.store import Stores
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
"""Names and modules, each with a function ``render``; a module is loaded when its format is asked for."""


@dataclass(frozen=True, slots=True)
class Report:
    """What every format is made from.

    Attributes:
        specs: the folder of the library.
        evidence: where the certificates are.
        command: the command that makes the report again.
        memory: where what takes long to make is remembered; None: nowhere.
    """

    ledger: Ledger
    library: Library
    specs: pathlib.Path
    evidence: Stores
    command: str
    memory: Memory | None = None


def render(name: str, report: Report) -> str:
    """Return a report in one of ``FORMATS``.

    Raises:
        UsageError: the format does not exist.
    """
    if name not in FORMATS:
        raise UsageError(f"unknown format {name!r}: choose from {', '.join(FORMATS)}")
    return show_unprintable(importlib.import_module(FORMATS[name]).render(report))
