import torch
from torch import nn


class Wrapper:
    def __init__(self, module):
        self.module = module

    def __call__(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def __getattr__(self, name):
        return getattr(self.module, name)


model = Wrapper(nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.randn(2, 5, 3):
    out = model(x)
    la, lb = out[:, 0].mean(), out[:, 1].mean()
    opt.zero_grad()
    la.backward(retain_graph=True)
    opt.step()  # error: IP102
    lb.backward()
