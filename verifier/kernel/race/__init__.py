"""Proofs that Xavier cannot force a win in time: Olivia's replies in an easier game, in which only he can win."""
