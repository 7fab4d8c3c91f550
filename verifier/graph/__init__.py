"""Graphs for people, built from specs and certificates; the only place that loads networkx."""
