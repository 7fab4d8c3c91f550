"""Graphs for people, built from specs and certificates."""
