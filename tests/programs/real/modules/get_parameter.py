import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
loss = net(torch.randn(5, 3)).pow(2).mean()
with torch.no_grad():
    net.get_parameter("2.weight").mul_(0.5)  # error: IP101
loss.backward()
