# safe: Let the op keep a copy: `.clone()` on line 6
import torch

torch.manual_seed(0)
w = torch.rand(4, requires_grad=True)
chosen = torch.tensor([0, 1, 1, 0]) == 1
chosen[chosen.clone()] = torch.tensor([True, False])
(w * 2)[chosen].sum().backward()
