"""Rules files: what each family's clauses are, and how they become the data that statements carry."""
