import torch
import torch.nn.functional as F
from torch import nn


class SelectiveScan(nn.Module):
    def __init__(self, dim, state):
        super().__init__()
        self.A_log = nn.Parameter(torch.log(torch.arange(1, state + 1).float()).repeat(dim, 1))
        self.D = nn.Parameter(torch.ones(dim))
        self.x_proj, self.dt_proj = nn.Linear(dim, 2 * state + 1), nn.Linear(1, dim)
        self.state = state

    def forward(self, u):
        b, l, d = u.shape
        dt, B, C = self.x_proj(u).split([1, self.state, self.state], dim=-1)
        dt = F.softplus(self.dt_proj(dt))
        A = -torch.exp(self.A_log)
        dA = torch.exp(torch.einsum("bld,dn->bldn", dt, A))
        dBu = torch.einsum("bld,bln,bld->bldn", dt, B, u)
        x = u.new_zeros(b, d, self.state)
        ys = []
        for i in range(l):
            x = dA[:, i] * x + dBu[:, i]
            ys.append(torch.einsum("bdn,bn->bd", x, C[:, i]))
        return torch.stack(ys, 1) + u * self.D


net = nn.Sequential(nn.Linear(2, 3), SelectiveScan(3, 2), nn.Linear(3, 1))
opt = torch.optim.AdamW(net.parameters())
for _ in range(2):
    loss = net(torch.randn(2, 4, 2)).pow(2).mean()
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
