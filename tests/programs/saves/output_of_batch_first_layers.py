"""A layer with `batch_first` returns a transposed tensor: a linear layer on it keeps a copy, other ops keep the tensor."""

import torch
import torch.nn as nn

gru = nn.GRU(4, 4, batch_first=True)
head = nn.Linear(4, 2)
norm = nn.LayerNorm(4)

y, _ = gru(torch.randn(2, 3, 4))
logits = head(y)
y *= 0.5
logits.sum().backward()

y, _ = gru(torch.randn(2, 3, 4))
normed = norm(y)
y *= 0.5  # error: IP101
normed.sum().backward()

y, _ = gru(torch.randn(2, 3, 4))
logits = head(y[:, -1])
y *= 0.5  # error: IP101
logits.sum().backward()

y, _ = gru(torch.randn(3, 4))
logits = head(y)
y *= 0.5  # error: IP101
logits.sum().backward()

attention = nn.MultiheadAttention(4, 2, batch_first=True)
x = torch.randn(2, 3, 4)
y, _ = attention(x, x, x)
logits = head(y)
y *= 0.5
logits.sum().backward()

time_first = nn.GRU(4, 4)
y, _ = time_first(torch.randn(2, 3, 4))
logits = head(y)
y *= 0.5  # error: IP101
logits.sum().backward()
