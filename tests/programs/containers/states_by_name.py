"""A dictionary of parameters is walked and written."""

import torch

params = {"w": torch.rand(3, requires_grad=True), "b": torch.zeros(3, requires_grad=True)}
loss = (params["w"] ** 2 + params["b"]).sum()
with torch.no_grad():
    for name, value in params.items():
        value.sub_(0.1)  # error: IP101
loss.backward()
