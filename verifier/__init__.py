"""Checks the claims of a paper about a game. A search finds evidence, and a small kernel checks it and decides.

>>> import verifier
>>> specs = verifier.load()
>>> ledger = specs.check("careful-first-is-safe")
>>> ledger["careful-first-is-safe/as-stated"].verdict
<Verdict.PROVED: 3>
>>> print(specs.board("tictactoe").play("4", "0"))
[O] .  .
 .  X  .
 .  .  .

Importing this package, or ``verifier.kernel``, loads nothing outside the standard library. Each public name is loaded
when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verifier.api.board import Board as Board
    from verifier.api.board import Boards as Boards
    from verifier.api.certificate import Certificate as Certificate
    from verifier.api.loading import load as load
    from verifier.api.made import Rules as Rules
    from verifier.api.made import claim as claim
    from verifier.api.made import rules as rules
    from verifier.api.made import strategy as strategy
    from verifier.api.play import Play as Play
    from verifier.api.specs import Specs as Specs
    from verifier.api.value import Value as Value
    from verifier.audit.ledger import Ledger as Ledger
    from verifier.audit.ledger import Standing as Standing
    from verifier.kernel.errors import CertificateError as CertificateError
    from verifier.kernel.errors import IllegalMoveError as IllegalMoveError
    from verifier.kernel.errors import NotationError as NotationError
    from verifier.kernel.errors import SpecError as SpecError
    from verifier.kernel.errors import UsageError as UsageError
    from verifier.kernel.errors import VerifierError as VerifierError
    from verifier.kernel.verdict import Belief as Belief
    from verifier.kernel.verdict import Verdict as Verdict
    from verifier.language.made import SpecText as SpecText
    from verifier.questions.result import ReadingResult as ReadingResult

__version__ = "0.3.0"

_NAMES = {
    "verifier.api.loading": "load",
    "verifier.api.specs": "Specs",
    "verifier.api.made": "rules Rules claim strategy",
    "verifier.language.made": "SpecText",
    "verifier.audit.ledger": "Ledger Standing",
    "verifier.questions.result": "ReadingResult",
    "verifier.api.certificate": "Certificate",
    "verifier.api.play": "Play",
    "verifier.api.board": "Board Boards",
    "verifier.api.value": "Value",
    "verifier.kernel.verdict": "Verdict Belief",
    "verifier.kernel.errors": "VerifierError SpecError UsageError CertificateError IllegalMoveError NotationError",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}
"""The public names, each with the module that defines it."""

__all__ = [*_HOMES]  # noqa: PLE0604 - the items are strings

if not TYPE_CHECKING:  # if a type checker saw ``__getattr__``, it would believe that every name exists

    def __getattr__(name: str) -> Any:
        """Load a public name when it is first used."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(importlib.import_module(_HOMES[name]), name)
        return value

    def __dir__() -> list[str]:
        """Return the names that are loaded, and the names that can be loaded."""
        return sorted({*globals(), *_HOMES})
