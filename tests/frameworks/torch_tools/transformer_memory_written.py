"""The encoder's memory gets its positions added in place once more after the decoder's attention, sequence first, has kept it."""

import torch
from torch import nn

encoder = nn.TransformerEncoder(
    encoder_layer=nn.TransformerEncoderLayer(d_model=8, nhead=2, dim_feedforward=8), num_layers=1
)
decoder = nn.TransformerDecoder(
    decoder_layer=nn.TransformerDecoderLayer(d_model=8, nhead=2, dim_feedforward=8), num_layers=1
)
positions = nn.Parameter(torch.zeros(4, 1, 8))

memory = encoder(src=torch.randn(4, 2, 8))
first = decoder(tgt=torch.randn(3, 2, 8), memory=memory)
memory += positions  # error: IP101
second = decoder(tgt=torch.randn(3, 2, 8), memory=memory)
(first - second).square().mean().backward()
