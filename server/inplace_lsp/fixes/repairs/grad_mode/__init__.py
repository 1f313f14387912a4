"""A write or a value goes under `no_grad`."""
