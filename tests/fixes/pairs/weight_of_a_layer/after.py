# safe: Let the op keep a copy: `.clone()` on line 7
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
table = nn.Embedding(3, 4, max_norm=1.0)
a = table.weight.clone() @ x
b = table(torch.tensor([1, 2]))
(a.sum() + b.sum()).backward()
