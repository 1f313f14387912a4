import torch
import torch.nn.functional as F
from torch import nn


class TTTLinear(nn.Module):
    def __init__(self, dim, lr=0.1):
        super().__init__()
        self.W0 = nn.Parameter(torch.eye(dim) * 0.5)
        self.k, self.v, self.q = (nn.Linear(dim, dim, bias=False) for _ in range(3))
        self.lr = lr

    def forward(self, x):
        W = self.W0.expand(x.shape[0], -1, -1).clone()
        out = []
        for xt in x.unbind(1):
            k, v, q = self.k(xt), self.v(xt), self.q(xt)
            err = torch.einsum("bij,bj->bi", W, k) - v
            W = W - self.lr * torch.einsum("bi,bj->bij", err, k)
            out.append(torch.einsum("bij,bj->bi", W, q))
        return torch.stack(out, 1)


class LM(nn.Module):
    def __init__(self, vocab=6, dim=4):
        super().__init__()
        self.emb, self.norm, self.mix = nn.Embedding(vocab, dim), nn.RMSNorm(dim), TTTLinear(dim)

    def forward(self, ids):
        h = self.emb(ids)
        h = h + self.mix(self.norm(h))
        return h @ self.emb.weight.T


lm = LM()
opt = torch.optim.AdamW(lm.parameters(), lr=1e-3, fused=False)
for _ in range(2):
    ids = torch.randint(6, (2, 5))
    loss = F.cross_entropy(lm(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
