"""The same block gets a partial of an out-of-place activation, and only its last layer gets the in-place one."""

from functools import partial

import torch
from torch import nn


class ConvMixerBlock(nn.Module):
    def __init__(self, dim, act_layer=partial(nn.ReLU, inplace=True), norm_layer=nn.LayerNorm):
        super().__init__()
        self.norm = norm_layer(dim)
        self.fc1 = nn.Linear(dim, dim)
        self.act = act_layer()
        self.fc2 = nn.Linear(dim, dim)

    def forward(self, x):
        shortcut = x
        x = self.fc1(self.norm(x))
        weights = torch.softmax(self.fc2(x), dim=-1)
        return shortcut + self.act(x) * weights


def build_model(depth=2, dim=6):
    norm_layer = partial(nn.LayerNorm, eps=1e-6)
    act_layer = partial(nn.ELU, alpha=0.5)
    blocks = [ConvMixerBlock(dim, act_layer, norm_layer) for _ in range(depth)]
    return nn.Sequential(*blocks, nn.Linear(dim, dim), partial(nn.ReLU, inplace=True)())


torch.manual_seed(0)
model = build_model()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for _ in range(2):
    x = torch.randn(2, 3, 6)
    loss = (model(x) - x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
