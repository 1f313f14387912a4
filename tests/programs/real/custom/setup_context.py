import torch
from torch import nn


class FusedBiasGelu(torch.autograd.Function):
    @staticmethod
    def forward(x, bias):
        y = x + bias
        return torch.nn.functional.gelu(y), y

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, y = output
        ctx.mark_non_differentiable(y)
        ctx.save_for_backward(y)
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx, grad, _):
        (y,) = ctx.saved_tensors
        cdf = 0.5 * (1 + torch.erf(y / 2**0.5))
        pdf = torch.exp(-0.5 * y * y) / (2 * torch.pi) ** 0.5
        gx = grad * (cdf + y * pdf)
        return gx, gx.sum(0)


class MLP(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.w1, self.w2 = nn.Linear(dim, 2 * dim, bias=False), nn.Linear(2 * dim, dim)
        self.b1 = nn.Parameter(torch.zeros(2 * dim))

    def forward(self, x):
        h, pre = FusedBiasGelu.apply(self.w1(x), self.b1)
        pre.clamp_(min=0)  # error: IP101
        self.sparsity = (pre == 0).float().mean()
        return self.w2(h)


mlp = MLP(3)
mlp(torch.randn(4, 3)).sum().backward()
print(mlp.sparsity)
