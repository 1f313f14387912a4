import torch

w = torch.rand(4, requires_grad=True)
w.sum().backward()
w.sub_(
    w.grad,
    alpha=0.1,
)
w.sum().backward()
