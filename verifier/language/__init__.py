"""Reads and checks specs, and turns their expressions, strategies and rules into the kernel's form."""
