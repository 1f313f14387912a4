"""A CRF's forward algorithm with alpha written in place under a mask."""

import torch
from torch import nn


class CRF(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.trans = nn.Parameter(torch.randn(n, n))
        self.start = nn.Parameter(torch.zeros(n))

    def forward(self, emissions, mask):
        alpha = self.start + emissions[:, 0]
        for t in range(1, emissions.size(1)):
            score = alpha.unsqueeze(2) + self.trans + emissions[:, t].unsqueeze(1)
            new = torch.logsumexp(score, dim=1)
            alpha = torch.where(mask[:, t : t + 1], new, alpha)
        return alpha.logsumexp(1).sum()

    def forward_inplace(self, emissions, mask):
        alpha = self.start + emissions[:, 0]
        for t in range(1, emissions.size(1)):
            new = torch.logsumexp(alpha.unsqueeze(2) + self.trans + emissions[:, t].unsqueeze(1), dim=1)
            alpha[mask[:, t]] = new[mask[:, t]]
        return alpha.logsumexp(1).sum()


crf, lin = CRF(3), nn.Linear(4, 3)
x = torch.randn(2, 5, 4)
mask = torch.ones(2, 5, dtype=torch.bool)
mask[1, 3:] = False
(crf(lin(x), mask) + crf.forward_inplace(lin(x), mask)).backward()
