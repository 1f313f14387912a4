"""The same data cleaned after the model has seen it: the layer keeps its input for the gradient of its weight."""

import torch

data = torch.randn(8, 3)
layer = torch.nn.Linear(3, 5)
loss = layer(data).sum()
data[data < 0.2] = 0  # error: IP101
loss.backward()
