from operator import methodcaller

import torch

w = torch.randn(3, 2, requires_grad=True)
parts = [torch.sigmoid(w[0]), torch.sigmoid(w[1])]
parts = list(map(methodcaller("mul", 2.0), parts))
sum(p.sum() for p in parts).backward()
