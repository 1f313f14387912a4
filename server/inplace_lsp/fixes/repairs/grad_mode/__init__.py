"""Move a write or a value under `no_grad`."""
