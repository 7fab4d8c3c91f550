"""Errata: what is wrong in the documents, by severity, with what to write instead and the board that shows it."""
