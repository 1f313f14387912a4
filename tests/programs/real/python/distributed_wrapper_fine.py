import torch
from torch import nn


class Distributed(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(super().__getattr__("module"), name)

    def forward(self, *args):
        return self.module(*args)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(3, 4), nn.Linear(4, 1)

    def forward(self, x):
        return self.b(torch.relu(self.a(x)))

    def clip(self):
        with torch.no_grad():
            for p in self.parameters():
                p.clamp_(-1, 1)


model = Distributed(Net())
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.randn(2, 5, 3):
    loss = model(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    model.clip()
