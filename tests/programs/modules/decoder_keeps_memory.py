"""Each layer of a decoder keeps the memory it attends to."""

import torch
from torch import nn

decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16), 2)
memory, tgt = torch.randn(4, 2, 8, requires_grad=True) * 2, torch.randn(3, 2, 8, requires_grad=True) * 2
out = decoder(tgt, memory)
memory.add_(1)  # error: IP101
out.sum().backward()
