"""A checkpointed block is called by keyword; the step between the backwards writes what the second one needs: the head's
weight, and the weights of the block, which is computed again."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

stem = nn.Linear(4, 8)
block = nn.Sequential(nn.Linear(8, 8), nn.Tanh())
head = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = torch.optim.SGD([*stem.parameters(), *block.parameters(), *head.parameters()], lr=0.1)

hidden = checkpoint(function=block, input=stem(torch.randn(3, 4)), use_reentrant=False)
output = head(input=hidden)
policy_loss, value_loss = output[:, 0].mean(), output[:, 1].square().mean()

torch.autograd.backward(tensors=policy_loss, retain_graph=True)
optimizer.step()  # error: IP102, IP301
optimizer.zero_grad()
torch.autograd.backward(tensors=value_loss)
