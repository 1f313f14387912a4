"""`nn.Parameter(t)` shares memory and counter with t."""

import torch

start = torch.rand(3)
weight = torch.nn.Parameter(start)
loss = (weight**2).sum()
start.zero_()  # error: IP101
loss.backward()
