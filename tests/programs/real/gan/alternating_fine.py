"""A GAN loop that does everything right: detach, zero_grad, in-place activations, soft labels written in place."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class D(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.utils.spectral_norm(nn.Linear(6, 8))
        self.c2 = nn.Linear(8, 1)

    def forward(self, x):
        x = F.leaky_relu(self.c1(x), 0.2, inplace=True)
        return self.c2(x)


class G(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 6)

    def forward(self, z):
        return torch.tanh(self.fc(z))


d, g = D(), G()
opt_d = torch.optim.Adam(d.parameters())
opt_g = torch.optim.Adam(g.parameters())
for it in range(2):
    x = torch.randn(4, 6)
    label = torch.full((4, 1), 1.0)
    fake = g(torch.randn(4, 3))
    d.zero_grad()
    err_real = F.binary_cross_entropy_with_logits(d(x), label)
    err_real.backward()
    label.fill_(0.0)
    err_fake = F.binary_cross_entropy_with_logits(d(fake.detach()), label)
    err_fake.backward()
    opt_d.step()
    g.zero_grad()
    label.fill_(1.0)
    err_g = F.binary_cross_entropy_with_logits(d(fake), label)
    err_g.backward()
    opt_g.step()
