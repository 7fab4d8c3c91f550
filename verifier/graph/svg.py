"""Pieces of SVG that the pictures share: escaped text, boxes, edges, the style."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from verifier.graph.layout import Point, Size

STYLE = """\
.graph-picture { --ink: #1f2328; --paper: #ffffff; --line: #59636e; --panel: #f6f8fa; --plain: #ddf4ff;
  --good: #116329; --good-fill: #dafbe1; --mended: #7d4e00; --mended-fill: #fff8c5; --bad: #a40e26; --bad-fill: #ffebe9;
  --open: #424a53; --open-fill: #eaeef2; background: var(--paper) }
@media (prefers-color-scheme: dark) { .graph-picture { --ink: #f0f6fc; --paper: #0d1117; --line: #9198a1;
  --panel: #151b23; --plain: #0c2d4d; --good: #56d364; --good-fill: #12261e; --mended: #e3b341; --mended-fill: #272115;
  --bad: #ff7b72; --bad-fill: #2d1517; --open: #c9d1d9; --open-fill: #262c36 } }
@media print { .graph-picture { --ink: #000000; --paper: #ffffff; --line: #424a53; --panel: #ffffff; --plain: #ffffff;
  --good: #116329; --good-fill: #ffffff; --mended: #7d4e00; --mended-fill: #ffffff; --bad: #a40e26;
  --bad-fill: #ffffff; --open: #424a53; --open-fill: #ffffff } }
.graph-picture text { font-family: system-ui, sans-serif; font-size: 12px; fill: var(--ink);
  dominant-baseline: central }
.graph-picture text.heading { font-weight: 600; font-size: 15px }
.graph-picture text.small { font-size: 11px }
.graph-picture .middle { text-anchor: middle }
.graph-picture .panel { fill: var(--panel); stroke: none }
.graph-picture .box { fill: var(--plain); stroke: var(--line); stroke-width: 1.2 }
.graph-picture .edge { fill: none; stroke: var(--line); stroke-width: 1.3 }
.graph-picture .head { fill: var(--line); stroke: none }
.graph-picture .said { stroke-dasharray: 5 3 }
.graph-picture .both { stroke-width: 2.4; stroke-dasharray: 9 3 }
.graph-picture .label { stroke: var(--paper); stroke-width: 4px; paint-order: stroke }
.graph-picture .mark { fill: none; stroke-width: 2.2; stroke-linecap: round; stroke-linejoin: round }
.graph-picture .good .box { fill: var(--good-fill); stroke: var(--good) }
.graph-picture .good .mark { stroke: var(--good) }
.graph-picture .mended .box { fill: var(--mended-fill); stroke: var(--mended) }
.graph-picture .mended .mark { stroke: var(--mended) }
.graph-picture .bad .box { fill: var(--bad-fill); stroke: var(--bad); stroke-width: 2 }
.graph-picture .bad .mark { stroke: var(--bad) }
.graph-picture .open .box { fill: var(--open-fill); stroke: var(--open); stroke-dasharray: 4 3 }
.graph-picture .open .mark { stroke: var(--open) }
.graph-picture .opponent .box { fill: var(--open-fill) }
.graph-picture .end .box { fill: var(--good-fill); stroke: var(--good) }
.graph-picture a { cursor: pointer }
.graph-picture a:hover .box, .graph-picture a:focus .box { stroke-width: 3 }
.graph-picture a:focus { outline: none }
.graph-picture a:focus-visible .box { stroke: var(--ink); stroke-width: 3.5; stroke-dasharray: none }
.graph-picture.focused .node, .graph-picture.focused .edge { opacity: 0.13 }
.graph-picture.focused .lit { opacity: 1 }
.graph-picture .chosen .box { stroke: var(--ink); stroke-width: 3.5; stroke-dasharray: none }
"""
"""Colours for light, dark and paper; every colour has a second cue, a mark or a kind of line."""


def attributes(**values: object) -> str:
    """Write attributes; ``class_`` stands for ``class``, ``_`` for ``-``."""
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


def edge_path(points: Sequence[Point], *, downwards: bool, is_loop: bool = False) -> str:
    """Return a smooth path through the points of an edge, which leaves and enters nodes along the layers' axis."""
    start, *rest = points
    path = [f"M{_pair(start)}"]
    if is_loop and len(points) == 4:
        return f"{path[0]}C{' '.join(map(_pair, rest))}"
    for end in rest:
        (x, y), (u, v) = start, end
        bends = [(x, (y + v) / 2), (u, (y + v) / 2)] if downwards else [((x + u) / 2, y), ((x + u) / 2, v)]
        path.append(f"C{' '.join(map(_pair, [*bends, end]))}")
        start = end
    return "".join(path)


def _pair(point: Point) -> str:
    return f"{number(float(point[0]))},{number(float(point[1]))}"


def arrow(identifier: str) -> str:
    """Write the definition of an arrow's head."""
    return (
        f'<marker id="{identifier}" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" markerHeight="7" '
        'markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path class="head" d="M0,0.5L8,4L0,7.5z"/></marker>'
    )


def picture(size: Size, title: str, description: str, body: list[str], identifier: str) -> str:
    """Return a whole picture."""
    width, height = (number(float(value)) for value in size)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="graph-picture" role="group" width="{width}" '
            f'height="{height}" viewBox="0 0 {width} {height}" aria-labelledby="{identifier}-title" '
            f'aria-describedby="{identifier}-description">',
            f'<title id="{identifier}-title">{escape(title)}</title>',
            f'<desc id="{identifier}-description">{escape(description)}</desc>',
            f"<style>\n{STYLE}</style>",
            f"<defs>{arrow(identifier + '-arrow')}</defs>",
            *body,
            "</svg>",
            "",
        ]
    )
