import torch
from torch import nn


class SparsityPenalty:
    def __init__(self, model, coef=1e-3):
        self.coef, self.total = coef, torch.zeros(())
        for m in model.modules():
            if isinstance(m, nn.ReLU):
                m.register_forward_hook(self.hook)

    def hook(self, module, inputs, output):
        self.total = self.total + output.abs().mean()

    def pop(self):
        value, self.total = self.total, torch.zeros(())
        return self.coef * value


net = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 6), nn.ReLU(), nn.Linear(6, 1))
penalty = SparsityPenalty(net)
opt = torch.optim.Adam(net.parameters())
for x in torch.randn(2, 5, 4):
    loss = net(x).pow(2).mean() + penalty.pop()
    opt.zero_grad()
    loss.backward()
    opt.step()
