"""The hidden state that the GRU got without gradients is kept by it all the same, and finished episodes are zeroed in place before backward."""

import torch
from torch import nn

gru = nn.GRU(input_size=3, hidden_size=4)
head = nn.Linear(4, 1)
optimizer = torch.optim.Adam(params=[*gru.parameters(), *head.parameters()], lr=1e-2)

hidden = torch.zeros(1, 2, 4)
for _ in range(2):
    done = torch.tensor([True, False])
    output, new_hidden = gru(torch.randn(5, 2, 3), hidden)
    loss = head(output).square().mean()
    hidden.copy_(new_hidden.detach())  # error: IP101
    hidden[:, done] = 0  # error: IP101
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
