"""Question ``count``: how many lines are legal and end as described, or how many plays or final positions there are."""
