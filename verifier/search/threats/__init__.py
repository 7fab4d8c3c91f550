"""What a player can force on one board: a search that takes wins, answers threats, and knows the rules' symmetries.

A position is given to a function by ``mine`` and ``theirs``, the attacker's and the defender's marks (all marks are the
attacker's, where they are shared); ``left``, how many marks of the attacker's in a race, or plies in any other game,
are left to reach the goal; and ``turn``, 1 where it is the attacker's and 0 where it is the defender's. A mask is a
signed word of 64 bits, a bit a spot.
"""
