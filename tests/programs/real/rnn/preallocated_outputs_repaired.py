"""The states are collected in a list."""

import torch
import torch.nn as nn


class CustomRNN(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.i2h = nn.Linear(input_size, hidden_size)
        self.h2h = nn.Linear(hidden_size, hidden_size)

    def forward(self, x):
        seq_len, batch, _ = x.shape
        h = x.new_zeros(batch, self.hidden_size)
        outputs = []
        for t in range(seq_len):
            h = torch.tanh(self.i2h(x[t]) + self.h2h(h))
            outputs.append(h)
        return torch.stack(outputs)


model = CustomRNN(3, 5)
out = model(torch.randn(4, 2, 3))
out.sum().backward()
