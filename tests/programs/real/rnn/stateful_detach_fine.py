"""Truncated backpropagation: the state is detached in place every k steps."""

import torch
import torch.nn as nn

model = nn.LSTM(2, 4, num_layers=2, batch_first=True)
readout = nn.Linear(4, 1)
optimizer = torch.optim.RMSprop([{"params": model.parameters()}, {"params": readout.parameters(), "lr": 1e-3}])
series = torch.randn(1, 12, 2)
target = torch.randn(1, 12, 1)
state = None
for start in range(0, 12, 4):
    chunk = series[:, start : start + 4]
    out, state = model(chunk, state)
    loss = nn.functional.mse_loss(readout(out), target[:, start : start + 4])
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    for s in state:
        s.detach_()
