"""Show games and readings to people: a protocol and a file for each family; drawings of any game; readings in words."""
