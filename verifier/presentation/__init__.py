"""How the games of each family are shown to people: a file a family behind one protocol, and what draws any of them."""
