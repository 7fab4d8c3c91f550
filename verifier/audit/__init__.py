"""One run over readings: each passes once through compile, find, decide, record.

::

    spec text ──compile──▶ statement ──its hash──▶ find: --out, the user's cache, proofs/
                                                     │ nothing, or all of it rejected
                                                     ▼
                              a method searches ──▶ evidence ──▶ the kernel decides ──▶ keep, remember, ledger

``run`` takes a frozen plan and returns a ledger; ``reading`` is the way of one reading; ``plan`` says in which
order; ``pool`` has the processes. ``store`` holds evidence, ``memory`` what two pure functions have returned.
"""
