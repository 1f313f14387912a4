"""One file a kind of repair: finding to candidates."""
