"""Finding to candidates: a folder for what repairs do, in it one file a kind of repair."""
