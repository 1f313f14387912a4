"""Repeating into an axis that exists makes a copy, so the repeated queries may be written row by row."""

import torch
from einops import rearrange, repeat
from torch import nn


class QueryDecoder(nn.Module):
    def __init__(self, queries=3, dim=8):
        super().__init__()
        self.queries = nn.Parameter(torch.randn(queries, dim))
        self.cross = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.box = nn.Linear(dim, 4)

    def forward(self, memory):
        b = memory.shape[0]
        queries = repeat(self.queries, "n d -> (b n) d", b=b)
        queries[::3] += memory.mean(dim=1)
        queries = rearrange(queries, "(b n) d -> b n d", b=b)
        out, _ = self.cross(queries, memory, memory, need_weights=False)
        return self.box(out).sigmoid()


torch.manual_seed(0)
model = QueryDecoder()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for _ in range(2):
    memory, boxes = torch.randn(2, 6, 8), torch.rand(2, 3, 4)
    loss = nn.functional.l1_loss(model(memory), boxes)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
