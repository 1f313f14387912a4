"""The LSTM's state is handed to the next batch with its graph, so the second backward walks what the first one freed."""

import torch
from torch import nn

lstm = nn.LSTM(input_size=3, hidden_size=4, num_layers=2, batch_first=True)
head = nn.Linear(4, 1)
optimizer = torch.optim.Adam(params=[*lstm.parameters(), *head.parameters()], lr=1e-2)

state = None
for _ in range(2):
    output, state = lstm(input=torch.randn(2, 5, 3), hx=state)
    loss = head(output).square().mean()
    optimizer.zero_grad()
    loss.backward()  # error: IP103
    optimizer.step()
