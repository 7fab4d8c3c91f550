"""Compresses parts of a page. The page keeps them as text until a reader asks for them."""

from __future__ import annotations

import base64
import zlib


def deflate(text: str) -> str:
    """Return a text compressed, in Base64. In the page, ``inflate`` (``page.js``) reads it."""
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()
