"""Writes obligations as SMT-LIB, asks Z3 about them, and makes refutations of them. Only this package loads Z3."""
