"""Runs the example notebook: ``python -m tests.docs.notebook`` writes the output of its cells into it."""

import ast
import base64
import contextlib
import io
import json
import os
import sys
from typing import Any

from tests.docs.pages import DOCS, in_an_empty_folder

NOTEBOOK = DOCS / "notebook.ipynb"
DRAWN = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_"}


def run_notebook(text: str) -> str:
    """Run the cells of a notebook in order. Return the notebook with their output."""
    os.environ["MPLBACKEND"] = "agg"  # plots are drawn into files, not on a screen
    notebook = json.loads(text)
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = (cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    for number, cell in enumerate(cells, 1):
        cell["execution_count"] = number
        cell["outputs"] = _run_cell("".join(cell["source"]), names, number)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _run_cell(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    out, value = io.StringIO(), None
    with contextlib.redirect_stdout(out):
        exec(compile(tree, "cell", "exec"), names)  # noqa: S102 - our own notebook
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307
    outputs: list[dict[str, Any]] = []
    if out.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(out.getvalue())})
    if value is not None:
        data = {kind: _lines(getattr(value, name)()) for kind, name in DRAWN.items() if hasattr(value, name)}
        data["text/plain"] = _lines(repr(value))
        result = {"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}
        outputs.append(result)
    return [*outputs, *_draw_plots()]


def _draw_plots() -> list[dict[str, Any]]:
    """Return the plots of a cell, as a notebook shows them below it."""
    plots: Any = sys.modules.get("matplotlib.pyplot")
    outputs: list[dict[str, Any]] = []
    for number in plots.get_fignums() if plots else ():
        drawn = io.BytesIO()
        plots.figure(number).savefig(drawn, format="png", metadata={"Software": None})
        data = {"image/png": base64.b64encode(drawn.getvalue()).decode(), "text/plain": ["<plot>"]}
        outputs.append({"data": data, "metadata": {}, "output_type": "display_data"})
        plots.close(number)
    return outputs


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    before = NOTEBOOK.read_text(encoding="utf-8")
    NOTEBOOK.write_text(in_an_empty_folder(lambda: run_notebook(before)), encoding="utf-8")
