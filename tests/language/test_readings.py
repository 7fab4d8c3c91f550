"""Every shipped reading states what it is known to state: a change of the language changes no statement unseen."""

from __future__ import annotations

import pathlib

from tests.rules import specs
from verifier.kernel.certificate import hash_value
from verifier.language.compile import compile_library

KNOWN = pathlib.Path(__file__).with_name("readings.txt")
"""A line a reading: its name, the start of its statement's hash, and the verdict that it expects.

``python -m tests.language.test_readings`` writes it anew: look at what has changed, and say why.
"""


def list_readings() -> list[str]:
    """Return the lines of the file, as the specs have them now."""
    library = specs()
    compiled = compile_library(library)[0]
    return [
        f"{claim}/{name} {hash_value(found.statement)[:16] if found.statement else '-'} "
        f"{library.claim(claim).readings[name].expect}"
        for (claim, name), found in sorted(compiled.items())
    ]


def test_every_reading_states_what_it_is_known_to_state() -> None:
    """No statement and no expectation of a reading in the list differs from it, and none is missing."""
    known, found = set(KNOWN.read_text().splitlines()), set(list_readings())
    assert sorted(known - found) == []


if __name__ == "__main__":
    KNOWN.write_text("".join(f"{line}\n" for line in list_readings()))
