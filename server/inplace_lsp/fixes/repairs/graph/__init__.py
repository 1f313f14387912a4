"""Retain a graph for another backward, or cut it with `detach`."""
