"""The library behind ``import verifier``. The command line uses the same functions."""
