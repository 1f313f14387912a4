"""A write to the base hits a save of the view, and the other way round."""

import torch

x = torch.rand(4, requires_grad=True)
base = x * 2
view = base.view(2, 2)
loss = view.sin().sum()
base.add_(1)  # error: IP101
loss.backward()

base = x * 2
view = base.view(2, 2)
loss = base.sin().sum()
view.add_(1)  # error: IP101
loss.backward()
