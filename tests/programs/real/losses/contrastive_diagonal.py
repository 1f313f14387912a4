"""The diagonal of a similarity matrix is masked in place after the log-sum-exp kept the matrix."""

import torch
import torch.nn.functional as F
from torch import nn


def nt_xent(z1, z2, temperature=0.5):
    z = F.normalize(torch.cat([z1, z2]), dim=1)
    sim = z @ z.t() / temperature
    n = z1.size(0)
    targets = torch.cat([torch.arange(n) + n, torch.arange(n)])
    denom = torch.logsumexp(sim, dim=1)
    sim.fill_diagonal_(-1e9)  # error: IP101
    return (denom - sim[torch.arange(2 * n), targets]).mean()


enc = nn.Linear(6, 4)
nt_xent(enc(torch.randn(3, 6)), enc(torch.randn(3, 6))).backward()
