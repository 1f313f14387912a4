import torch
from torch import nn


class FP32Master:
    def __init__(self, model, lr):
        self.model = model
        self.master = [p.detach().clone().float() for p in model.parameters()]
        for m in self.master:
            m.requires_grad_(True)
        self.opt = torch.optim.SGD(self.master, lr=lr)

    def step(self):
        for m, p in zip(self.master, self.model.parameters()):
            m.grad = p.grad.float()
        self.opt.step()
        for m, p in zip(self.master, self.model.parameters()):
            p.data.copy_(m)  # error: IP301


net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
master = FP32Master(net, 0.1)
for x in torch.randn(2, 5, 3):
    out = net(x)
    first, second = out[:, 0].mean(), out[:, 1].pow(2).mean()
    net.zero_grad()
    first.backward(retain_graph=True)
    master.step()
    second.backward()
