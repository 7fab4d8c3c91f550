"""The formats of a ledger, for people and for programs: a module for each format. Nothing here decides a verdict."""
