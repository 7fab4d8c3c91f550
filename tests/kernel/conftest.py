"""Shared by the tests of the kernel: the obligations of a statement or of rules are derived once."""

import copy
import dataclasses
import functools
import json
from collections.abc import Collection
from typing import Any

import pytest

from verifier.kernel import invariant, steps
from verifier.kernel.obligations import Obligations, derive, derive_closure


def derive_once(statement: Any, images: Collection[int] = ()) -> Obligations:
    return _fresh(_derived(json.dumps(statement), tuple(images)))


def derive_closure_once(rules: Any) -> Obligations:
    return _fresh(_closed(json.dumps(rules)))


def _fresh(obligations: Obligations) -> Obligations:
    """Return obligations whose circuit counts its own work, because a follower of a refutation adds to it."""
    return dataclasses.replace(obligations, circuit=copy.copy(obligations.circuit))


@functools.cache
def _derived(statement: str, images: tuple[int, ...]) -> Obligations:
    return derive(json.loads(statement), images)


@functools.cache
def _closed(rules: str) -> Obligations:
    return derive_closure(json.loads(rules))


@pytest.fixture
def derived_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Derive the obligations of a statement, or of rules, once for all attacks on them."""
    monkeypatch.setattr(steps, "derive", derive_once)
    monkeypatch.setattr(invariant, "derive", derive_once)
    monkeypatch.setattr(invariant, "derive_closure", derive_closure_once)
