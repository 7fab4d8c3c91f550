"""Question ``bound``: a ply by which Xavier cannot force a win."""
