"""A dictionary of buffers."""

import torch

w = torch.rand(3, requires_grad=True)
cache = {"mean": torch.ones(3), "scale": torch.ones(3)}
loss = (w * cache["scale"] + cache["mean"]).sum()
cache["mean"].zero_()
cache["scale"].mul_(2)  # error: IP101
loss.backward()
