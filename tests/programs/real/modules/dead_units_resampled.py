import torch
from torch import nn


class SAE(nn.Module):
    def __init__(self, d=4, k=6):
        super().__init__()
        self.enc, self.dec = nn.Linear(d, k), nn.Linear(k, d)

    def forward(self, x):
        z = torch.relu(self.enc(x))
        return self.dec(z), z

    @torch.no_grad()
    def resample(self, z):
        dead = (z > 0).float().mean(0) < 0.1
        fresh = torch.empty_like(self.dec.weight)
        nn.init.kaiming_uniform_(fresh)
        self.dec.weight[:, dead] = fresh[:, dead]  # error: IP101
        self.enc.bias[dead] = 0.0


sae = SAE()
opt = torch.optim.Adam(sae.parameters())
for x in torch.randn(2, 8, 4):
    recon, z = sae(x)
    loss = (recon - x).pow(2).mean() + 1e-3 * z.abs().mean()
    sae.resample(z)
    opt.zero_grad()
    loss.backward()
    opt.step()
