"""Rules files: their keys, which depend on the family of games, and how these files are compiled for the kernel."""
