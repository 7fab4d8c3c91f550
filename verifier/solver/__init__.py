"""Writes obligations as SMT-LIB, lets Z3 decide them, and makes refutations of them. Only this package loads Z3."""
