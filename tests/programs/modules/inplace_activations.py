"""In-place activations that keep their result, then one more write."""

import torch
import torch.nn.functional as F

x = torch.rand(4, requires_grad=True)
for act in (F.relu, F.leaky_relu, F.elu, F.celu, F.selu, F.hardtanh, F.relu6):
    h = x * 2
    act(h, inplace=True)
    h.sum().backward()

h = x * 2
F.leaky_relu(h, 0.1, inplace=True)
h += 1  # error: IP101
h.sum().backward()

h = x * 2
F.silu(h, inplace=True)
h.sum().backward()
