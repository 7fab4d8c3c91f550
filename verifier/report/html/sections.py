"""What the page is made of: sections, each with its own part of the style sheet and of the script.

To add one, write a function from the context to a ``Section`` and name it in ``BUILDERS``.
"""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the page.

    Attributes:
        id: the fragment that leads to it; views inside it are ``#ID?key=value&…`` (see ``page.js``).
        title: its heading, and its entry in the contents.
        html: what follows the heading; the caller has escaped it.
        style: rules that are added to the page's style sheet.
        script: JavaScript that is added to the page's script and runs after ``board.js`` and ``page.js``.
        data: JSON by element id, for the script: ``readData(id)`` returns it.
        is_printed: whether it is part of the printed report.
    """

    id: str
    title: str
    html: Markup
    style: str = ""
    script: str = ""
    data: tuple[tuple[str, str], ...] = ()
    is_printed: bool = True
