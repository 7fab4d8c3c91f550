"""The notebook of the documentation runs, and shows what stands in it."""

from __future__ import annotations

import json

import pytest

from tests.docs.notebook import NOTEBOOK, run_notebook
from tests.docs.pages import in_an_empty_folder


@pytest.mark.slow
def test_the_notebook_shows_what_its_cells_show() -> None:
    """``python -m tests.docs.notebook`` writes the same bytes again, with boards drawn among them."""
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert in_an_empty_folder(lambda: run_notebook(text)) == text
    shown = [output for cell in json.loads(text)["cells"] for output in cell.get("outputs", [])]
    assert any("<svg" in "".join(output.get("data", {}).get("text/html", "")) for output in shown)
