"""From text to units to a small IR with spans. This package knows Python's syntax, and nothing of torch, tapes or
hazards."""
