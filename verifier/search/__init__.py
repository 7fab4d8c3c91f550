"""Searches for evidence. They are not trusted: the kernel checks what they find."""
