"""Question ``can``: what a player can force."""
