"""Question ``steps``: what a step shows from any position that satisfies hypotheses."""
