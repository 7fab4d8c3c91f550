"""Texts that people read, kept in files, so that a change of words can be read as a change of a file.

With ``RENEW_GOLDEN=1`` a test writes its file again: CONTRIBUTING.md has the command. Then read what git shows.
"""

import os
import pathlib

GOLDEN = pathlib.Path(__file__).parent / "golden"


def require_golden(name: str, text: str) -> None:
    """Require that a text equals its file."""
    path = GOLDEN / name
    if os.environ.get("RENEW_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
