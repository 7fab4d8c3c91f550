"""Question ``bound``: the ply by which Xavier cannot force a win."""
