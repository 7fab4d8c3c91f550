"""Print the claims whose evidence ``make audit`` searches for again: ``python -m tests.anew``.

Each of the other claims takes more than about ten seconds, and some take minutes. Their shipped evidence is decided,
and so is that of the claims that join them. ``make proofs`` searches for all evidence again.
"""

import fnmatch

from tests.rules import specs
from verifier.audit.needs import join_claims

SLOW = (
    # bounds, and plays up to ply 46
    *("beyond-*", "theorem-*", "lemma-6*", "lemma-7*", "figure-6-caption", "remark-2*"),
    # obligations
    *("lemma-2", "lemma-2-cases", "lemma-4", "lemma-5*", "corollary-1-argument", "other-first-fields"),
    "theorems-for-all-piles",
    # boards of 36 and 49 spots
    *("*-l5*", "animal-skinny", "harries-strong-skinny-moves"),
    # every game, and every play
    *("sim-no-draw", "threesome-turn-8", "othello-games"),
    # games of a hundred thousand positions and more
    *("book-*-position", "five-by-five", "wherever-the-hare-is", "connect-four-draws", "chaos-four-in-a-row"),
    # the statements of animal-* again
    "page-*",
)
"""The claims that take long, as patterns."""


def find_quick() -> list[str]:
    """Return the claims that take a short time, and all claims that they join."""
    library = specs()
    slow = {name for name in library.claims for pattern in SLOW if fnmatch.fnmatchcase(name, pattern)}
    return [name for name in library.claims if slow.isdisjoint(join_claims(library, [name]))]


if __name__ == "__main__":
    print(*find_quick())
