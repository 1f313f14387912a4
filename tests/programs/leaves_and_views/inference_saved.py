"""An op that would keep an inference tensor is refused, one that keeps nothing is not."""

import torch
from torch import nn

with torch.inference_mode():
    features = torch.rand(2, 3)
layer = nn.Linear(3, 1)
shifted = layer.weight.sum() + features.sum()
shifted.backward()
out = layer(features)  # error: IP206
out.sum().backward()
