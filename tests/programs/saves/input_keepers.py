"""Ops that keep their input."""

import torch
import torch.nn.functional as F

x = torch.rand(4, requires_grad=True)


def fresh():
    return x * 0.5 + 0.1


a = fresh()
out = a.abs().sum()
a.add_(1)  # error: IP101
out.backward()

a = fresh()
out = a.log().sum()
a.add_(1)  # error: IP101
out.backward()

a = fresh()
out = a.sin().sum()
a.add_(1)  # error: IP101
out.backward()

a = fresh()
out = a.clamp(0, 1).sum()
a.add_(1)  # error: IP101
out.backward()

a = fresh()
out = F.gelu(a).sum()
a.add_(1)  # error: IP101
out.backward()

a = fresh()
out = F.silu(a).sum()
a.add_(1)  # error: IP101
out.backward()

a = fresh()
out = F.softplus(a).sum()
a.add_(1)  # error: IP101
out.backward()

a = fresh()
out = a.var()
a.add_(1)  # error: IP101
out.backward()

a = fresh()
out = F.leaky_relu(a).sum()
a.add_(1)  # error: IP101
out.backward()
