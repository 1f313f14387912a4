"""With the batch first the first layer keeps a copy; nothing keeps the result."""

import torch
from torch import nn

layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
x = torch.randn(5, 2, 8, requires_grad=True) * 1
mask = nn.Transformer.generate_square_subsequent_mask(2)
out = encoder(x, mask=mask, is_causal=True)
x += 1
out += 1
out.sum().backward()
