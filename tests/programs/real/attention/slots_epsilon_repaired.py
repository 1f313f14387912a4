import torch
from torch import nn


class SlotAttention(nn.Module):
    def __init__(self, slots=3, dim=4, iters=2):
        super().__init__()
        self.num, self.iters, self.scale = slots, iters, dim**-0.5
        self.mu = nn.Parameter(torch.randn(1, 1, dim))
        self.q, self.k, self.v = (nn.Linear(dim, dim, bias=False) for _ in range(3))
        self.gru = nn.GRUCell(dim, dim)
        self.norm = nn.LayerNorm(dim)

    def forward(self, x):
        b, n, d = x.shape
        slots = self.mu.expand(b, self.num, d)
        k, v = self.k(x), self.v(x)
        for _ in range(self.iters):
            prev = slots
            dots = torch.einsum("bid,bjd->bij", self.q(self.norm(slots)), k) * self.scale
            attn = dots.softmax(dim=1)
            attn = attn + 1e-8
            attn = attn / attn.sum(dim=-1, keepdim=True)
            updates = torch.einsum("bjd,bij->bid", v, attn)
            slots = self.gru(updates.reshape(-1, d), prev.reshape(-1, d)).reshape(b, -1, d)
        return slots


model = SlotAttention()
opt = torch.optim.Adam(model.parameters())
for x in torch.randn(2, 2, 5, 4):
    loss = model(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
