"""An encoder reads time first: its first layer keeps what it is given."""

import torch
from torch import nn

torch.manual_seed(0)
layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0)
encoder = nn.TransformerEncoder(layer, num_layers=3, norm=nn.LayerNorm(8), enable_nested_tensor=False)
head = nn.Linear(8, 1)
x = torch.randn(5, 2, 8, requires_grad=True) * 1
out = encoder(x)
x += 1  # error: IP101
head(out).sum().backward()
