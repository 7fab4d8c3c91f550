from __future__ import annotations

import gzip
import hashlib
import pathlib
import pickle
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernel.test_corpus import write
from verifier.kernel import certificate as files
from verifier.kernel.__main__ import answer as decide_one
from verifier.kernel.certificate import Certificate
from verifier.kernel.decide import Memo
from verifier.kernel.errors import CertificateError
from verifier.kernel.store import evidence_path

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**11), 10**11) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def reason(data: bytes) -> str:
    """Return why a file is refused."""
    with pytest.raises(CertificateError) as caught:
        files.unpack(data, "file")
    return caught.value.reason


def reason_of(text: bytes) -> str:
    """Return why a text is refused, compressed or, as an index is, as it stands: for the same reason."""
    with pytest.raises(CertificateError) as caught:
        files.parse_json(text, "file", len(text))
    assert reason(files.pack_text(text)) in (caught.value.reason, "too-large")
    return caught.value.reason


@given(VALUES)
@settings(derandomize=True, max_examples=12, deadline=None)
def test_pack_round_trip(value: Any) -> None:
    """What is packed is read back, and packing it again gives the same bytes."""
    data = files.pack(value)
    assert files.unpack(data, "file") == value
    assert files.pack(files.unpack(data, "file")) == data


def test_packing_is_reproducible() -> None:
    """The order of keys leaves no trace, and neither does the time or the file system."""
    data = files.pack({"b": [1, "é"], "a": None})
    assert data == files.pack({"a": None, "b": [1, "é"]})
    assert gzip.decompress(data) == b'{"a":null,"b":[1,"\\u00e9"]}\n'
    assert data[:4] == b"\x1f\x8b\x08\x00"
    assert data[4:8] == b"\0\0\0\0"
    assert data[9] == 255


def test_hash_is_of_the_canonical_text() -> None:
    """A value's hash is the SHA-256 of its sorted JSON without spaces, as anybody can compute it."""
    expected = hashlib.sha256(b'{"a":1,"b":[true,null]}').hexdigest()
    assert files.hash_value({"b": [True, None], "a": 1}) == expected


def test_canonical_text_has_no_nan() -> None:
    """A value that is no JSON is not written."""
    with pytest.raises(ValueError, match="JSON"):
        files.canonical_bytes(float("nan"))


@pytest.mark.parametrize("cut", [2, 5, 9, 10, 11, 20, -9, -8, -1])
def test_truncated_gzip_is_refused(cut: int) -> None:
    """A compressed file that ends early is refused wherever it is cut."""
    assert reason(files.pack({"a": list(range(50))})[:cut]) == "truncated"


def test_every_flipped_byte_is_noticed() -> None:
    """No byte of a compressed file can be changed: there is one way to write a value, but for how well it is packed."""
    data = files.pack({"a": list(range(50)), "b": "text"})
    for index in range(len(data)):
        changed = data[:index] + bytes([data[index] ^ 0xFF]) + data[index + 1 :]
        assert reason(changed) in ("not-canonical", "damaged", "truncated")


@pytest.mark.parametrize(
    "text",
    [
        b'{"a":1}',
        b'{"a": 1}\n',
        b'{"a":1}\n\n',
        b' {"a":1}\n',
        b'{"b":1,"a":1}\n',
        b'"\\u0061"\n',
        b'"\\u00E9"\n',
        b"-0\n",
    ],
)
def test_another_text_of_a_value_is_refused(text: bytes) -> None:
    """Spaces, other orders and other ways to write a letter would give one value many hashes."""
    assert reason(files.pack_text(text)) == "not-canonical"


@pytest.mark.parametrize("data", [b"", b"{}", b'{"a":1}\n', b"\x1f\x8c", b"PK", gzip.compress(b"1\n", mtime=1)])
def test_plain_json_is_refused(data: bytes) -> None:
    """What is not compressed, or has another header, is another file than the one that is described."""
    assert reason(data) == "not-canonical"


