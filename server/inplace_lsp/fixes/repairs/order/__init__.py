"""The write, the forward pass or the step comes at another time."""
