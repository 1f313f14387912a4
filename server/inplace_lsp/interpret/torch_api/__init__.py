"""Describe torch's own functions, methods, modules and optimizers."""
