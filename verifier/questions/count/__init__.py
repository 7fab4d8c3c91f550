"""Question ``count``: how many lines are legal and end as described, how many plays there are and how they end."""
