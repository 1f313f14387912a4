import torch
import torch.nn as nn
import torch.nn.functional as F


class InvConv(nn.Module):
    def __init__(self, c):
        super().__init__()
        w = torch.linalg.qr(torch.randn(c, c))[0]
        self.weight = nn.Parameter(w)

    def forward(self, x):
        h, w = x.shape[2:]
        logdet = h * w * torch.linalg.slogdet(self.weight)[1]
        return F.conv2d(x, self.weight[:, :, None, None]), logdet


class ActNorm(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.loc = nn.Parameter(torch.zeros(1, c, 1, 1))
        self.scale = nn.Parameter(torch.ones(1, c, 1, 1))
        self.initialised = False

    def initialise(self, x):
        with torch.no_grad():
            self.loc.copy_(-x.mean((0, 2, 3), keepdim=True))
            self.scale.copy_(1 / (x.std((0, 2, 3), keepdim=True) + 1e-6))  # error: IP101

    def forward(self, x):
        y = self.scale * (x + self.loc)
        if not self.initialised:
            self.initialise(x)
            self.initialised = True
        return y, x.shape[2] * x.shape[3] * self.scale.abs().log().sum()


layers = nn.ModuleList([ActNorm(2), InvConv(2)])
opt = torch.optim.Adam(layers.parameters())
for _ in range(2):
    x, total = torch.randn(3, 2, 4, 4), 0
    for layer in layers:
        x, ld = layer(x)
        total = total + ld
    loss = x.pow(2).mean() - total.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
