"""Show the games of each family to people: one protocol, a file for each family, and code that draws any game."""
