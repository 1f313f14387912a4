import torch
import torch.nn as nn
import torch.nn.functional as F


class G(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(6, 12)
        self.l2 = nn.Linear(12, 5)

    def forward(self, z, y):
        return torch.tanh(self.l2(F.relu(self.l1(torch.cat([z, y], 1)))))


class D(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(7, 12)
        self.l2 = nn.Linear(12, 1)

    def forward(self, x, y):
        return torch.sigmoid(self.l2(F.leaky_relu(self.l1(torch.cat([x, y], 1)), 0.2)))


class Trainer:
    def __init__(self):
        self.g, self.d = G(), D()
        self.opt_g = torch.optim.Adam(self.g.parameters(), lr=1e-3)
        self.opt_d = torch.optim.Adam(self.d.parameters(), lr=1e-3)
        self.bce = nn.BCELoss()

    def forward(self, real, y):
        self.real, self.y = real, y
        self.fake = self.g(torch.randn(real.size(0), 4), y)
        self.pred_fake = self.d(self.fake, y)
        self.pred_real = self.d(real, y)

    def optimize(self):
        self.opt_d.zero_grad()
        loss_d = self.bce(self.pred_real, torch.ones_like(self.pred_real)) + self.bce(
            self.pred_fake, torch.zeros_like(self.pred_fake)
        )
        loss_d.backward(retain_graph=True)
        self.opt_d.step()
        self.opt_g.zero_grad()
        self.pred_fake = self.d(self.fake, self.y)
        loss_g = self.bce(self.pred_fake, torch.ones_like(self.pred_fake))
        loss_g.backward()
        self.opt_g.step()


def main():
    torch.manual_seed(0)
    t = Trainer()
    for _ in range(3):
        t.forward(torch.randn(4, 5), F.one_hot(torch.tensor([0, 1, 1, 0]), 2).float())
        t.optimize()
    return t


t = main()
