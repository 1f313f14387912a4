"""An abstract model of autograd: tensors, version counters, the graph, the ops, and their events on the tape."""
