"""The first screen: made for the document that is asked for, with a row each where there are several."""

from __future__ import annotations

import re

import pytest

from verifier.api.specs import load


@pytest.mark.parametrize(
    ("asked", "heading"),
    [(["newell-simon"], "Tic-tac-toe by eight rules"), (["newell-simon", "threesome"], "Which claims hold")],
)
def test_the_first_screen_is_of_what_is_asked_for(asked: list[str], heading: str) -> None:
    """One document gives its title to the page; of two each has a row, which leads to its first claim."""
    specs = load(cache=False)
    page = specs.render(specs.look(asked))
    found = re.search(r"<h1>(.*?)</h1>", page)
    assert found is not None
    assert found[1].startswith(heading)
    rows = re.findall(r'<tr><th scope="row"><a href="#claim-([\w-]+)">(.*?)</a>', page)
    assert len(rows) == (len(asked) if len(asked) > 1 else 0)
    assert all(f'id="claim-{claim}"' in page for claim, _ in rows)
