"""Steps from every position at once: states as formulas, obligations as SMT-LIB, and the only place that loads z3."""
