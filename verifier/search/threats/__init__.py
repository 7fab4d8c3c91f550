"""What a player can force on one board: a search that takes wins, answers threats, and knows the rules' symmetries."""
