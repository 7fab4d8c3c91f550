"""The part of this tool that you have to trust: it decides. It imports only the standard library."""
