"""Question ``line``: a line is legal and ends as described."""
