"""Question ``plays``: what holds in all plays of given strategies."""
