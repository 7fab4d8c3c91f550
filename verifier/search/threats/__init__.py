"""Find what a player can force on one board: a search that takes wins, answers threats, and uses symmetries.

Functions take a position as four arguments: ``mine``, the attacker's marks; ``theirs``, the defender's marks; ``left``,
the number of plies that are left to reach the goal, or in a race (``race``) the number of the attacker's marks; and
``turn``, 1 if it is the attacker's turn, 0 if it is the defender's. Shared marks are in ``mine``. A mask is a signed
word of 64 bits, a bit for each spot.
"""
