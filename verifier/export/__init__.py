"""What other programs read: obligations for solvers, and theorems for Coq."""
