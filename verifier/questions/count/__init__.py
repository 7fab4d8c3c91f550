"""Question ``count``: how many members of a family have a legal line that ends as described."""
