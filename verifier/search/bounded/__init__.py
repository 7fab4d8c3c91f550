"""Search Xavier's race within a number of his marks. Not trusted: the kernel follows the tables of replies.

The modules with machine code import numba, so code outside this package imports them only when a reading needs them.
Functions take a race as ``fields``, the nine fields, which all but ``play`` leave as they were; ``active``, the active
field or ``ANY``; ``lanes``, the needs of the lines of fields (``swar``); and ``marks``, those left to Xavier. ``rows``
is the table of fields. ``tables`` is what every search reads and writes (``plain``). A move is the number 9f + s.
"""
