"""Positions are added in place to embeddings that nothing keeps, masks are filled in place, and the decoder's result is written before its head reads it."""

import torch
from torch import nn

embed = nn.Embedding(num_embeddings=20, embedding_dim=8)
positions = nn.Parameter(torch.zeros(6, 8))
model = nn.Transformer(
    d_model=8,
    nhead=2,
    num_encoder_layers=1,
    num_decoder_layers=1,
    dim_feedforward=8,
    batch_first=True,
)
head = nn.Linear(8, 20)
optimizer = torch.optim.AdamW(params=[positions, *embed.parameters(), *model.parameters(), *head.parameters()])

for _ in range(2):
    source, target = torch.randint(0, 20, (2, 6)), torch.randint(0, 20, (2, 6))
    src, tgt = embed(input=source), embed(input=target)
    src += positions
    tgt += positions
    mask = torch.zeros(6, 6)
    mask.masked_fill_(torch.ones(6, 6, dtype=torch.bool).triu(diagonal=1), float("-inf"))
    output = model(src=src, tgt=tgt, tgt_mask=mask)
    output *= 8**-0.5
    logits = head(input=output)
    loss = nn.functional.cross_entropy(input=logits.flatten(end_dim=1), target=target.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
