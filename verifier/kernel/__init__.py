"""The part of this tool that decides, and that you have to trust. It imports only the standard library."""
