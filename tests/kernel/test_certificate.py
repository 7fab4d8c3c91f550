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
    """Return the reason for which a text is refused: the same as a certificate and, uncompressed, as an index."""
    found = reason_of(files.parse_json, text, "file", len(text))
    assert refused(pack_text(text)) in (found, "too-large")
    return found


@given(VALUES)
@settings(derandomize=True, max_examples=12, deadline=None)
def test_pack_round_trip(value: Any) -> None:
    """A packed value can be read back, and packing it again gives the same bytes."""
    data = pack(value)
    assert files.unpack(data, "file") == value
    assert pack(files.unpack(data, "file")) == data


def test_packing_is_reproducible() -> None:
    """The bytes depend neither on the order of keys, nor on the time or the file system."""
    data = pack({"b": [1, "é"], "a": None})
    assert data == pack({"a": None, "b": [1, "é"]})
    assert gzip.decompress(data) == b'{"a":null,"b":[1,"\\u00e9"]}\n'
    assert data[:4] == b"\x1f\x8b\x08\x00"
    assert data[4:8] == b"\0\0\0\0"
    assert data[9] == 255


def test_hash_is_of_the_canonical_text() -> None:
    """The hash of a value is the SHA-256 of its sorted JSON without spaces, so anybody can compute it."""
    expected = hashlib.sha256(b'{"a":1,"b":[true,null]}').hexdigest()
    assert files.hash_value({"b": [True, None], "a": 1}) == expected


def test_canonical_text_has_no_nan() -> None:
    """A value that is not JSON is not written."""
    with pytest.raises(ValueError, match="JSON"):
        files.canonical_bytes(float("nan"))


def test_another_file_of_a_value_is_refused() -> None:
    """There is one way to write a value: no byte can be changed, removed or added."""
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
    """With spaces, other orders or other ways to write a letter, one value would have many hashes."""
    assert refused(pack_text(text.encode())) == "not-canonical"


def test_decompression_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file with a large text is refused before the text is in memory, even if the file is cut off."""
    monkeypatch.setattr(files, "MAX_TEXT_RATIO", 10**6)
    monkeypatch.setattr(files, "MAX_TEXT_BYTES", 10 * 2**20)
    bomb = pack_text(b" " * (20 * 2**20))
    assert len(bomb) < 2**20
    assert refused(bomb) == "too-large"
    compressor = zlib.compressobj(wbits=31)
    endless = compressor.compress(b" " * (20 * 2**20)) + compressor.flush(zlib.Z_SYNC_FLUSH)
    assert refused(files.HEADER + endless[len(files.HEADER) :]) == "too-large"


def test_text_that_packs_too_well_is_refused() -> None:
    """No honest text packs so well. Its own length does not matter."""
    assert refused(pack_text(b" " * (files.MAX_TEXT_RATIO * 3000))) == "too-large"
    dense = pack_text(b"[" + b'"........./XXX/OOO",' * 200 + b"0]\n")
    assert len(files.unpack(dense, "file")) == 201


@pytest.mark.parametrize("item", [b"[]", b"{}", b'""', b"0", b"null", b"[[]]", b'{"a":0}'])
def test_items_are_counted_before_they_are_made(item: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many small values in few bytes are refused before Python makes one of them."""
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
def test_text_that_is_not_small_ascii_json_is_refused(text: bytes) -> None:
    """Floats, NaN, huge integers, deep nesting, broken JSON and characters beyond ASCII give the same kind of error."""
    assert refused_text(text) == "malformed"


def test_integers_of_twelve_digits_and_escaped_characters_are_read() -> None:
    """A character that is not ASCII is written by its number."""
    text = b'[999999999999,-999999999999,"\\ud83d\\ude00"]\n'
    assert files.unpack(pack_text(text), "file") == [10**12 - 1, 1 - 10**12, "\U0001f600"]


@pytest.mark.parametrize("text", ['{"a":1,"a":1}', '[{"b":{"a":1,"c":2,"a":3}}]', '{"a":1,"\\u0061":2}'])
def test_duplicate_key_is_refused(text: str) -> None:
    """No object has a key twice, however the key is written."""
    assert refused_text(text.encode()) == "duplicate-entry"


def test_duplicate_keys_are_found_in_the_time_of_reading() -> None:
    """When each key was compared with all before it, an index of 20 MB took hours."""
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
    """However deep a certificate nests, it gets its own rejection."""
    shell = gzip.decompress(pack_certificate({"kind": "HERE"}, "proved", {}))
    for depth in range(700, 1001, 7):
        nested = "[" * depth + "]" * depth
        statement = files.hash_bytes(f'{{"kind":{nested}}}'.encode())
        write(tmp_path, evidence_path(statement), pack_text(shell.replace(b'"HERE"', nested.encode())))
        answer = decide_one(tmp_path, statement, Memo())
        assert isinstance(answer.outcome, CertificateError)


def test_refusals_travel_between_processes() -> None:
    """An error is the same after it was sent to another process."""
    error = pickle.loads(pickle.dumps(CertificateError("hash", "a file")))  # noqa: S301 - made here
    assert (error.reason, str(error)) == ("hash", "hash: a file")
