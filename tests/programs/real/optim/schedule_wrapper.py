import torch
from torch import nn


class Noam:
    def __init__(self, opt, warmup=2):
        self.opt, self.warmup, self.t = opt, warmup, 0

    def step(self):
        self.t += 1
        for g in self.opt.param_groups:
            g["lr"] = 0.1 * min(self.t**-0.5, self.t * self.warmup**-1.5)
        self.opt.step()  # error: IP102

    def zero_grad(self):
        self.opt.zero_grad()


enc, dec = nn.Linear(3, 4), nn.Sequential(nn.ReLU(), nn.Linear(4, 3))
noam = Noam(torch.optim.Adam([*enc.parameters(), *dec.parameters()], lr=0))
for x in torch.randn(2, 5, 3):
    z = enc(x)
    recon = (dec(z) - x).pow(2).mean()
    cycle = (enc(dec(z)) - z).pow(2).mean()
    noam.zero_grad()
    recon.backward(retain_graph=True)
    noam.step()
    cycle.backward()
