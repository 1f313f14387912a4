"""Make a view that may not be written in another way."""
