import torch
from torch import nn


class SoftSign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        denom = 1 + x.abs()
        ctx.save_for_backward(denom)
        return x / denom

    @staticmethod
    def backward(ctx, grad):
        (denom,) = ctx.saved_tensors
        return grad / denom.pow(2)


lin = nn.Linear(3, 3)
opt = torch.optim.SGD(lin.parameters(), lr=0.1)
for _ in range(2):
    h = SoftSign.apply(lin(torch.randn(2, 3)))
    main, aux = h.sum(), h.pow(2).sum()
    opt.zero_grad()
    main.backward(retain_graph=True)
    aux.backward()
    opt.step()