def test_what_follows_a_gzip_member_is_refused() -> None:
    """One file is one member: a second one, or any byte after the first, is refused."""
    data = files.pack({"a": 1})
    for tail in (data, b"\0", b"\n", b"\x1f\x8b", gzip.compress(b"")):
        assert reason(data + tail) == "damaged"


def test_decompression_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file with a large text is refused before the text is held in memory."""
    monkeypatch.setattr(files, "MAX_TEXT_RATIO", 10**6)
    monkeypatch.setattr(files, "MAX_TEXT_BYTES", 10 * 2**20)
    bomb = files.pack_text(b" " * (20 * 2**20))
    assert len(bomb) < 2**20
    assert reason(bomb) == "too-large"


def test_bomb_that_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The size is counted while reading: a bomb is refused even where its end is missing."""
    monkeypatch.setattr(files, "MAX_TEXT_RATIO", 10**6)
    monkeypatch.setattr(files, "MAX_TEXT_BYTES", 3 * 2**20)
    compressor = zlib.compressobj(wbits=31)
    bomb = compressor.compress(b" " * (20 * 2**20)) + compressor.flush(zlib.Z_SYNC_FLUSH)
    bomb = files.HEADER + bomb[len(files.HEADER) :]
    assert reason(bomb) == "too-large"


def test_text_is_in_proportion_to_the_file() -> None:
    """Text that packs better than any honest one is refused, however short it is in itself."""
    assert reason(files.pack_text(b" " * (files.MAX_TEXT_RATIO * 3000))) == "too-large"
    dense = files.pack_text(b"[" + b'"........./XXX/OOO",' * 200 + b"0]\n")
    assert len(files.unpack(dense, "file")) == 201


