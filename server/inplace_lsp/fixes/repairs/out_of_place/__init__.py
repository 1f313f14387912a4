"""Compute a new tensor instead of writing, and bind the name to it."""
