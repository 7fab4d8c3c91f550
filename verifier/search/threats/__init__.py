"""Find what a player can force on one board: a search that takes wins, answers threats, and uses symmetries.

The *attacker* wants to reach a goal, and the *defender* wants to prevent this. Functions take a position as four
arguments. ``mine`` has the attacker's marks and all shared marks; ``theirs`` has the defender's marks. ``left`` is the
number of plies that are left to reach the goal; in a race (``race``) it is the number of marks that the attacker has
left. ``turn`` is 1 if it is the attacker's turn, and 0 if it is the defender's. A mask is a signed integer of 64 bits,
with a bit for each spot.
"""
