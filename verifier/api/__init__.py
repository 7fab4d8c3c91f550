"""The library: what ``import verifier`` offers, and what the command line is written with."""
