import torch
from torch import nn


class Averager:
    def __init__(self, model):
        self.model, self.avg = model, [p.detach().clone() for p in model.parameters()]

    def evaluate(self, x):
        backup = [p.detach().clone() for p in self.model.parameters()]
        try:
            with torch.no_grad():
                for p, a in zip(self.model.parameters(), self.avg):
                    p.copy_(a)
                return self.model(x).mean().item()
        finally:
            with torch.no_grad():
                for p, b in zip(self.model.parameters(), backup):
                    p.copy_(b)


net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
avg, opt = Averager(net), torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(2, 5, 3):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(avg.evaluate(x))
