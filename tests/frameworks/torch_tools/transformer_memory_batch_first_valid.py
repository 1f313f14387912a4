"""With `batch_first` the decoder's attention projects a transposed copy of the memory, so adding positions to the memory in place afterwards is harmless."""

import torch
from torch import nn

encoder = nn.TransformerEncoder(
    encoder_layer=nn.TransformerEncoderLayer(d_model=8, nhead=2, dim_feedforward=8, batch_first=True),
    num_layers=1,
)
decoder = nn.TransformerDecoder(
    decoder_layer=nn.TransformerDecoderLayer(d_model=8, nhead=2, dim_feedforward=8, batch_first=True),
    num_layers=1,
)
positions = nn.Parameter(torch.zeros(4, 8))

memory = encoder(src=torch.randn(2, 4, 8))
first = decoder(tgt=torch.randn(2, 3, 8), memory=memory)
memory += positions
second = decoder(tgt=torch.randn(2, 3, 8), memory=memory)
(first - second).square().mean().backward()
