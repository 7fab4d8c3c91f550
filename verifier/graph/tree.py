"""The folded strategy graph (``fold``) as a picture, drawn by Graphviz. Each group is a box with a board as an example.

Graphviz places boxes and arrows, but gets no text, because it would measure text in the fonts of the machine. A label
on an arrow is a box without a frame, so nothing is drawn over the label. Moves within a group have no arrow; the box
counts them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from textwrap import wrap
from typing import Any
from xml.etree import ElementTree

import networkx as nx
import pygraphviz

from verifier.describing import players_of
from verifier.graph.picture import INCH, fill_style
from verifier.kernel.games import OTHER, Game
from verifier.kernel.words import counted
from verifier.presentation.drawn import Drawings
from verifier.presentation.family import IMAGES_ONCE
from verifier.presentation.registry import NO_DRAWINGS, find_presentation
from verifier.presentation.svg import board_style, draw_svg

_LINE, _MARGIN, _GAP, _LETTER = 15.0, 10.0, 5.0, 7.0
"""The height of a line of text, the margin within a box, the gap between its parts, and the width of a letter."""
_BOARD = {True: 170.0, False: 100.0}
"""The longer side of a large board, and of other boards. Boards are large in a graph that has only groups and is drawn
from left to right."""
_CAPTION, _CAPTION_LETTER = 30.0, 8.5
_READABLE = 0.75
"""Minimum scale of a board with letters, which are 12 pixels high at scale 1. If the scale is smaller, the letters are
left out."""
_MAX_ACROSS = 6
"""Maximum number of groups from left to right. More groups are drawn from top to bottom."""
_MAX_BARS = 12
"""Maximum number of bars in the box of a group of ends. A bar shows how many of these ends are at a ply. If there would
be too many bars, each bar stands for a range of plies."""
_BAR = 60.0
_SENTENCE, _WORDS = 26, {True: 19, False: 27}
"""Maximum number of letters in a line of text. The first number is for sentences in boxes. The others are for the words
on arrows, between large boxes (True) and between other boxes (False)."""
_CHART, _FAN, _MAX_FAN = 30.0, 36.0, 12
"""The height of the chart that shows the number of positions at each ply; the height of the fan of replies; and the
maximum number of strokes in a fan."""
_ID = "picture-of-plays"


def draw_folded_graph(
    graph: nx.DiGraph[str], game: Game, drawings: Drawings = NO_DRAWINGS, *, is_file: bool = True
) -> str:
    """Return the folded graph as SVG. Each box has ``data-node``, and ``data-line``: the moves to its first position.

    ``data-line`` is missing if plays have several starts. It is also missing if positions stand for their images under
    symmetries, because the moves may lead to an image of the position.

    A node may also have the attribute ``says``: a sentence about its group, which is written in its box.

    Args:
        graph: the folded graph.
        game: the game, for the boards.
        drawings: boards of points and lines, by game.
        is_file: make a separate file, with a heading and its own style sheet. Otherwise make a part of a page.
    """
    groups = [name for name, data in graph.nodes(data=True) if data["kind"] != "position"]
    is_unfolded = len(groups) < len(graph)
    is_across = is_unfolded or len(groups) <= _MAX_ACROSS
    is_large = is_across and not is_unfolded
    names, player = players_of(game), graph.graph["player"]
    players = (names[player], names[OTHER[player]])
    boxes = {name: _Box(data, game, players, drawings, is_large=is_large) for name, data in graph.nodes(data=True)}
    built = pygraphviz.AGraph(directed=True, strict=False)
    built.graph_attr.update(rankdir="LR" if is_across else "TB", nodesep=16 / INCH, ranksep=10 / INCH)
    built.graph_attr.update(bgcolor="transparent")
    built.node_attr.update(shape="box", style="rounded", fixedsize="true", label="")
    built.edge_attr.update(arrowsize=0.7)
    for name, box in boxes.items():
        won = graph.nodes[name].get("reason") == f"{graph.graph['claimant']} wins"
        looks = {"class": f"{box.kind}{' win' * won}"}
        built.add_node(name, width=box.width / INCH, height=box.height / INCH, **looks)
    labels = dict[str, tuple[list[str], str]]()
    for number, (source, target, data) in enumerate(graph.edges(data=True)):
        if source == target:
            continue
        is_whole, name = graph.nodes[source]["kind"] in ("phase", "rule"), f"label {number}"
        lines = _say_moves(data, players, _WORDS[is_large], is_whole=is_whole)
        labels[name] = lines, f"{source} → {target}: {', '.join(lines)}"
        width = max(map(len, lines)) * _LETTER + 4
        built.add_node(name, width=width / INCH, height=(len(lines) * 13 + 2) / INCH, **{"class": "words"})
        built.add_edge(source, name, arrowhead="none")
        built.add_edge(name, target)
    picture = ElementTree.fromstring(built.draw(format="svg_inline", prog="dot"))  # noqa: S314 - Graphviz wrote it
    (whole,) = picture
    spans = list[tuple[float, float]]()
    for item in [whole, *whole]:
        item.attrib.pop("id", None)
        _fill(item, boxes, labels, spans)
        if "data-node" in item.attrib and not graph.graph["symmetric"]:
            data = graph.nodes[item.attrib["data-node"]]
            item.attrib |= {"data-line": data.get("first_line", data["line"])} if "line" in data else {}
    width, height = map(float, picture.attrib["viewBox"].split()[2:])
    cuts = " ".join(f"{height - 4 + at:.0f}" for at in _find_cuts(spans))  # the origin is 4 above the lower edge
    body = ElementTree.tostring(whole, encoding="unicode")
    once = IMAGES_ONCE * graph.graph["symmetric"]
    caption = f"{counted(graph.graph['positions'], 'position')}{once} and {counted(graph.graph['moves'], 'move')}"
    # Without the verdict, a reader would take the moves that refute a reading for its proof.
    fails = " is refuted, as these plays show" if graph.graph.get("verdict") == "refuted" else ""
    caption = f"{graph.graph.get('reading', 'plays')}{fails}: {caption}"
    if not is_file:
        return (
            f'<svg class="graph-picture plays" role="group" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}" data-cuts="{cuts}" aria-label="{escape(caption)}">{body}</svg>'
        )
    width, height = max(width, _CAPTION_LETTER * len(caption) + _MARGIN), height + _CAPTION
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="graph-picture plays" role="group" width="{width:g}" '
        f'height="{height:g}" viewBox="0 0 {width:g} {height:g}" aria-labelledby="{_ID}-title">\n'
        f'<title id="{_ID}-title">{escape(caption)}</title>\n'
        f"<style>\n{board_style()}{fill_style()}</style>\n"
        f'<text class="heading" x="4" y="{_CAPTION / 2:g}">{escape(caption)}</text>\n'
        f'<g transform="translate(0,{_CAPTION:g})">{body}</g>\n</svg>\n'
    )


class _Box:
    """The contents of a box, and its size."""

    def __init__(
        self, data: Mapping[str, Any], game: Game, players: tuple[str, ...], drawings: Drawings, *, is_large: bool
    ) -> None:
        self.kind = str(data["kind"])
        is_single = self.kind == "position"
        self.lines = [str(data["label"])] if is_single else str(data["label"]).split("\n")
        self.said = f"{', '.join(self.lines)}; for example {data['position' if is_single else 'example']}"
        self.bars = _merge(data["plies"]) if self.kind == "end" and len(data["plies"]) > 1 else {}
        self.says = wrap(data.get("says", ""), _SENTENCE)
        replies, own = ([], []) if is_single else _say_branches(data, players)
        is_group = is_large and self.kind in ("phase", "rule")
        self.fan = min(data["most_replies"], _MAX_FAN) if is_group else 0
        self.chart = data["plies"] if is_group and self.kind == "phase" and len(data["plies"]) > 1 else {}
        plan = find_presentation(game, drawings).board
        self.scale = _BOARD[is_large] / max(plan.width, plan.height)
        position = game.parse_position(data["position" if is_single else "example"])
        drawn = ElementTree.fromstring(draw_svg(game, position, is_still=True, drawings=drawings))  # noqa: S314 - svg wrote it
        self.board = ElementTree.Element("g", {"class": drawn.attrib["class"]})
        self.board.extend(drawn)
        removed = ("title", "desc", *["text"] * (self.scale < _READABLE))  # the box has a title of its own
        for part in [*self.board.iter()]:
            for child in [*part]:
                if child.tag in removed:
                    part.remove(child)
        across, down = plan.width * self.scale, plan.height * self.scale
        lines = [*self.lines, *self.says, *replies, *own, *(_say_plies(self.chart) if self.chart else ())]
        text = max(_BAR + 90 if self.bars else 0, max(map(len, lines)) * _LETTER)
        parts: list[tuple[float, Callable[[float], Iterable[ElementTree.Element]]]] = [
            (_LINE * len(self.lines), lambda y: _write(self.lines, self.middle, y, "name")),
            (_LINE * len(self.says), lambda y: _write(self.says, self.middle, y, "says")),
            (_LINE * len(self.bars), self.draw_bars),
            (down if is_large else 0, lambda y: self.draw_board((self.width - across) / 2, y)),
            (_LINE * len(replies), lambda y: _write(replies, self.middle, y)),
            (_FAN if self.fan else 0, self.draw_fan),
            (_LINE * len(own), lambda y: _write(own, self.middle, y)),
            (_CHART + 2 * _LINE if self.chart else 0, self.draw_chart),
        ]
        self.parts = [part for part in parts if part[0]]
        tall = sum(height for height, _ in self.parts) + _GAP * (len(self.parts) - 1)
        if is_large:
            self.width, self.height = max(text, across) + 2 * _MARGIN, tall + 2 * _MARGIN
            self.middle = self.width / 2
        else:
            self.width, self.height = text + across + 3 * _MARGIN, max(tall, down) + 2 * _MARGIN
            self.middle = _MARGIN + text / 2
        self.beside = None if is_large else (text + 2 * _MARGIN, (self.height - down) / 2)

    def draw(self) -> Iterable[ElementTree.Element]:
        """Yield the elements of the box, whose upper left corner is the origin."""
        y = _MARGIN
        for height, draw in self.parts:
            yield from draw(y)
            y += height + _GAP
        if self.beside is not None:
            yield from self.draw_board(*self.beside)

    def draw_bars(self, y: float) -> Iterable[ElementTree.Element]:
        """Yield a bar for each ply (or range of plies) at which plays end, below the height ``y``."""
        most = max(self.bars.values())
        for number, (ply, count) in enumerate(self.bars.items()):
            at = y + (number + 0.5) * _LINE
            yield _element("text", ply, {"x": f"{self.middle - 35:g}", "y": f"{at:g}", "class": "before"})
            size = {"x": f"{self.middle - 30:g}", "y": f"{at - 5:g}", "height": "10"}
            yield _element("rect", "", size | {"width": f"{max(1, _BAR * count / most):.3g}", "class": "bar"})
            yield _element("text", f"{count:,}", {"x": f"{self.middle + 35:g}", "y": f"{at:g}", "class": "after"})

    def draw_board(self, x: float, y: float) -> Iterable[ElementTree.Element]:
        """Yield the board, with its upper left corner at a place."""
        self.board.attrib["transform"] = f"translate({x:g},{y:g}) scale({self.scale:.4g})"
        yield self.board

    def draw_fan(self, y: float) -> Iterable[ElementTree.Element]:
        """Yield a fan of strokes from one point, below the height ``y``.

        It has as many strokes as the position with the most replies has replies, but at most ``_MAX_FAN``.
        """
        step, left = (_FAN - 10) / max(1, self.fan - 1), f"M{self.middle - 45:.0f} {y + _FAN / 2:.0f}l50 "
        ends = (step * (number - (self.fan - 1) / 2) for number in range(self.fan))
        yield _element("path", "", {"d": "".join(f"{left}{end:.0f}h40" for end in ends), "class": "fan"})

    def draw_chart(self, y: float) -> Iterable[ElementTree.Element]:
        """Yield a chart of the positions by ply, below the height ``y``, and words below it."""
        first, last, most = min(self.chart), max(self.chart), max(self.chart.values())
        width, left = (self.width - 4 * _MARGIN) / (last - first + 1), 2.5 * _MARGIN
        bars = ((left + (ply - first) * width, max(1, _CHART * count / most)) for ply, count in self.chart.items())
        path = "".join(f"M{x:.0f} {y + _CHART:.0f}v-{tall:.0f}" for x, tall in bars)
        yield _element("path", "", {"d": path, "stroke-width": f"{max(1, width - 1):.0f}", "class": "chart"})
        yield from _write(_say_plies(self.chart), self.middle, y + _CHART)


def _write(lines: Sequence[str], x: float, y: float, look: str = "") -> Iterable[ElementTree.Element]:
    """Yield lines of text below the height ``y``. ``look`` is their class, but only the first line is a ``name``."""
    for number, line in enumerate(lines):
        at = {"x": f"{x:g}", "y": f"{y + (number + 0.5) * _LINE:g}"}
        yield _element("text", line, at | ({"class": look} if look and not (look == "name" and number) else {}))


def _say_plies(plies: Mapping[int, int]) -> list[str]:
    """Say how many positions there are at the first ply, and at the ply with the most positions."""
    first, most = min(plies), max(plies, key=plies.__getitem__)
    return [
        f"at ply {first}: {counted(plies[first], 'position')}",
        f"at ply {most}: {counted(plies[most], 'position')}",
    ]


def _element(tag: str, text: str, attributes: dict[str, str]) -> ElementTree.Element:
    element = ElementTree.Element(tag, attributes)
    element.text = text or None
    return element


def _find_cuts(spans: Iterable[tuple[float, float]]) -> list[float]:
    """Return the heights at which the picture can be cut without cutting a box, from top to bottom."""
    found, lowest = list[float](), None
    for top, bottom in sorted(spans):
        if lowest is not None and top > lowest:
            found.append((top + lowest) / 2)
        lowest = bottom if lowest is None else max(lowest, bottom)
    return found


def _fill(
    item: ElementTree.Element,
    boxes: Mapping[str, _Box],
    labels: Mapping[str, tuple[list[str], str]],
    spans: list[tuple[float, float]],
) -> None:
    """Write a box's contents, or a label's words, at the place that Graphviz has chosen.

    This changes the item. It also adds the top and the bottom of the box or label to ``spans``.
    """
    shape, title = item.find("path"), item.find("title")
    if shape is None or title is None or title.text is None or item.attrib["class"].startswith("edge"):
        return
    points = [float(number) for number in re.findall(r"[-.\d]+", shape.attrib["d"])]
    left, top = min(points[::2]), min(points[1::2])
    spans.append((top, max(points[1::2])))
    if title.text in boxes:
        box = boxes[title.text]
        item.attrib["data-node"], title.text = title.text, box.said
        inner = ElementTree.SubElement(item, "g", {"transform": f"translate({left:g},{top:g})"})
        inner.extend(box.draw())
        return
    lines, title.text = labels[title.text]
    x = (left + max(points[::2])) / 2
    for number, line in enumerate(lines):
        at = {"x": f"{x:g}", "y": f"{top + 7.5 + 13 * number:g}"}
        item.append(_element("text", line, at))


def _say_branches(data: Mapping[str, Any], players: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Return lines about the replies in a group, and lines about the moves of the player with the strategy.

    ``players`` has the name of the player with the strategy first.
    """
    own, replies, most = data["moves"] - data["replies"], data["replies"], data["most_replies"]
    theirs, his = [], []
    if replies:
        theirs = [f"{players[1]}: {counted(replies, 'reply', 'replies')},", f"up to {most} in one position"]
    if own and data["kind"] != "plies":  # for a group of plies, the arrows say it
        by = [f"{count:,} by “{_short(rule)}”" for rule, count in data["rules"].items()]
        his = [f"{players[0]}: {counted(own, 'move')}{',' if by else ''}", *by]
        if len(by) == 1:
            his = [f"{players[0]}: {counted(own, 'move')} by “{_short(*data['rules'])}”"]
    return theirs, his


