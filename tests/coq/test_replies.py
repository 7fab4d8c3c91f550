"""Olivia's replies are read from tables as the kernel follows them, in the order of ``Replies.v``."""

import pathlib
from typing import Any

import pytest

from proofs.coq.tools.replies import Replier, levels, read_replies
from tests.kernel.late import find_replies, is_held
from tests.kernel.test_bound import state
from verifier.audit.index import write_index
from verifier.kernel.certificate import Index, evidence_path, file_path, hash_bytes, hash_value
from verifier.kernel.errors import CertificateError
from verifier.kernel.race import relaxation
from verifier.kernel.race.bound import Race, open_races, parse_bound
from verifier.kernel.race.endgame import Endgames
from verifier.packing import pack, pack_certificate
from verifier.search.bounded import moves
from verifier.search.bounded.record import make_lookup, record

STATEMENT = state()
NAME = "late/as-stated"
FRONTIER = 1


def chosen() -> tuple[list[Race], dict[str, str]]:
    """Return the first races of the statement, and replies that hold, by race."""
    races = list(open_races(parse_bound(STATEMENT)))
    replies: dict[str, str] = {}
    for race in races:
        find_replies(*race, FRONTIER, Endgames(), replies)
    return races, replies


def ship(folder: pathlib.Path, *tables: dict[str, Any]) -> None:
    packed = {hash_bytes(data): data for data in map(pack, tables)}
    digest = hash_value(STATEMENT)
    write_index(folder, Index({NAME: digest}))
    written = {file_path(name): data for name, data in packed.items()}
    written[evidence_path(digest)] = pack_certificate(STATEMENT, "proved", {"tables": list(packed)})
    for path, data in written.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(data)


def follow(race: Race, found: list[list[tuple[int, int]]]) -> list[Race]:
    """Follow replies as ``check`` of ``Replies.v`` does. Return the races at which they end.

    Each level is a stack: the moves after a reply are made from the last to the first, and the race that is met last
    comes first.
    """
    fields, active, marks = race
    level = [(fields, active)]
    for replies in found:
        assert len(replies) == len(level)
        pile = []
        for (before, to), (f, s) in zip(level, replies, strict=True):
            assert (f, s) in moves.free_spots_of(before, to)
            after, field = moves.play_mark(before, f, s, is_xavier=False)
            for move in reversed(list(moves.free_spots_of(after, field))):
                made, goes = moves.play_mark(after, *move, is_xavier=True)
                if relaxation.least(relaxation.needs_of(made)) < marks:
                    pile.append((relaxation.coarsen(made, marks - 1), goes))
        level = list(dict.fromkeys(pile))[::-1]
        marks -= 1
    return [(fields, active, marks) for fields, active in level]


def test_the_replies_that_are_read_are_those_that_were_chosen(tmp_path: pathlib.Path) -> None:
    """The walk gets each reply that it asks for, above a frontier, and for each image of a race."""
    races, replies = chosen()
    table = record(FRONTIER, (), races, make_lookup(replies))
    ship(tmp_path, table)
    found, frontier = read_replies(tmp_path, 0, NAME)
    assert frontier == FRONTIER
    assert len(found) == sum(map(len, table["replies"].values())) > 20
    for race, (f, s) in found.items():
        assert replies[relaxation.format_race(*race)] == f"{f}.{s}"
    higher, frontier = read_replies(tmp_path, 3, NAME)
    assert frontier == FRONTIER
    assert higher == {race: reply for race, reply in found.items() if race[2] > 3} != {}
    with pytest.raises(CertificateError, match="has no evidence for early/as-stated"):
        read_replies(tmp_path, FRONTIER, "early/as-stated")
    for fields, active, marks in races:
        for number in range(8):
            image = relaxation.image_of_race(number, fields, active)
            levels_below = list(levels({image: None}, marks, Replier(found), FRONTIER))
            assert len(levels_below) == marks - FRONTIER
            assert all(is_held(*race) for race in follow((*image, marks), levels_below))


def test_tables_that_rest_on_each_other_are_read_as_one(tmp_path: pathlib.Path) -> None:
    """If a table ends at races that another table proves, the replies of both together reach the frontier."""
    races, replies = chosen()
    middle = {
        (*relaxation.canonical(*race[:2]), race[2]) for race in map(relaxation.parse_race, replies) if race[2] == 3
    }
    upper = record(FRONTIER, middle, races, make_lookup(replies))
    shown = [relaxation.parse_race(name) for name in upper["given"]]
    for race in shown:
        find_replies(*race, FRONTIER, Endgames(), replies)
    lower = record(FRONTIER, (), shown, make_lookup(replies))
    ship(tmp_path, lower, upper)
    found, frontier = read_replies(tmp_path, FRONTIER, NAME)
    assert {race[2] for race in found} == {2, 3, 4}
    for fields, active, marks in races:
        table = list(levels({(fields, active): None}, marks, Replier(found), frontier))
        assert all(is_held(*race) for race in follow((fields, active, marks), table))


def test_below_a_table_every_reply_is_tried(tmp_path: pathlib.Path) -> None:
    """If a table ends early, every reply is tried from there down. If this is not allowed, the first race is named."""
    races, replies = chosen()
    high = {name: reply for name, reply in replies.items() if relaxation.parse_race(name)[2] > 3}
    ship(tmp_path, record(3, (), races, make_lookup(high)))
    found, frontier = read_replies(tmp_path, FRONTIER, NAME)
    assert frontier == 3
    assert {race[2] for race in found} == {4}
    for fields, active, marks in races:
        table = list(levels({(fields, active): None}, marks, Replier(found, frontier), FRONTIER))
        assert len(table) == marks - FRONTIER
        assert all(is_held(*race) for race in follow((fields, active, marks), table))
        with pytest.raises(CertificateError, match="no reply to "):
            list(levels({(fields, active): None}, marks, Replier(found), FRONTIER))
