"""Question ``sum``: who wins on any number of boards side by side."""
