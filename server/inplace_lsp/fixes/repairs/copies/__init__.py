"""Copy: for the write, for the op that saves, or for another name of the same memory."""
