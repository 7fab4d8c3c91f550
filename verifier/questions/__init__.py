"""The questions that readings can ask: a folder for each, with everything about it that is not in the kernel."""
