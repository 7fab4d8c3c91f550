"""The report as one self-contained HTML page: it opens from disk, loads nothing, and can be printed and filed.

Templates, style sheets and scripts are files of this package; ``render`` puts them into the page.
"""

from __future__ import annotations

from verifier.report.html.page import render

__all__ = ["render"]
