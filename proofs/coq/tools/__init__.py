"""What writes the data of the theorems of ``proofs/coq`` from the certificates, and builds them.

Nothing here is believed but the stamp that a build leaves: Coq checks the rest. Like the kernel it needs the standard
library alone, so that ``make coq`` runs where nothing is installed.
"""
