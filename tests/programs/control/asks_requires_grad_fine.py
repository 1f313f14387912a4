"""A branch is taken only where no gradient is wanted: there the writes are harmless, in every later pass too."""

import torch
from torch import nn


class Blur(nn.Module):
    def __init__(self, levels):
        super().__init__()
        self.levels = levels
        self.register_buffer("kernel", torch.rand(3))

    def forward(self, image):
        first = image * self.kernel
        for _ in range(self.levels):
            if first.dim() == 2 and not first.requires_grad:
                blurred = torch.empty_like(first)
                torch.mul(first, self.kernel, out=blurred)
                first.exp_()
                blurred += first.exp()
                first = blurred[:, :]
                continue
            first = first.exp() * self.kernel
        return first

    def remember(self, image):
        squared = image**2
        wanted = squared.requires_grad
        halves = squared.exp()
        if wanted:
            return halves.sum()
        image += 1
        halves *= 2
        return halves.sum()


blur = Blur(2)
blur(torch.rand(2, 3))
blur(torch.rand(2, 3, requires_grad=True)).sum().backward()
blur.remember(torch.rand(2, 3))
blur.remember(torch.rand(2, 3, requires_grad=True) * 2).backward()
