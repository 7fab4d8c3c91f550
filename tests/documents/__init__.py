"""Documents of other people, decided once more by brute force that knows nothing of the tool."""
