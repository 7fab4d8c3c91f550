"""What Xavier cannot force: Olivia's replies in a relaxation of the game in which only he can win."""
