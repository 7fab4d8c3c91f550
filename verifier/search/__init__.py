"""Searches. They are not trusted: the kernel checks what they find."""
