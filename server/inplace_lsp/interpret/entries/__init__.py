"""What is executed, with which inputs and along which paths."""
