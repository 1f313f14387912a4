"""An encoder that normalises first keeps its input, and its layers keep their weights from a step."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        h = self.encoder(x)
        x *= 2  # error: IP101
        return self.head(h)


model = Model()
optimizer = torch.optim.AdamW(model.encoder.parameters(), lr=1e-3)
x = torch.randn(4, 6, 8, requires_grad=True).exp()
a = model(x + 0)
b = model(torch.rand(4, 6, 8))
a.sum().backward()
optimizer.step()  # error: IP102
b.sum().backward()
