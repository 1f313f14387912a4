from operator import methodcaller

import torch

w = torch.randn(3, 2, requires_grad=True)
parts = [torch.sigmoid(w[0]), torch.sigmoid(w[1])]
parts = list(map(methodcaller("mul_", 2.0), parts))  # error: IP101
sum(p.sum() for p in parts).backward()
