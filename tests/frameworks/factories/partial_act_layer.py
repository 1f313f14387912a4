"""The block gets its activation as a partial of an in-place ReLU and applies it to what its second linear layer
has kept."""

from functools import partial

import torch
from torch import nn


class ConvMixerBlock(nn.Module):
    def __init__(self, dim, act_layer=nn.GELU, norm_layer=nn.LayerNorm):
        super().__init__()
        self.norm = norm_layer(dim)
        self.fc1 = nn.Linear(dim, dim)
        self.act = act_layer()
        self.fc2 = nn.Linear(dim, dim)

    def forward(self, x):
        shortcut = x
        x = self.fc1(self.norm(x))
        weights = torch.softmax(self.fc2(x), dim=-1)
        return shortcut + self.act(x) * weights  # error: IP101


def build_model(depth=2, dim=6, act_layer=partial(nn.ReLU, inplace=True)):
    norm_layer = partial(nn.LayerNorm, eps=1e-6)
    return nn.Sequential(*[ConvMixerBlock(dim, act_layer, norm_layer) for _ in range(depth)])


torch.manual_seed(0)
model = build_model()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
x = torch.randn(2, 3, 6)
loss = (model(x) - x).square().mean()
optimizer.zero_grad()
loss.backward()
optimizer.step()
