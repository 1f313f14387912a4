"""A view that may not be written is made in another way."""
