"""Pieces of SVG that the pictures share: escaped text, boxes, edges, the style."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from string import Template

from verifier.graph.layout import Point, Size

_COLOURS = {
    "ink": ("#1f2328", "#f0f6fc"),
    "paper": ("#ffffff", "#16191d"),
    "line": ("#59636e", "#9198a1"),
    "panel": ("#f3f5f7", "#1e2329"),
    "plain": ("#ddf4ff", "#0c2d4d"),
    "good": ("#116329", "#56d364"),
    "goodfill": ("#dafbe1", "#12261e"),
    "leaning": ("#0a5570", "#6cc7e8"),
    "leaningfill": ("#ddf1fa", "#10242d"),
    "repaired": ("#7d4e00", "#e3b341"),
    "repairedfill": ("#fff8c5", "#2c2413"),
    "bad": ("#a40e26", "#ff7b72"),
    "badfill": ("#ffebe9", "#35181b"),
    "way": ("#1f4e79", "#9cc4ea"),
    "open": ("#424a53", "#c9d1d9"),
    "openfill": ("#eaeef2", "#2b323a"),
}
"""Each colour on light and on dark ground; each has a second cue beside it, a mark or a kind of line."""

_RULES = Template("""\
.graph-picture { background: $paper }
.graph-picture text { font-family: system-ui, sans-serif; font-size: 12px; fill: $ink; dominant-baseline: central }
.graph-picture text.heading { font-weight: 600; font-size: 15px }
.graph-picture text.middle { text-anchor: middle }
.graph-picture .panel { fill: $panel; stroke: none }
.graph-picture .box { fill: $plain; stroke: $line; stroke-width: 1.2 }
.graph-picture .edge { fill: none; stroke: $line; stroke-width: 1.3 }
.graph-picture .head { fill: $line; stroke: none }
.graph-picture .joins { stroke-width: 2 }
.graph-picture .uses { stroke-dasharray: 5 3 }
.graph-picture .mark { fill: none; stroke-width: 2.2; stroke-linecap: round; stroke-linejoin: round }
.graph-picture .good .box { fill: $goodfill; stroke: $good }
.graph-picture .leaning .box { fill: $leaningfill; stroke: $leaning }
.graph-picture .repaired .box { fill: $repairedfill; stroke: $repaired }
.graph-picture .bad .box { fill: $badfill; stroke: $bad; stroke-width: 2 }
.graph-picture .open .box { fill: $openfill; stroke: $open; stroke-dasharray: 4 3 }
.graph-picture .good .mark { stroke: $good }
.graph-picture .leaning .mark { stroke: $leaning }
.graph-picture .repaired .mark { stroke: $repaired }
.graph-picture .bad .mark { stroke: $bad }
.graph-picture .open .mark { stroke: $open }
.graph-picture .edge.way { stroke: $way; stroke-width: 3 }
.graph-picture .way .box { stroke: $way; stroke-width: 3 }
.graph-picture a:hover .box { stroke-width: 3 }
.graph-picture a:focus-visible { outline: none }
.graph-picture a:focus-visible .box,
.graph-picture .chosen .box { stroke: $ink; stroke-width: 3.5; stroke-dasharray: none }
.graph-picture.focused .node:not(.lit, :focus-visible),
.graph-picture.focused .edge[data-from]:not(.lit) { opacity: 0.3 }
""")


def page_style() -> str:
    """Return the style sheet of pictures in a page, which says whether its ground is light or dark."""
    return _RULES.substitute({name: f"light-dark({light}, {dark})" for name, (light, dark) in _COLOURS.items()})


def _own_style() -> str:
    """Return the style sheet of a picture in a separate file, in words that old programs know as well."""
    light, dark = ({name: pair[index] for name, pair in _COLOURS.items()} for index in (0, 1))
    return f"{_RULES.substitute(light)}@media screen and (prefers-color-scheme: dark) {{\n{_RULES.substitute(dark)}}}\n"


def attributes(**values: object) -> str:
    """Write attributes; ``class_`` becomes ``class``, ``_`` becomes ``-``."""
    pairs = ((name.rstrip("_").replace("_", "-"), value) for name, value in values.items())
    return "".join(f' {name}="{escape(number(value))}"' for name, value in pairs if value is not None)


def number(value: object) -> str:
    """Write a number as short as it can be; anything else as text."""
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def text(at: Point, content: str, class_: str | None = None) -> str:
    """Write a line of text that starts at a point, or is centred there by the class ``middle``."""
    return f"<text{attributes(x=at[0], y=at[1], class_=class_)}>{escape(content)}</text>"


def box(centre: Point, size: Size, radius: float, class_: str = "box") -> str:
    """Write a box around a point."""
    (x, y), (width, height) = centre, size
    left, top = x - width / 2, y - height / 2
    return f"<rect{attributes(class_=class_, x=left, y=top, width=width, height=height, rx=radius)}/>"


def edge_path(points: Sequence[Point]) -> str:
    """Return the path through the points of an edge: a start, and Bézier curves of three points each."""
    start, *rest = map(_pair, points)
    return f"M{start}C{' '.join(rest)}"


def _pair(point: Point) -> str:
    return f"{number(float(point[0]))},{number(float(point[1]))}"


def arrow(identifier: str) -> str:
    """Write the definition of an arrow's head."""
    return (
        f'<marker id="{identifier}" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" markerHeight="7" '
        'markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path class="head" d="M0,0.5L8,4L0,7.5z"/></marker>'
    )


def picture(size: Size, title: str, description: str, body: list[str], identifier: str, *, is_file: bool = True) -> str:
    """Return a whole picture: a separate file, or part of a page that has ``page_style``."""
    width, height = (number(float(value)) for value in size)
    namespace = ' xmlns="http://www.w3.org/2000/svg"' if is_file else ""  # HTML knows what svg is
    return "\n".join(
        [
            f'<svg{namespace} class="graph-picture" role="group" width="{width}" '
            f'height="{height}" viewBox="0 0 {width} {height}" aria-labelledby="{identifier}-title" '
            f'aria-describedby="{identifier}-description">',
            f'<title id="{identifier}-title">{escape(title)}</title>',
            f'<desc id="{identifier}-description">{escape(description)}</desc>',
            *([f"<style>\n{_own_style()}</style>"] if is_file else []),
            f"<defs>{arrow(identifier + '-arrow')}</defs>",
            *body,
            "</svg>",
            "",
        ]
    )
