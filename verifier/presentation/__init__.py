"""Show games and readings to people. Each family of games has a file here; all families share the other files."""
