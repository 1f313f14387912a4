import torch
from torch import nn

x, y = torch.rand(5, 3), torch.rand(5, 1)
net = nn.Linear(3, 1)
for step in range(2):
    loss = nn.functional.mse_loss(net(x), y)
    gradients = torch.autograd.grad(loss, net.parameters())
    for parameter, gradient in zip(net.parameters(), gradients):
        parameter.data -= 0.1 * gradient

running = torch.zeros(3)
features = net.weight.sum(0) * 2
running.data += features.mean()
loss = nn.functional.mse_loss(net(x), y)
slopes = torch.autograd.grad(loss, net.parameters(), create_graph=True)
penalty = sum(slope.pow(2).sum() for slope in slopes)
(loss + penalty).backward()
with torch.no_grad():
    for parameter, slope in zip(net.parameters(), slopes):
        parameter.data -= 0.1 * slope
for parameter, slope in zip(net.parameters(), slopes):
    parameter.data -= 0.1 * slope.detach()
