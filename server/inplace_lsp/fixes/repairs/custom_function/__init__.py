"""Let a custom Function save, mark or return its tensors as autograd requires."""
