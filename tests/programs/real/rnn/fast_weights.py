import torch
from torch import nn


class DeltaNet(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.beta = nn.Linear(dim, 1)

    def forward(self, xs):
        q, k, v = self.qkv(xs).chunk(3, dim=-1)
        k = torch.nn.functional.normalize(k, dim=-1)
        W = torch.zeros(xs.shape[0], xs.shape[-1], xs.shape[-1])
        outputs = torch.empty_like(xs)
        for t in range(xs.shape[1]):
            beta = torch.sigmoid(self.beta(xs[:, t]))
            old = torch.bmm(W, k[:, t].unsqueeze(-1)).squeeze(-1)
            W.baddbmm_((beta * (v[:, t] - old)).unsqueeze(-1), k[:, t].unsqueeze(1))  # error: IP101
            outputs[:, t] = torch.bmm(W, q[:, t].unsqueeze(-1)).squeeze(-1)
        return outputs


net = DeltaNet(3)
net(torch.randn(2, 3, 3)).sum().backward()
