"""What hooks of the program keep stays as it is, since nothing writes the memory that they keep."""

import torch
from torch.autograd import graph

x = torch.rand(3, requires_grad=True)

with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
    y = x.exp()
y = y.mul(3)
y.sum().backward()

with graph.save_on_cpu():
    y = x.exp()
y = y.mul(3)
y.sum().backward()

with graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t):
    y = x.exp()
y.mul_(3)
y.sum().backward()

with graph.saved_tensors_hooks(lambda t: t.half(), lambda t: t.float()):
    y = x.exp()
y.mul_(3)
y.sum().backward()

with graph.allow_mutation_on_saved_tensors():
    y = x.exp()
    y.mul_(3)
    y.sum().backward()
