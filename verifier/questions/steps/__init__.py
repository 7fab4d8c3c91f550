"""Question ``steps``: conclusions hold after a step from any position that satisfies hypotheses."""
