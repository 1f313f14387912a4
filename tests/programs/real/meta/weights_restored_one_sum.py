import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(1, 6)
        self.l2 = nn.Linear(6, 1)

    def forward(self, x):
        return self.l2(torch.tanh(self.l1(x)))


def update_params(module, grads, lr):
    for p, g in zip(module.parameters(), grads):
        with torch.no_grad():
            p.sub_(lr * g)  # error: IP101


def restore(module, saved):
    with torch.no_grad():
        for name, p in module.named_parameters():
            p.copy_(saved[name])  # error: IP101


model = Model()
meta_opt = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
for epoch in range(2):
    saved = {n: p.detach().clone() for n, p in model.named_parameters()}
    meta_loss = 0.0
    for task in range(2):
        x = torch.rand(4, 1)
        y = task * torch.sin(x)
        inner = criterion(model(x), y)
        grads = torch.autograd.grad(inner, list(model.parameters()))
        update_params(model, grads, 0.01)
        outer = criterion(model(x), y)
        meta_loss = meta_loss + outer
        restore(model, saved)
    meta_opt.zero_grad()
    meta_loss.backward()
    meta_opt.step()
