"""Show games and readings to people: each family of games has a file; drawings and words are shared."""
