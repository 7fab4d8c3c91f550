"""Makes HTML of ``DIVERGENCES.md``, the Markdown text that says how specs differ from documents.

HTML, links, images and backslashes in the text stay text. (``make_printable`` puts a backslash into each command that a
CI runner would obey, so the backslash must not disappear.)
"""

from __future__ import annotations

from collections.abc import Collection

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from verifier.report.printable import make_lines_printable

_PARSER = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["autolink", "escape", "image", "link"])
_PARSER.add_render_rule("softbreak", lambda *_: " ")  # a CI runner could obey text at the start of a line
_TABLE = '<div class="scroll" role="group" tabindex="0" aria-label="A table of differences">'


def render_markdown(text: str, known: Collection[str]) -> Markup:
    """Return a text as HTML, without its title. Its headings are h4 and h5. Names of claims in ``known`` are links."""
    tokens = _PARSER.parse(make_lines_printable(text))
    if tokens and tokens[0].tag == "h1":
        del tokens[:3]  # the page has a title of its own
    head, column = list[str](), 0
    for token, inner in zip(tokens, [*tokens[1:], Token("end", "", 0)], strict=True):
        match token.type:
            case "heading_open" | "heading_close":
                token.tag = "h4" if token.tag < "h3" else "h5"
            case "table_open" | "table_close":
                head = []
            case "tr_open":
                column = 0
            case "th_open":
                token.attrs = {"scope": "col"}
                head.append("".join(part.content for part in inner.children or ()))
            case "td_open":
                token.attrs = {"data-label": head[column]}  # a narrow page shows it beside the cell
                column += 1
            case "inline":
                token.children = [part for child in token.children or () for part in _link(child, known)]
    html = _PARSER.renderer.render(tokens, _PARSER.options, {})
    return Markup(html.replace("<table>", f"{_TABLE}<table>").replace("</table>", "</table></div>"))  # noqa: S704 - escaped


def _link(token: Token, known: Collection[str]) -> list[Token]:
    """Return a part of a line. Code that names a known claim becomes a link to the claim."""
    name = token.content.partition("/")[0]
    if token.type != "code_inline" or name not in known:
        return [token]
    start = Token("link_open", "a", 1, {"href": f"#claim-{name}"})
    return [start, Token("text", "", 0, content=token.content), Token("link_close", "a", -1)]
