"""Rules files: the keys that each family of games has in them, and how they are compiled for the kernel."""
