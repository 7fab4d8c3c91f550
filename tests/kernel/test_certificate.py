import gzip
import hashlib
import pathlib
import pickle
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernel.asking import reason_of
from tests.kernel.test_corpus import write
from verifier.kernel import certificate as files
from verifier.kernel.certificate import CertificateContent, evidence_path
from verifier.kernel.decide import Memo
from verifier.kernel.errors import CertificateError
from verifier.kernel.recheck import answer as decide_one
from verifier.packing import pack, pack_certificate, pack_text

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**11), 10**11) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def refused(data: bytes) -> str:
    return reason_of(files.unpack, data, "file")


def refused_text(text: bytes) -> str:
    """Return why a text is refused, compressed or, as an index is, as it stands: for the same reason."""
    found = reason_of(files.parse_json, text, "file", len(text))
    assert refused(pack_text(text)) in (found, "too-large")
    return found


@given(VALUES)
@settings(derandomize=True, max_examples=12, deadline=None)
def test_pack_round_trip(value: Any) -> None:
    """What is packed is read back, and packing it again gives the same bytes."""
    data = pack(value)
    assert files.unpack(data, "file") == value
    assert pack(files.unpack(data, "file")) == data


def test_packing_is_reproducible() -> None:
    """The order of keys leaves no trace, and neither does the time or the file system."""
    data = pack({"b": [1, "é"], "a": None})
    assert data == pack({"a": None, "b": [1, "é"]})
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


def test_another_file_of_a_value_is_refused() -> None:
    """There is one way to write a value: no byte can be changed, nothing cut off, and nothing follows."""
    data = pack({"a": list(range(50)), "b": "text"})
    for index in range(len(data)):
        changed = data[:index] + bytes([data[index] ^ 0xFF]) + data[index + 1 :]
        assert refused(changed) in ("not-canonical", "damaged", "truncated")
    for cut in (2, 5, 9, 10, 11, 20, -9, -8, -1):
        assert refused(data[:cut]) == "truncated"
    for tail in (data, b"\0", b"\n", b"\x1f\x8b", gzip.compress(b"")):
        assert refused(data + tail) == "damaged"
    for other in (b"", b'{"a":1}\n', b"\x1f\x8c", gzip.compress(b"1\n", mtime=1)):
        assert refused(other) == "not-canonical"


@pytest.mark.parametrize(
    "text",
    ['{"a":1}', '{"a": 1}\n', '{"a":1}\n\n', ' {"a":1}\n', '{"b":1,"a":1}\n', '"\\u0061"\n', '"\\u00E9"\n', "-0\n"],
)
def test_another_text_of_a_value_is_refused(text: str) -> None:
    """Spaces, other orders and other ways to write a letter would give one value many hashes."""
    assert refused(pack_text(text.encode())) == "not-canonical"


def test_decompression_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file with a large text is refused before it is held in memory, also where its end is missing."""
    monkeypatch.setattr(files, "MAX_TEXT_RATIO", 10**6)
    monkeypatch.setattr(files, "MAX_TEXT_BYTES", 10 * 2**20)
    bomb = pack_text(b" " * (20 * 2**20))
    assert len(bomb) < 2**20
    assert refused(bomb) == "too-large"
    compressor = zlib.compressobj(wbits=31)
    endless = compressor.compress(b" " * (20 * 2**20)) + compressor.flush(zlib.Z_SYNC_FLUSH)
    assert refused(files.HEADER + endless[len(files.HEADER) :]) == "too-large"


def test_text_is_in_proportion_to_the_file() -> None:
    """Text that packs better than any honest one is refused, however short it is in itself."""
    assert refused(pack_text(b" " * (files.MAX_TEXT_RATIO * 3000))) == "too-large"
    dense = pack_text(b"[" + b'"........./XXX/OOO",' * 200 + b"0]\n")
    assert len(files.unpack(dense, "file")) == 201


@pytest.mark.parametrize("item", [b"[]", b"{}", b'""', b"0", b"null", b"[[]]", b'{"a":0}'])
def test_items_are_counted_before_they_are_made(item: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many small values in few bytes are refused before Python holds one of them."""
    packed = pack_text(b"[" + (item + b",") * 200_000 + item + b"]")
    monkeypatch.setattr(files, "MAX_TEXT_RATIO", 10**6)
    monkeypatch.setattr(files, "MAX_ITEMS", 200_000)
    monkeypatch.setattr("verifier.kernel.certificate.json.loads", lambda *_, **__: pytest.fail("it was read"))
    assert len(packed) < 40_000
    assert refused(packed) == "too-large"


