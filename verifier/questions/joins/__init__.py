"""Question ``joins``: several readings together. The verdict is the weakest of their verdicts."""
