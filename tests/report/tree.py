"""A page as a tree of elements, for tests: reading it refuses what is not well formed."""

from __future__ import annotations

import html.parser
from dataclasses import dataclass, field

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


@dataclass
class Element:
    """An element with its attributes, its own text and its children."""

    name: str
    attributes: dict[str, str]
    parent: Element | None
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def every(self) -> list[Element]:
        """Return the element and every one below it, in the order of the page."""
        return [self, *(below for child in self.children for below in child.every())]

    @property
    def words(self) -> str:
        """The text of the element and of all below it."""
        return " ".join([self.text, *(child.words for child in self.children)]).strip()


class Tree(html.parser.HTMLParser):
    """Builds a tree, and refuses what is not closed in order."""

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
        self.open.text += data


def find(elements: list[Element], name: str) -> list[Element]:
    """Return the elements of a name."""
    return [element for element in elements if element.name == name]


def by_id(elements: list[Element], name: str) -> Element:
    """Return the element of an id."""
    (found,) = [element for element in elements if element.attributes.get("id") == name]
    return found