NUMBERS = ("NaN", "Infinity", "-Infinity", "[NaN]", "1.0", "1e3", "1E3", "-0.0", "01", "+1", "9" * 13, "-1" + "0" * 12)
NESTED = ("[" * 10_000, "[" * 50_000 + "]" * 50_000, '{"a":' * 20_000 + "1" + "}" * 20_000)
CODES = ['{"a":[1]}'.encode(code) for code in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")]
BROKEN = ("", " ", "nonsense", "[1,]", "{'a':1}", "{} {}", '"\x01"', '["\U0001f600"]')


@pytest.mark.parametrize(
    "text",
    [*(text.encode() for text in (*NUMBERS, *NESTED, *BROKEN)), *CODES, b'"\xff"', b'"\xc3"', b"9" * 10_000],
    ids=range(30),
)
def test_text_that_is_no_small_json_is_refused(text: bytes) -> None:
    """Floats, NaN, huge integers, deep nesting, broken JSON and letters that are not ASCII end in one error."""
    assert refused_text(text) == "malformed"


def test_what_is_large_or_escaped_is_read() -> None:
    """Integers have twelve digits at most, and a letter that is not ASCII is written by its number."""
    text = b'[999999999999,-999999999999,"\\ud83d\\ude00"]\n'
    assert files.unpack(pack_text(text), "file") == [10**12 - 1, 1 - 10**12, "\U0001f600"]


@pytest.mark.parametrize("text", ['{"a":1,"a":1}', '[{"b":{"a":1,"c":2,"a":3}}]', '{"a":1,"\\u0061":2}'])
def test_duplicate_key_is_refused(text: str) -> None:
    """No object names a key twice, however the key is written."""
    assert refused_text(text.encode()) == "duplicate-entry"


def test_finding_the_key_that_stands_twice_takes_no_longer_than_reading() -> None:
    """Each key compared with all before it: an index of 20 MB took hours."""
    compared = 0

    class Key(str):
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return str.__eq__(self, other)

    with pytest.raises(CertificateError, match="the key '99' occurs twice"):
        files._unique_pairs([(Key(number), None) for number in [*range(100), 99]])
    assert compared < 1000


def test_certificate_round_trip() -> None:
    """A certificate is read back from the object that is written."""
    data = pack_certificate({"kind": "play"}, "proved", {})
    assert files.parse_certificate(files.unpack(data, "file"), "file") == CertificateContent(
        {"kind": "play"}, "proved", {}
    )


def test_nesting_near_the_limit_does_not_break_recheck(tmp_path: pathlib.Path) -> None:
    """However deep a certificate nests, it is answered with a rejection of its own."""
    shell = gzip.decompress(pack_certificate({"kind": "HERE"}, "proved", {}))
    for depth in range(700, 1001, 7):
        nested = "[" * depth + "]" * depth
        statement = files.hash_bytes(f'{{"kind":{nested}}}'.encode())
        write(tmp_path, evidence_path(statement), pack_text(shell.replace(b'"HERE"', nested.encode())))
        answer = decide_one(tmp_path, statement, Memo())
        assert isinstance(answer.outcome, CertificateError)


def test_refusals_travel_between_processes() -> None:
    """An error is the same one after it was sent from one process to another."""
    error = pickle.loads(pickle.dumps(CertificateError("hash", "a file")))  # noqa: S301 - made here
    assert (error.reason, str(error)) == ("hash", "hash: a file")
