"""The part that you have to trust: it decides. It imports only the standard library, and limits its searches."""
