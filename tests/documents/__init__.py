"""Other people's documents, decided again by brute force in code that does not use the tool."""
