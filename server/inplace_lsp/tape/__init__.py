"""The tape: the events that autograd records while a program runs, and the pure folds over them.

Two recorders write it, `interpret` (from source) and `worker` (from a real run). It imports only the standard library.
"""
