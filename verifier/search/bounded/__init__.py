"""A search of Xavier's race within a number of his marks: untrusted, its proofs are tables of replies to be walked.

The modules that hold machine code import numba; nothing outside this package imports them before a reading needs them.
"""
