import torch
from torch import nn


class Mlp(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc1, self.act, self.fc2 = nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim)

    def forward(self, x):
        x = self.fc1(x)
        x = self.act(x)
        x = self.fc2(x)
        x += 1.0
        return x


class Block(nn.Module):
    def __init__(self, dim, shift):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.mlp, self.shift = Mlp(dim), shift
        self.gamma = nn.Parameter(1e-2 * torch.ones(dim))

    def forward(self, x):
        shortcut = x
        x = self.norm1(x)
        if self.shift:
            x = torch.roll(x, -self.shift, 1)
        y, _ = self.attn(x, x, x, need_weights=False)
        if self.shift:
            y = torch.roll(y, self.shift, 1)
        y *= 0.5
        x = shortcut + y
        h = self.mlp(self.norm2(x))
        return x + h.mul_(self.gamma).sub_(0.1)


net = nn.Sequential(Block(4, 0), Block(4, 1))
opt = torch.optim.AdamW(net.parameters())
for _ in range(2):
    loss = net(torch.randn(2, 4, 4)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
