import torch
import torch.nn as nn
import torch.nn.functional as F


class Norm(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.w = nn.Parameter(torch.ones(d))
        self.register_buffer("mean", torch.zeros(d))
        self.register_buffer("var", torch.ones(d))

    def forward(self, x):
        if self.training:
            m, v = x.mean(0), x.var(0)
            self.mean = 0.9 * self.mean.detach() + 0.1 * m
            self.var = 0.9 * self.var.detach() + 0.1 * v
        return self.w * (x - self.mean) / torch.sqrt(self.var + 1e-5)


def main():
    torch.manual_seed(13)
    model = nn.Sequential(nn.Linear(4, 6), Norm(6), nn.Linear(6, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = model(torch.randn(5, 4)).pow(2).mean()
        loss.backward()
        optimizer.step()
    return model


model = main()
