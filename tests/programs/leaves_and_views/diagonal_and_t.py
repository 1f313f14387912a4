"""Plain views of a result may be written, whatever their layout."""

import torch

x = torch.rand(3, 3, requires_grad=True)
y = x * 2
y.t().mul_(2)
y.diagonal().zero_()
y.view(-1)[::2] = 1
y.permute(1, 0)[0] += 1
y.unsqueeze(0).squeeze(0).add_(1)
y.narrow(0, 0, 1).fill_(3)
y.select(1, 2).neg_()
y.sum().backward()
