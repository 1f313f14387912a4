"""The in-place layer scale multiplies what the MLP's last linear layer returned, and a linear layer does not
keep its result."""

import torch
from timm.layers import DropPath, LayerScale, Mlp
from timm.optim import create_optimizer_v2
from torch import nn


class Block(nn.Module):
    def __init__(self, dim, init_values=1e-2, drop_path=0.0):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.mlp = Mlp(dim, hidden_features=2 * dim, act_layer=nn.GELU)
        self.scale = LayerScale(dim, init_values=init_values, inplace=True)
        self.drop_path = DropPath(drop_path) if drop_path > 0.0 else nn.Identity()

    def forward(self, x):
        return x + self.drop_path(self.scale(self.mlp(self.norm(x))))


torch.manual_seed(0)
model = nn.Sequential(Block(6), Block(6, drop_path=0.2), nn.Linear(6, 2))
optimizer = create_optimizer_v2(model, opt="nadamw", lr=1e-3)
for _ in range(2):
    x, y = torch.randn(3, 4, 6), torch.randn(3, 4, 2)
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
