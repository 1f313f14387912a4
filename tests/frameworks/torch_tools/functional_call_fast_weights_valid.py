"""`functional_call` runs with fast weights that `torch.autograd.grad` has led to; stepping the slow ones afterwards is in order."""

import torch
from torch import nn
from torch.func import functional_call

net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(params=net.parameters(), lr=0.1)

for _ in range(2):
    x, y = torch.randn(3, 4), torch.randn(3, 1)
    slow = dict(net.named_parameters())
    support = nn.functional.mse_loss(input=functional_call(net, slow, (x,)), target=y)
    grads = torch.autograd.grad(outputs=support, inputs=tuple(slow.values()), create_graph=True)
    fast = {name: weight - 0.1 * grad for (name, weight), grad in zip(slow.items(), grads)}
    query = nn.functional.mse_loss(input=functional_call(net, fast, (x,)), target=y)
    optimizer.zero_grad()
    query.backward()
    optimizer.step()
