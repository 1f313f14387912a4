"""Entries of a file, their inputs, and the paths through them."""
