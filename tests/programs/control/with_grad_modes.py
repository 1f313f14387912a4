"""set_grad_enabled as a context and as a call, enable_grad inside no_grad."""

import torch

w = torch.rand(3, requires_grad=True)
with torch.set_grad_enabled(False):
    w.mul_(2)
torch.set_grad_enabled(False)
w.add_(1)
torch.set_grad_enabled(True)
with torch.no_grad():
    with torch.enable_grad():
        w.add_(1)  # error: IP201
