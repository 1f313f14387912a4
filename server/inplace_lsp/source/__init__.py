"""Text to units to a small IR with spans. Knows Python's syntax; knows nothing of torch, tapes or hazards."""
