"""What statements and rules owe, derived once for all tests that ask for it."""

import copy
import dataclasses
import functools
import json
from collections.abc import Collection
from typing import Any

from verifier.kernel.obligations import Obligations, derive, derive_closure


def derive_once(statement: Any, images: Collection[int] = ()) -> Obligations:
    return _fresh(_derived(json.dumps(statement), tuple(images)))


def derive_closure_once(rules: Any) -> Obligations:
    return _fresh(_closed(json.dumps(rules)))


def _fresh(obligations: Obligations) -> Obligations:
    """Return obligations of a circuit that counts its own work: who follows a refutation adds to it."""
    return dataclasses.replace(obligations, circuit=copy.copy(obligations.circuit))


@functools.cache
def _derived(statement: str, images: tuple[int, ...]) -> Obligations:
    return derive(json.loads(statement), images)


@functools.cache
def _closed(rules: str) -> Obligations:
    return derive_closure(json.loads(rules))
