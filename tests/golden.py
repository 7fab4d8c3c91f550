"""Texts that people read, as files: a change of words is a change of a file, and is read as a whole.

With ``RENEW_GOLDEN=1`` a test writes its file anew: CONTRIBUTING.md has the command. Read what git shows of them.
"""

import os
import pathlib

GOLDEN = pathlib.Path(__file__).parent / "golden"


def require_golden(name: str, text: str) -> None:
    """Require that a text is that of its file."""
    path = GOLDEN / name
    if os.environ.get("RENEW_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
