"""A search of Xavier's race within a number of his marks: untrusted, its proofs are tables of replies to be walked.

The modules that hold machine code import numba; nothing outside this package imports them before a reading needs them.
A race is given to a function by ``fields``, the nine fields, which are on return what they were; ``active``, the active
field or ``ANY``; ``lanes``, the needs of the lines of fields (``swar``); and ``marks``, those left to Xavier. ``rows``
is the table of fields, ``tables`` what every search reads and writes (``plain``). A move is the number 9f + s.
"""
