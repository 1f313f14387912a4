# unsafe: Compute `value` in every iteration of the loop (computed with the parameters of that iteration)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
net = nn.Linear(4, 1)
for _ in range(2):
    value = net(x).exp()
    loss = (value - 1).pow(2).sum()
    loss.backward()
