"""Question ``bound``: Xavier cannot force a win by a given ply."""
