"""A run: compiles each reading, finds or searches for its evidence, has the kernel decide, and records the result.

::

    spec text ──compile──▶ statement ──its hash──▶ find evidence in proofs/, --out, the user's cache ──found──┐
                                                     │ nothing, or all of it rejected                         ▼
                                                     └──▶ search ──▶ evidence ──────────────────▶ the kernel decides
                                                                                                              │
                                                                          keep evidence, remember, ledger ◀───┘

``run`` takes a plan and returns a ledger. ``plan`` orders the readings, ``reading`` checks one of them, and ``recall``
looks up what is known about it. ``store`` keeps evidence and remembered results.
"""
