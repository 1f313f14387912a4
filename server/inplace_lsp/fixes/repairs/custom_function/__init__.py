"""A custom Function keeps, marks or returns its tensors as autograd wants it."""
