"""The questions that readings can ask. Each question has a folder, with all its code that is not in the kernel."""
