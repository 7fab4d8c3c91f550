"""Rules files: the clauses of each family, and their compilation to the data in statements."""
