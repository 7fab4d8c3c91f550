"""The searches that find evidence. They are not trusted: the kernel checks what they find."""
