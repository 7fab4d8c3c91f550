"""Untrusted searches: they find what the kernel then checks."""
