"""The theorems of ``proofs/coq``: their data, written from the certificates; their build; what a build has shown.

Nothing here is believed but what ``stamp`` says of an earlier build: Coq checks the rest. Like the kernel it needs the
standard library alone, so that ``make coq`` runs where nothing is installed.
"""
