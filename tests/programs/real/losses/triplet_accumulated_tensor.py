"""Losses are accumulated into a zero tensor that requires grad."""

import torch
from torch import nn

embed = nn.Linear(4, 2)
triplet = nn.TripletMarginLoss()
total = torch.zeros(1, requires_grad=True)
for _ in range(3):
    a, p, n = (embed(torch.randn(5, 4)) for _ in range(3))
    total += triplet(a, p, n)  # error: IP201
total.backward()
