"""Writes the data of the theorems of ``proofs/coq`` from the certificates, and builds the theorems.

You have to trust only the stamp that a build leaves; Coq checks everything else. Like the kernel, this package needs
only the standard library, so ``make coq`` runs without any other package.
"""
