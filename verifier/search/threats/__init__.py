"""Find what a player can force on one board: a search that takes wins, answers threats, and uses symmetries.

Functions take a position as ``mine`` and ``theirs``, the attacker's and the defender's marks (shared marks are the
attacker's); ``left``, how many marks of the attacker's in a race, or plies in any other game, are left to reach the
goal; and ``turn``, 1 if it is the attacker's turn, 0 if it is the defender's. A mask is a signed word of 64 bits, a bit
for each spot.
"""
