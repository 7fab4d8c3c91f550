"""Question ``joins``: some readings together. It asks nothing of its own, so its verdict is the weakest of theirs."""
