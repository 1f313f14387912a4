"""A hidden state that is scaled through .data from step to step."""

import torch

cell = torch.nn.Linear(3, 3)
hidden = torch.zeros(2, 3)
for _ in range(3):
    hidden = cell(hidden)
    hidden.data *= 0.9  # error: IP301
hidden.sum().backward()

hidden = torch.zeros(2, 3)
for _ in range(3):
    hidden = cell(hidden)
    hidden = hidden * 0.9
hidden.sum().backward()
