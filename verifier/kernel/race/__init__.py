"""Proofs that Xavier cannot force a win in time: Olivia's replies in a relaxation of the game where only he can win."""
