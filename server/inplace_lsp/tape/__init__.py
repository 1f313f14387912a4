"""The tape: what autograd records while a program runs, and the pure folds over it.

Two recorders write it, `interpret` (from source) and `worker` (from a real run). Imports nothing but the standard
library.
"""
