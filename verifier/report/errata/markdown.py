"""The errata as Markdown, to be copied into an issue, a mail or a referee's report."""

from __future__ import annotations

import re

from verifier.report.errata.outline import Markup, write_errata
from verifier.report.printable import make_printable
from verifier.report.registry import Report


def render(report: Report) -> str:
    """Return a chapter a document."""
    return write_errata(report, _MARKUP)


def _text(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", make_printable(text))


_MARKUP = Markup(_text, "<!-- %s -->", ("## %s", "### %s", "#### %s"), "**%s**", "%s\n\n```text\n%s\n```")
