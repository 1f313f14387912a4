"""Two walks with retain_graph, and walks of disjoint graphs."""

import torch

w = torch.randn(3, requires_grad=True)
y = (w * 2).exp()
y.sum().backward(retain_graph=True)
y.mean().backward()
a, b = w.sin().sum(), w.cos().sum()
a.backward()
b.backward()
z = w * 3
z[0].backward(retain_graph=True)
z.sum().backward()
lin = w.sum() + 1
lin.backward()
lin.backward()
