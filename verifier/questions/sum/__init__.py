"""Question ``sum``: who wins any number of boards side by side."""
