import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
net = nn.Sequential(
    nn.Sigmoid(),
    nn.Dropout(0.5, inplace=True),
    nn.Tanh(),
    nn.ReLU(True),
)
y = net(x)
y.sum().backward()
