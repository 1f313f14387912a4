"""A frozen encoder passes gradients to a prompt; a weight inside it is written while it is needed."""

import torch
from torch import nn

encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2, enable_nested_tensor=False)
for p in encoder.parameters():
    p.requires_grad_(False)
prompt = nn.Parameter(torch.zeros(3, 8))
e = torch.randn(2, 6, 8)
e[:, :3] = prompt
out = encoder(e)
e *= 0.5
out.sum().backward()
first = encoder.layers[0]
first.linear1.weight.requires_grad_(True)
out = encoder(torch.randn(2, 6, 8))
with torch.no_grad():
    first.linear1.weight.mul_(2)
    encoder.layers[1].linear2.weight.mul_(2)  # error: IP101
out.sum().backward()
