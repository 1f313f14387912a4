# safe: Write under `torch.no_grad()`
import torch

w = torch.rand(4, requires_grad=True)
w.sum().backward()
with torch.no_grad():
    w.sub_(
        w.grad,
        alpha=0.1,
    )
w.sum().backward()
