"""Soft assignments to a codebook that is then moved in place: the graph still needs the old codes."""

import torch
import torch.nn.functional as F
from torch import nn


class SoftQuantizer(nn.Module):
    def __init__(self, n_codes=8, dim=4, decay=0.9):
        super().__init__()
        self.decay = decay
        self.register_buffer("codebook", torch.randn(n_codes, dim))

    def forward(self, z):
        logits = -torch.cdist(z, self.codebook)
        soft = logits.softmax(-1)
        out = soft @ self.codebook
        if self.training:
            self._update(z.detach(), soft.detach())
        return out

    @torch.no_grad()
    def _update(self, z, soft):
        target = (soft.t() @ z) / soft.sum(0).clamp_min(1e-6).unsqueeze(1)
        self.codebook.mul_(self.decay).add_(target, alpha=1 - self.decay)  # error: IP101


enc, vq = nn.Linear(6, 4), SoftQuantizer()
loss = F.mse_loss(vq(enc(torch.randn(10, 6))), torch.zeros(10, 4))
loss.backward()
