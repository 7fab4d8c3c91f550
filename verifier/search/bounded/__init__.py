"""Search for replies with which Olivia keeps Xavier from winning a race within a number of his marks.

A *race* is a position of the game, made easier for Xavier: only he can win (``kernel/race/relaxation``). Olivia *holds*
a race if she can keep him from winning it with the marks that he has left. The search is not trusted: the kernel checks
its tables of replies.

The modules with machine code import numba, so code outside this package imports them only when a reading needs them.
Functions take a race as four arguments: ``fields``, the numbers of the nine fields; ``active``, the active field or
``ANY``; ``lanes``, the needs of the lines of fields (``swar``); and ``marks``, the number of marks left to Xavier.
``play`` changes ``fields``; all other functions leave them as they were. ``rows`` is the table of all possible fields,
and ``tables`` is what every search reads and writes (``plain``). The move on spot s of field f is the number 9f + s.
"""
