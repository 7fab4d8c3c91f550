"""Question ``can``: a player can force something."""
