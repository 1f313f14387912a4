"""Metrics on a detached clone and on .tolist(); harmless."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 5), nn.Softmax(dim=-1))
x, y = torch.randn(6, 4), torch.randint(0, 5, (6,))
probs = net(x)
pred = probs.detach().clone()
pred[pred < 0.05] = 0
pred /= pred.sum(-1, keepdim=True)
conf = torch.zeros(5, 5)
for t, p in zip(y.tolist(), pred.argmax(-1).tolist()):
    conf[t, p] += 1
conf /= conf.sum().clamp_(min=1)
loss = nn.functional.nll_loss(probs.log(), y)
loss.backward()
print(conf.diag().sum().item())
