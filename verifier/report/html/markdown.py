"""Turns the text on where specs differ from documents (``DIVERGENCES.md``) from Markdown into HTML.

It knows headings, paragraphs, lists, tables, code and emphasis. Other marks of Markdown stay in the text.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection

from markupsafe import Markup, escape

from verifier.report.printable import make_lines_printable


def render_markdown(text: str, known: Collection[str]) -> Markup:
    """Return a text without its title as HTML. Its headings are h4 and h5. Names of claims in ``known`` are links."""
    found: list[tuple[str, str]] = []  # the name of a part, and its text
    for line in make_lines_printable(text).splitlines():
        heading, item = re.match("(#+) +", line), re.match("[-*] +", line)
        if heading and not found:
            continue  # the title of the text: the page has its own
        if heading or item or line.startswith("|"):
            name = ("h4" if len(heading[1]) < 3 else "h5") if heading else "li" if item else "tr"
            found.append((name, line if name == "tr" else line[(heading or item).end() :]))  # type: ignore[union-attr]
        elif line.strip() and found and found[-1][0] in ("li", "p"):
            found[-1] = found[-1][0], f"{found[-1][1]} {line.strip()}"
        else:
            found.append(("p" if line.strip() else "", line.strip()))
    parts = []
    for name, group in itertools.groupby(found, lambda part: part[0]):
        texts = [_mark(part, known) for _, part in group]
        if name == "tr":
            parts.append(_lay_out(texts))
        elif name:
            inner = "".join(f"<{name}>{part}</{name}>\n" for part in texts)
            parts.append(f"<ul>{inner}</ul>" if name == "li" else inner)
    return Markup("\n".join(parts))  # noqa: S704 - every text is escaped


def _mark(text: str, known: Collection[str]) -> str:
    """Return a line with its code and emphasis as HTML."""
    parts = str(escape(text)).split("`")
    for at, part in enumerate(parts):
        if at % 2 and at + 1 < len(parts):
            name = part.partition("/")[0]
            parts[at] = f'<a href="#claim-{name}">{part}</a>' if name in known else f"<code>{part}</code>"
        else:
            strong = re.sub(r"\*\*(\S[^*]*)\*\*", r"<strong>\1</strong>", part)
            parts[at] = "`" * (at % 2) + re.sub(r"\*(\S[^*]*)\*", r"<em>\1</em>", strong)
    return "".join(parts)


def _lay_out(rows: list[str]) -> str:
    """Return rows with bars between their cells as a table. The first row is its head, and the second a line."""
    cells = [[cell.strip() for cell in row.strip().strip("|").split("|")] for row in rows]
    head = "".join(f'<th scope="col">{cell}</th>' for cell in cells[0])
    names = [escape(Markup(cell).striptags()) for cell in cells[0]]  # noqa: S704 - every text is escaped
    body = ""
    for row in cells[2:]:
        filled = (f'<td data-label="{name}">{cell}</td>' for name, cell in zip(names, row, strict=False))
        body += f"<tr>{''.join(filled)}</tr>\n"
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="scroll" role="group" tabindex="0" aria-label="A table of differences">{table}</div>'
