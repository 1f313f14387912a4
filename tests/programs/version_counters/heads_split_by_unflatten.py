"""To split a dimension keeps the order of the elements: what joins it again is a view, of turned heads a copy."""

import torch

lin = torch.nn.Linear(8, 8)

h = lin(torch.randn(2, 3, 8))
scaled = h.exp()
joined = scaled[:, :1].unflatten(2, (2, -1)).flatten(2)
joined.mul_(2)  # error: IP101
scaled.sum().backward()

h = lin(torch.randn(2, 3, 8))
scaled = h.exp()
heads = scaled.unflatten(-1, (2, 4)).transpose(1, 2)
heads.reshape(2, 2, -1).mul_(2)
scaled.sum().backward()

h = lin(torch.randn(2, 3, 8))
scaled = h.exp()
heads = scaled.unflatten(-1, (2, 4)).transpose(1, 2)
heads.transpose(1, 2).flatten(-2).mul_(2)  # error: IP101
scaled.sum().backward()
