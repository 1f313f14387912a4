"""The LSTM's state is detached and one finished sequence is reset in place between batches, when no graph needs it."""

import torch
from torch import nn

lstm = nn.LSTM(input_size=3, hidden_size=4, num_layers=2, batch_first=True)
head = nn.Linear(4, 1)
optimizer = torch.optim.Adam(params=[*lstm.parameters(), *head.parameters()], lr=1e-2)


def repackage(h):
    return h.detach() if isinstance(h, torch.Tensor) else tuple(repackage(v) for v in h)


state = None
for _ in range(3):
    output, state = lstm(input=torch.randn(2, 5, 3), hx=state)
    loss = head(output).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    state = repackage(state)
    for part in state:
        part[:, 0] = 0
