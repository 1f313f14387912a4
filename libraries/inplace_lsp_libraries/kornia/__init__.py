"""kornia: what it computes of images are new tensors, but for the few that are described."""
