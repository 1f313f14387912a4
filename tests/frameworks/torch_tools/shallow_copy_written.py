"""`copy.copy` of a list keeps the very tensors, so scaling them in place changes what the products have saved."""

import copy

import torch
from torch import nn

net = nn.Linear(3, 3)
features = [net(input=torch.randn(2, 3)) for _ in range(2)]
score = torch.mul(input=features[0], other=features[1]).sum()
shown = copy.copy(x=features)
for index, feature in enumerate(iterable=shown):
    feature.div_(other=2)  # error: IP101
torch.autograd.backward(tensors=[score])