@pytest.mark.parametrize("item", [b"[]", b"{}", b'""', b"0", b"null", b"[[]]", b'{"a":0}'])
def test_items_are_counted_before_they_are_made(item: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many small values in few bytes are refused before Python holds one of them."""
    packed = files.pack_text(b"[" + (item + b",") * 200_000 + item + b"]")
    monkeypatch.setattr(files, "MAX_TEXT_RATIO", 10**6)
    monkeypatch.setattr(files, "MAX_ITEMS", 200_000)
    monkeypatch.setattr("verifier.kernel.certificate.json.loads", lambda *_, **__: pytest.fail("it was read"))
    assert len(packed) < 40_000
    assert reason(packed) == "too-large"


def test_text_is_ascii() -> None:
    """A letter that takes four bytes makes no text four times as large: there is none in canonical JSON."""
    assert reason_of('["\U0001f600"]'.encode()) == "malformed"
    assert files.unpack(files.pack_text(b'["\\ud83d\\ude00"]\n'), "file") == ["\U0001f600"]


@pytest.mark.parametrize("code", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_text_is_written_in_no_other_code(code: str) -> None:
    """Every byte of these is an ASCII one, some are zero: so there is one way to read a file."""
    assert reason_of('{"a":[1]}'.encode(code)) == "malformed"


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b" ",
        b"nonsense",
        b"NaN",
        b"Infinity",
        b"-Infinity",
        b"[NaN]",
        b"1.0",
        b"1e3",
        b"1E3",
        b"-0.0",
        b"1000000000000",
        b"-1000000000000",
        b"9" * 10_000,
        b"01",
        b"+1",
        b"[1,]",
        b"{'a':1}",
        b'"\xff"',
        b'"\xc3"',
        b"{} {}",
        b"[" * 10_000,
        b"[" * 50_000 + b"]" * 50_000,
        b'{"a":' * 20_000 + b"1" + b"}" * 20_000,
        b'"\x01"',
    ],
)
def test_text_that_is_no_small_json_is_refused(text: bytes) -> None:
    """Floats, NaN, huge integers, deep nesting and broken JSON end in one error, compressed or not."""
    assert reason_of(text) == "malformed"


@pytest.mark.parametrize("text", [b'{"a":1,"a":1}', b'[{"b":{"a":1,"c":2,"a":3}}]', b'{"a":1,"\\u0061":2}'])
def test_duplicate_key_is_refused(text: bytes) -> None:
    """No object names a key twice, however the key is written."""
    assert reason_of(text) == "duplicate-entry"


def test_finding_the_key_that_stands_twice_takes_no_longer_than_reading() -> None:
    """Each key compared with all before it: an index of 20 MB took hours."""
    compared = 0

    class Key(str):
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return str.__eq__(self, other)

    with pytest.raises(CertificateError, match="the key '99' stands twice"):
        files._unique_pairs([(Key(number), None) for number in [*range(100), 99]])
    assert compared < 1000


def test_integers_of_twelve_digits_are_read() -> None:
    """The limit on integers is far above every number that a certificate needs."""
    assert files.unpack(files.pack_text(b"[999999999999,-999999999999]\n"), "file") == [999999999999, -999999999999]


def test_certificate_round_trip() -> None:
    """A certificate is read back from the object that it writes."""
    certificate = Certificate({"kind": "play"}, "proved", {})
    assert files.parse_certificate(files.unpack(files.pack(certificate.to_json()), "file"), "file") == certificate


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"format": None}, "malformed"),
        ({"format": "verifier-table"}, "malformed"),
        ({"version": 0}, "malformed"),
        ({"version": 1}, "malformed"),
        ({"version": 3}, "malformed"),
        ({"version": True}, "malformed"),
        ({"version": None}, "malformed"),
        ({"extra": 1}, "malformed"),
        ({"claim": "lemma-3"}, "malformed"),
        ({"reading": "as-stated"}, "malformed"),
        ({"statement": []}, "malformed"),
        ({"evidence": "none"}, "malformed"),
        ({"verdict": "unknown"}, "malformed"),
        ({"verdict": "Proved"}, "malformed"),
        ({"verdict": ["proved"]}, "malformed"),
    ],
)
def test_other_objects_are_no_certificates(change: dict[str, Any], expected: str) -> None:
    """Every field of a certificate has one type, and no field is missing or unknown."""
    value = Certificate({}, "proved", {}).to_json() | change
    with pytest.raises(CertificateError) as caught:
        files.parse_certificate(value, "file")
    assert caught.value.reason == expected


@pytest.mark.parametrize("value", [None, 1, "x", [], {}, [{"format": "verifier-certificate"}]])
def test_values_without_a_header_are_refused(value: Any) -> None:
    """What is not an object of the format is refused."""
    with pytest.raises(CertificateError, match="malformed"):
        files.parse_certificate(value, "file")


@pytest.mark.parametrize("key", ["statement", "verdict", "evidence"])
def test_missing_key_is_refused(key: str) -> None:
    """A certificate has all its fields."""
    value = Certificate({}, "proved", {}).to_json()
    del value[key]
    with pytest.raises(CertificateError, match=rf"has the keys .*, not .*{key}"):
        files.parse_certificate(value, "file")


def test_nesting_near_the_limit_does_not_break_recheck(tmp_path: pathlib.Path) -> None:
    """However deep a certificate nests, it is answered with a rejection of its own."""
    shell = files.canonical_bytes(Certificate({"kind": "HERE"}, "proved", {}).to_json()) + b"\n"
    for depth in range(700, 1001, 7):
        nested = "[" * depth + "]" * depth
        statement = files.hash_bytes(f'{{"kind":{nested}}}'.encode())
        write(tmp_path, evidence_path(statement), files.pack_text(shell.replace(b'"HERE"', nested.encode())))
        answer = decide_one(tmp_path, statement, Memo())
        assert isinstance(answer.outcome, CertificateError)


def test_refusals_travel_between_processes() -> None:
    """An error is the same one after it was sent from one process to another."""
    error = pickle.loads(pickle.dumps(CertificateError("hash", "a file")))  # noqa: S301 - made here
    assert (error.reason, str(error)) == ("hash", "hash: a file")
