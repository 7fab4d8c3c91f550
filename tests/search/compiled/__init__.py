"""An engine of machine code for plays that are too many for Python: untrusted, re-checked by ``kernel/sample.py``.

The modules that hold machine code import numba; nothing outside this package imports them before a reading needs them.
"""
