import torch
from torch import nn


def make_logger(beta=0.9):
    running = None

    def log(loss):
        nonlocal running
        value = loss.detach()
        running = value if running is None else beta * running + (1 - beta) * value
        return running

    return log


net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
opt, log = torch.optim.SGD(net.parameters(), lr=0.1), make_logger()
for x in torch.randn(3, 5, 3):
    loss = net(x).pow(2).mean()
    smooth = log(loss)
    total = loss + 0.1 * (loss - smooth).abs()
    opt.zero_grad()
    total.backward()
    opt.step()
