"""Questions that tests ask the kernel. The answer is a verdict, or the reason of a refusal."""

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from verifier.kernel.certificate import TABLE_FORMAT, VERSION, hash_bytes
from verifier.kernel.decide import Memo, decide
from verifier.kernel.errors import CertificateError, IllegalMoveError, SpecError
from verifier.kernel.kinds import KINDS
from verifier.packing import pack


def judge(statement: Any, evidence: Any, *files: bytes, verdict: str = "proved", memo: Memo | None = None) -> str:
    """Return the verdict, or the reason of the refusal. Files are named by their hashes."""
    known = {hash_bytes(data): data for data in files}
    try:
        return str(decide(statement, verdict, evidence, known.__getitem__, memo).verdict)
    except CertificateError as error:
        return error.reason


def judge_table(statement: Any, table: Any, verdict: str = "proved", memo: Memo | None = None, **more: Any) -> str:
    """Return the same for evidence that has a table."""
    data = pack({"format": TABLE_FORMAT, "version": VERSION, "moves": {}, **table})
    return judge(statement, {"table": hash_bytes(data), **more}, data, verdict=verdict, memo=memo)


def decide_plays_by(monkeypatch: pytest.MonkeyPatch, decide_play: Callable[..., Any]) -> None:
    """Let another function decide statements about plays."""
    monkeypatch.setitem(KINDS, "play", dataclasses.replace(KINDS["play"], decide=decide_play))


def refusals(parse: Callable[[Any], object], values: Iterable[Any]) -> str:
    """Return the first part of each value, with the words of its refusal, for a golden file."""
    told = []
    for value in values:
        with pytest.raises((CertificateError, SpecError)) as caught:
            parse(value)
        told.append(f"{str(value)[:110]}\n    {caught.value}\n")
    return "".join(told)


def reason_of(action: Callable[..., object], *words: Any, **named: Any) -> str:
    """Return the reason for which a call is refused."""
    with pytest.raises((CertificateError, SpecError, IllegalMoveError)) as caught:
        action(*words, **named)
    if isinstance(caught.value, CertificateError):
        return caught.value.reason
    return "illegal-move" if isinstance(caught.value, IllegalMoveError) else "malformed"
