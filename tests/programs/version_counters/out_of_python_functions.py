"""Functions that torch writes in Python take `out=`, too: they write it, and refuse what requires grad."""

import torch
import torch.nn.functional as F
from torch import nn

weight = torch.rand(3, 3, requires_grad=True)


class SpectralNorm(nn.Module):
    """The vector of the power iteration is saved by the first call and written by the second."""

    def __init__(self, copies):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(3, 3))
        self.register_buffer("u", torch.rand(3))
        self.copies = copies

    def norm(self):
        with torch.no_grad():
            F.normalize(torch.mv(self.weight, self.u), dim=0, out=self.u)  # error: IP101
        return torch.dot(self.u, torch.mv(self.weight, self.u))

    def norm_of_copy(self):
        with torch.no_grad():
            F.normalize(torch.mv(self.weight, self.u), dim=0, out=self.u)
        u = self.u.clone()
        return torch.dot(u, torch.mv(self.weight, u))

    def forward(self, real, fake):
        if self.copies:
            return real / self.norm_of_copy() + fake / self.norm_of_copy()
        return real / self.norm() + fake / self.norm()


for copies in (True, False):
    try:
        SpectralNorm(copies)(torch.rand(3), torch.rand(3)).sum().backward()
    except RuntimeError as error:
        print(error)

length = torch.ones(3)
scaled = weight * length
torch.norm(torch.rand(3, 4), dim=1, out=length)  # error: IP101
try:
    scaled.sum().backward()
except RuntimeError as error:
    print(error)

try:
    F.normalize(weight, out=torch.empty(3, 3))  # error: IP207
except RuntimeError as error:
    print(error)

try:
    torch.norm(weight, dim=1, out=torch.empty(3))  # error: IP207
except RuntimeError as error:
    print(error)

other = torch.zeros(3, 3)
F.normalize(weight, out=None).sum().backward()
torch.norm(weight.detach(), dim=1, out=length)
F.normalize(weight.detach(), out=other)
(weight * other).sum().backward()
