"""Claim verifier: checks every claim of a paper about a game, with evidence a small kernel can check again.

Importing this package, or ``verifier.kernel``, loads nothing outside the standard library.
"""

__version__ = "0.1.0"
