# safe: Drop `inplace=True` on lines 8, 10: `nn.Dropout(0.5)`, `nn.ReLU()`
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
net = nn.Sequential(
    nn.Sigmoid(),
    nn.Dropout(0.5),
    nn.Tanh(),
    nn.ReLU(),
)
y = net(x)
y.sum().backward()
