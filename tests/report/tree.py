"""A page as a tree of elements, for tests. Pages that are not well formed are refused."""

from __future__ import annotations

import base64
import html.parser
import re
import zlib
from dataclasses import dataclass, field

BLOCKS = {"h1", "h2", "h3", "h4", "h5", "h6", "p", "li", "tr", "dt", "dd", "summary", "pre", "caption", "figcaption"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


@dataclass
class Element:
    """An element with its attributes and its children."""

    name: str
    attributes: dict[str, str]
    # Parents and children stay out of ``repr``: a test that fails would print the page once for each element on it.
    parent: Element | None = field(repr=False)
    children: list[Element] = field(default_factory=list, repr=False)
    pieces: list[str | Element] = field(default_factory=list, repr=False)
    """Text and children, in their order."""

    def every(self) -> list[Element]:
        """Return the element and every element in it, in the order of the page."""
        return [self, *(below for child in self.children for below in child.every())]

    @property
    def words(self) -> str:
        """The text of the element and of all elements in it, in the order of the page."""
        return " ".join(piece if isinstance(piece, str) else piece.words for piece in self.pieces)

    @property
    def lines(self) -> list[str]:
        """The words of each innermost block, in the order of the page. Boards are pictures."""
        if self.name in BLOCKS and not any(below.name in BLOCKS for below in self.every()[1:]):
            return [f"{self.name}: {' '.join(self.words.split())}"]
        return [line for child in self.children if child.name not in ("script", "svg") for line in child.lines]


class Tree(html.parser.HTMLParser):
    """Builds a tree. Refuses elements that are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.root = self.open = Element("", {}, None)
        self.feed(text)
        self.close()
        assert self.open is self.root, f"<{self.open.name}> is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice"
        element = Element(tag, {name: value or "" for name, value in attrs}, self.open)
        self.open.children.append(element)
        self.open.pieces.append(element)
        if tag not in VOID:
            self.open = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open and close an element."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the element that was opened last, or refuse."""
        assert self.open.name == tag, f"</{tag}> closes <{self.open.name}>"
        assert self.open.parent is not None
        self.open = self.open.parent

    def handle_data(self, data: str) -> None:
        """Add text."""
        self.open.pieces.append(data)


def find(elements: list[Element], name: str) -> list[Element]:
    """Return the elements with a name."""
    return [element for element in elements if element.name == name]


def by_id(elements: list[Element], name: str) -> Element:
    """Return the element with an id."""
    (found,) = [element for element in elements if element.attributes.get("id") == name]
    return found


def unpack_chapters(page: str) -> str:
    """Return a page with its packed chapters as text, which is what the page's script makes of them."""

    def read(found: re.Match[str]) -> str:
        return f"<noscript>{zlib.decompress(base64.b64decode(found[1])).decode()}</noscript>"

    return re.sub('<noscript data-packed="([^"]*)">.*?</noscript>', read, page)
