"""Question ``plays``: something holds in all plays of given strategies."""
