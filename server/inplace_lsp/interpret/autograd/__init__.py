"""Autograd, abstractly: tensors, version counters, the graph, the ops, and the events they leave on the tape."""
