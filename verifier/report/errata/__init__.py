"""Errata: what is wrong in the documents, by severity, with the board where it breaks and what to write instead."""
