"""Question ``count``: how many lines of a family are legal and end as described."""
