"""Somebody gets a copy: the write, the op that saves, or a name for the same memory."""
