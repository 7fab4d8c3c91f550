"""The part that decides, which you have to trust. It imports only the standard library, and limits its searches."""
