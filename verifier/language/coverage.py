"""Which sentences of a document are audited: gaps in the list of them, and claims that it lacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from verifier.language.about import CoverageFile
from verifier.language.loader import Document, Path
from verifier.language.model import Claim
from verifier.language.problem import Problem, suggest


def find_gaps(
    document: Document, model: CoverageFile, claims: Mapping[str, Claim], own: Iterable[str]
) -> Iterator[Problem]:
    """Yield what is wrong with a list of sentences.

    Args:
        document: the list as written, which knows the places.
        model: the list.
        claims: every claim that there is.
        own: the claims that the document makes; each has to stand at some sentence.
    """
    met: set[str] = set()
    for part, sentences in model.contents.items():
        for number, key in enumerate(sentences, 1):
            if key != str(number):
                text = f"the sentences of {part!r} are numbered from 1 without a gap: {number} is wanted, not {key}"
                yield document.key_problem(("contents", part, key), text)
                break
        for key, sentence in sentences.items():
            for index, named in enumerate(sentence.readings):
                claim, slash, reading = named.partition("/")
                met.add(claim)
                path: Path = ("contents", part, key, "readings", index)
                if claim not in claims:
                    yield document.missing(path, "claim", claim, claims)
                elif slash and reading not in claims[claim].readings:
                    hint = suggest(reading, claims[claim].readings)
                    yield document.problem(path, f"the claim {claim!r} has no reading {reading!r}{hint}")
    for claim in own:
        if claim not in met:
            yield document.problem(("contents",), f"the claim {claim!r} is of this document, and no sentence names it")
