"""Write obligations as SMT-LIB, let Z3 decide them, and make refutations. Only this package loads Z3."""
