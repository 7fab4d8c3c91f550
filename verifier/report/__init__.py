"""Writes the ledger (all results of a run) in several formats, one module for each. Nothing here decides a verdict."""
