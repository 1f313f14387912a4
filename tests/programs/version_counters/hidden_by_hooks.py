"""What keeps copies of saved tensors hides the write: save_on_cpu that pins them, allow_mutation_on_saved_tensors."""

import torch
from torch.autograd.graph import allow_mutation_on_saved_tensors, save_on_cpu

x = torch.rand(3, requires_grad=True)
with save_on_cpu(pin_memory=True):
    y = x.exp()
y.add_(1)
y.sum().backward()

with allow_mutation_on_saved_tensors():
    y = x.exp()
    y.add_(1)
    y.sum().backward()

y = x.exp()
y.add_(1)  # error: IP101
y.sum().backward()