def _say_moves(data: Mapping[str, Any], players: tuple[str, ...], width: int, *, is_whole: bool) -> list[str]:
    """Return the lines on an arrow: the move, or how many moves there are.

    If ``is_whole``, count replies and other moves separately, and name the rules that answer the replies and the rules
    that make the other moves.
    """
    if "move" in data:
        return [data["move"]]
    if not is_whole:
        return [counted(data["moves"], "move")]
    own, replies = data["moves"] - data["replies"], data["replies"]
    lines = []
    if replies:
        lines += wrap(f"after {counted(replies, 'reply', 'replies')} of {players[1]}’s", width)
        lines += _say_rules(f"{players[0]} answers", data["answers"])
    if own:
        lines += wrap(f"{counted(own, 'move')} of {players[0]}’s", width)
        lines += _say_rules("", data["rules"])
    return lines


def _say_rules(word: str, rules: Mapping[str, int]) -> list[str]:
    """Return lines that name rules, after the words ``word``."""
    return ([word] if word and rules else []) + [
        f"{'or' if at else 'by'} “{_short(rule)}”" for at, rule in enumerate(rules)
    ]


def _short(rule: str) -> str:
    return rule.partition(".")[2] or rule


def _merge(plies: Mapping[int, int]) -> dict[str, int]:
    """Return how many positions there are at each ply, or in ranges of plies if there would be too many bars."""
    if len(plies) <= _MAX_BARS:
        return {str(ply): count for ply, count in plies.items()}
    first, last = min(plies), max(plies)
    size = -(-(last - first + 1) // _MAX_BARS)
    starts = range(first, last + 1, size)
    sums = {start: sum(plies.get(ply, 0) for ply in range(start, start + size)) for start in starts}
    return {f"{start}–{min(start + size - 1, last)}": count for start, count in sums.items() if count}
