"""A graph is kept for one more walk, or cut off with `detach`."""
