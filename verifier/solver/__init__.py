"""Obligations about every position at once: as SMT-LIB, as questions to Z3 (loaded only here), and refuted."""
