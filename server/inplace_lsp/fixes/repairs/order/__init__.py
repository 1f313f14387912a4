"""Move the write, the forward pass or the step to another time."""
