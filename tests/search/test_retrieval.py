from __future__ import annotations

import pytest

from tests.lines import PROOFS
from verifier.kernel.certificate import unpack
from verifier.kernel.games.nested import ANY
from verifier.kernel.race.bound import Lemma, Race, Reply, parse_lemma
from verifier.kernel.race.relaxation import field_table, image_of_race
from verifier.kernel.relabel import SYMMETRIES
from verifier.kernel.store import files_of, read_certificate, read_index, read_named
from verifier.report.html.explorer import LEAST, collect_replies
from verifier.search.retrieval import SEEDS, Cells, pack_replies

MASK = 0xFFFFFFFF


@pytest.fixture(scope="module")
def lemma() -> Lemma:
    certificate = read_certificate(PROOFS, read_index(PROOFS).filed["beyond-no-double/by-43"])
    (name,) = certificate.evidence["tables"]
    return parse_lemma(unpack(read_named(files_of(PROOFS), name), name), name)


@pytest.fixture(scope="module")
def replies(lemma: Lemma) -> dict[Race, Reply]:
    return collect_replies([lemma], 14)


def mix(numbers: list[int], seed: int) -> int:
    for number in numbers:
        seed = (seed ^ number) * 0x9E3779B1 & MASK
        seed ^= seed >> 15
    seed = (seed ^ seed >> 16) * 0x85EBCA6B & MASK
    return seed ^ seed >> 13


def look(cells: Cells, hashes: list[int]) -> int:
    third, data = cells
    one, other = hashes
    mixed = (one ^ other * 0x9E3779B1 & MASK) % third
    at = [one % third, third + other % third, 2 * third + mixed]
    first, second, last = (data[index >> 1] >> 4 * (index & 1) & 15 for index in at)
    return first ^ second ^ last


def test_every_reply_is_found_again(replies: dict[Race, Reply]) -> None:
    """What the cells say of a race is its reply, or that of another image of it that the tables have."""
    spots, free = pack_replies(replies)
    shapes = field_table().shape
    known: dict[Race, set[Reply]] = {}
    for (fields, active, marks), (f, s) in replies.items():
        for number, way in enumerate(SYMMETRIES):
            known.setdefault((*image_of_race(number, fields, active), marks), set()).add((way[f], way[s]))
    for fields, active, marks in list(replies)[::50]:
        hashes = []
        for number in range(8):
            image, to = image_of_race(number, fields, active)
            codes = [x | o << 9 | own << 18 for x, o, own in (shapes[field] for field in image)]
            hashes.append(([mix([*codes, to, marks], seed) for seed in SEEDS], image, to))
        least, image, to = min(hashes)
        spot = look(spots, least)
        field = look(free, least) if to == ANY else to
        assert (field, spot) in known[image, to, marks]


def test_replies_are_as_many_as_the_table_has(lemma: Lemma) -> None:
    """Down to so many marks each reply of the table is met, and none with fewer."""
    found = collect_replies([lemma])
    assert {marks for *_, marks in found} == {marks for marks in lemma.replies if marks >= LEAST}
    assert len(found) <= sum(len(text) for marks, text in lemma.replies.items() if marks >= LEAST)
