"""Inside the mode, on a clone, or without gradients."""

import torch
from torch import nn

layer = nn.Linear(3, 1)
with torch.inference_mode():
    features = torch.rand(2, 3)
    features.add_(1)
    layer(features)
usable = features.clone()
usable.add_(1)
layer(usable).sum().backward()
with torch.no_grad():
    layer(features)
print(features * 2)
