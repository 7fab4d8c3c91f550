from __future__ import annotations

import json
import pathlib

from verifier.spec.library import load_library, needed_claims

SPECS = pathlib.Path(__file__).parents[2] / "specs"


def test_every_place_has_a_claim() -> None:
    """The places name claims that exist, and every claim stands in one, or below one that does, or is our own."""
    listed = json.loads((SPECS / "places.json").read_text())
    library = load_library(SPECS)
    named = [claim for claims in listed.values() for claim in claims]
    assert all(listed.values())
    assert set(named) <= set(library.claims)
    assert len(named) == len(set(named))
    needed = {other for name in named for other in needed_claims(library.claim(name))}
    ours = {name for name in library.claims if library.is_ours(library.claim(name).source)}
    assert set(library.claims) - set(named) - needed - ours == set()
